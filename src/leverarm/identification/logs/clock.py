"""A uniform clock for every stretch of a log: jitter removed from the time stamps, missing rows filled in.

`on_one_clock` merges signals that were recorded at different times and share one table, each with holes where the
others have rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from leverarm.arrays import Array, BoolArray, IntArray
from leverarm.identification.logs.column_roles import QUANTITIES
from leverarm.identification.logs.log import Signals
from leverarm.identification.logs.names import Role


def interpolated(t: Array, x: Array, times: Array) -> Array:
    """Values (m, n) at `times` of samples x (k, n) at growing times t: cubic Hermite pieces with parabolic slopes.

    Exact for parabolas. A slope is that of the parabola through three samples, so the noise of each sample reaches
    two steps at most and is not amplified, as it would be by a spline of many knots near uneven ones.
    """
    if len(t) < 3:
        return np.stack([np.interp(times, t, column) for column in x.T], axis=1)
    width = np.diff(t)[:, None]
    chord = np.diff(x, axis=0) / width
    slope = np.empty_like(x)
    slope[1:-1] = (width[1:] * chord[:-1] + width[:-1] * chord[1:]) / (width[1:] + width[:-1])
    slope[0], slope[-1] = 2 * chord[0] - slope[1], 2 * chord[-1] - slope[-2]
    at = np.clip(np.searchsorted(t, times, side="right") - 1, 0, len(t) - 2)
    h = width[at]
    s = (times - t[at])[:, None] / h
    begin, end = x[at], x[at + 1]
    risen = s * s * (3 - 2 * s)
    bent = s * (1 - s)
    return np.asarray(begin + risen * (end - begin) + h * bent * ((1 - s) * slope[at] - s * slope[at + 1]))


JITTER = 0.3
"""Of a step: stamps that scatter less about a uniform clock are taken as jitter of uniform samples."""
SILENT = 0.01
"""Of a step: scatter below it comes from printed digits and is not reported."""
LONGEST_FILLED = 3.5
"""Steps: a longer hole is a gap, at which a new piece begins."""
FOLLOWS = 0.2
"""Gain of the phase-locked loop that follows the stamps."""

Kind = Literal["even", "jitter", "irregular"]


@dataclass(frozen=True, slots=True)
class Stretch:
    """One piece of a log: its uniform times [s], and the rows of the source, with their times, behind its samples.

    `used` are places among the ordered rows, `crowded` those left out for being too near the one before. `scatter` is
    the largest distance of a stamp from the uniform clock, in steps, and `filled` which samples replace missing rows.
    """

    t: Array
    used: IntArray
    knots: Array
    kind: Kind
    filled: IntArray
    crowded: IntArray
    scatter: float

    def __len__(self) -> int:
        return len(self.t)

    @property
    def is_complete(self) -> bool:
        """Whether each sample is one of the rows."""
        return len(self.t) == len(self.used) and self.kind != "irregular"

    @property
    def sources(self) -> IntArray:
        """The row each sample comes from; for one in between, that before it. Places among the ordered rows."""
        if self.is_complete:
            return self.used
        before = np.searchsorted(self.knots, self.t * (1 + 1e-12) + 1e-12, side="right") - 1
        return np.asarray(self.used[np.clip(before, 0, len(self.used) - 1)])

    def sampled(self, values: Array) -> Array:
        """Values of the ordered rows (k, n) at the uniform times; rows on the clock are unchanged."""
        own = values[self.used]
        if self.is_complete:
            return own
        if self.kind == "irregular":
            return interpolated(self.knots, own, self.t)
        whole = np.empty((len(self.t), values.shape[1]))
        is_hole = np.zeros(len(self.t), dtype=bool)
        is_hole[self.filled] = True
        whole[~is_hole] = own
        whole[is_hole] = interpolated(self.knots, own, self.t[is_hole])
        return whole


def even_step(t: Array, cuts: IntArray) -> float:
    """The step of the clock [s]: the mean over stretches without holes, about the median step."""
    steps = np.diff(t)
    steps = np.delete(steps, cuts - 1) if len(cuts) else steps
    median = float(np.median(steps))
    regular = steps[np.abs(steps / median - 1) < 0.5]
    return float(np.mean(regular)) if len(regular) > 0.5 * len(steps) else median


def stretches(t: Array, begins: IntArray) -> tuple[float, list[Stretch]]:
    """The step [s] and the pieces between gaps and restarts of the clock, each with its uniform times."""
    restarts = begins[begins > 0]
    step = even_step(t, restarts)
    gaps = np.flatnonzero(np.diff(t) > _longest_filled(np.diff(t) / step) * step) + 1
    bounds = np.unique(np.concatenate(([0], restarts, gaps, [len(t)])))
    numbers = {span: _numbers(t[slice(*span)], step) for span in pairwise(bounds.tolist())}
    step = _refined(t, numbers, step)
    return step, [_stretch(t, span, counted, step) for span, counted in numbers.items()]


def _longest_filled(steps: Array) -> float:
    """The number of steps beyond which a hole is a gap; larger for rows so irregular that long steps are usual."""
    if np.mean(steps > LONGEST_FILLED) < 0.02:
        return LONGEST_FILLED
    return float(np.clip(np.quantile(steps, 0.995), LONGEST_FILLED, 10))


def _numbers(t: Array, step: float) -> IntArray | None:
    """The tick of each row on a uniform clock, from 0; None if the rows are on none."""
    plain = np.arange(len(t))
    if len(t) < 3 or _is_near(t, plain):
        return plain
    ticks = np.rint(np.diff(t) / step)
    if np.all(np.abs(np.diff(t) / step - ticks) < JITTER) and np.all(ticks >= 1):
        counted = np.append(0, np.cumsum(ticks)).astype(np.int64)
    else:
        counted = _followed(t, step)
    return counted if _is_near(t, counted) else None


def _is_near(t: Array, ticks: IntArray) -> bool:
    """Whether stamps lie near a uniform clock; a few late ones, one to three in a row, are tolerated."""
    rest = np.abs(t - np.polyval(np.polyfit(ticks, t, 1), ticks))
    step = (t[-1] - t[0]) / ticks[-1]
    is_late = rest > JITTER * step
    if not is_late.any():
        return True
    starts = np.flatnonzero(np.diff(is_late.astype(int), prepend=0, append=0))
    longest = np.max(starts[1::2] - starts[::2])
    return bool(longest <= 3 and np.mean(is_late) < 0.02 and not is_late[:3].any() and not is_late[-3:].any())


def _followed(t: Array, step: float) -> IntArray:
    """Ticks by following the clock from stamp to stamp, so that the jitter of one does not shift the others."""
    counted, phase, tick = [0], float(t[0]), 0
    for stamp in t[1:].tolist():
        ahead = max(1, round((stamp - phase) / step))
        tick += ahead
        phase += ahead * step
        phase += FOLLOWS * (stamp - phase)
        counted.append(tick)
    return np.array(counted)


def _refined(t: Array, numbers: dict[tuple[int, int], IntArray | None], step: float) -> float:
    """One step for all pieces on uniform clocks, by least squares over all their stamps."""
    over = under = 0.0
    for (first, last), ticks in numbers.items():
        if ticks is not None and last - first > 2:
            centred = ticks - ticks.mean()
            over += float(centred @ (t[first:last] - t[first:last].mean()))
            under += float(centred @ centred)
    fitted = over / under if under else step
    rate = 1 / fitted
    whole = round(rate)
    # stamps of nine digits or more stand for the nearest whole rate
    return 1 / whole if whole and abs(rate / whole - 1) < 1e-9 else fitted


def _stretch(t: Array, span: tuple[int, int], ticks: IntArray | None, step: float) -> Stretch:
    used, stamps = np.arange(*span), t[slice(*span)]
    none = np.empty(0, dtype=np.int64)
    if ticks is not None:
        start = float(np.median(stamps - step * ticks))
        rest = np.abs(stamps - start - step * ticks) / step
        if np.quantile(rest, 0.98) <= JITTER:
            start = float(stamps[0]) if rest[0] < SILENT else start
            even = start + step * np.arange(ticks[-1] + 1)
            kind: Kind = "jitter" if np.max(rest) > SILENT else "even"
            holes = np.setdiff1d(np.arange(ticks[-1] + 1), ticks)
            return Stretch(even, used, np.asarray(start + step * ticks), kind, holes, none, float(np.max(rest)))
    near = _crowded(stamps, step)
    used, crowded, stamps = np.delete(used, near), used[near], np.delete(stamps, near)
    even = stamps[0] + step * np.arange(int(np.floor((stamps[-1] - stamps[0]) / step + 1e-9)) + 1)
    scatter = float(np.max(np.abs(np.diff(stamps) / step - 1), initial=0))
    return Stretch(even, used, stamps, "irregular", none, crowded, scatter)


def _crowded(t: Array, step: float) -> IntArray:
    """Rows closer than JITTER to the last one kept: a slope between them would be mostly noise."""
    if np.all(np.diff(t) >= JITTER * step):
        return np.empty(0, dtype=np.int64)
    crowded, kept = [], -np.inf
    for place, stamp in enumerate(t.tolist()):
        if stamp - kept < JITTER * step:
            crowded.append(place)
        else:
            kept = stamp
    return np.array(crowded, dtype=np.int64)


WHOLE = 0.5
"""Share of complete rows below which quantities are assumed to have clocks of their own."""
FEWEST = 50
"""Rows that a quantity must have for a clock of its own."""
REACH = 2.5
"""Longest interval that is interpolated, in median steps of the quantity."""


def on_one_clock(signals: Signals) -> Signals:
    """Positions and torques at the times of the one with fewer rows, the others interpolated linearly.

    Only where most rows lack a quantity, each has enough rows, and the times increase; unchanged otherwise.
    """
    has: dict[Role, BoolArray] = {role: np.asarray(np.isfinite(x).all(axis=1)) for role, x in signals.values.items()}
    together = np.logical_and.reduce(list(has.values()))
    is_timed = bool(np.isfinite(signals.t).all() and np.all(np.diff(signals.t) >= 0))
    if together.mean() >= WHOLE or not is_timed or min(map(np.sum, has.values())) < FEWEST:
        return signals
    slowest: Role = "q" if has["q"].sum() <= has["tau"].sum() else "tau"
    begin = max(int(np.flatnonzero(each)[0]) for each in has.values())
    end = min(int(np.flatnonzero(each)[-1]) for each in has.values())
    rows = begin + np.flatnonzero(has[slowest][begin : end + 1])
    values = {role: _at(signals.t[rows], signals.t[has[role]], x[has[role]]) for role, x in signals.values.items()}
    moved = ", ".join(QUANTITIES[role] for role in values if role != slowest and not has[role][rows].all())
    message = f"{moved} are in other rows than the {QUANTITIES[slowest]}; interpolated to the times of the latter."
    remedy = "Record all signals at the same instants: interpolation blurs them."
    return signals.at(rows).with_values(values).noting("warning", "time stamps", message, remedy)


def _at(wanted: Array, t: Array, values: Array) -> Array:
    """Values (k, n) between the samples around each wanted time; NaN where these are too far apart."""
    after = np.clip(np.searchsorted(t, wanted), 1, len(t) - 1)
    apart: Array = t[after] - t[after - 1]
    steps = np.diff(t)
    is_near: BoolArray = apart <= REACH * np.median(steps[steps > 0])
    is_near &= (wanted >= t[0]) & (wanted <= t[-1])
    filled = np.stack([np.interp(wanted, t, column) for column in values.T], axis=1)
    filled[~is_near] = np.nan
    return filled
