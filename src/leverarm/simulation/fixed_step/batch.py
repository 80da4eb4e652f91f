"""Many environments at once, each a lane of a vector, in one compiled loop over all steps."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from leverarm.runtime.calls.kernel import DTYPE
from leverarm.runtime.calls.threads import over_states
from leverarm.simulation.acting.feeds import Feeds, Floats, aligned, feeds_for_steps
from leverarm.simulation.acting.scenario import Scenario
from leverarm.simulation.compiled_system import CompiledSystem
from leverarm.simulation.contacts.event_location import first_marks
from leverarm.simulation.fixed_step.marching import Loop, recorded, step_times

AT_ONCE = 4096
"""Steps of a block of environments between two checks for Ctrl-C: some milliseconds."""


class BatchMarch:
    """The states (environments, 2 n) of a scenario without a ledger, in the memory layout of the compiled loop."""

    def __init__(
        self, scenario: Scenario, compiled: CompiledSystem, loop: Loop, state: Floats, threads: int | None
    ) -> None:
        self.scenario, self.threads, self.environments = scenario, threads, len(state)
        self.lanes, self.dtype = compiled.lanes, DTYPE[compiled.real]
        self.loop, self.layout = loop, compiled.layout
        self.blocks = -(-self.environments // self.lanes)
        spread = state[np.minimum(np.arange(self.blocks * self.lanes), self.environments - 1)]
        marks = first_marks(scenario.system, spread[:, self.layout.coordinates :])
        whole = np.concatenate([spread, marks, np.zeros((len(spread), loop.carried))], axis=1)
        self.inside = aligned((self.blocks, self.layout.state + loop.carried, self.lanes), self.dtype)
        self.inside[...] = whole.reshape(self.blocks, self.lanes, -1).transpose(0, 2, 1)

    def run(self, begin: float, h: float, count: int, every: int) -> NDArray[Any]:
        """Does the steps; the records (environments, rows, entries), the last one at the end."""
        rows = recorded(0, count, every) + 1
        records = aligned((self.blocks, rows, self.layout.record, self.lanes), self.dtype)
        for first in range(0, count, AT_ONCE):
            steps = min(AT_ONCE, count - first)
            place = records.ctypes.data + recorded(0, first, every) * records.strides[1]
            feeds = self._feeds(step_times(begin, h, first, steps), h)
            self._march(feeds, place, records.strides[0], first, steps, every, begin, h)
        t = begin + count * h
        place = records.ctypes.data + (rows - 1) * records.strides[1]
        self._march(self._feeds(np.array([t]), 0.0), place, records.strides[0], 0, 1, 1, t, 0.0)
        flat: NDArray[Any] = records.transpose(0, 3, 1, 2).reshape(-1, rows, self.layout.record)
        return flat[: self.environments]

    @property
    def carried(self) -> NDArray[Any]:
        """The loop's own variables behind the states, (environments, entries)."""
        behind = self.inside[:, self.layout.state :]
        flat: NDArray[Any] = behind.transpose(0, 2, 1).reshape(self.blocks * self.lanes, self.loop.carried)
        return flat[: self.environments]

    def _feeds(self, times: Floats, h: float) -> list[Feeds]:
        """The data of every block; the blocks share it where there is none."""
        if not self.scenario.sources:
            return [Feeds(())] * self.blocks
        return feeds_for_steps(self.scenario.sources, times, h, self.environments, self.lanes, self.dtype)

    def _march(self, feeds: list[Feeds], place: int, apart: int, *how: Any) -> None:
        states, between = self.inside.ctypes.data, self.inside.strides[0]

        def march(low: int, high: int) -> None:
            for b in range(low // self.lanes, -(-high // self.lanes)):
                self.loop.native(states + b * between, feeds[b].address, place + b * apart, *how, *self.loop.options)

        over_states(march, self.environments, self.lanes, self.threads)
