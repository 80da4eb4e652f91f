"""Single samples that no arm and no sensor can mean: a jump that returns at once. And angles that jump a whole turn."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array
from leverarm.logs.column_words import Role

SIGMAS = 20.0
"""A spike stands out from its neighbours by more than this many robust deviations of second differences."""
NEIGHBOURS = 8.0
"""And by more than this many times the largest difference among the neighbours themselves: what returns at once."""
QUANTA = 8.0
"""And by more than this many of the smallest steps that the channel makes."""
LEAST_SHARE = {"q": 1e-3, "qd": 0.05, "qdd": 0.05, "tau": 0.05}
"""And by more than this share of the channel's range; a position is differentiated twice, so less of it does harm."""
WHOLE_TURN = 2 * np.pi
NEAR_TURN = 1.0
"""rad: how near to a whole turn a jump must be."""
STEADY = 2.0
"""rad: the largest other step of an angle that can be unwrapped without doubt."""


def spikes(role: Role, x: Array) -> NDArray[np.bool_]:
    """Which samples (k, n) are spikes; x is a stretch of a log without holes."""
    found = np.zeros(x.shape, dtype=bool)
    if len(x) < 7:
        return found
    before, after = x[1:-3], x[3:-1]
    apart = np.abs(x[2:-2] - predicted(x))
    near = np.maximum(np.abs(before - x[:-4]), np.abs(x[4:] - after))
    near = np.maximum(near, np.abs(after - before))
    candidates = apart > NEIGHBOURS * near
    for channel in np.flatnonzero(candidates.any(axis=0)):
        found[2:-2, channel] = candidates[:, channel] & (apart[:, channel] > _least(role, x[:, channel]))
    return found


def predicted(x: Array) -> Array:
    """What a cubic through the two samples before and the two after says of each, from the third to the third last."""
    return np.asarray((4 * (x[1:-3] + x[3:-1]) - x[:-4] - x[4:]) / 6)


def _least(role: Role, channel: Array) -> float:
    low, high = np.quantile(channel, (0.005, 0.995))
    second = np.diff(channel, 2)
    deviation = 1.4826 * float(np.median(np.abs(second - np.median(second))))
    steps = np.abs(np.diff(channel))
    steps = steps[steps > 1e-9 * np.max(steps)]
    smallest = float(np.quantile(steps, 0.05)) if len(steps) else 0.0
    return max(SIGMAS * deviation, QUANTA * smallest, LEAST_SHARE[role] * float(high - low))


def turns(angle: Array) -> Array:
    """Whole turns [rad] to take from each sample of an angle (k,) that jumps at the end of a turn; zeros elsewhere."""
    steps = np.diff(angle)
    is_jump = np.abs(np.abs(steps) - WHOLE_TURN) < NEAR_TURN
    if not is_jump.any() or np.max(np.abs(steps[~is_jump]), initial=0) > STEADY:
        return np.zeros_like(angle)
    return np.append(0.0, WHOLE_TURN * np.cumsum(np.sign(steps) * is_jump))
