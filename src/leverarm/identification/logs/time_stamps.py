"""Time stamps: their unit where no name gives it, their order, and where a clock starts again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array
from leverarm.errors import InputError
from leverarm.findings import Finding, Level
from leverarm.identification.logs.units import ALIKE, DEGREE, RPM, TIMES, agreement, nearest_size, size_of_unit

GUESSED = ("s", "ms", "us", "ns")
RATES = (4.0, 2e4)
"""Hz: usual sampling rates of logs of arms."""
ANGULAR = (1.0, 1 / DEGREE, DEGREE, 1 / RPM, RPM)
"""Ratios of velocities to slopes of positions if the two are in different units."""
SPEEDS = (0.01, 20.0)
"""rad/s: the usual range of the maximum speed of a joint."""


def seconds_per_stamp(
    t: Array, unit: str | None, q: Array, qd: Array | None, rate: float | None, name: str
) -> tuple[float, list[Finding]]:
    """The factor from stamps to seconds, and what was guessed. `unit` is what was declared or stands in the name."""
    steps = np.diff(t)
    steps = steps[np.isfinite(steps) & (steps > 0)]
    if not len(steps):
        raise InputError(f"{name}: the time stamps do not increase; give the rate of the log instead, rate=... [Hz].")
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
    message = f"the time stamps are assumed to be in {name}: their median step, {step:.6g}, is then {each}."
    return size, [Finding("note", "units", message, "Give units={'t': 's'} or the like if that is wrong.")]


def _by_rate(step: float, rate: float) -> tuple[float, list[Finding]]:
    for name in GUESSED:
        if abs(step * TIMES[name] * rate - 1) < 0.02:
            return TIMES[name], []
    message = (
        f"the median step of the time stamps is {step:.6g}, which is {rate:g} Hz in no unit; the rate given was used."
    )
    # stamps that count rows are no mistake
    level: Level = "note" if step == 1 else "warning"
    remedy = "Leave out rate=... to use the stamps as seconds, or correct it."
    return 1 / (rate * step), [Finding(level, "time stamps", message, remedy)]


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


def stuck_findings(t: Array, name: str, rate: float | None) -> Iterator[Finding]:
    """Constant time stamps: reported where a rate is given, else InputError."""
    finite = t[np.isfinite(t)]
    if len(finite) and np.ptp(finite) > 0:
        return
    if rate is None:
        raise InputError(f"{name}: all time stamps are the same; give the rate of the log instead, rate=... [Hz].")
    yield Finding(
        "warning", "time stamps", "all are the same; the rate given was used.", "Record the time of each sample."
    )


RESTART = 20
"""Consecutive rows behind the latest time that indicate a clock set back, not a wrong stamp."""
COARSE = 0.2
"""Share of repeated stamps that indicates a clock coarser than the rows."""

Index = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Ordered:
    """Rows whose stamps increase, as indices into the stamps given, and those that were left out and why.

    `begins` are the places in `kept` where a clock begins: 0, and wherever it was set back.
    """

    kept: Index
    begins: Index
    repeated: Index
    backward: Index


def is_coarse(t: Array) -> bool:
    """Whether so many rows share a stamp that the clock must be coarser than the sampling."""
    steps = np.diff(t)
    return bool(len(steps) and np.mean(steps == 0) > COARSE and np.all(steps >= 0) and t[-1] > t[0])


def spread(t: Array) -> Array:
    """Times of rows under a coarse clock: a line through the first row of each stamp, as far as it is one.

    A stamp is the time rounded down or to the nearest; a constant shift does not matter to any motion.
    """
    first = np.flatnonzero(np.append(True, np.diff(t) > 0))
    slope, start = np.polyfit(first.astype(float), t[first], 1)
    return np.asarray(start + slope * np.arange(len(t)))


def in_order(t: Array) -> Ordered:
    """Rows in order of time: of equal stamps the first; rows behind the latest time are dropped.

    A single stamp that is ahead of the next is the wrong one if without it all is in order. If RESTART rows or more
    lie behind, the clock was set back: they are kept, with a clock of their own.
    """
    steps = np.diff(t)
    if np.all(steps > 0):
        nothing = np.empty(0, dtype=np.int64)
        return Ordered(np.arange(len(t)), np.zeros(1, dtype=np.int64), nothing, nothing)
    is_repeated = np.append(False, steps == 0)
    places = np.flatnonzero(~is_repeated)
    ahead = _ahead(t[places])
    wrong, places = places[ahead], np.delete(places, ahead)
    kept, begins, behind = _runs(t, places)
    return Ordered(kept, begins, np.flatnonzero(is_repeated), np.sort(np.concatenate((wrong, behind))))


def _ahead(t: Array) -> Index:
    """Single stamps that lie after the next one, while that lies after the one before: t[i-1] < t[i+1] < t[i]."""
    falls = np.flatnonzero(np.diff(t) < 0)
    inner = falls[(falls > 0) & (falls < len(t) - 1)]
    follows = t[inner + 1] > t[inner - 1]
    # where the fallen stamp itself is the odd one, the next stamp is beyond the high one again
    high = np.append(t, np.inf)
    is_low = high[inner + 2] > t[inner]
    return np.asarray(inner[follows & ~is_low])


def _runs(t: Array, places: Index) -> tuple[Index, Index, Index]:
    cuts = np.flatnonzero(np.diff(t[places]) < 0) + 1
    kept: list[Index] = []
    behind: list[Index] = []
    begins, count, reached = [0], 0, -np.inf
    for run in np.split(places, cuts):
        late = int(np.searchsorted(t[run], reached, side="right"))
        if late >= RESTART:
            begins.append(count)
            late = 0
        behind.append(run[:late])
        kept.append(run[late:])
        count += len(run) - late
        if late < len(run):
            reached = t[run[-1]]
    return np.concatenate(kept), np.unique(begins), np.concatenate(behind)
