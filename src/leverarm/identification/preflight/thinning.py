"""Evenly spread samples of a motion, with the regressor there: all that the checks of the equations look at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array
from leverarm.identification.preflight.least_squares import left_over, span
from leverarm.model import Arm
from leverarm.runtime.compiled import compile

if TYPE_CHECKING:
    from leverarm.identification.motion import Motion
    from leverarm.identification.structure import Structure

Regressor = Callable[[Array, Array, Array], Array]

SAMPLES = 1000
BLOCKS = 40
"""Stretches of time that are taken as independent of each other."""
BEST = 1e-6
"""No joint is trusted to fit better than this share of its torque."""


@dataclass(frozen=True, slots=True)
class Thinned:
    """Samples `at` of a motion, and W (m, n, p) of all parameters there.

    `moves` (m, n) is whether each joint is faster than its dead zone; `blocks` (m,) numbers stretches of time.
    """

    arm: Arm
    regressor: Regressor
    motion: Motion
    structure: Structure
    at: NDArray[np.int64]
    W: Array
    moves: NDArray[np.bool_]
    blocks: NDArray[np.int64]

    @property
    def base(self) -> Array:
        """The columns of W (m, n, b) that are independent of each other whatever the motion."""
        return self.W[:, :, list(self.structure.base)]

    @property
    def tau(self) -> Array:
        """Torques (m, n), filtered like the motion [N m or N]."""
        return self.motion.tau[self.at]

    @property
    def is_enough(self) -> bool:
        """Whether there are several times as many torques of moving joints as base parameters and gravities."""
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
    """Root mean square of what the best base parameters leave of each joint's torque (n,) [N m or N]."""
    return unexplained(rows.base, rows.tau, rows.moves)


def unexplained(W: Array, tau: Array, moves: NDArray[np.bool_]) -> Array:
    """Root mean square (n,) of what the columns W (m, n, p) leave of tau (m, n) while the joint moves [N m or N]."""
    count = np.maximum(1, moves.sum(axis=0))
    size = np.sqrt(np.sum((tau * moves) ** 2, axis=0) / count)
    size = np.where(size > 0, size, 1.0)
    scale = moves / size
    rest = left_over(span(weighted(W, scale)), (tau * scale).reshape(-1)).reshape(scale.shape)
    answer: Array = size * np.maximum(np.sqrt(np.sum(rest**2, axis=0) / count), BEST)
    return answer


def weighted(W: Array, weights: Array) -> Array:
    """W (m, n, p) times weights (m, n), the joints of all samples one below the other (m n, p)."""
    answer: Array = (W * weights[:, :, None]).reshape(-1, W.shape[2])
    return answer
