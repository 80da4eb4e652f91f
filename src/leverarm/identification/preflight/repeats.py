"""The same trajectory again and again: its period, and how well torques repeat, which no model can beat."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from leverarm.arrays import Array
from leverarm.lint.finding import Finding
from leverarm.logs.log import Log

LOOKS = 4096
"""Samples of a piece that are compared with each other."""
SAME = 2e-3
"""Positions repeat where their mean square change over a period is below this share of twice their variance."""
APART = 0.05
"""... after they have been further apart than this."""
SHORTEST = 0.2
"""Shorter periods [s] are vibrations."""


@dataclass(frozen=True, slots=True)
class Repeats:
    """Period [s], how often it was driven, and the part of torques that does not repeat, in percent of them."""

    period: float
    count: int
    floor: float
    per_joint: dict[str, float]


def repeats(log: Log) -> Repeats | None:
    """What the longest piece of the log repeats, or None: the first shift after which positions come back.

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
    """The first shift [s] after which all joints are back where they were, or None."""
    step = max(1, len(q) // LOOKS)
    x = q[::step] - q.mean(axis=0)
    variance = np.mean(x**2, axis=0)
    moves = variance > 1e-6 * variance.max() if variance.max() > 0 else variance > 0
    if not moves.any():
        return None
    change = _changes(x[:, moves] / np.sqrt(variance[moves]))
    first = int(np.argmax(change > APART))
    at_least = max(first, int(SHORTEST * rate / step), 2)
    dips = [
        k
        for k in range(at_least, len(change) - 1)
        if change[k] < SAME and change[k] <= change[k - 1] and change[k] <= change[k + 1]
    ]
    if change[first] <= APART or not dips:
        return None
    return _exact(q[:, moves], dips[0] * step, step) / rate


def _changes(x: Array) -> Array:
    """Mean square of x(t + k) - x(t) over twice the variance, for shifts k up to half of the length."""
    count = len(x)
    size = 1 << (2 * count - 1).bit_length()
    spectrum = np.fft.rfft(x, size, axis=0)
    products = np.fft.irfft(np.abs(spectrum) ** 2, size, axis=0)[: count // 2 + 1].sum(axis=1)
    squares = np.concatenate(([0.0], np.cumsum(np.sum(x**2, axis=1))))
    k = np.arange(count // 2 + 1)
    both = squares[count - k] + squares[count] - squares[k]
    answer: Array = (both - 2 * products) / (2 * x.shape[1] * (count - k))
    return answer


def _exact(q: Array, near: int, within: int) -> float:
    """The shift in samples, with its fraction, at which the change of q is least; `near` is right up to `within`."""
    shifts = np.arange(max(1, near - within - 1), min(len(q) - 2, near + within + 1) + 1)
    change = np.array([float(np.mean((q[s:] - q[:-s]) ** 2)) for s in shifts])
    i = int(np.clip(np.argmin(change), 1, len(shifts) - 2))
    a, b, c = change[i - 1 : i + 2]
    bend = a - 2 * b + c
    return float(shifts[i] + (0.5 * (a - c) / bend if bend > 0 else 0.0))


def found(repeats: Repeats | None) -> tuple[Finding, ...]:
    """A note that says what repeats and how well."""
    if repeats is None:
        return ()
    worst = max(repeats.per_joint, key=lambda joint: repeats.per_joint[joint])
    return (
        Finding(
            "note",
            "repeated trajectory",
            f"the motion repeats every {repeats.period:.4g} s, {repeats.count} times; torques repeat to "
            f"{repeats.floor:.2g} % (worst: joint {worst!r}, {repeats.per_joint[worst]:.2g} %). No model can do better "
            "on one run.",
            "More repeats make noise smaller but tell nothing new. Keep another trajectory for validation.",
        ),
    )
