"""The signals of a log by themselves: noise, quantisation, clipping, torques of the wrong size, repeated trajectories.

How well torques repeat is a floor that no model can beat. Torques of a size that the arm's masses do not explain are in
another unit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import compress

import numpy as np

from leverarm.arrays import Array
from leverarm.findings import Finding, listed
from leverarm.identification.logs.log import Log
from leverarm.identification.preflight.readings import masses_of
from leverarm.identification.preflight.samples import Thinned, without_own_drive
from leverarm.model import Arm, Limits, Quantity, to_float
from leverarm.model.units import Units

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
    floor = f"torques repeat to {repeats.floor:.2g} % (worst: joint {worst!r}, {repeats.per_joint[worst]:.2g} %)"
    often = f"the motion repeats every {repeats.period:.4g} s, {repeats.count} times"
    message = f"{often}; {floor}. No model can do better on one run."
    remedy = "More repeats reduce noise but add no excitation. Keep another trajectory for validation."
    yield Finding("note", "repeated trajectory", message, remedy)


RUN = 4
"""Consecutive samples at the same extreme that indicate clipping."""
SHARE = 0.003
"""Share of the log at an extreme that is reported."""
AT_LIMIT = 0.99
BEYOND = 1.05
"""Of a limit: a torque beyond it is not clipped by it."""


def saturation_findings(log: Log, arm: Arm) -> Iterator[Finding]:
    """Joints whose torque or speed is flat at its extreme, or at the limit that the arm gives for it."""
    limits = {body.joint.name: body.joint.limits for body in arm.bodies}

    def number(limit: Quantity | None) -> float | None:
        return None if limit is None else to_float(limit, arm.defaults)

    for j, (joint, turns) in enumerate(zip(log.joints, Units.of(arm).is_angle, strict=True)):
        limit = limits.get(joint, Limits())
        torque = [piece.tau[:, j] for piece in log.pieces]
        speed = [piece.qd[:, j] for piece in log.pieces if piece.qd is not None]
        effort, fastest = number(limit.effort), number(limit.velocity)
        yield from _clipped(joint, "N m" if turns else "N", torque, effort)
        yield from _at_limit(joint, speed, fastest)


def flat_share(pieces: list[Array]) -> float:
    """Share of samples in runs of `RUN` equal ones at the largest or the smallest value of all.

    A joint at rest has equal torques too, but not repeatedly at the extreme: at least two runs are required.
    """
    whole = np.concatenate(pieces)
    low, high = float(whole.min()), float(whole.max())
    if high - low == 0:
        return 0.0
    lengths = []
    for x in pieces:
        for extreme in (low, high):
            there = np.abs(x - extreme) <= 1e-9 * (high - low)
            edges = np.flatnonzero(np.diff(there.astype(np.int8), prepend=0, append=0))
            lengths += (edges[1::2] - edges[::2]).tolist()
    long = [length for length in lengths if length >= RUN]
    return sum(long) / len(whole) if len(long) >= 2 else 0.0


def _clipped(joint: str, unit: str, pieces: list[Array], limit: float | None) -> Iterator[Finding]:
    whole = np.abs(np.concatenate(pieces))
    largest, share = float(whole.max()), flat_share(pieces)
    at_limit = float(np.mean(whole >= AT_LIMIT * limit)) if limit else 0.0
    if limit and at_limit >= SHARE and largest > BEYOND * limit:
        often = f"in {100 * at_limit:.1f} % of the log"
        message = f"its torque goes up to {largest:.4g} {unit}, beyond its limit of {limit:.4g}, {often}."
        remedy = "Check the unit of the torques and the limit in the arm's description."
        yield Finding("note", f"joint {joint!r}", message, remedy)
        limit, at_limit = None, 0.0
    if max(share, at_limit) >= SHARE:
        why = f"its limit is {limit:.4g}" if at_limit >= SHARE and limit else "the same value again and again"
        often = f"in {100 * max(share, at_limit):.1f} % of the log ({why})"
        message = f"its torque is at an extreme, {largest:.4g} {unit}, {often}: it is probably clipped."
        remedy = "Log a slower motion, or leave these rows out: a clipped torque is not the one that moved the arm."
        yield Finding("warning", f"joint {joint!r}", message, remedy)


def _at_limit(joint: str, pieces: list[Array], limit: float | None) -> Iterator[Finding]:
    share = float(np.mean(np.abs(np.concatenate(pieces)) >= AT_LIMIT * limit)) if pieces and limit else 0.0
    if share >= SHARE:
        message = f"its speed is at its limit, {limit:.4g} rad/s or m/s, in {100 * share:.1f} % of the log."
        remedy = "The speed may be clipped while the joint moves faster; compare with a slower motion."
        yield Finding("note", f"joint {joint!r}", message, remedy)


ALIKE = 0.7
"""Correlation with the torques of the nominal masses above which their sizes are compared."""
SIZE_BEYOND = 30.0
"""Factor that no error of nominal masses explains, but a wrong unit does."""


def torque_size(rows: Thinned) -> float | None:
    """Ratio of the logged torques to those of the nominal masses; None where the two are not correlated.

    The median over joints; friction, offsets and rotors are taken out first.
    """
    factors = []
    for needed, torque in without_own_drive(rows, masses_of(rows.arm)):
        along, whole = float(needed @ torque), float(np.linalg.norm(needed) * np.linalg.norm(torque))
        if whole > 0 and along > ALIKE * whole:
            factors.append(along / float(needed @ needed))
    return float(np.median(factors)) if 2 * len(factors) >= rows.tau.shape[1] else None


def torque_size_findings(size: float | None) -> Iterator[Finding]:
    """An error where torques have a very different size."""
    if size is None or 1 / SIZE_BEYOND < size < SIZE_BEYOND:
        return
    times = f"{size:.0f} times as large as" if size > 1 else f"{1 / size:.0f} times smaller than"
    what = "another unit, currents, or motor torques before the gear?"
    message = f"they correlate with those of the nominal masses, but are {times} these: {what}"
    remedy = "Give units={'tau': 'mN m'} or the like, gains=[...] for currents, ratio=[...] for motors."
    yield Finding("error", "size of the torques", message, remedy)
