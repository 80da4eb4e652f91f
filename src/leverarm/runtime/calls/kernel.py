"""A compiled program as a callable kernel, and the loops over a batch.

The leading axes of a batch are put in memory order and joined into as few loops as strides allow.
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
    """The C type of a NumPy dtype."""
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
    """`single(in0, ..., out0, ...)` takes addresses of contiguous numbers. `batch()` loads or compiles on first use
    and returns `run(views, begin, end)`, where `views` is the address of {data, state stride, entry stride} (bytes) for
    each input and output. Both release the GIL while they run.
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
    """The loaded single-state kernel as a function of this many addresses."""
    call = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * arrays)(loaded.address(name))

    def single(*addresses: int, kept: Loaded = loaded) -> None:
        call(*addresses)

    return single


def batch_function(loaded: Loaded, name: str) -> Callable[[int, int, int], None]:
    """The loaded batch loop as a function of the views' address and a range of states."""
    call = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)(loaded.address(name))

    def run(views: int, begin: int, end: int, kept: Loaded = loaded) -> None:
        call(views, begin, end)

    return run


@dataclass(frozen=True, slots=True)
class Axis:
    """A loop: its length and each array's stride in bytes (0 if broadcast)."""

    length: int
    strides: tuple[int, ...]


def leading_axes(shape: tuple[int, ...], strides: Sequence[tuple[int, ...]]) -> list[Axis]:
    """The axes of a batch of this shape; `strides` has one entry per axis of it for each array."""
    return [Axis(length, tuple(s[k] for s in strides)) for k, length in enumerate(shape)]


def memory_order(axes: Sequence[Axis]) -> list[int]:
    """The axes in memory order, slowest first, as NumPy's order 'K': as given unless the arrays agree on another."""
    order: list[int] = []
    for k in range(len(axes)):
        place = len(order)
        while place > 0 and _is_slower(axes[k], axes[order[place - 1]]):
            place -= 1
        order.insert(place, k)
    return order


def joined(axes: Sequence[Axis]) -> list[Axis]:
    """The same loops with axes of length 1 dropped and adjacent axes merged where every array's strides allow."""
    result: list[Axis] = []
    for axis in axes:
        if axis.length == 1:
            continue
        if result and all(s == t * axis.length for s, t in zip(result[-1].strides, axis.strides, strict=True)):
            axis = Axis(result.pop().length * axis.length, axis.strides)
        result.append(axis)
    return result


def entry_stride(shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int) -> int | None:
    """Byte stride between the entries of one state in row-major order, or None if it is not uniform."""
    if len(shape) == 1:
        return strides[0]
    axes = joined([Axis(length, (stride,)) for length, stride in zip(shape, strides, strict=True)])
    if not axes:
        return itemsize
    return axes[0].strides[0] if len(axes) == 1 else None


def has_distinct_places(shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int) -> bool:
    """Whether no two entries share memory: sufficient is that each axis steps over all that the finer ones span."""
    steps = sorted((abs(stride), length) for length, stride in zip(shape, strides, strict=True) if length > 1)
    spans = [itemsize, *(stride * length for stride, length in steps)]
    return all(stride >= span for (stride, _), span in zip(steps, spans, strict=False))


def _is_slower(axis: Axis, other: Axis) -> bool:
    """Whether an axis should become the outer loop of one that came before it."""
    pairs = [(abs(s), abs(t)) for s, t in zip(axis.strides, other.strides, strict=True) if s and t]
    return any(s > t for s, t in pairs) and not any(s < t for s, t in pairs)
