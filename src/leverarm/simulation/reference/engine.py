"""The engine of the reference method: Taylor series in long numbers, one step after another, rows at even times."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from leverarm.compiler.llvm.march_layout import Layout
from leverarm.errors import NotFiniteError, SimulationError, SingularError
from leverarm.simulation.acting.feeds import DataBreaks, Floats, row_at
from leverarm.simulation.acting.scenario import Scenario
from leverarm.simulation.compiled.system import rates_program
from leverarm.simulation.fixed_step.marching import Part, even_times
from leverarm.simulation.reference import State, Step, SwitchError, taylor_steps
from leverarm.simulation.reference.long_numbers import LongNumber, bits_for, long_number, precision
from leverarm.simulation.reference.running import with_outputs

QDD, POWER, TAU = "qdd", "power", "tau"
"""The outputs of the program of rates that a run looks at."""


class TaylorEngine:
    """Runs a scenario from a state, each step losing about `tolerance`, and records every `record` seconds."""

    def __init__(
        self, scenario: Scenario, layout: Layout, begin: float, start: Floats, record: float, tolerance: float
    ) -> None:
        self.rates = with_outputs(rates_program(scenario.system), (QDD, POWER, TAU))
        self.layout, self.scenario = layout, scenario
        self.begin, self.record, self.tolerance = begin, record, tolerance
        n = layout.coordinates
        numbers = [long_number(x) for x in start.tolist()]
        self.state = State(long_number(begin), numbers[:n], numbers[n : 2 * n], {POWER: numbers[2 * n :]})

    def start(self) -> Floats:
        return _floats(self.state)

    def resumed(self, kept: Mapping[str, Any]) -> Floats:
        with precision(bits_for(self.tolerance)):
            numbers = [_from_text(x) for x in kept["long"]]
        n = self.layout.coordinates
        self.state = State(numbers[0], numbers[1 : n + 1], numbers[n + 1 : 2 * n + 1], {POWER: numbers[2 * n + 1 :]})
        return _floats(self.state)

    def run(self, t0: float, t1: float, state: Floats, kept: Mapping[str, Any] | None) -> Iterator[Part]:
        """The steps from where the run is to t1; a row at t1 itself belongs to what comes after."""
        breaks = DataBreaks(self.scenario.sources)
        while float(self.state.t) < t1:
            end = min(t1, breaks.after(float(self.state.t), t1, t1))
            for step in self._steps(end):
                self.state = step.end
                state[...] = _floats(self.state)
                t = float(self.state.t)
                times = even_times(self.begin, self.record, float(step.begin), t)
                rows = np.array([self._row(step, t) for t in times]).reshape(-1, self.layout.record)
                yield Part(times, rows, self._checkpoint(), t)

    def last(self, state: Floats) -> Part:
        t = float(self.state.t)
        shortest = next(self._steps(math.nextafter(t, math.inf)))  # what comes after the end must not be asked for
        return Part(np.array([t]), np.array([self._row(shortest, t)]), self._checkpoint(), t)

    def _steps(self, end: float) -> Iterator[Step]:
        """The steps with the data that is in force now."""
        t = float(self.state.t)
        named = zip(self.scenario.system.feeds, self.scenario.sources, strict=True)
        data = {array.name: row_at(source, t).tolist() for array, source in named}
        try:
            yield from taylor_steps(self.rates, self.state, end, self.tolerance, data)
        except (SwitchError, SingularError, NotFiniteError) as problem:
            raise SimulationError(f"at t = {float(self.state.t):.9g} s: {problem}", t=float(self.state.t)) from None

    def _row(self, step: Step, t: float) -> Floats:
        exact = long_number(t)
        out = step.outputs(exact)
        return np.concatenate([_floats(step.state(exact)), [float(x) for x in (*out[QDD], *out[TAU])]])

    def _checkpoint(self) -> dict[str, Any]:
        s = self.state
        return {"long": [_text(x) for x in (s.t, *s.q, *s.qd, *s.integrals[POWER])]}


def _floats(state: State) -> Floats:
    return np.array([float(x) for x in (*state.q, *state.qd, *state.integrals[POWER])])


def _text(x: LongNumber) -> str:
    """A long number, exactly: mantissa and exponent."""
    mantissa, exponent = x.man_exp()
    return f"{int(mantissa)}:{int(exponent)}"


def _from_text(text: str) -> LongNumber:
    mantissa, exponent = (int(part) for part in text.split(":"))
    return long_number(mantissa) * long_number(2) ** exponent
