"""How new results lie in memory: as the arguments do, as NumPy's order 'K'.

Leading axes lie in the order of the arguments' leading axes (C order for arguments in C order). The entries of one
state are neighbours, unless in every batched argument the states are (memory (n, B), passed as its transpose (B, n)):
then in the results too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leverarm.compiler.program import Array
from leverarm.runtime.calls.loops import leading_axes, memory_order


@dataclass(frozen=True, slots=True)
class Layout:
    """A batch: its leading axes, how many states that is, the order of the axes in memory (slowest first), and whether
    the states are neighbours rather than the entries of each.
    """

    leading: tuple[int, ...]
    states: int
    order: tuple[int, ...]
    has_states_together: bool


def leading_strides(x: NDArray[Any], spec: Array, leading: tuple[int, ...]) -> tuple[int, ...]:
    """Bytes between neighbours along each leading axis of the batch; 0 where the array is the same for all."""
    own = x.ndim - len(spec.shape)
    shape, strides = x.shape[:own], x.strides[:own]
    if shape == leading and 1 not in shape:
        return strides
    steps = [stride if length > 1 else 0 for length, stride in zip(shape, strides, strict=True)]
    return (0,) * (len(leading) - own) + tuple(steps)


def layout_of(
    leading: tuple[int, ...],
    arrays: Sequence[NDArray[Any]],
    specs: Sequence[Array],
    strides: Sequence[tuple[int, ...]],
) -> Layout:
    """The layout that these arguments suggest; `strides` are their leading ones."""
    order = tuple(memory_order(leading_axes(leading, strides))) if len(leading) > 1 else (0,) * len(leading)
    has_votes, is_together = False, True
    for x, spec, steps in zip(arrays, specs, strides, strict=True):
        if spec.size > 1 and any(steps):
            entry_steps = [abs(x.strides[k - len(spec.shape)]) for k, length in enumerate(spec.shape) if length > 1]
            is_together &= min(abs(step) for step in steps if step) < min(entry_steps)
            has_votes = True
    return Layout(leading, prod(leading), order, has_votes and is_together)


def new_result(layout: Layout, spec: Array, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Memory for a result of every state, not yet filled."""
    shape = layout.leading + spec.shape
    if not layout.has_states_together and layout.order == tuple(range(len(layout.leading))):
        return np.empty(shape, dtype)
    step = dtype.itemsize * (layout.states if layout.has_states_together else 1)
    entry_strides = []
    for length in reversed(spec.shape):
        entry_strides.append(step)
        step *= length
    step = dtype.itemsize * (1 if layout.has_states_together else spec.size)
    strides = [0] * len(layout.leading)
    for axis in reversed(layout.order):
        strides[axis] = step
        step *= layout.leading[axis]
    return np.ndarray(shape, dtype, strides=(*strides, *reversed(entry_strides)))


def in_one_piece(x: NDArray[Any], spec: Array, layout: Layout) -> NDArray[Any]:
    """A copy, broadcast to all states, whose leading axes lie in the layout's order without gaps."""
    core = range(len(layout.leading), len(layout.leading) + len(spec.shape))
    axes = (*layout.order, *core)
    full = np.broadcast_to(x, layout.leading + spec.shape).transpose(axes)
    return np.array(full, order="C", copy=True).transpose(np.argsort(axes))
