"""Measured velocities against the slopes of measured positions: they tell units, signs and the order of columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array

BLOCKS, FEW_BLOCKS = 300, 40
"""Slopes are means over this many blocks of rows, so that noise and coarse encoders average out; if that does not do,
over fewer and longer ones."""
ALIKE = 0.7
"""The cosine between velocities and slopes from which on they are taken for the same motion."""
SURELY = 0.9
"""And from which on a column is taken for that of another joint."""
STILL = 0.02
"""Of the widest range of a joint: one with less is taken to stand still: what there is to see is mostly noise."""
NEAR = 1.2
"""How far a factor between velocity and slope may be from that of a unit."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How measured rates go with slopes of their quantity: column i is about factors[i, j] times the slope of joint j.

    `cosine[i, j]` says how well, and `moves` which joints move at all.
    """

    factors: Array
    cosine: Array
    moves: NDArray[np.bool_]

    @property
    def slope(self) -> Array:
        """The factor of each column to its own joint."""
        return np.diag(self.factors)

    @property
    def own(self) -> Array:
        return np.diag(self.cosine)

    @property
    def is_alike(self) -> bool:
        """Whether every joint that moves has the velocity of its motion, whatever the sign and the unit."""
        return bool(np.all(np.abs(self.own[self.moves]) > ALIKE))

    def order(self) -> NDArray[np.int64] | None:
        """Which column belongs to each joint, where that is another order than the given one, and beyond doubt."""
        moving = np.flatnonzero(self.moves)
        best = np.arange(len(self.moves))
        best[moving] = moving[np.argmax(np.abs(self.cosine[np.ix_(moving, moving)]), axis=0)]
        is_sure = np.all(np.abs(self.cosine[best[moving], moving]) > SURELY)
        is_other = np.any(best != np.arange(len(best))) and len(set(best.tolist())) == len(best)
        return best if is_other and is_sure else None


def agreement(t: Array, x: Array, rate: Array) -> Agreement:
    """The measured rate of change of x, (k, n) each, against its slope; times t in any unit, growing in stretches."""
    found = _over_blocks(t, x, rate, int(np.clip(len(t) // BLOCKS, 2, 500)))
    if found.is_alike:
        return found
    longer = _over_blocks(t, x, rate, max(2, len(t) // FEW_BLOCKS))
    return longer if longer.is_alike else found


def _over_blocks(t: Array, x: Array, rate: Array, size: int) -> Agreement:
    steps = np.diff(t)
    usual = np.median(steps[steps > 0])
    is_whole = (steps > 0) & (steps < 4 * usual)
    risen = np.diff(x, axis=0)
    # a step over most of the range is an angle that begins a new turn, not motion
    is_motion = is_whole[:, None] & (np.abs(risen) <= 0.6 * np.ptp(x, axis=0))
    ends = np.arange(0, len(t), size)
    covered = np.where(is_motion, steps[:, None], 0.0)
    elapsed = _between(covered, ends)
    is_full = elapsed > 0.5 * size * usual
    divisor = np.where(is_full, elapsed, 1.0)
    slopes = np.where(is_full, _between(np.where(is_motion, risen, 0.0), ends) / divisor, 0.0)
    rates = np.where(is_full, _between(covered * (rate[1:] + rate[:-1]) / 2, ends) / divisor, 0.0)
    size_x, size_rate = np.linalg.norm(slopes, axis=0), np.linalg.norm(rates, axis=0)
    products = rates.T @ slopes
    norms = np.outer(size_rate, size_x)
    cosine = np.divide(products, norms, out=np.zeros_like(products), where=norms > 0)
    factors = np.divide(products, size_x**2, out=np.zeros_like(products), where=size_x > 0)
    ranges = np.ptp(x, axis=0)
    return Agreement(factors, cosine, (size_x > 0) & (ranges > STILL * np.max(ranges)))


def _between(values: Array, ends: NDArray[np.int64]) -> Array:
    summed = np.concatenate((np.zeros((1, values.shape[1])), np.cumsum(values, axis=0)))
    return np.diff(summed[ends], axis=0)


def nearest_size(factor: float, sizes: Sequence[float]) -> float | None:
    """The size that a factor is near to, within 20 %; None if it is near none."""
    if not factor > 0:
        return None
    best = min(sizes, key=lambda size: abs(np.log(size / factor)))
    return best if max(best / factor, factor / best) < NEAR else None
