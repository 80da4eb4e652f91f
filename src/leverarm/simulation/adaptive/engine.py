"""The engine of the adaptive method: its steps in parts, with rows at even times between their ends."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from time import perf_counter
from typing import Any

import numpy as np

from leverarm.simulation.acting.feeds import Floats
from leverarm.simulation.adaptive.stepping import Adaptive, Step
from leverarm.simulation.adaptive.whereabouts import Whereabouts
from leverarm.simulation.fixed_step.marching import CHUNK_SECONDS, MOST_RECORDS, Part
from leverarm.trajectories.records import Event


class AdaptiveEngine:
    """Runs an `Adaptive` that stands at the begin of a run, and records every `record` seconds from there."""

    def __init__(self, adaptive: Adaptive, record: float) -> None:
        self.adaptive, self.begin, self.record = adaptive, adaptive.t, record

    def start(self) -> Floats:
        return self.adaptive.state.copy()

    def resumed(self, kept: Mapping[str, Any]) -> Floats:
        return Whereabouts.from_json(kept).state

    def run(self, t0: float, t1: float, state: Floats, kept: Mapping[str, Any] | None) -> Iterator[Part]:
        """The steps from t0, or from the checkpoint, to t1; a row at t1 itself belongs to what comes after."""
        if kept is not None:
            self.adaptive.resume(Whereabouts.from_json(kept))
        waiting = _Waiting(self.adaptive.rates.layout.record)
        for step in self.adaptive.steps(t1):
            waiting.take(step, self._times(step.begin, step.end))
            state[...] = self.adaptive.state
            if waiting.is_due:
                yield waiting.part(step)
        if waiting.last is not None:
            yield waiting.part(waiting.last)

    def last(self, state: Floats) -> Part:
        events = self.adaptive.settle()
        state[...] = self.adaptive.state
        t, row = self.adaptive.t, self.adaptive.row()
        return Part(np.array([t]), row[None], self.adaptive.whereabouts.to_json(), t, events)

    def _times(self, begin: float, end: float) -> Floats:
        """The times of the grid from `begin` on and before `end`."""
        first = max(0, math.ceil((begin - self.begin) / self.record) - 1)
        last = math.ceil((end - self.begin) / self.record) + 1
        times = self.begin + self.record * np.arange(first, last)
        return np.asarray(times[(times >= begin) & (times < end)], np.float64)


class _Waiting:
    """Rows and events that were computed and not yet handed on."""

    def __init__(self, entries: int) -> None:
        self._entries = entries
        self._empty()

    def _empty(self) -> None:
        self._times: list[Floats] = [np.zeros(0)]
        self._rows: list[Floats] = [np.zeros((0, self._entries))]
        self._events: list[Event] = []
        self._count, self._began = 0, perf_counter()
        self.last: Step | None = None

    def take(self, step: Step, times: Floats) -> None:
        self.last = step
        self._events += step.events
        if times.size:
            self._times.append(times)
            self._rows.append(step.dense.rows(times))
            self._count += times.size

    @property
    def is_due(self) -> bool:
        return self._count >= MOST_RECORDS or perf_counter() - self._began > CHUNK_SECONDS

    def part(self, step: Step) -> Part:
        t, rows, events = np.concatenate(self._times), np.concatenate(self._rows), tuple(self._events)
        self._empty()
        return Part(t, rows, step.whereabouts.to_json(), step.end, events)
