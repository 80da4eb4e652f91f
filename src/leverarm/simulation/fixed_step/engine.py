"""The engine of methods with a fixed step: a march over a grid of steps, compiled or called from Python."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from leverarm.simulation.acting.feeds import Floats
from leverarm.simulation.contacts.event_location import Sweeper
from leverarm.simulation.fixed_step.marching import Grid, March, Part, last_part, resumed_state, run_fixed
from leverarm.simulation.trajectories.records import Event


class FixedEngine:
    """Steps of one length over a grid; what happens to joints that can be held is told to the accuracy of the rows."""

    def __init__(self, march: March, grid: Grid, first_state: Floats, sweeper: Sweeper | None) -> None:
        self.march, self.grid, self.first_state, self.sweeper = march, grid, first_state, sweeper
        self._before = first_state

    def start(self) -> Floats:
        return self.first_state

    def resumed(self, kept: Mapping[str, Any]) -> Floats:
        state = resumed_state(kept)[1]
        self._before = state.copy()
        return state

    def run(self, t0: float, t1: float, state: Floats, kept: Mapping[str, Any] | None) -> Iterator[Part]:
        """The steps that begin between t0 and t1; a change in between two of them counts from the next one on."""
        start = self._number(t0) if kept is None else resumed_state(kept)[0]
        for part in run_fixed(self.march, self.grid, state, start, self._number(t1)):
            yield self._with_events(part)

    def last(self, state: Floats) -> Part:
        return self._with_events(last_part(self.march, self.grid, state))

    def _number(self, t: float) -> int:
        """The first step that does not begin before t."""
        number = int(np.ceil((t - self.grid.begin) / self.grid.h - 1e-6))
        return min(max(number, 0), self.grid.count)

    def _with_events(self, part: Part) -> Part:
        """The part with what changed from one row to the next."""
        if self.sweeper is None or not len(part.rows):
            return part
        events: list[Event] = []
        rows = [self._before, *part.rows]
        for place in self.sweeper.changed(rows):
            events += self.sweeper.changes(rows[place], rows[place + 1], float(part.t[place]))
        self._before = part.rows[-1]
        return part._replace(events=tuple(events))
