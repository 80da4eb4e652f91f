"""A compiled program as the rest of this room sees it: what it takes and gives, and its machine code as functions.

How a batch is walked: leading axes put in memory order, joined into as few loops as strides allow.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from leverarm.compiler.llvm import Loaded
from leverarm.compiler.program import Array
from leverarm.errors import InputError
from leverarm.runtime.calls.threads import Pace

DTYPE: dict[str, np.dtype[Any]] = {"double": np.dtype(np.float64), "float": np.dtype(np.float32)}


def real_of(dtype: DTypeLike) -> str:
    """The C name of a precision that a user gives as NumPy does."""
    try:
        wanted = None if dtype is None else np.dtype(dtype)  # NumPy takes None for float64
    except TypeError:
        wanted = None
    for real, known in DTYPE.items():
        if wanted is not None and wanted == known:
            return real
    raise InputError(f"dtype: {dtype!r} was given; compiled functions compute in float64 or float32.")


@dataclass(frozen=True, slots=True)
class Kernel:
    """`single(in0, ..., out0, ...)` takes addresses of numbers in one piece. `batch()` loads or compiles on first use
    and gives `run(views, begin, end)`, where `views` is the address of {data, state stride, entry stride} (bytes) for
    each input and output. Both leave Python's lock to others while they run.
    """

    name: str
    inputs: tuple[Array, ...]
    outputs: tuple[Array, ...]
    real: str
    lanes: int
    single: Callable[..., None]
    batch: Callable[[], Callable[[int, int, int], None]]
    pace: Pace = field(default_factory=Pace, compare=False)

    @property
    def dtype(self) -> np.dtype[Any]:
        return DTYPE[self.real]


def single_function(loaded: Loaded, name: str, arrays: int) -> Callable[..., None]:
    """The loaded kernel of one state, as a function of so many addresses."""
    call = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * arrays)(loaded.address(name))

    def single(*addresses: int, kept: Loaded = loaded) -> None:
        call(*addresses)

    return single


def batch_function(loaded: Loaded, name: str) -> Callable[[int, int, int], None]:
    """The loaded loop over states, as a function of the address of the views and a range of states."""
    call = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)(loaded.address(name))

    def run(views: int, begin: int, end: int, kept: Loaded = loaded) -> None:
        call(views, begin, end)

    return run


@dataclass(frozen=True, slots=True)
class Axis:
    """A loop: its length, and for each array how many bytes apart two neighbours are (0 where it is broadcast)."""

    length: int
    strides: tuple[int, ...]


def leading_axes(shape: tuple[int, ...], strides: Sequence[tuple[int, ...]]) -> list[Axis]:
    """The axes of a batch of this shape; `strides` has one entry per axis of it for each array."""
    return [Axis(length, tuple(s[k] for s in strides)) for k, length in enumerate(shape)]


def memory_order(axes: Sequence[Axis]) -> list[int]:
    """Positions of the axes, slowest first, as NumPy's order 'K': the given order unless all arrays that tell agree."""
    order: list[int] = []
    for k in range(len(axes)):
        place = len(order)
        while place > 0 and _is_slower(axes[k], axes[order[place - 1]]):
            place -= 1
        order.insert(place, k)
    return order


def joined(axes: Sequence[Axis]) -> list[Axis]:
    """The same walk with axes of length 1 left away, and neighbours that are one loop for every array made one."""
    result: list[Axis] = []
    for axis in axes:
        if axis.length == 1:
            continue
        if result and all(s == t * axis.length for s, t in zip(result[-1].strides, axis.strides, strict=True)):
            axis = Axis(result.pop().length * axis.length, axis.strides)
        result.append(axis)
    return result


def entry_stride(shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int) -> int | None:
    """How many bytes apart the entries of one state are in row-major order, or None where that is not one number."""
    if len(shape) == 1:
        return strides[0]
    axes = joined([Axis(length, (stride,)) for length, stride in zip(shape, strides, strict=True)])
    if not axes:
        return itemsize
    return axes[0].strides[0] if len(axes) == 1 else None


def has_distinct_places(shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int) -> bool:
    """Whether no two entries share memory, which is sure when each axis steps over all that the finer ones span."""
    steps = sorted((abs(stride), length) for length, stride in zip(shape, strides, strict=True) if length > 1)
    spans = [itemsize, *(stride * length for stride, length in steps)]
    return all(stride >= span for (stride, _), span in zip(steps, spans, strict=False))


def _is_slower(axis: Axis, other: Axis) -> bool:
    """Whether an axis should be walked outside of another one that came before it."""
    pairs = [(abs(s), abs(t)) for s, t in zip(axis.strides, other.strides, strict=True) if s and t]
    return any(s > t for s, t in pairs) and not any(s < t for s, t in pairs)
