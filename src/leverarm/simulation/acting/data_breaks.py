"""Where pieces of the data end: steps of the adaptive method end there too."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence

from leverarm.simulation.acting.feeds import Source, breaks

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
