"""Seconds in one unit of a log's time stamps, where their name does not say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from leverarm.arrays import Array
from leverarm.errors import InputError
from leverarm.lint.finding import Finding, Level
from leverarm.logs.units import DEGREE, RPM, TIMES, size_of_unit
from leverarm.logs.velocities import ALIKE, agreement, nearest_size

GUESSED = ("s", "ms", "us", "ns")
RATES = (4.0, 2e4)
"""Hz: how often logs of arms are sampled."""
ANGULAR = (1.0, 1 / DEGREE, DEGREE, 1 / RPM, RPM)
"""What velocities may be, as multiples of the slope of positions, if the two are in different units."""
SPEEDS = (0.01, 20.0)
"""rad/s: between them is the usual greatest speed of a joint."""


def seconds_per_stamp(
    t: Array, unit: str | None, q: Array, qd: Array | None, rate: float | None, name: str
) -> tuple[float, list[Finding]]:
    """The factor from stamps to seconds, and what was guessed. `unit` is what was declared or stands in the name."""
    steps = np.diff(t)
    steps = steps[np.isfinite(steps) & (steps > 0)]
    if not len(steps):
        raise InputError(f"{name}: the time stamps do not grow; give the rate of the log instead, rate=... [Hz].")
    step = float(np.median(steps))
    if rate is not None:
        return _by_rate(step, rate)
    if unit is not None and (size := size_of_unit("t", unit, True)) is not None:
        return size, []
    usual = [TIMES[name] for name in GUESSED if RATES[0] <= 1 / (step * TIMES[name]) <= RATES[1]]
    size = usual[0] if len(usual) == 1 else _by_velocities(t, q, qd, usual) or _by_speeds(step, q, usual)
    if size == 1.0:
        return 1.0, []
    name = next(name for name in GUESSED if TIMES[name] == size)
    each = f"{1 / (step * size):.6g} Hz"
    told = f"the time stamps are taken to be in {name}: their median step, {step:.6g}, is then that of {each}."
    return size, [Finding("note", "units", told, "Say units={'t': 's'} or the like if that is wrong.")]


def _by_rate(step: float, rate: float) -> tuple[float, list[Finding]]:
    for name in GUESSED:
        if abs(step * TIMES[name] * rate - 1) < 0.02:
            return TIMES[name], []
    told = (
        f"the median step of the time stamps is {step:.6g}, which in no unit is {rate:g} Hz; the rate given was used."
    )
    # stamps that count rows are no mistake
    level: Level = "note" if step == 1 else "warning"
    remedy = "Leave out rate=... to use the stamps as seconds, or correct it."
    return 1 / (rate * step), [Finding(level, "time stamps", told, remedy)]


def _by_velocities(t: Array, q: Array, qd: Array | None, usual: Sequence[float]) -> float | None:
    """The unit, of those with a usual rate, in which velocities are the slopes of positions, in some units of angle."""
    if qd is None or not usual:
        return None
    is_whole = np.isfinite(t) & np.isfinite(q).all(axis=1) & np.isfinite(qd).all(axis=1)
    if np.sum(is_whole) < 50 or not np.any(np.diff(t[is_whole]) > 0):
        return None
    found = agreement(t[is_whole], q[is_whole], qd[is_whole])
    alike = found.moves & (np.abs(found.own) > ALIKE)
    if not alike.any():
        return None
    slope = float(np.median(np.abs(found.slope[alike])))
    for angle in ANGULAR:
        size = nearest_size(angle / slope, usual)
        if size is not None:
            return size
    return None


def _by_speeds(step: float, q: Array, usual: Sequence[float]) -> float:
    """The first unit with a usual rate that gives usual speeds; else the first with a usual rate; else seconds."""
    for size in usual:
        with np.errstate(invalid="ignore"):
            stride = max(1, len(q) // 2000)
            fastest = np.nanquantile(np.abs(np.diff(q[::stride], axis=0)), 0.99) / (stride * step * size)
        if SPEEDS[0] <= fastest <= SPEEDS[1]:
            return size
    return usual[0] if usual else 1.0


def told_stuck(t: Array, name: str, rate: float | None) -> Iterator[Finding]:
    """Time stamps that never change are of no use: with a rate they are told, without one refused."""
    finite = t[np.isfinite(t)]
    if len(finite) and np.ptp(finite) > 0:
        return
    if rate is None:
        raise InputError(f"{name}: all time stamps are the same; give the rate of the log instead, rate=... [Hz].")
    yield Finding(
        "warning", "time stamps", "all are the same; the rate given was used.", "Record the time of each sample."
    )
