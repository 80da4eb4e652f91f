"""The engine of the adaptive method: runs its steps in parts and records rows at even times."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from time import perf_counter
from typing import Any

import numpy as np

from leverarm.compiler.llvm.march_layout import Layout
from leverarm.errors import SimulationError
from leverarm.simulation.acting.feeds import Floats
from leverarm.simulation.adaptive.step_control import Whereabouts, recorded
from leverarm.simulation.adaptive.stepping import Adaptive, Step
from leverarm.simulation.fixed_step.marching import CHUNK_SECONDS, MOST_RECORDS, Part, even_times
from leverarm.simulation.trajectories.records import Event


class AdaptiveEngine:
    """Runs an `Adaptive` from the start of a run, and records every `record` seconds."""

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
        waiting = _Waiting(self.adaptive.rates.layout)
        try:
            for step in self.adaptive.steps(t1):
                waiting.take(step, even_times(self.begin, self.record, step.begin, step.end))
                state[...] = self.adaptive.state
                if waiting.is_due:
                    yield waiting.part(step)
        except (SimulationError, KeyboardInterrupt):
            if waiting.last is not None:
                yield waiting.part(waiting.last)
            raise
        if waiting.last is not None:
            yield waiting.part(waiting.last)

    def last(self, state: Floats) -> Part:
        events = self.adaptive.settle()
        state[...] = self.adaptive.state
        t, row = self.adaptive.t, self.adaptive.row()
        return Part(np.array([t]), row[None], self.adaptive.whereabouts.to_json(), t, events)


class _Waiting:
    """Rows and events that were computed and not yet passed on."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._empty()

    def _empty(self) -> None:
        self._times: list[Floats] = []
        self._inside: list[Floats] = []
        self._events: list[Event] = []
        self._count, self._began = 0, perf_counter()
        self.last: Step | None = None

    def take(self, step: Step, times: Floats) -> None:
        self.last = step
        self._events += step.events
        if times.size:
            self._times.append(times)
            self._inside.append(step.inside(times))
            self._count += times.size

    @property
    def is_due(self) -> bool:
        return self._count >= MOST_RECORDS or perf_counter() - self._began > CHUNK_SECONDS

    def part(self, step: Step) -> Part:
        t, rows, events = np.zeros(0), np.zeros((0, self._layout.record)), tuple(self._events)
        if self._times:
            t, rows = np.concatenate(self._times), recorded(self._layout, np.concatenate(self._inside))
        self._empty()
        return Part(t, rows, step.whereabouts.to_json(), step.end, events)
