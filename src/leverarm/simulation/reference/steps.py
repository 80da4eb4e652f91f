"""One step of the Taylor method: how many powers, how far they reach, and the motion inside it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from leverarm.compiler import Program
from leverarm.errors import NotFiniteError, SingularError
from leverarm.simulation.reference.coefficients import Coefficients, Instant, taylor_coefficients
from leverarm.simulation.reference.long_numbers import LongNumber, bits_for, long_number, precision
from leverarm.simulation.reference.recurrences import Powers
from leverarm.simulation.reference.switching import SwitchError, first_change, value_at

HIGHEST = 4
"""So many of the highest powers decide the length of a step: symmetric motions lack every second one."""
SHORTEST = 1e-9
"""Of the largest of t and 1 s: a motion whose series reaches no further runs away."""


@dataclass(frozen=True, slots=True)
class State:
    """t [s], q, qd, and the integrals since the start of the run, by name; in long numbers."""

    t: LongNumber
    q: list[LongNumber]
    qd: list[LongNumber]
    integrals: Mapping[str, list[LongNumber]]


@dataclass(frozen=True, slots=True)
class Step:
    """The motion from `begin` over `length` [s] (negative: backwards in time), as power series in t - begin."""

    begin: LongNumber
    length: LongNumber
    bits: int
    coefficients: Coefficients
    integrals: Mapping[str, list[Powers]]

    def state(self, t: LongNumber) -> State:
        """The state at a time inside the step, to the tolerance of the run."""
        with precision(self.bits):
            s, c = t - self.begin, self.coefficients
            return State(
                long_number(t),
                _values(c.q, s),
                _values(c.qd, s),
                {name: _values(series, s) for name, series in self.integrals.items()},
            )

    def outputs(self, t: LongNumber) -> dict[str, list[LongNumber]]:
        """The outputs of the program at a time inside the step."""
        with precision(self.bits):
            return {name: _values(series, t - self.begin) for name, series in self.coefficients.outputs.items()}

    @property
    def end(self) -> State:
        with precision(self.bits):
            return self.state(self.begin + self.length)


def order_for(tolerance: float) -> int:
    """The highest power that is cheapest for a relative error per step (Jorba and Zou 2005)."""
    return max(4, math.ceil(-math.log(tolerance) / 2) + 1)


def taylor_steps(
    rates: Program,
    start: State,
    until: float | LongNumber,
    tolerance: float,
    data: Mapping[str, Sequence[float]],
) -> Iterator[Step]:
    """The steps, at least one, from a state to a time, later or earlier. Each loses about `tolerance`, relative.

    `start.integrals` names the outputs of the program that are integrated, with what they are at the start. Raises
    SwitchError where a sign changes, SingularError where the mass matrix has no inverse, NotFiniteError where the
    motion runs away.
    """
    bits, order = bits_for(tolerance), order_for(tolerance)
    with precision(bits):
        numbers = {name: [long_number(x) for x in values] for name, values in data.items()}
        until = long_number(until)
    state = start
    while True:
        with precision(bits):
            step = _step(rates, state, until, tolerance, order, numbers, bits)
            for powers in step.coefficients.signs:
                if (change := first_change(powers, step.length)) is not None:
                    raise SwitchError(float(state.t + change))
        yield step
        state = step.end
        if state.t == until:
            return


def _step(
    rates: Program,
    state: State,
    until: LongNumber,
    tolerance: float,
    order: int,
    data: Mapping[str, Sequence[LongNumber]],
    bits: int,
) -> Step:
    found = taylor_coefficients(rates, Instant(state.t, state.q, state.qd), data, order, long_number)
    _check_finite(state, found)
    integrals = {
        name: [[x, *(c / (k + 1) for k, c in enumerate(found.outputs[name][i][: order - 1]))] for i, x in enumerate(xs)]
        for name, xs in state.integrals.items()
    }
    reach = min(_reach([*found.q, *found.qd], tolerance), _reach([*chain(*integrals.values())], tolerance))
    if reach < SHORTEST * max(1.0, abs(float(state.t))):
        raise NotFiniteError(
            f"the motion runs away at t = {float(state.t):.9g} s: its Taylor series reaches only {reach:.3g} s "
            "further. End the run before, or make the forces on the arm smaller."
        )
    rest = until - state.t
    length = rest if abs(rest) <= reach else long_number(math.copysign(reach, float(rest)))
    return Step(state.t, long_number(length), bits, found, integrals)


def _reach(series: Sequence[Powers], tolerance: float) -> float:
    """How far [s] the last powers stay below the tolerance, relative to the largest value and to 1."""
    if not series:
        return math.inf
    allowed = tolerance * max(1.0, *(abs(float(powers[0])) for powers in series))
    reach = math.inf
    for powers in series:
        for k in range(max(1, len(powers) - HIGHEST), len(powers)):
            if size := abs(float(powers[k])):
                reach = min(reach, (allowed / size) ** (1 / k))
    return reach


def _check_finite(state: State, found: Coefficients) -> None:
    """Every coefficient is infinite where a division by zero came first."""
    for powers in found.q:
        if not powers[-1].is_finite():
            raise SingularError(
                f"the accelerations do not exist at t = {float(state.t):.9g} s: the mass matrix has no inverse there. "
                "Give every moving link a mass or its joint a rotor."
            )


def _values(series: Sequence[Powers], s: LongNumber) -> list[LongNumber]:
    return [long_number(value_at(powers, s)) for powers in series]
