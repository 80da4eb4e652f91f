"""Base parameters by instrumental variables: consistent where noise in the motion biases least squares.

Columns W made from noisy positions are too large where noise is: least squares then finds values too small. With
instruments Z, whose noise is independent of that in W and in the torques y, the values that make Z^T (y - W phi) = 0
are phi = (Z^T W)^-1 Z^T y, consistent where least squares, Z = W, is biased towards zero (Young 2011; for robots Janot,
Vandanjon and Gautier 2014). Torques that follow the noise of the positions, as those of a controller do, bias least
squares too, but not this.

Z are the columns of another record of the same true motion, with other noise. The assumed independence:

- Where a trajectory was repeated, the mean of its other repeats is taken, at the same phase. Noise must not
  repeat with the motion: that of sensors does not, an encoder's own periodic error does and stays in.
- Elsewhere the motion itself is taken, smoothed to a lower cut-off. Noise of the fitted motion above that cut-off must
  be independent of what is below it, which is so for stationary noise. Of white position noise both then share
  (lower / higher)^5 of its power in accelerations, and with real filters less than 1 % at a quarter of the cut-off.

Neither removes what noise adds to squares of speeds, which is of second order in its standard deviation.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from leverarm.arrays import Array, BoolArray
from leverarm.identification.fitting.covariance import orthonormal
from leverarm.identification.fitting.weighted_fit import Solved, WeightedFit, reweighted, unit_columns
from leverarm.identification.modelling.modelled_arm import DriveModel
from leverarm.identification.modelling.regressor_columns import ColumnMaker, Columns
from leverarm.identification.motions import Motion, applied, power_band, smoothing

Origin = Literal["other repeats", "lower cut-off"]

LOWER = 4.0
"""The instruments' cut-off is the fitted motion's divided by this, if still above the motion's own band."""
ABOVE_BAND = 2.0
"""Cut-off relative to the band of the motion: less would remove motion too."""
NEARLY_ALL = 0.99
NO_DIFFERENCE = 1.25
"""A cut-off lower by less than this ratio gives the same motion."""
SAME = 2e-3
"""The motion repeats where the mean square difference is below this share of twice the positions' variance."""
NEIGHBOURS = 4
"""Repeats before and after that are averaged, at most: more hardly reduce the noise."""
STILL = 1e-4
"""Joints with less than this share of the largest variance are left out of such comparisons."""


@dataclass(frozen=True, slots=True)
class Instruments:
    """A second record of a motion: q, qd, qdd (k, n), where it is `there` (k,), its origin and cut-off [Hz]."""

    q: Array
    qd: Array
    qdd: Array
    there: BoolArray
    origin: Origin
    cut_off: float

    def columns(self, maker: ColumnMaker, drives: DriveModel) -> Columns:
        """The columns of this motion; zero, so that nothing is compared, where it is not there."""
        made = maker.columns(self.q, self.qd, self.qdd, drives)
        return replace(made, W=made.W * self.there[:, None, None])


def instruments(motion: Motion, cut_off: float, period: float | None) -> Instruments | None:
    """Instruments for a motion of this cut-off [Hz], which may repeat with a period [s].

    None where there is nothing to compare with: nothing repeats, and the cut-off is already at the motion's own band or
    pieces are too short.
    """
    lower = max(cut_off / LOWER, ABOVE_BAND * band(motion))
    is_lower = lower * NO_DIFFERENCE < cut_off
    q, qd, qdd = motion.q.copy(), motion.qd.copy(), motion.qdd.copy()
    there = np.zeros(len(motion), dtype=bool)
    is_repeated = []
    for number in range(int(motion.piece.max()) + 1):
        at = np.flatnonzero(motion.piece == number)
        own = np.stack([motion.q[at], motion.qd[at], motion.qdd[at]])
        other = None if period is None else _other_repeats(motion.t[at], own, period)
        if other is None and not is_lower:
            continue
        is_repeated.append(other is not None)
        found, inside = (own if other is None else other), slice(None)
        if is_lower:
            found, inside = _smoothed(found, lower, motion.rate)
        q[at[inside]], qd[at[inside]], qdd[at[inside]] = found
        there[at[inside]] = True
    if not there.any():
        return None
    origin: Origin = "other repeats" if all(is_repeated) else "lower cut-off"
    return Instruments(q, qd, qdd, there, origin, lower if is_lower else cut_off)


def band(motion: Motion) -> float:
    """The frequency below which 99 % of the power of the speeds lies [Hz], of the fastest joint."""
    piece = motion.piece == np.bincount(motion.piece).argmax()
    speed = motion.qd[piece]
    return power_band(speed[:, _moves(speed)], motion.rate, NEARLY_ALL)


def _other_repeats(t: Array, own: Array, period: float) -> Array | None:
    """The mean motion (3, k, n) some periods before and after; None where the motion does not repeat."""
    total, count = np.zeros_like(own), np.zeros(len(t))
    most = min(NEIGHBOURS, int((t[-1] - t[0]) / period))
    for shift in (s for s in range(-most, most + 1) if s):
        at = t + shift * period
        inside = (at >= t[0]) & (at <= t[-1])
        count += inside
        for x, summed in zip(own, total, strict=True):
            for j, column in enumerate(x.T):
                summed[inside, j] += np.interp(at[inside], t, column)
    if count.min() < 1:
        return None
    mean: Array = total / count[:, None]
    change = np.mean((mean[0] - own[0]) ** 2, axis=0) / np.maximum(2 * np.var(own[0], axis=0), 1e-300)
    return mean if np.all(change[_moves(own[0])] <= SAME) else None


def _moves(x: Array) -> BoolArray:
    """Which columns of x (k, n) are more than the noise of joints at rest."""
    variance = np.var(x, axis=0)
    return np.asarray(variance > STILL * variance.max())


def _smoothed(motion: Array, cut_off: float, rate: float) -> tuple[Array, slice]:
    """q, qd, qdd (3, k', n) through one filter, which keeps them each other's derivatives, and the samples left."""
    filter_ = smoothing(cut_off, rate)
    length = motion.shape[1]
    if length <= 4 * filter_.half:
        return motion[:, :0], slice(0, 0)
    smooth = np.stack([applied(filter_, x, rate)[0] for x in motion])
    return smooth, slice(filter_.half, length - filter_.half)


WEAKEST = 1e-10
"""Combinations of columns whose correlation with the instruments is below this are unidentifiable."""


def instrumental_fit(W: Array, y: Array, used: BoolArray, Z: Array) -> WeightedFit:
    """The values of the columns W (k, n, b) for torques y (k, n), by instruments Z (k, n, b), zero where there is none.

    Joints are weighted by their noise and outliers downweighted, as in `weighted_fit`.
    """
    return reweighted(W, y, used, lambda roots: _solved(W, y, Z, roots))


def _solved(W: Array, y: Array, Z: Array, roots: Array) -> Solved:
    X, lengths = unit_columns((W * roots[:, :, None]).reshape(-1, W.shape[2]))
    Q = orthonormal(Z, roots)
    U, singular, Vt = np.linalg.svd(Q.T @ X)
    kept = singular > WEAKEST * singular[0]
    projected = U.T @ (Q.T @ (y * roots).reshape(-1))
    values = Vt.T[:, kept] @ (projected[kept] / singular[kept]) / lengths
    return values, np.linalg.svd(np.linalg.qr(X, mode="r"), compute_uv=False)
