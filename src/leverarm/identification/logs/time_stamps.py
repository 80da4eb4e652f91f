"""Time stamps: their unit where no name gives it, their order, and where a clock starts again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from leverarm.arrays import Array, IntArray
from leverarm.errors import InputError
from leverarm.findings import Level
from leverarm.identification.logs.log import Signals
from leverarm.identification.logs.units import ALIKE, DEGREE, RPM, TIMES, agreement, nearest_size, size_of_unit

GUESSED = ("s", "ms", "us", "ns")
RATES = (4.0, 2e4)
"""Hz: usual sampling rates of logs of arms."""
ANGULAR = (1.0, 1 / DEGREE, DEGREE, 1 / RPM, RPM)
"""Ratios of velocities to slopes of positions if the two are in different units."""
SPEEDS = (0.01, 20.0)
"""rad/s: the usual range of the maximum speed of a joint."""


def in_seconds(signals: Signals, unit: str | None, rate: float | None) -> Signals:
    """The times in seconds; `unit` is what was declared or stands in the name, otherwise it is guessed."""
    t, q, name = signals.t, signals.values["q"], signals.name
    finite = t[np.isfinite(t)]
    if not len(finite) or np.ptp(finite) == 0:
        if rate is None:
            raise InputError(f"{name}: all time stamps are the same; give the rate of the log instead, rate=... [Hz].")
        message = "all are the same; the rate given was used."
        signals = signals.noting("warning", "time stamps", message, "Record the time of each sample.")
        return replace(signals, t=np.arange(len(t)) / rate)
    steps = np.diff(t)
    steps = steps[np.isfinite(steps) & (steps > 0)]
    if not len(steps):
        raise InputError(f"{name}: the time stamps do not increase; give the rate of the log instead, rate=... [Hz].")
    step = float(np.median(steps))
    if rate is not None:
        size = next((TIMES[word] for word in GUESSED if abs(step * TIMES[word] * rate - 1) < 0.02), None)
        if size is None:
            size = 1 / (rate * step)
            given = f"is {step:.6g}, which is {rate:g} Hz in no unit; the rate given was used."
            remedy = "Leave out rate=... to use the stamps as seconds, or correct it."
            # stamps that count rows are no mistake
            level: Level = "note" if step == 1 else "warning"
            signals = signals.noting(level, "time stamps", f"the median step of the time stamps {given}", remedy)
    elif unit is None or (size := size_of_unit("t", unit, True)) is None:
        usual = [TIMES[word] for word in GUESSED if RATES[0] <= 1 / (step * TIMES[word]) <= RATES[1]]
        by_motion = _by_velocities(t, q, signals.values.get("qd"), usual) or _by_speeds(step, q, usual)
        size = usual[0] if len(usual) == 1 else by_motion
        if size != 1:
            word = next(word for word in GUESSED if TIMES[word] == size)
            each = f"{1 / (step * size):.6g} Hz"
            message = f"the time stamps are assumed to be in {word}: their median step, {step:.6g}, is then {each}."
            remedy = "Give units={'t': 's'} or the like if that is wrong."
            signals = signals.noting("note", "units", message, remedy)
    return signals if size == 1 else replace(signals, t=t * size)


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
    sizes = (nearest_size(angle / slope, usual) for angle in ANGULAR)
    return next((size for size in sizes if size is not None), None)


def _by_speeds(step: float, q: Array, usual: Sequence[float]) -> float:
    """The first unit with a usual rate that gives usual speeds; else the first with a usual rate; else seconds."""
    for size in usual:
        with np.errstate(invalid="ignore"):
            stride = max(1, len(q) // 2000)
            fastest = np.nanquantile(np.abs(np.diff(q[::stride], axis=0)), 0.99) / (stride * step * size)
        if SPEEDS[0] <= fastest <= SPEEDS[1]:
            return size
    return usual[0] if usual else 1.0


RESTART = 20
"""Consecutive rows behind the latest time that indicate a clock set back, not a wrong stamp."""
COARSE = 0.2
"""Share of repeated stamps that indicates a clock coarser than the rows."""


@dataclass(frozen=True, slots=True)
class Ordered:
    """Rows whose stamps increase, as indices into the stamps given, and those that were left out and why.

    `begins` are the places in `kept` where a clock begins: 0, and wherever it was set back.
    """

    kept: IntArray
    begins: IntArray
    repeated: IntArray
    backward: IntArray


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


def _ahead(t: Array) -> IntArray:
    """Single stamps that lie after the next one, while that lies after the one before: t[i-1] < t[i+1] < t[i]."""
    falls = np.flatnonzero(np.diff(t) < 0)
    inner = falls[(falls > 0) & (falls < len(t) - 1)]
    follows = t[inner + 1] > t[inner - 1]
    # where the fallen stamp itself is the odd one, the next stamp is beyond the high one again
    high = np.append(t, np.inf)
    is_low = high[inner + 2] > t[inner]
    return np.asarray(inner[follows & ~is_low])


def _runs(t: Array, places: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    cuts = np.flatnonzero(np.diff(t[places]) < 0) + 1
    kept: list[IntArray] = []
    behind: list[IntArray] = []
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
