"""Quantities as plain NumPy array code, without machine code: readable, and a reference for the compiled functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from leverarm.compiler.array_code import array_function
from leverarm.model import Arm
from leverarm.runtime.bridges.asking import Asked, Choosing, asked_for
from leverarm.runtime.calls.arguments import leading_shape

STATES = 16384
"""States per block, so that intermediate values stay in the processor's cache."""


def to_numpy(arm: Arm, quantity: str, **choosing: Unpack[Choosing]) -> Callable[..., Any]:
    """A quantity of an arm as a function of arrays (..., n) that broadcast; several results come as a tuple.

    If all arguments are float32, so is the result. `choosing` may hold inputs, extras, frame, axes, kinds and
    method, see `Choosing`. `la.compile` gives the same functions as machine code, tens of times faster.
    """
    asked = asked_for(arm, quantity, choosing)
    compute = array_function(asked.program, "numpy")

    def function(*given: Any, **named: Any) -> Any:
        arrays = _floats(asked, asked.ordered(given, named))
        asked.check_shapes(arrays)
        leading = leading_shape(asked.program, arrays)
        # always a batch: NumPy 1 would promote float32 scalars to float64
        flat = [
            np.broadcast_to(x, leading + array.shape).reshape((-1, *array.shape))
            for x, array in zip(arrays, asked.program.inputs, strict=True)
        ]
        states = len(flat[0])
        results = [np.empty((states, *array.shape), flat[0].dtype) for array in asked.program.outputs]
        for begin in range(0, states, STATES):
            part = compute(*(x[begin : begin + STATES] for x in flat))
            for result, values in zip(results, part if len(results) > 1 else (part,), strict=True):
                result[begin : begin + STATES] = values
        shaped = [x.reshape(leading + array.shape) for x, array in zip(results, asked.program.outputs, strict=True)]
        return shaped[0] if len(shaped) == 1 else tuple(shaped)

    return asked.named(function)


def _floats(asked: Asked, given: Sequence[Any]) -> list[NDArray[Any]]:
    """Arrays of one type: that of the floating-point arrays among the arguments, else float64."""
    found = [x.dtype for x in given if isinstance(x, np.ndarray) and x.dtype.kind == "f"]
    dtype = np.result_type(*found) if found else np.dtype(np.float64)
    arrays = []
    for array, x in zip(asked.program.inputs, given, strict=True):
        try:
            raw = np.asarray(x)
            if raw.dtype.kind not in "biuf":
                raise TypeError(f"numbers of type {raw.dtype}")
        except (TypeError, ValueError) as problem:
            raise asked.not_real(array, problem) from None
        arrays.append(raw.astype(dtype, copy=False))
    return arrays
