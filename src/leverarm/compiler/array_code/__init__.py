"""Programs as Python functions over arrays of numpy, jax.numpy, torch or cupy."""

from leverarm.compiler.array_code.expressions import unused
from leverarm.compiler.array_code.module import LIBRARIES, array_code, array_function, array_module

__all__ = ["LIBRARIES", "array_code", "array_function", "array_module", "unused"]
