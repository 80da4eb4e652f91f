"""The time axis of a log that has gaps, or that is several logs one after the other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from leverarm.identification.report.axis import Array

LONG_STEP = 4.0
"""A step of more than so many usual ones is a gap."""
MOST_GAP = 0.25
"""Gaps that take more than this part of the whole time are left out of the axis."""
SPACING = 0.01
"""Between stretches whose gap was left out, as a part of the time that is drawn."""


@dataclass(frozen=True, slots=True)
class TimeLine:
    """Times as drawn [s], the stretch each row is in, where stretches begin, and what the axis is called."""

    t: Array
    piece: NDArray[np.int64]
    begins: tuple[float, ...]
    words: str


def time_line(t: Array) -> TimeLine:
    """The times of a log as an axis that always goes forward, with no long empty space in it."""
    steps = np.diff(t)
    forward = steps[steps > 0]
    usual = float(np.median(forward)) if forward.size else 1.0
    is_new = np.concatenate(([False], (steps <= 0) | (steps > LONG_STEP * usual)))
    piece = np.cumsum(is_new).astype(np.int64)
    starts = np.flatnonzero(is_new)
    gaps = steps[starts - 1]
    if not starts.size or (gaps.min() > 0 and gaps.sum() <= MOST_GAP * (t[-1] - t[0])):
        return TimeLine(t, piece, tuple(t[starts].tolist()), "time [s]")
    moving = float(steps[~is_new[1:]].sum()) + usual
    shift = np.zeros(len(t))
    shift[starts] = SPACING * moving - gaps
    shown = t - t[0] + np.cumsum(shift)
    return TimeLine(shown, piece, tuple(shown[starts].tolist()), "time, gaps left out [s]")
