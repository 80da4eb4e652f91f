"""How a batch is walked: leading axes put in memory order, joined into as few loops as strides allow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


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
