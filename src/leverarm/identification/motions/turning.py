"""Samples near which a joint turns round: there the smoothed torque mixes the friction of both directions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from leverarm.identification.motion import Motion
from leverarm.identification.motions.local_polynomial import Array, LocalPolynomial

Mask = NDArray[np.bool_]

SEEN = 0.01
"""Part of a jump of the friction that may be left in a sample of smoothed torque."""


def turning(motion: Motion, filter_: LocalPolynomial, log_rate: float) -> Mask:
    """Whether the filter's window at each sample of each joint (k, n) sees the joint's speed change its sign.

    Coulomb friction jumps there. Smoothing spreads the jump of the torque, while sgn(speed) in the model stays sharp:
    a difference that is no noise and that no parameter explains.
    """
    reach = reach_of_jump(filter_) / log_rate
    found = np.zeros(motion.qd.shape, dtype=bool)
    if reach == 0:
        return found
    for number in range(int(motion.piece.max()) + 1):
        at = np.flatnonzero(motion.piece == number)
        if len(at):
            for j in range(found.shape[1]):
                found[at, j] = _distance(motion.qd[at, j], motion.qdd[at, j], 1 / motion.rate) <= reach
    return found


def reach_of_jump(filter_: LocalPolynomial) -> int:
    """The farthest a jump can be from a sample [samples] and still show in its smoothed value."""
    # A jump of size 1 after the first i + 1 samples of the window leaves the sum of their weights.
    left = np.abs(np.cumsum(filter_.kernels()[: filter_.half, 0]))
    seen = np.flatnonzero(left > SEEN / 2)
    return int(filter_.half - seen[0]) if len(seen) else 0


def _distance(speed: Array, acceleration: Array, step: float) -> Array:
    """Seconds from each sample to the nearest zero of its speed; before and after a piece by its acceleration."""
    here, next_ = speed[:-1], speed[1:]
    i = np.flatnonzero((here * next_ <= 0) & (here != next_))
    zeros = (i + here[i] / (here[i] - next_[i])) * step
    last = (len(speed) - 1) * step
    before = [-speed[0] / acceleration[0]] if speed[0] * acceleration[0] > 0 else []
    after = [last - speed[-1] / acceleration[-1]] if speed[-1] * acceleration[-1] < 0 else []
    zeros = np.concatenate([[-np.inf], before, zeros, after, [np.inf]])
    times = np.arange(len(speed)) * step
    right = np.searchsorted(zeros, times)
    right = np.clip(right, 1, len(zeros) - 1)
    return np.asarray(np.minimum(times - zeros[right - 1], zeros[right] - times))
