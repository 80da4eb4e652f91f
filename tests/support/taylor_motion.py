"""The oracle of simulation: motions as Taylor series in arbitrary precision, right to the last digit of a float.

It shares the program of the rates with the product and nothing else: no compiled code, no Runge-Kutta, no doubles.
`taylor_run` integrates a program; `exact_run` is `la.simulate` with this integrator in place of the product's.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from types import MappingProxyType
from typing import Any
from unittest.mock import patch

import numpy as np
import numpy.typing as npt

import leverarm as la
from leverarm.compiler import Array, Program
from leverarm.compiler.llvm.march_layout import Layout
from leverarm.compiler.passes.simplifying import without_dead_code
from leverarm.compiler.program import slices_of
from leverarm.errors import InputError, NotFiniteError, SimulationError, SingularError, unknown_name
from leverarm.scalars import Scalar, cos_sin, precision, sign, tanh
from leverarm.simulation import methods
from leverarm.simulation.acting.feeds import DataBreaks, row_at
from leverarm.simulation.acting.scenario import Scenario
from leverarm.simulation.compiled_system import CompiledSystem
from leverarm.simulation.fixed_step.marching import Part, even_times
from leverarm.simulation.programs import rates_program
from leverarm.simulation.timing import Timing
from tests.support.taylor_series import Coefficients, Instant, Powers, taylor_coefficients

BigFloat = Any
"""An `arb` (python-flint has no types to import before it is loaded)."""
GUARD_BITS = 32
"""More than the tolerance asks for: a step rounds some ten thousand times, and terms may be larger than their sum."""


def bits_for(tolerance: float) -> int:
    """How arbitrary precision must be for rounding to stay far below a tolerance."""
    return max(64, math.ceil(-math.log2(tolerance)) + GUARD_BITS)


def big_float(x: Any) -> BigFloat:
    """A float, exactly, or a number of any length, without its error bar."""
    return _arb()(x).mid()


@cache
def _arb() -> Any:
    """The type, loaded when the first number is made, with the functions that mechanics ask for."""
    from flint import arb

    @cos_sin.register(arb)
    def _(angle: BigFloat) -> tuple[Scalar, Scalar]:
        s, c = angle.sin_cos()
        return c, s

    @sign.register(arb)
    def _(speed: BigFloat) -> Scalar:
        return int(speed > 0) - int(speed < 0)

    @tanh.register(arb)
    def _(x: BigFloat) -> Scalar:
        return x.tanh()

    return arb


FINEST = 2.0**-50
"""Of a step: a change is told from a near miss down to this part of it."""


class SwitchError(SimulationError):
    """What a force takes the sign of passes through zero during a Taylor step; `t` is the time of it [s]."""

    def __init__(self, t: float) -> None:
        super().__init__(
            f"the Taylor method met a number that changes its sign at t = {t:.9g} s, where a force is not smooth: dry "
            "friction, or a control at its limits of effort. It can follow a motion up to there: end the run before "
            "that time, or use smooth friction and no limits.",
            t,
        )


def value_at(powers: Sequence[BigFloat], s: BigFloat) -> BigFloat:
    """The sum of c_k s^k (Horner's rule)."""
    total = powers[-1]
    for c in powers[-2::-1]:
        total = total * s + c
    return total


def first_change(powers: Powers, length: BigFloat) -> BigFloat | None:
    """How far from 0 towards `length` a series first has no certain sign; None if it keeps one, or is zero all along.

    Halves the way until balls that hold every value of the series exclude zero.
    """
    middles = [big_float(c) for c in powers]
    if not any(float(c) for c in middles):
        return None
    reach = sum(abs(c * length**k) for k, c in enumerate(middles[1:], start=1))
    if abs(middles[0]) > reach:
        return None
    waiting = [(0.0, 1.0)]
    while waiting:
        low, high = waiting.pop()
        if not value_at(middles, (length * low).union(length * high)).contains(0):
            continue
        if high - low <= FINEST:
            return big_float(length * low)
        middle = (low + high) / 2
        waiting += [(middle, high), (low, middle)]
    return None


HIGHEST = 4
"""So many of the highest powers decide the length of a step: symmetric motions lack every second one."""
SHORTEST = 1e-9
"""Of the largest of t and 1 s: a motion whose series reaches no further runs away."""


@dataclass(frozen=True, slots=True)
class State:
    """t [s], q, qd, and the integrals since the start of the run, by name; in arbitrary precision."""

    t: BigFloat
    q: list[BigFloat]
    qd: list[BigFloat]
    integrals: Mapping[str, list[BigFloat]]


@dataclass(frozen=True, slots=True)
class Step:
    """The motion from `begin` over `length` [s] (negative: backwards in time), as power series in t - begin."""

    begin: BigFloat
    length: BigFloat
    bits: int
    coefficients: Coefficients
    integrals: Mapping[str, list[Powers]]

    def state(self, t: BigFloat) -> State:
        """The state at a time inside the step, to the tolerance of the run."""
        with precision(self.bits):
            s, c = t - self.begin, self.coefficients
            return State(
                big_float(t),
                _values(c.q, s),
                _values(c.qd, s),
                {name: _values(series, s) for name, series in self.integrals.items()},
            )

    def outputs(self, t: BigFloat) -> dict[str, list[BigFloat]]:
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
    until: float | BigFloat,
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
        numbers = {name: [big_float(x) for x in values] for name, values in data.items()}
        until = big_float(until)
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
    until: BigFloat,
    tolerance: float,
    order: int,
    data: Mapping[str, Sequence[BigFloat]],
    bits: int,
) -> Step:
    found = taylor_coefficients(rates, Instant(state.t, state.q, state.qd), data, order, big_float)
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
    length = rest if abs(rest) <= reach else big_float(math.copysign(reach, float(rest)))
    return Step(state.t, big_float(length), bits, found, integrals)


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


def _values(series: Sequence[Powers], s: BigFloat) -> list[BigFloat]:
    return [big_float(value_at(powers, s)) for powers in series]


Floats = npt.NDArray[np.float64]

TOLERANCE = 1e-24
"""Relative error per step by default: a motion may enlarge it a million times and still be right to the last bit."""
NO_DATA: Mapping[str, Sequence[float]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """A motion at N times: q and qd (N, n), qdd and other outputs of the program, integrals of some, each (N, ...)."""

    t: Floats
    q: Floats
    qd: Floats
    outputs: Mapping[str, Floats]
    integrals: Mapping[str, Floats]
    end: State
    """The state at the last time in arbitrary precision, to go on from."""
    steps: int


def taylor_run(
    rates: Program,
    t0: float | BigFloat,
    q0: Sequence[Any],
    qd0: Sequence[Any],
    times: Sequence[float] | Floats,
    tolerance: float = TOLERANCE,
    *,
    data: Mapping[str, Any] = NO_DATA,
    shown: Sequence[str] = (),
    integrated: Sequence[str] = (),
) -> Motion:
    """The motion through (q0, qd0) at t0, at times that all lie after t0 in rising order (or before, in falling order).

    `rates` is a program of t, q, qd and `data` whose first output is qdd; `shown` names other outputs that are wanted,
    `integrated` those whose integrals from t0 are, such as "power". The numbers given may be floats or longer ones
    (`Motion.end`), so that a run can be continued with other data without a rounding. Each number returned is the float
    nearest to the computed one. Cost for a Panda: some 40 ms a step, 80 steps for a second of swinging, 200 when its
    wrist spins. Raises what `taylor_steps` does.
    """
    _check_times(float(t0), times, tolerance)
    rates = with_outputs(rates, (rates.outputs[0].name, *shown, *integrated))
    sizes = {array.name: array for array in rates.outputs}
    zeros = {name: [big_float(0.0)] * sizes[name].size for name in integrated}
    start = State(big_float(t0), _big(q0), _big(qd0), zeros)
    flat = {name: np.ravel(values).tolist() for name, values in data.items()}
    sampled, steps = _sampled(rates, start, [float(t) for t in times], tolerance, flat)
    states, outputs = [state for state, _ in sampled], [output for _, output in sampled]
    return Motion(
        np.asarray(times, float),
        _table([state.q for state in states]),
        _table([state.qd for state in states]),
        {a.name: _shaped(a, [output[a.name] for output in outputs]) for a in rates.outputs},
        {name: _shaped(sizes[name], [state.integrals[name] for state in states]) for name in integrated},
        states[-1],
        steps,
    )


def with_outputs(rates: Program, names: Sequence[str]) -> Program:
    """The part of a program that some of its outputs need: what else it takes the sign of may change."""
    for name in names:
        if name not in (valid := [array.name for array in rates.outputs]):
            raise InputError(unknown_name("output of the rates", name, valid))
    kept = [pair for pair in zip(rates.outputs, slices_of(rates.outputs), strict=True) if pair[0].name in names]
    results = [k for _, where in kept for k in rates.results[where]]
    shorter = replace(rates, outputs=tuple(array for array, _ in kept), results=tuple(results))
    return without_dead_code(shorter)


def _sampled(
    rates: Program, start: State, times: list[float], tolerance: float, data: Mapping[str, Sequence[Any]]
) -> tuple[list[tuple[State, dict[str, list[BigFloat]]]], int]:
    """State and outputs at each time, and how many steps it took."""
    samples: list[tuple[State, dict[str, list[BigFloat]]]] = []
    steps = 0
    for step in taylor_steps(rates, start, times[-1], tolerance, data):
        steps += 1
        samples += [(step.state(t), step.outputs(t)) for t in _inside(step, times[len(samples) :])]
    return samples, steps


def _inside(step: Step, times: Sequence[float]) -> Iterator[BigFloat]:
    """The next times that the step reaches."""
    for t in times:
        exact = big_float(t)
        if abs(exact - step.begin) > abs(step.length):
            return
        yield exact


def _check_times(t0: float, times: Sequence[float] | Floats, tolerance: float) -> None:
    steps = np.diff(np.asarray([t0, *times], float))
    if len(times) == 0 or not np.isfinite(steps).all() or ((steps < 0).any() and (steps > 0).any()):
        raise InputError(
            f"times: {np.asarray(times)} from t0 = {t0:.9g} s were given. Give one or more finite times, all after t0 "
            "and rising, or all before it and falling."
        )
    if not 0 < tolerance <= 1e-6 or not math.isfinite(tolerance):
        raise InputError(f"tolerance: {tolerance!r} was given. Give a relative error per step between 0 and 1e-6.")


def _big(values: Sequence[Any]) -> list[BigFloat]:
    return [big_float(x) for x in np.ravel(np.asarray(values, object)).tolist()]


def _table(rows: Sequence[Sequence[BigFloat]]) -> Floats:
    return np.array([[float(x) for x in row] for row in rows], float).reshape(len(rows), -1)


def _shaped(array: Array, rows: Sequence[Sequence[BigFloat]]) -> Floats:
    return np.array([[float(x) for x in row] for row in rows], float).reshape(len(rows), *array.shape)


QDD, POWER, TAU = "qdd", "power", "tau"
"""The outputs of the program of rates that a run looks at."""


class TaylorEngine:
    """An engine of `la.simulate` that loses about `tolerance` a step and records every `record` seconds."""

    def __init__(
        self, scenario: Scenario, layout: Layout, begin: float, start: Floats, record: float, tolerance: float
    ) -> None:
        self.rates = with_outputs(rates_program(scenario.system), (QDD, POWER, TAU))
        self.layout, self.scenario = layout, scenario
        self.begin, self.record, self.tolerance = begin, record, tolerance
        n = layout.coordinates
        numbers = [big_float(x) for x in start.tolist()]
        self.state = State(big_float(begin), numbers[:n], numbers[n : 2 * n], {POWER: numbers[2 * n :]})

    def start(self) -> Floats:
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
                yield Part(times, rows, {}, t)

    def last(self, state: Floats) -> Part:
        t = float(self.state.t)
        shortest = next(self._steps(math.nextafter(t, math.inf)))  # what comes after the end must not be asked for
        return Part(np.array([t]), np.array([self._row(shortest, t)]), {}, t)

    def _steps(self, end: float) -> Iterator[Step]:
        """The steps with the data that is in force now."""
        named = zip(self.scenario.system.feeds, self.scenario.sources, strict=True)
        data = {array.name: row_at(source, float(self.state.t)).tolist() for array, source in named}
        return taylor_steps(self.rates, self.state, end, self.tolerance, data)

    def _row(self, step: Step, t: float) -> Floats:
        exact = big_float(t)
        out = step.outputs(exact)
        return np.concatenate([_floats(step.state(exact)), [float(x) for x in (*out[QDD], *out[TAU])]])


def _floats(state: State) -> Floats:
    return np.array([float(x) for x in (*state.q, *state.qd, *state.integrals[POWER])])


def _engine(
    scenario: Scenario, compiled: CompiledSystem, timing: Timing, start: methods.Start
) -> tuple[TaylorEngine, dict[str, Any]]:
    assert scenario.callback is None and not scenario.system.marks  # smooth forces that are known as a program
    record = timing.time_between_rows
    first = methods.first_state(compiled, scenario, start)
    engine = TaylorEngine(scenario, compiled.layout, timing.begin, first, record, TOLERANCE)
    return engine, {"rtol": TOLERANCE, "record": record}


def exact_run(arm: la.Arm, q0: Any, qd0: Any = None, **words: Any) -> la.types.Trajectory:
    """`la.simulate` with smooth forces, by Taylor series; each number is the float nearest to the true one."""
    taylor = methods.Method("Taylor series", 29, _engine)
    with patch.dict(methods.TABLE, taylor=taylor):
        return la.simulate(arm, q0, qd0, method="taylor", **words)
