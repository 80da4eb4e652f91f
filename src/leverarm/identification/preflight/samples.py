"""The thinned samples that the checks look at, and small least-squares tools for them.

Also how long joints rest: below its dead zone the friction of a joint cannot be distinguished from sticking.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import compress

import numpy as np

from leverarm.arrays import Array, BoolArray, IntArray
from leverarm.findings import Finding, listed
from leverarm.identification.motions import Motion
from leverarm.identification.structure import Structure
from leverarm.model import Arm
from leverarm.runtime.compiled import compile

OF_FAST = 0.01
"""A joint rests below this share of its fast speed, the 95 % quantile,"""
SPREADS = 5.0
"""and below this many standard deviations of its speed noise at rest."""
NEVER = 1e-4
"""A joint whose fast speed stays below this [rad/s or m/s] does not move."""
LONG_REST = 0.05
MOSTLY_REST = 0.5


def dead_zone(motion: Motion) -> Array:
    """Speeds (n,) [rad/s or m/s] below which a joint counts as resting, from its fast speed and its noise at rest."""
    speed = np.abs(motion.qd)
    fast = np.quantile(speed, 0.95, axis=0)
    zone = OF_FAST * fast
    resting = speed < zone
    # the median of a half normal distribution is 0.6745 standard deviations
    noise = [float(np.median(s[r])) / 0.6745 if r.any() else 0.0 for s, r in zip(speed.T, resting.T, strict=True)]
    share = resting.mean(axis=0)
    # a joint that only passes through zero speed has a uniform distribution there, which is no noise
    rests = share > LONG_REST + OF_FAST
    return np.maximum(zone, np.where(rests, np.minimum(SPREADS * np.array(noise), 0.2 * fast), 0.0))


def rest_shares(motion: Motion, dead_zone: Array) -> Array:
    """Share of time (n,) each joint spends inside its dead zone."""
    return np.asarray(np.mean(np.abs(motion.qd) <= dead_zone, axis=0))


def rest_findings(motion: Motion, dead_zone: Array, joints: tuple[str, ...]) -> Iterator[Finding]:
    """Warnings on joints that never move and on long rests."""
    still = np.asarray(np.quantile(np.abs(motion.qd), 0.95, axis=0) < NEVER)
    if still.any():
        names = list(compress(joints, still))
        one = "never moves in this log, so its friction and the inertia about it are not identifiable."
        many = "never move in this log, so their friction and the inertia about them are not identifiable."
        remedy = "Log a motion of every joint, such as one of `leverarm excite`."
        yield Finding("warning", listed("joint", names), one if len(names) == 1 else many, remedy)
    at_rest = float(np.mean((np.abs(motion.qd) <= dead_zone).all(axis=1)))
    shares = rest_shares(motion, dead_zone)
    long = (shares > MOSTLY_REST) & ~still
    if at_rest > LONG_REST:
        share = f"{100 * at_rest:.0f} % of the log ({at_rest * len(motion.t) / motion.rate:.1f} s)"
        message = f"all joints rest in {share}; then friction may have any value between its two Coulomb limits."
        remedy = "These rows are left out. Log a motion without pauses to use more of it."
        yield Finding("warning" if at_rest > MOSTLY_REST else "note", "standstill", message, remedy)
    if long.any() and at_rest <= MOSTLY_REST:
        rests = "rests" if long.sum() == 1 else "rest"
        message = f"{rests} in {', '.join(f'{100 * s:.0f} %' for s in shares[long])} of the log."
        where = listed("joint", list(compress(joints, long)))
        yield Finding("note", where, message, "Rows at rest are left out of the fit.")


SMALLEST = 1e-11
"""Eigenvalue of the Gram matrix, of the largest, below which a direction of the columns is rounding."""


def span(columns: Array) -> Array:
    """An orthonormal basis of the span of columns (rows, p), by the Gram matrix twice (like Cholesky QR 2)."""
    norms = np.linalg.norm(columns, axis=0)
    basis: Array = columns[:, norms > 0] / norms[norms > 0]
    for smallest in (SMALLEST, 0.0):
        values, vectors = np.linalg.eigh(basis.T @ basis)
        kept = values > smallest * values[-1] if len(values) else values > 0
        basis = basis @ (vectors[:, kept] / np.sqrt(values[kept]))
    return basis


def left_over(basis: Array, signals: Array) -> Array:
    """The part of each signal (rows, ...) orthogonal to an orthonormal basis."""
    return np.asarray(signals - basis @ (basis.T @ signals))


def spread_of_mean(scores: Array, blocks: IntArray) -> Array:
    """Covariance (p, p) of the sum of the scores (rows, p), robust to correlation within a block."""
    count = int(blocks.max()) + 1
    sums = np.zeros((count, scores.shape[1]))
    np.add.at(sums, blocks, scores)
    return np.asarray(sums.T @ sums * (count / max(1, count - 1)))


Regressor = Callable[[Array, Array, Array], Array]

SAMPLES = 1000
BLOCKS = 40
"""Blocks of time that are assumed independent."""
BEST = 1e-6
"""Smallest credible residual, as a share of a joint's torque."""


@dataclass(frozen=True, slots=True)
class Thinned:
    """Samples `at` of a motion, and W (m, n, p) of all parameters there.

    `moves` (m, n) is whether each joint is faster than its dead zone; `blocks` (m,) numbers stretches of time.
    """

    arm: Arm
    regressor: Regressor
    motion: Motion
    structure: Structure
    at: IntArray
    W: Array
    moves: BoolArray
    blocks: IntArray

    def few(self, count: int) -> Thinned:
        """At most so many of the samples, evenly spread, and the motion at these alone."""
        some = np.unique(np.linspace(0, len(self.at) - 1, min(count, len(self.at))).astype(np.int64))
        cut = {x: getattr(self.motion, x)[self.at[some]] for x in ("q", "qd", "qdd", "tau", "raw")}
        motion, at = replace(self.motion, **cut), np.arange(len(some))
        return replace(self, motion=motion, at=at, W=self.W[some], moves=self.moves[some], blocks=self.blocks[some])

    @property
    def base(self) -> Array:
        """The columns of the base parameters (m, n, b)."""
        return self.W[:, :, list(self.structure.base)]

    @property
    def tau(self) -> Array:
        """Torques (m, n), filtered like the motion [N m or N]."""
        return self.motion.tau[self.at]

    @property
    def is_enough(self) -> bool:
        """Whether there are several times as many torques of moving joints as parameters."""
        return bool(self.moves.sum() > 4 * self.W.shape[2])

    @property
    def size(self) -> Array:
        """Root mean square torque of each joint (n,) [N m or N], never zero."""
        size = np.sqrt(np.mean(self.tau**2, axis=0))
        return np.where(size > 0, size, 1.0)


def thinned(arm: Arm, motion: Motion, structure: Structure, dead_zone: Array, samples: int = SAMPLES) -> Thinned:
    """At most `samples` samples in which some joint moves; all samples where none does."""
    usable = np.flatnonzero((np.abs(motion.qd) > dead_zone).any(axis=1))
    if len(usable) < 2 * len(structure.base) / motion.q.shape[1]:
        usable = np.arange(len(motion.t))
    count = min(samples, len(usable))
    at = usable[np.linspace(0, len(usable) - 1, count).astype(np.int64)]
    q, qd, qdd = (np.ascontiguousarray(x[at]) for x in (motion.q, motion.qd, motion.qdd))
    regressor = partial(compile(arm, "regressor").regressor, kinds=structure.kinds)
    W = np.asarray(regressor(q, qd, qdd))
    moves = np.abs(qd) > dead_zone
    return Thinned(arm, regressor, motion, structure, at, W, moves, np.arange(count) * min(BLOCKS, count) // count)


def residual_size(rows: Thinned) -> Array:
    """Root mean square residual of the best base parameters for each joint (n,) [N m or N]."""
    return unexplained(rows.base, rows.tau, rows.moves)


def unexplained(W: Array, tau: Array, moves: BoolArray) -> Array:
    """Root mean square residual (n,) of tau (m, n) fitted by columns W (m, n, p) while the joint moves [N m or N]."""
    count = np.maximum(1, moves.sum(axis=0))
    size = np.sqrt(np.sum((tau * moves) ** 2, axis=0) / count)
    size = np.where(size > 0, size, 1.0)
    scale = moves / size
    rest = left_over(span(weighted(W, scale)), (tau * scale).reshape(-1)).reshape(scale.shape)
    return np.asarray(size * np.maximum(np.sqrt(np.sum(rest**2, axis=0) / count), BEST))


def weighted(W: Array, weights: Array) -> Array:
    """W (m, n, p) times weights (m, n), stacked to (m n, p)."""
    return np.asarray((W * weights[:, :, None]).reshape(-1, W.shape[2]))


def without_own_drive(rows: Thinned, masses: Array) -> Iterator[tuple[Array, Array]]:
    """Of each joint: the torque of nominal masses (m,) and the measured one, both without the joint's own drive."""
    model = rows.W[:, :, : len(masses)] @ masses
    qd, qdd = rows.motion.qd[rows.at], rows.motion.qdd[rows.at]
    for j in range(model.shape[1]):
        drive = [np.ones(len(qd)), qd[:, j], np.sign(qd[:, j]) * rows.moves[:, j], qdd[:, j]]
        basis = span(np.stack(drive, axis=1))
        yield left_over(basis, model[:, j]), left_over(basis, rows.tau[:, j])
