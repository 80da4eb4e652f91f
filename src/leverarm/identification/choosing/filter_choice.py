"""Which filter: the one whose motion predicts raw torques best, block by block left out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from leverarm.errors import InputError
from leverarm.identification.fitting.rows import blocks_of, resting
from leverarm.identification.fitting.weighted_fit import left_out_errors, normal_equations, weights_of
from leverarm.identification.logs.log import Log
from leverarm.identification.modelling.columns import ColumnMaker
from leverarm.identification.modelling.modelled_arm import plain_drives
from leverarm.identification.motions import (
    Filtering,
    available,
    differencing,
    for_log,
    joined,
    smooth_motion,
    smoothing,
    stride_for,
)
from leverarm.identification.preflight.samples import dead_zone

STEPS = 7
"""Cut-offs that are tried, evenly spaced in octaves."""
AS_GOOD = 1.01
"""An error within this ratio of the best is as good; the lowest cut-off of those is taken."""
SAMPLES = 3000
"""Samples used to compare filters."""
MOST_FITTED = 6000
"""Samples that are fitted, where there are more; a fit with all of them would take long and be little surer."""
LEAST_RATE = 100.0
"""Fitted samples per second that are left in any case: arms do not move faster than these can show."""
DERIVATIVES = ("q", "qd", "qdd")


@dataclass(frozen=True, slots=True)
class Tried:
    """One filter and the error of raw torque it leads to: the geometric mean over joints, in percent of each torque."""

    filtering: Filtering
    cut_off: float
    error: float


def candidates(log: Log) -> list[Filtering]:
    """Filters worth trying: from the motion's own band to no filter at all."""
    longest = max(len(piece) for piece in log.pieces)
    highest = 0.3 * log.rate
    lowest = max(min(bandwidth(log), highest / 8), 8 * log.rate / longest)
    filters = [smoothing(float(f), log.rate) for f in np.geomspace(lowest, highest, STEPS)]
    filters = [*dict.fromkeys(filters), differencing()]
    return [Filtering(f, taken, stride_for(f, log.rate)) for taken in available(log) for f in filters]


def bandwidth(log: Log) -> float:
    """The frequency below which nine tenths of the power of the joints' speeds lies, of the fastest joint [Hz]."""
    piece = max(log.pieces, key=len)
    speed = np.diff(piece.q, axis=0)
    # A ten-sample mean keeps quantisation and noise of fast logs from being counted as motion.
    window = max(1, int(log.rate / 50))
    if window > 1:
        sums = np.cumsum(speed, axis=0)
        speed = (sums[window:] - sums[:-window])[::window] / window
    speed = (speed - speed.mean(axis=0)) * np.hanning(len(speed))[:, None]
    power = np.abs(np.fft.rfft(speed, axis=0)) ** 2
    share = np.cumsum(power, axis=0) / np.maximum(power.sum(axis=0), 1e-300)
    bins = [int(np.searchsorted(column, 0.9)) for column in share.T]
    return float(max(1, max(bins)) * log.rate / window / len(speed))


def filter_choice(
    logs: list[Log], columns: ColumnMaker, base: NDArray[np.int64], progress: Callable[[str], None]
) -> tuple[Tried, list[Tried]]:
    """The filter to use and all that were tried. `base` are the columns of the plain model that are fitted."""
    tried = []
    longest = max(logs, key=len)
    for filtering in candidates(longest):
        cut_off = filtering.filter.cut_off(longest.rate)
        if not _has_room(filtering, longest, logs):
            continue
        progress(f"cut-off {cut_off:.3g} Hz, from {filtering.taken}")
        error = raw_error(logs, longest.rate, filtering, columns, base)
        tried.append(Tried(filtering, cut_off, error))
    if not tried:
        raise InputError(
            f"{longest.name}: no unbroken stretch is long enough to be smoothed; the longest has "
            f"{max(map(len, longest.pieces))} samples. Give a log with fewer gaps."
        )
    best = min(entry.error for entry in tried)
    good = [entry for entry in tried if entry.error <= AS_GOOD * best]
    # Of two that are equal to the last digit, the one that differentiates least of the log.
    chosen = min(good, key=lambda entry: (entry.cut_off, entry.error, -DERIVATIVES.index(entry.filtering.taken)))
    return replace(chosen, filtering=_thinned(chosen.filtering, logs, longest.rate)), tried


def _thinned(filtering: Filtering, logs: list[Log], rate: float) -> Filtering:
    """The filtering with a stride that leaves a sensible number of samples."""
    enough = -(-sum(map(len, logs)) // MOST_FITTED)
    return replace(filtering, stride=max(filtering.stride, min(enough, int(rate / LEAST_RATE))))


def _has_room(filtering: Filtering, longest: Log, logs: list[Log]) -> bool:
    """Whether the filter's window fits twice into every log, and four times into the longest."""
    if max(map(len, longest.pieces)) <= 8 * filtering.filter.half:
        return False
    windows = [for_log(filtering, longest.rate, log).filter.half for log in logs]
    return all(max(map(len, log.pieces)) > 4 * half + 2 for log, half in zip(logs, windows, strict=True))


def raw_error(
    logs: list[Log], rate: float, filtering: Filtering, columns: ColumnMaker, base: NDArray[np.int64]
) -> float:
    """Left-out error of raw torque [percent, geometric mean over joints] of a plain model with a filter for a rate."""
    # One stride for all filters, so that they are compared on the same noise of the raw torques.
    even = replace(filtering, stride=max(1, sum(map(len, logs)) // SAMPLES))
    motion = joined([smooth_motion(log, for_log(even, rate, log)) for log in logs])
    zone = dead_zone(motion)
    used = (np.abs(motion.qd) > zone) & ~resting(motion, zone)
    W = columns.columns(motion.q, motion.qd, motion.qdd, plain_drives(motion.q.shape[1])).W[:, :, base]
    equations = normal_equations(W, motion.tau, motion.raw, used, blocks_of(motion))
    _, raw = left_out_errors(equations, weights_of(equations))
    ratio = raw.sum(axis=0) / np.maximum(equations.zz.sum(axis=0), 1e-300)
    told = equations.zz.sum(axis=0) > 0
    return float(100 * np.exp(0.5 * np.mean(np.log(np.maximum(ratio[told], 1e-30)))))
