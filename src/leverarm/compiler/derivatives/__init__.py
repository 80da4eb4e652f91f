"""Derivatives of any output by any input, on the same tape as the values."""

from leverarm.compiler.derivatives.forward import forward
from leverarm.compiler.derivatives.partials import partials
from leverarm.compiler.derivatives.programs import jacobian_program
from leverarm.compiler.derivatives.reverse import reverse

__all__ = ["forward", "jacobian_program", "partials", "reverse"]
