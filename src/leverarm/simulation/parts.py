"""What engines hand on while they run: parts of a run, each short enough to look up from the work after it."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from leverarm.simulation.acting.feeds import Floats
from leverarm.trajectories.records import Event

CHUNK_SECONDS = 0.05
"""How long a part of the run takes: between parts there is time for Ctrl-C, for files and for the progress bar."""

MOST_RECORDS = 1 << 15
"""Records of one part."""


class Part(NamedTuple):
    """Times and raw rows that were recorded, from where the run can go on, how far it is, and what happened in it."""

    t: Floats
    rows: Floats
    checkpoint: dict[str, Any]
    until: float
    events: tuple[Event, ...] = ()


def even_times(origin: float, apart: float, begin: float, end: float) -> Floats:
    """The times origin, origin + apart, ... from `begin` on and before `end`: when a run without a grid records [s]."""
    first, last = _first_from(begin, origin, apart), _first_from(end, origin, apart)
    return np.asarray(origin + apart * np.arange(first, last), np.float64)


def _first_from(t: float, origin: float, apart: float) -> int:
    """The number of the first of these times that is not before t, as they are rounded."""
    number = max(0, math.ceil((t - origin) / apart) - 1)
    while origin + apart * number < t:
        number += 1
    return number
