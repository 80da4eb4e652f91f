"""Noise and quantisation of positions and torques as logged; the period of a repeated trajectory.

How well torques repeat is a floor that no model can beat.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import compress

import numpy as np

from leverarm.arrays import Array
from leverarm.findings import Finding, listed
from leverarm.identification.logs.log import Log

LONGEST_LOOK = 20_000
"""Samples of each piece that are examined."""
LOUD = 0.1
"""Noise above this share of a torque's standard deviation is reported,"""
COARSE = 0.05
"""and quantisation coarser than this share of it."""


@dataclass(frozen=True, slots=True)
class Noise:
    """Standard deviations of white noise on positions [rad or m] and torques [N m or N], steps of the torques (n,).

    A step is 0 where no quantisation was found.
    """

    q: Array
    tau: Array
    tau_step: Array


def noise(log: Log) -> Noise:
    """Noise from third differences, in which white noise has 20 times its variance and smooth motion is negligible."""
    q, tau = ([getattr(piece, what)[:LONGEST_LOOK] for piece in log.pieces] for what in ("q", "tau"))
    steps = [_step(np.concatenate([x[:5000, j] for x in tau])) for j in range(tau[0].shape[1])]
    return Noise(_noise(q), _noise(tau), np.array(steps))


def _noise(pieces: list[Array]) -> Array:
    third = np.concatenate([np.diff(x, 3, axis=0) for x in pieces])
    # the median of |x| of a normal x is 0.6745 standard deviations; the mean where most differences are zero
    median = np.median(np.abs(third), axis=0) / 0.6745
    mean = np.mean(np.abs(third), axis=0) * np.sqrt(np.pi / 2)
    return np.asarray(np.where(median > 0, median, mean) / np.sqrt(20))


def _step(x: Array) -> float:
    """The quantisation step of the values; 0 where there is none or it has more than 2000 steps."""
    values = np.unique(x)
    if len(values) < 2 or len(values) > 0.5 * len(x):
        return 0.0
    gaps = np.diff(values)
    step = float(np.quantile(gaps[gaps > 1e-9 * float(np.ptp(values))], 0.05))
    whole = gaps / step
    is_grid = np.mean(np.abs(whole - np.round(whole)) < 0.1) > 0.9
    return step if is_grid else 0.0


def noise_findings(noise: Noise, log: Log) -> Iterator[Finding]:
    """Notes on torques with much noise or coarse quantisation."""
    spread = np.std(np.concatenate([piece.tau for piece in log.pieces]), axis=0)
    loud = noise.tau > LOUD * spread
    if loud.any():
        shares = ", ".join(f"{100 * n / s:.0f} %" for n, s in zip(noise.tau[loud], spread[loud], strict=True) if s > 0)
        message = f"its noise is {shares or 'all'} of the variation of the torque."
        remedy = "Errors on raw torque cannot be smaller. Move faster, or average several runs."
        yield Finding("note", f"torque of {listed('joint', list(compress(log.joints, loud)))}", message, remedy)
    coarse = (noise.tau_step > COARSE * spread) & ~loud
    if coarse.any():
        message = f"it is quantised in steps of {', '.join(f'{s:.2g}' for s in noise.tau_step[coarse])} (N m or N)."
        where = f"torque of {listed('joint', list(compress(log.joints, coarse)))}"
        yield Finding("note", where, message, "Log it with more digits.")


LOOKS = 4096
"""Samples of a piece that are compared."""
SAME = 2e-3
"""Positions repeat where their mean square change over a period is below this share of twice their variance."""
APART = 0.05
"""after they have been farther apart than this."""
SHORTEST = 0.2
"""Shorter periods [s] are vibrations."""


@dataclass(frozen=True, slots=True)
class Repeats:
    """Period [s], number of repetitions, and the part of the torques that does not repeat [%]."""

    period: float
    count: int
    floor: float
    per_joint: dict[str, float]


def repeats(log: Log) -> Repeats | None:
    """The repetition in the longest piece of the log, or None: the first shift after which positions return.

    The floor is 100 ||tau - mean over repeats|| / ||tau||, times sqrt(R/(R - 1)) since R repeats share their mean.
    """
    piece = max(log.pieces, key=len)
    period = _period(piece.q, log.rate)
    if period is None:
        return None
    length = period * log.rate
    count = int((len(piece) - 1) / length + 1e-9)
    if count < 2:
        return None
    starts = np.rint(np.arange(count) * length).astype(int)
    each = min(int(length), len(piece) - int(starts[-1]))
    torques = np.stack([piece.tau[s : s + each] for s in starts])
    rest = np.sum((torques - torques.mean(axis=0)) ** 2, axis=(0, 1)) * count / (count - 1)
    whole = np.sum(torques**2, axis=(0, 1))
    shares = 100 * np.sqrt(rest / np.where(whole > 0, whole, 1))
    floor = 100 * float(np.sqrt(rest.sum() / max(whole.sum(), 1e-300)))
    return Repeats(period, count, floor, dict(zip(log.joints, map(float, shares), strict=True)))


def _period(q: Array, rate: float) -> float | None:
    """The first shift [s] after which all joints return, or None."""
    step = max(1, len(q) // LOOKS)
    x = q[::step] - q.mean(axis=0)
    variance = np.mean(x**2, axis=0)
    moves = variance > 1e-6 * variance.max() if variance.max() > 0 else variance > 0
    if not moves.any():
        return None
    change = _changes(x[:, moves] / np.sqrt(variance[moves]))
    first = int(np.argmax(change > APART))
    at_least = max(first, int(SHORTEST * rate / step), 2)
    here, around = change[1:-1], np.minimum(change[:-2], change[2:])
    dips = 1 + np.flatnonzero((here < SAME) & (here <= around))
    dips = dips[dips >= at_least]
    if change[first] <= APART or not len(dips):
        return None
    return _exact(q[:, moves], int(dips[0]) * step, step) / rate


def _changes(x: Array) -> Array:
    """Mean square of x(t + k) - x(t) over twice the variance, for shifts k up to half of the length."""
    count = len(x)
    size = 1 << (2 * count - 1).bit_length()
    spectrum = np.fft.rfft(x, size, axis=0)
    products = np.fft.irfft(np.abs(spectrum) ** 2, size, axis=0)[: count // 2 + 1].sum(axis=1)
    squares = np.concatenate(([0.0], np.cumsum(np.sum(x**2, axis=1))))
    k = np.arange(count // 2 + 1)
    both = squares[count - k] + squares[count] - squares[k]
    return np.asarray((both - 2 * products) / (2 * x.shape[1] * (count - k)))


def _exact(q: Array, near: int, within: int) -> float:
    """The shift in samples, with its fraction, at which the change of q is least; `near` is right up to `within`."""
    shifts = np.arange(max(1, near - within - 1), min(len(q) - 2, near + within + 1) + 1)
    change = np.array([float(np.mean((q[s:] - q[:-s]) ** 2)) for s in shifts])
    i = int(np.clip(np.argmin(change), 1, len(shifts) - 2))
    a, b, c = change[i - 1 : i + 2]
    bend = a - 2 * b + c
    return float(shifts[i] + (0.5 * (a - c) / bend if bend > 0 else 0.0))


def repeat_findings(repeats: Repeats | None) -> Iterator[Finding]:
    """A note on the period and the repeatability."""
    if repeats is None:
        return
    worst = max(repeats.per_joint, key=lambda joint: repeats.per_joint[joint])
    message = (
        f"the motion repeats every {repeats.period:.4g} s, {repeats.count} times; torques repeat to "
        f"{repeats.floor:.2g} % (worst: joint {worst!r}, {repeats.per_joint[worst]:.2g} %). No model can do better on "
        "one run."
    )
    remedy = "More repeats reduce noise but add no excitation. Keep another trajectory for validation."
    yield Finding("note", "repeated trajectory", message, remedy)
