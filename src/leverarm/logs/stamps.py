"""Time stamps in order: which rows to keep, and where a clock begins anew."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array

RESTART = 20
"""Rows in a row behind the time that was reached already, from which on a clock was set back, not a stamp wrong."""
COARSE = 0.2
"""Share of stamps that repeat the one before, from which on the clock is coarser than the rows."""

Index = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Ordered:
    """Rows whose stamps grow, as places in the stamps given, and those that were left out and why.

    `begins` are the places in `kept` where a clock begins: 0, and wherever it was set back.
    """

    kept: Index
    begins: Index
    repeated: Index
    backward: Index


def is_coarse(t: Array) -> bool:
    """Whether so many rows share a stamp that the clock must be coarser than the sampling."""
    steps = np.diff(t)
    return bool(len(steps) and np.mean(steps == 0) > COARSE and np.all(steps >= 0) and t[-1] > t[0])


def spread(t: Array) -> Array:
    """Times of rows under a coarse clock: a line through the first row of each stamp, as far as it is one.

    A stamp is the time rounded down or to the nearest; a constant shift does not matter to any motion.
    """
    first = np.flatnonzero(np.append(True, np.diff(t) > 0))
    slope, start = np.polyfit(first.astype(float), t[first], 1)
    return np.asarray(start + slope * np.arange(len(t)))


def in_order(t: Array) -> Ordered:
    """Rows in the order of time: of equal stamps the first; rows behind the time reached are dropped.

    A single stamp that is ahead of the next is the wrong one if without it all is in order. If RESTART rows or more
    lie behind, the clock was set back: they are kept, with a clock of their own.
    """
    steps = np.diff(t)
    if np.all(steps > 0):
        nothing = np.empty(0, dtype=np.int64)
        return Ordered(np.arange(len(t)), np.zeros(1, dtype=np.int64), nothing, nothing)
    is_repeated = np.append(False, steps == 0)
    places = np.flatnonzero(~is_repeated)
    ahead = _ahead(t[places])
    wrong, places = places[ahead], np.delete(places, ahead)
    kept, begins, behind = _runs(t, places)
    return Ordered(kept, begins, np.flatnonzero(is_repeated), np.sort(np.concatenate((wrong, behind))))


def _ahead(t: Array) -> Index:
    """Single stamps that lie after the next one, while that lies after the one before: t[i-1] < t[i+1] < t[i]."""
    falls = np.flatnonzero(np.diff(t) < 0)
    inner = falls[(falls > 0) & (falls < len(t) - 1)]
    follows = t[inner + 1] > t[inner - 1]
    # where the fallen stamp itself is the odd one, the next stamp is beyond the high one again
    high = np.append(t, np.inf)
    is_low = high[inner + 2] > t[inner]
    return np.asarray(inner[follows & ~is_low])


def _runs(t: Array, places: Index) -> tuple[Index, Index, Index]:
    cuts = np.flatnonzero(np.diff(t[places]) < 0) + 1
    kept: list[Index] = []
    behind: list[Index] = []
    begins, count, reached = [0], 0, -np.inf
    for run in np.split(places, cuts):
        late = int(np.searchsorted(t[run], reached, side="right"))
        if late >= RESTART:
            begins.append(count)
            late = 0
        behind.append(run[:late])
        kept.append(run[late:])
        count += len(run) - late
        if late < len(run):
            reached = t[run[-1]]
    return np.concatenate(kept), np.unique(begins), np.concatenate(behind)
