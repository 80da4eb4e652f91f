"""The time-varying data of a system: which row of each feed applies at which step, and where compiled code reads it.

Steps of the adaptive method end where a piece of the data ends.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from leverarm.simulation.acting.callback import callback_among

Floats = NDArray[np.float64]

EARLY = 1e-6
"""A piece that starts within this fraction of a step after the step counts as started: times are rounded."""


class Pieces(Protocol):
    """Rows of numbers (..., S, width), each applied from its start time on; leading axes are environments."""

    @property
    def begins(self) -> Floats: ...

    @property
    def rows(self) -> Floats: ...


class Source(Protocol):
    """Gives the pieces that apply between two times: a signal, or `Rows`."""

    def window(self, t0: float, t1: float, environments: int | None = None) -> Pieces: ...


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Rows (..., S, width), the first from the start of the run, the others from their start times."""

    begins: Floats
    rows: Floats

    @staticmethod
    def constant(values: Any) -> Rows:
        """One row for all times."""
        return Rows(np.zeros(1), np.asarray(values, float)[..., None, :])

    def window(self, t0: float, t1: float, environments: int | None = None) -> Rows:
        return self


def breaks(sources: Sequence[Source], t0: float, t1: float) -> Floats:
    """The times strictly between t0 and t1 at which a piece ends and another begins."""
    begins = [source.window(t0, t1).begins[1:] for source in sources]
    times = np.unique(np.concatenate([np.zeros(0), *begins]))
    return times[(times > t0) & (times < t1)]


class Feeds:
    """The addresses of a block of environments' data for compiled code, valid as long as this object lives."""

    __slots__ = ("_table", "address", "parts")

    def __init__(self, parts: Sequence[tuple[Floats, NDArray[np.int64], int]], callback: int = 0) -> None:
        """For each feed its data [row][entry][lane], the row of each step, and 1, or 0 where one row serves all.

        `callback` is the address of the function that fills one of them, if there is one.
        """
        rows = [(data.ctypes.data, rows.ctypes.data, step) for data, rows, step in parts]
        table = np.array([*rows, (callback, 0, 0)], np.int64)
        self.parts = tuple(parts)
        self._table = table
        self.address: int = table.ctypes.data


def feeds_for_steps(
    sources: Sequence[Source],
    times: Floats,
    h: float,
    environments: int | None = None,
    lanes: int = 1,
    real: Any = np.float64,
) -> list[Feeds]:
    """The feeds of some steps that begin at these times, for each block of `lanes` environments."""
    blocks = 1 if environments is None else -(-environments // lanes)
    t0, t1 = float(times[0]), float(times[-1]) + EARLY * h
    per_block: list[list[tuple[Floats, NDArray[np.int64], int]]] = [[] for _ in range(blocks)]
    for source in sources:
        pieces = source.window(t0, t1, environments)
        rows = piece_at(pieces.begins, times + EARLY * h)
        is_constant = rows[0] == rows[-1]
        if is_constant:
            rows = rows[:1]
        data = _in_lanes(np.asarray(pieces.rows), blocks, lanes, real)
        for block in range(blocks):
            per_block[block].append((data[block], rows, 0 if is_constant else 1))
    callback = callback_among(sources)
    return [Feeds(parts, 0 if callback is None else callback.address) for parts in per_block]


def piece_at(begins: Floats, times: Floats) -> NDArray[np.int64]:
    """The index of the piece that applies at each time; the first also applies before its start."""
    found = np.searchsorted(begins, times, side="right") - 1
    return np.maximum(found, 0).astype(np.int64)


def row_at(source: Source, t: float) -> Floats:
    """The numbers of a source that apply at a time, (..., width)."""
    pieces = source.window(t, t)
    return np.asarray(pieces.rows)[..., int(piece_at(pieces.begins, np.array([t]))[0]), :]


def _in_lanes(rows: Floats, blocks: int, lanes: int, real: Any) -> Floats:
    """(S, width) or (environments, S, width) as [block][row][entry][lane]; lanes to spare repeat the last one."""
    count, (pieces, width) = blocks * lanes, rows.shape[-2:]
    if rows.ndim == 2:
        alike = aligned_copy(np.broadcast_to(rows[None, :, :, None], (1, pieces, width, lanes)), real)
        return np.broadcast_to(alike, (blocks, pieces, width, lanes)) if blocks > 1 else alike
    padded = rows[np.minimum(np.arange(count), len(rows) - 1)]
    split = padded.reshape(blocks, lanes, pieces, width).transpose(0, 2, 3, 1)
    result: Floats = aligned_copy(split, real)
    return result


def aligned_copy(array: Any, real: Any = np.float64) -> Any:
    """A copy in C order, aligned to 64 bytes for vector instructions."""
    result = aligned(array.shape, real)
    result[...] = array
    return result


def aligned(shape: tuple[int, ...], real: Any = np.float64) -> Any:
    """New memory in C order, aligned to 64 bytes."""
    size = int(np.prod(shape)) * np.dtype(real).itemsize
    raw = np.zeros(size + 64, np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start : start + size].view(real).reshape(shape)


AHEAD = 16
"""How many steps ahead the ends are looked up at once."""


class DataBreaks:
    """The times at which a piece of the data ends and another begins, looked up some way ahead."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = sources
        self._begin = self._end = math.inf
        self._times: list[float] = []

    def after(self, t: float, reach: float, until: float) -> float:
        """The first one after t; infinite if there is none before `reach`. Data after `until` may not exist."""
        if not self._begin <= t <= reach <= self._end:
            self._begin, self._end = t, min(t + AHEAD * (reach - t), until)
            self._times = breaks(self._sources, t, self._end).tolist()
        place = bisect_right(self._times, t)
        return self._times[place] if place < len(self._times) and self._times[place] < reach else math.inf
