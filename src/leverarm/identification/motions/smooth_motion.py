"""A log as a smooth motion: positions, speeds, accelerations and torques through one and the same filter."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from leverarm.arrays import Array
from leverarm.errors import InputError
from leverarm.identification.motion import Motion, joined
from leverarm.identification.motions.local_polynomial import LocalPolynomial, applied, smoothing
from leverarm.logs.log import Log, Piece

Taken = Literal["q", "qd", "qdd"]
"""The highest derivative that is taken from the log; those above it are derivatives of it."""

SAME_RATE = 0.01
"""Rates that differ by less than this part are the same: clocks are not better."""
SAMPLES_PER_CUT_OFF = 8.0
"""Samples kept per period of the cut-off frequency: all that the filter leaves is still seen, twice over."""


@dataclass(frozen=True, slots=True)
class Filtering:
    """How a log becomes a motion: the filter, what is taken from the log, how many samples make one, the lag [s]."""

    filter: LocalPolynomial
    taken: Taken
    stride: int
    lag: float = 0.0


def stride_for(filter_: LocalPolynomial, rate: float) -> int:
    """How many samples may be taken as one without losing what the filter leaves."""
    return max(1, int(rate / (SAMPLES_PER_CUT_OFF * filter_.cut_off(rate))))


def available(log: Log) -> tuple[Taken, ...]:
    """What may be taken from a log: speeds and accelerations only where every piece has them."""
    with_speed = all(piece.qd is not None for piece in log.pieces)
    with_acceleration = with_speed and all(piece.qdd is not None for piece in log.pieces)
    all_three: tuple[Taken, ...] = ("q", "qd", "qdd")
    return all_three[: 1 + with_speed + with_acceleration]


def is_same_rate(a: float, b: float) -> bool:
    """Whether two rates [Hz] are one."""
    return abs(a / b - 1) < SAME_RATE


def for_log(filtering: Filtering, rate: float, log: Log) -> Filtering:
    """The filtering of logs of one rate [Hz] for another log: the same cut-off, and what of its columns there is."""
    taken = filtering.taken if filtering.taken in available(log) else available(log)[-1]
    if is_same_rate(log.rate, rate):
        return replace(filtering, taken=taken)
    filter_ = filtering.filter
    if not filter_.keeps_samples:
        filter_ = smoothing(filter_.cut_off(rate), log.rate)
    return replace(filtering, filter=filter_, taken=taken, stride=max(1, round(filtering.stride * log.rate / rate)))


def smooth_motion(log: Log, filtering: Filtering) -> Motion:
    """The motion of a log; pieces too short for the filter's window are left out."""
    found = [
        _smooth_piece(piece, log.rate, filtering) for piece in log.pieces if len(piece) > 4 * filtering.filter.half + 2
    ]
    if not found:
        seconds = (4 * filtering.filter.half + 3) / log.rate
        raise InputError(f"{log.name}: no unbroken stretch is longer than {seconds:.2g} s. Give a longer log.")
    return joined(found)


def _smooth_piece(piece: Piece, rate: float, filtering: Filtering) -> Motion:
    filter_, stride = filtering.filter, filtering.stride
    inside = slice(filter_.half, len(piece) - filter_.half, stride)
    q, qd, qdd = _derivatives(piece, rate, filtering)
    raw = piece.tau if filtering.lag == 0 else _shifted(piece.tau, filtering.lag * rate)
    tau = applied(filter_, raw, rate, stride)[0]
    rows = piece.rows[inside]
    return Motion(
        piece.t[inside], q, qd, qdd, tau, raw[inside], np.zeros(len(rows), dtype=np.int64), rows, rate / stride
    )


def _derivatives(piece: Piece, rate: float, filtering: Filtering) -> tuple[Array, Array, Array]:
    filter_, stride = filtering.filter, filtering.stride
    q, qd, qdd = applied(filter_, piece.q, rate, stride)
    if filtering.taken != "q" and piece.qd is not None:
        qd, qdd, _ = applied(filter_, piece.qd, rate, stride)
    if filtering.taken == "qdd" and piece.qdd is not None:
        qdd = applied(filter_, piece.qdd, rate, stride)[0]
    return q, qd, qdd


def _shifted(x: Array, samples: float) -> Array:
    """x at an instant later by some samples, linear in between; the ends are held."""
    at = np.arange(len(x)) + samples
    return np.stack([np.interp(at, np.arange(len(x)), column) for column in x.T], axis=1)
