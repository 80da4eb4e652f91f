"""The time lag between motion and torque: the shift of the torques at which the equations leave the least residual."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import compress

import numpy as np

from leverarm.arrays import Array, BoolArray, IntArray
from leverarm.findings import Finding, listed
from leverarm.identification.preflight.samples import Thinned, left_over, span, spread_of_mean, weighted

LONGEST = 0.1
"""The longest lag that is considered [s]."""
STEPS = 41
SMOOTHING = 8e-3
"""Half of the window [s] over which torques are smoothed and differentiated."""
REACH = 4
"""Neighbours on each side for interpolation between samples."""
SURE = 5.0
"""Standard errors from zero at which a lag is significant."""
LEAST = 0.5e-3
"""Shorter lags [s] are ignored."""
CONVERGED = 1e-6
GAIN = 0.08
"""Share of the residual sum of squares that a significant lag must remove."""


@dataclass(frozen=True, slots=True)
class Lag:
    """Delay of the torques behind the motion [s], with standard errors; negative: ahead of it."""

    seconds: float
    standard_error: float
    significant: bool
    per_joint: Array
    per_joint_error: Array
    gain: float


def no_lag(joints: int) -> Lag:
    """No information: zero lag, infinite error."""
    return Lag(0.0, float("inf"), False, np.zeros(joints), np.full(joints, float("inf")), 0.0)


def lag(rows: Thinned, residual: Array) -> Lag:
    """The common lag of all joints, by a search and Gauss-Newton, and then one lag per joint from there.

    tau(t + s) = W(t) phi + r: the derivative of r by s is the part of d tau/dt outside the span of W. Standard errors
    are robust to residuals correlated within a block of time. `residual` (n,) [N m or N] weights the joints.
    """
    longest, inside = _reach(rows)
    if longest == 0:
        return no_lag(rows.tau.shape[1])
    weights = rows.moves[inside] / residual
    torque = Shifted.of(rows, inside)
    basis = span(weighted(rows.base[inside], weights))
    grid = np.linspace(-longest, longest, STEPS)
    tries = np.stack([(torque.at(s) * weights).reshape(-1) for s in grid], axis=1)
    left = np.sum(tries**2, axis=0) - np.sum((basis.T @ tries) ** 2, axis=0)
    start = float(grid[int(np.argmin(left))])
    if float(left.max()) <= 0:
        return no_lag(weights.shape[1])
    blocks = np.repeat(rows.blocks[inside], weights.shape[1])
    together = np.ones((weights.shape[1], 1))
    common, error = _refined(torque, weights, basis, blocks, together, start, longest)
    seconds = float(common[0])
    single, single_error = _refined(torque, weights, basis, blocks, np.eye(weights.shape[1]), seconds, longest)
    rests = (left_over(basis, (torque.at(s) * weights).reshape(-1)) for s in (0.0, seconds))
    at_zero, at_best = (float(np.sum(rest**2)) for rest in rests)
    gain = 1 - at_best / at_zero if at_zero > 0 else 0.0
    is_real = abs(seconds) > max(SURE * float(error[0]), LEAST) and gain > GAIN and abs(seconds) < 0.95 * longest
    return Lag(seconds, float(error[0]), is_real, single, single_error, gain)


def _reach(rows: Thinned) -> tuple[float, BoolArray]:
    """The longest shift [s] for which half of the samples stay inside their piece, and which do."""
    piece, count = rows.motion.piece, len(rows.motion.piece)
    longest = LONGEST
    for _ in range(6):
        margin = int(np.ceil((longest + SMOOTHING) * rows.motion.rate)) + REACH + 1
        before, after = rows.at - margin, rows.at + margin
        inside = (before >= 0) & (after < count)
        for end in (before, after):
            inside &= piece[np.clip(end, 0, count - 1)] == piece[rows.at]
        if inside.sum() * 2 > len(rows.at):
            return longest, inside
        longest /= 2
    return 0.0, inside


@dataclass(frozen=True, slots=True)
class Shifted:
    """Torques between samples: smoothed a little, then interpolated by eight neighbours under a Lanczos window.

    Interpolation must not reduce noise between samples, or half a sample would always fit best. The smoothing removes
    the highest frequencies, where short interpolation is inaccurate; it is symmetric and shifts nothing.
    """

    tau: Array
    at_samples: IntArray
    rate: float

    @staticmethod
    def of(rows: Thinned, inside: BoolArray) -> Shifted:
        """The torques of a motion, at those of its thinned samples from which a shift stays in the piece."""
        half = max(2, int(SMOOTHING * rows.motion.rate))
        window = np.hanning(2 * half + 3)[1:-1]
        padded = np.pad(rows.motion.tau, ((half, half), (0, 0)), mode="edge")
        smooth = [np.convolve(column, window / window.sum(), "valid") for column in padded.T]
        return Shifted(np.stack(smooth, axis=1), rows.at[inside], rows.motion.rate)

    def at(self, seconds: float | Array) -> Array:
        """tau(t + seconds), (m, n); `seconds` may differ from joint to joint."""
        shift = np.broadcast_to(np.asarray(seconds, float) * self.rate, self.tau.shape[1])
        whole = np.floor(shift).astype(np.int64)
        taps = np.arange(1 - REACH, REACH + 1)
        x = taps[:, None] - (shift - whole)
        weights = np.sinc(x) * np.sinc(x / REACH)
        weights /= weights.sum(axis=0)
        first, joints = self.at_samples[:, None] + whole, np.arange(self.tau.shape[1])
        total = np.zeros((len(self.at_samples), self.tau.shape[1]))
        for tap, weight in zip(taps, weights, strict=True):
            total += weight * self.tau[first + tap, joints]
        return total

    def slope(self, seconds: float | Array) -> Array:
        """d tau/dt at t + seconds, (m, n), over a window long enough to suppress noise."""
        half = max(SMOOTHING, 0.5 / self.rate)
        return np.asarray((self.at(seconds + half) - self.at(seconds - half)) / (2 * half))


def _refined(
    torque: Shifted, weights: Array, basis: Array, blocks: IntArray, groups: Array, start: float, longest: float
) -> tuple[Array, Array]:
    """Gauss-Newton from one shift of all joints: a shift per group of joints (n, groups) and its standard error [s]."""
    shift = np.full(groups.shape[1], start)
    for _ in range(8):
        per_joint = groups @ shift
        rest = left_over(basis, (torque.at(per_joint) * weights).reshape(-1))
        slope = (torque.slope(per_joint) * weights)[:, :, None] * groups
        slope = left_over(basis, slope.reshape(-1, groups.shape[1]))
        gram = slope.T @ slope
        gram += np.eye(len(gram)) * max(1e-12 * float(np.trace(gram)), 1e-300)
        step = np.linalg.solve(gram, slope.T @ rest)
        shift = np.clip(shift - np.clip(step, -longest / 4, longest / 4), -longest, longest)
        if float(np.abs(step).max()) < CONVERGED:
            break
    inverse = np.linalg.inv(gram)
    spread = inverse @ spread_of_mean(slope * rest[:, None], blocks) @ inverse
    return shift, np.sqrt(np.diag(spread))


def lag_findings(lag: Lag, joints: tuple[str, ...]) -> Iterator[Finding]:
    """A warning on a significant lag, and a note on joints whose own lag differs from the others'."""
    if not lag.significant:
        return
    ms, error = 1e3 * lag.seconds, 1e3 * lag.standard_error
    late = f"{abs(ms):.2g} ms (standard error {error:.1g} ms) {'after' if ms > 0 else 'before'} the motion"
    gain = f"the residual sum of squares is {100 * lag.gain:.0f} % smaller"
    message = f"torques come {late}; shifted by that, {gain}."
    remedy = "The fit shifts torques by that much. If a filter delays torques but not positions, filter both alike."
    yield Finding("warning", "time lag", message, remedy)
    apart = np.abs(lag.per_joint - lag.seconds) > np.maximum(2 * SURE * lag.per_joint_error, 4e-3)
    apart &= lag.per_joint_error < LONGEST
    if apart.any():
        message = f"separately they would be shifted by {', '.join(f'{1e3 * s:.2g}' for s in lag.per_joint[apart])} ms."
        remedy = "Different lags come from different filters, or from friction and elasticity that the model lacks."
        yield Finding("note", f"time lag of {listed('joint', list(compress(joints, apart)))}", message, remedy)
