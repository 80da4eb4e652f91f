"""The general call: arrays of any leading axes, strides and layout, read and written in place by the kernel.

Arguments broadcast over their leading axes as in NumPy: an argument of the kernel's shape (n,) may have any shape
(..., n). NaN and infinity propagate by IEEE arithmetic, in their own state only.

New results take the memory layout of the arguments, as NumPy's order 'K': leading axes in the order of the arguments'
(C order for arguments in C order), and the entries of one state contiguous, unless in every batched argument the states
are (memory (n, B), passed as its transpose (B, n)): then so are they in the results.
"""

from __future__ import annotations

from array import array as numbers
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leverarm.compiler.program import Array
from leverarm.runtime.calls.arguments import as_array, checked_outs, leading_shape
from leverarm.runtime.calls.kernel import (
    Axis,
    Kernel,
    entry_stride,
    has_distinct_places,
    joined,
    leading_axes,
    memory_order,
)
from leverarm.runtime.calls.object_headers import data_address
from leverarm.runtime.calls.threads import checked_threads, over_states


@dataclass(frozen=True, slots=True)
class Layout:
    """A batch: its leading axes, the number of states, the memory order of the axes (slowest first), and whether states
    rather than entries are contiguous.
    """

    leading: tuple[int, ...]
    states: int
    order: tuple[int, ...]
    has_states_together: bool


def leading_strides(x: NDArray[Any], spec: Array, leading: tuple[int, ...]) -> tuple[int, ...]:
    """Byte stride along each leading axis of the batch; 0 where the array is broadcast."""
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
    """The layout implied by these arguments; `strides` are those of their leading axes."""
    order = tuple(memory_order(leading_axes(leading, strides))) if len(leading) > 1 else (0,) * len(leading)
    has_votes, is_together = False, True
    for x, spec, steps in zip(arrays, specs, strides, strict=True):
        if spec.size > 1 and any(steps):
            entry_steps = [abs(x.strides[k - len(spec.shape)]) for k, length in enumerate(spec.shape) if length > 1]
            is_together &= min(abs(step) for step in steps if step) < min(entry_steps)
            has_votes = True
    return Layout(leading, prod(leading), order, has_votes and is_together)


def new_result(layout: Layout, spec: Array, dtype: np.dtype[Any]) -> NDArray[Any]:
    """An uninitialised result array for all states."""
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
    """A copy, broadcast to all states, contiguous in the layout's order."""
    core = range(len(layout.leading), len(layout.leading) + len(spec.shape))
    axes = (*layout.order, *core)
    full = np.broadcast_to(x, layout.leading + spec.shape).transpose(axes)
    return np.array(full, order="C", copy=True).transpose(np.argsort(axes))


SHORT = 32  # states: for shorter inner loops, copying the arguments into one loop is cheaper
OVERLAP_WORK: Any = 1000  # work limit of np.shares_memory; undecided cases cost a copy


def evaluate(kernel: Kernel, arguments: Sequence[Any], out: Any = None, threads: Any = None) -> Any:
    """The results: an array, a tuple of arrays if there are several, a NumPy scalar for a 0-d result.

    `out` is such an array or tuple, of the results' shapes and the kernel's type, and is returned. It may share memory
    with the arguments.
    """
    number = None if threads is None else checked_threads(threads, "threads")
    arrays = [as_array(kernel, spec, given) for spec, given in zip(kernel.inputs, arguments, strict=True)]
    leading = leading_shape(kernel, arrays)
    outs = None if out is None else checked_outs(kernel, out, leading)
    results = _batch(kernel, arrays, outs, leading, number) if prod(leading) > 1 else _single(kernel, arrays, leading)
    if outs is not None:
        for one, result in zip(outs, results, strict=True):
            if one is not result:
                np.copyto(one, result)
        return out
    answers = [result if result.ndim else result[()] for result in results]
    return answers[0] if len(answers) == 1 else tuple(answers)


def long_batch(kernel: Kernel) -> Callable[[int, int, Any], None]:
    """A function that runs the kernel over views at an address, on the given or the best number of threads."""

    def run_states(views: int, states: int, threads: int | None) -> None:
        over_states(partial(kernel.batch(), views), states, kernel.lanes, threads, kernel.pace)

    return run_states


def _single(kernel: Kernel, arrays: list[NDArray[Any]], leading: tuple[int, ...]) -> list[NDArray[Any]]:
    """One state or none."""
    results = [np.empty(leading + spec.shape, kernel.dtype) for spec in kernel.outputs]
    if prod(leading) == 1:
        whole = [np.ascontiguousarray(x) for x in arrays]
        kernel.single(*[data_address(x) for x in (*whole, *results)])
    return results


def _batch(
    kernel: Kernel,
    arrays: list[NDArray[Any]],
    outs: list[NDArray[Any]] | None,
    leading: tuple[int, ...],
    threads: int | None,
) -> list[NDArray[Any]]:
    """Many states, written directly to `outs` if the kernel can, else to new arrays."""
    inputs = [_with_one_entry_stride(x, spec) for x, spec in zip(arrays, kernel.inputs, strict=True)]
    strides = [leading_strides(x, spec, leading) for x, spec in zip(inputs, kernel.inputs, strict=True)]
    layout = layout_of(leading, inputs, kernel.inputs, strides)
    if outs is not None and _can_be_written(outs, inputs, kernel.outputs):
        results = outs
    else:
        results = [new_result(layout, spec, kernel.dtype) for spec in kernel.outputs]
    loops = _loops(layout, strides, results)
    if len(loops) > 1 and max(axis.length for axis in loops) < SHORT:
        inputs = [in_one_piece(x, spec, layout) for x, spec in zip(inputs, kernel.inputs, strict=True)]
        strides = [x.strides[: len(leading)] for x in inputs]
        results = [new_result(layout, spec, kernel.dtype) for spec in kernel.outputs]
        loops = _loops(layout, strides, results)
    _run(kernel, [*inputs, *results], loops, threads)
    return results


def _loops(layout: Layout, strides: list[tuple[int, ...]], results: list[NDArray[Any]]) -> list[Axis]:
    count = len(layout.leading)
    axes = leading_axes(layout.leading, [*strides, *(x.strides[:count] for x in results)])
    return axes if count == 1 else joined([axes[k] for k in layout.order])


def _run(kernel: Kernel, arrays: list[NDArray[Any]], loops: list[Axis], threads: int | None) -> None:
    """Runs the longest loop inside the kernel, once per index of the outer loops."""
    run, specs = kernel.batch(), (*kernel.inputs, *kernel.outputs)
    inner = max(loops, key=lambda axis: axis.length)
    views = numbers("q")
    for x, spec, stride in zip(arrays, specs, inner.strides, strict=True):
        views.extend((data_address(x), stride, _entry_stride(x, spec) or 0))
    places = _places(views, [axis for axis in loops if axis is not inner])
    address, width = views.buffer_info()[0], 8 * len(views)
    if places is not None:
        address = places.ctypes.data
    length = inner.length

    def run_range(begin: int, end: int) -> None:
        while begin < end:
            place, first = divmod(begin, length)
            last = min(length, first + end - begin)
            run(address + width * place, first, last)
            begin += last - first

    over_states(run_range, length * (1 if places is None else len(places)), kernel.lanes, threads, kernel.pace)


def _places(views: numbers[int], outer: list[Axis]) -> NDArray[np.int64] | None:
    """The views at each index of the outer loops, one row each; None if there are no outer loops."""
    if not outer:
        return None
    offsets = np.zeros((1, len(views) // 3), np.int64)
    for axis in outer:
        steps = np.arange(axis.length)[:, None] * np.array(axis.strides)
        offsets = (offsets[:, None] + steps).reshape(-1, offsets.shape[1])
    places = np.tile(np.array(views, np.int64), (len(offsets), 1))
    places[:, ::3] += offsets
    return places


def _with_one_entry_stride(x: NDArray[Any], spec: Array) -> NDArray[Any]:
    """The array, or a C-order copy if the entries of a state are not evenly spaced."""
    return x if _entry_stride(x, spec) is not None else np.array(x, order="C", copy=True)


def _entry_stride(x: NDArray[Any], spec: Array) -> int | None:
    return entry_stride(spec.shape, x.strides[x.ndim - len(spec.shape) :], x.itemsize)


def _can_be_written(outs: list[NDArray[Any]], inputs: list[NDArray[Any]], specs: Sequence[Array]) -> bool:
    """Whether the kernel can write there directly: evenly spaced entries, and no overlap with anything else.

    An argument may be that very array: the kernel reads a state's arguments before it writes the state's results.
    """
    for k, (one, spec) in enumerate(zip(outs, specs, strict=True)):
        is_plain = one.flags.aligned and _entry_stride(one, spec) is not None
        if not is_plain or not has_distinct_places(one.shape, one.strides, one.itemsize):
            return False
        for x in inputs:
            is_same = x.shape == one.shape and x.strides == one.strides and data_address(x) == data_address(one)
            if not is_same and _shares_memory(one, x):
                return False
        if any(_shares_memory(one, other) for other in outs[:k]):
            return False
    return True


def _shares_memory(one: NDArray[Any], other: NDArray[Any]) -> bool:
    if not np.may_share_memory(one, other):
        return False
    try:
        return np.shares_memory(one, other, max_work=OVERLAP_WORK)
    except np.exceptions.TooHardError:
        return True
