"""A motion at given times by the Taylor method: what to believe when two results differ."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from leverarm.compiler import Array, Program
from leverarm.compiler.passes.simplifying import without_dead_code
from leverarm.compiler.program import slices_of
from leverarm.errors import InputError, unknown_name
from leverarm.simulation.reference.long_numbers import LongNumber, long_number
from leverarm.simulation.reference.steps import State, Step, taylor_steps

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
    """The state at the last time in long numbers, to go on from."""
    steps: int


def taylor_run(
    rates: Program,
    t0: float | LongNumber,
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
    `integrated` those whose integrals from t0 are, such as "power". The numbers given may be floats or long ones
    (`Motion.end`), so that a run can be continued with other data without a rounding. Each number returned is the float
    nearest to the computed one. Cost for a Panda: some 40 ms a step, 80 steps for a second of swinging, 200 when its
    wrist spins. Raises what `taylor_steps` does.
    """
    _check_times(float(t0), times, tolerance)
    rates = with_outputs(rates, (rates.outputs[0].name, *shown, *integrated))
    sizes = {array.name: array for array in rates.outputs}
    zeros = {name: [long_number(0.0)] * sizes[name].size for name in integrated}
    start = State(long_number(t0), _long(q0), _long(qd0), zeros)
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
) -> tuple[list[tuple[State, dict[str, list[LongNumber]]]], int]:
    """State and outputs at each time, and how many steps it took."""
    samples: list[tuple[State, dict[str, list[LongNumber]]]] = []
    steps = 0
    for step in taylor_steps(rates, start, times[-1], tolerance, data):
        steps += 1
        samples += [(step.state(t), step.outputs(t)) for t in _inside(step, times[len(samples) :])]
    return samples, steps


def _inside(step: Step, times: Sequence[float]) -> Iterator[LongNumber]:
    """The next times that the step reaches."""
    for t in times:
        exact = long_number(t)
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


def _long(values: Sequence[Any]) -> list[LongNumber]:
    return [long_number(x) for x in np.ravel(np.asarray(values, object)).tolist()]


def _table(rows: Sequence[Sequence[LongNumber]]) -> Floats:
    return np.array([[float(x) for x in row] for row in rows], float).reshape(len(rows), -1)


def _shaped(array: Array, rows: Sequence[Sequence[LongNumber]]) -> Floats:
    return np.array([[float(x) for x in row] for row in rows], float).reshape(len(rows), *array.shape)
