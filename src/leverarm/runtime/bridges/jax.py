"""Quantities as JAX functions that work under jit, vmap, grad, jacfwd and jacrev."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Unpack

import numpy as np

from leverarm.compiler.array_code import array_function
from leverarm.model import Arm
from leverarm.runtime.bridges.asking import Choosing, asked_for, extra


def to_jax(arm: Arm, quantity: str, **choosing: Unpack[Choosing]) -> Callable[..., Any]:
    """A quantity of an arm as a jitted JAX function of arrays (..., n) that broadcast; several results are a tuple.

    Precision follows the arguments; float64 needs `jax_enable_x64`. Derivatives are JAX's own;
    that of sign (dry friction) is 0. `choosing` may hold inputs, extras, frame, axes, kinds and method, see
    `Choosing`. Raises MissingExtraError without JAX.
    """
    jax, xp = extra("jax", "JAX"), extra("jax.numpy", "JAX")
    asked = asked_for(arm, quantity, choosing)
    compute = array_function(asked.program, "jax")

    def function(*given: Any, **named: Any) -> Any:
        values = asked.ordered(given, named)
        for array, x in zip(asked.program.inputs, values, strict=True):
            if xp.iscomplexobj(x):
                raise asked.not_real(array, "they are complex")
        typed = [x for x in values if isinstance(x, jax.Array | np.ndarray)]
        found = [x.dtype for x in typed if xp.issubdtype(x.dtype, xp.floating)]
        dtype = xp.result_type(*found) if found else float
        arrays = [xp.asarray(x, dtype) for x in values]
        asked.check_shapes(arrays)
        return compute(*arrays)

    jitted: Callable[..., Any] = jax.jit(asked.named(function))
    return jitted
