"""How well each method keeps the energy of a conservative arm for a long time."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

import numpy as np

import leverarm as la
from compile_rivals.arms import arm_named
from leverarm.errors import SimulationError

METHODS = {
    "midpoint": "implicit midpoint",
    "gauss6": "Gauss, order 6",
    "rk4": "RK4",
    "heun": "Heun",
    "semi-implicit": "semi-implicit Euler",
    "euler": "explicit Euler",
}
START = (0.0, -0.3, 0.0, -1.5, 0.0, 1.5, 0.0)
"""Upright: it falls, and its wrist whirls."""
STEP, RECORD = 1e-3, 1e-2
BLOCKS = 100
"""Parts of a run whose means are fitted by a line, and whose worst errors are drawn."""


@dataclass(frozen=True, slots=True)
class Drift:
    """The error of the total energy as a part of the energy at the start, (E - E(0)) / E(0), over time.

    `worst` is the largest in size, `trend` how much it grows in 10 s by a line fitted to it, with its standard error;
    `exploded` the time at which the motion left the range of sense [s]. `error` holds the largest in size around each
    of the times `t` [s]. `seconds` is the time of the run by the clock.
    """

    title: str
    seconds: float
    worst: float
    trend: float
    trend_error: float
    exploded: float | None
    t: tuple[float, ...]
    error: tuple[float, ...]


def drift(method: str, until: float) -> Drift:
    """The Panda without friction falls for some seconds. Raises InputError where there is no such method."""
    arm, exploded = arm_named("panda"), None
    la.simulate(arm, START, until=RECORD, method=method, step=STEP, bound=np.inf)  # compiled, so that it is not timed
    began = perf_counter()
    try:
        run = la.simulate(arm, START, until=until, method=method, step=STEP, record=RECORD, bound=np.inf)
    except SimulationError as stopped:
        run, exploded = stopped.trajectory, stopped.t
    seconds = perf_counter() - began
    energy = run.energy.total
    error = energy / energy[0] - 1
    trend, trend_error = _line(run.t, error)
    times, worst = [part.mean() for part in _parts(run.t)], [np.abs(part).max() for part in _parts(error)]
    return Drift(
        METHODS[method], seconds, float(np.abs(error).max()), 10 * trend, 10 * trend_error, exploded,
        tuple(map(float, times)), tuple(map(float, worst)),
    )  # fmt: skip


def _line(t: np.ndarray, error: np.ndarray) -> tuple[float, float]:
    """The slope of a line through the means of blocks, and its standard error: what noise alone would make of it."""
    times, means = (np.array([part.mean() for part in _parts(x)]) for x in (t, error))
    if len(times) < 3:
        return np.nan, np.nan
    centred = times - times.mean()
    slope = centred @ means / (centred @ centred)
    left = means - means.mean() - slope * centred
    return float(slope), float(np.sqrt(left @ left / (len(means) - 2) / (centred @ centred)))


def _parts(x: np.ndarray) -> list[np.ndarray]:
    """A run that explodes at once has fewer rows than parts."""
    return np.array_split(x, min(BLOCKS, len(x)))
