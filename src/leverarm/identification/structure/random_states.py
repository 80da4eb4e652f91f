"""The regressor of an arm at random states, in units of the arm's own length and time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from leverarm import mechanics as me
from leverarm.arrays import Array
from leverarm.mechanics.regressor import INERTIAL_NAMES, KINDS
from leverarm.model import WORLD, Mechanism

ROWS_PER_COLUMN = 3
FEWEST_STATES = 12
SEED = 7
LENGTHS = {"m": 2, "h": 1, "I": 0}
"""The power of length that a column of the regressor has more than those of the moments of inertia."""


@dataclass(frozen=True, slots=True, eq=False)
class ScaledRows:
    """W at many states, its columns times `factors`, so that all that matters has a size near one."""

    W: Array
    factors: Array


def random_rows(arm: Mechanism, kinds: Sequence[str]) -> ScaledRows:
    """Enough rows that every parameter that can be seen is seen.

    Columns of links are scaled by the arm's length and the rate at which its weight and its inertia matter alike, so
    that a column of rounding stays small. A column of a drive is never rounding, and is made one in size.
    """
    length, gravity = _length(arm), math.hypot(*map(float, arm.gravity))
    rate = math.sqrt(gravity / length) if gravity else 1.0
    steps = _steps(arm, length)
    columns = len(me.parameters(arm, kinds))
    rng = np.random.default_rng(SEED)
    blocks = []
    for _ in range(max(FEWEST_STATES, math.ceil(ROWS_PER_COLUMN * columns / arm.dof))):
        q = steps * rng.uniform(-math.pi, math.pi, arm.dof)
        qd, qdd = (steps * rate**k * rng.uniform(-1, 1, arm.dof) for k in (1, 2))
        block = np.array(me.regressor(arm, q.tolist(), qd.tolist(), qdd.tolist(), kinds), dtype=np.float64)
        blocks.append(block * steps[:, None])
    W = np.vstack(blocks)
    factors = _factors(arm, kinds, W, rate, length)
    return ScaledRows(W * factors, factors)


def _factors(arm: Mechanism, kinds: Sequence[str], W: Array, rate: float, length: float) -> Array:
    sizes = np.abs(W).max(axis=0)
    factors = 1 / np.where(sizes > 0, sizes, 1.0)
    if "inertial" in kinds:
        before = sum(len(KINDS[kind].parameters(arm)) for kind in kinds[: list(kinds).index("inertial")])
        per_link = [rate**-2 * length ** -LENGTHS[name[0]] for name in INERTIAL_NAMES]
        factors[before : before + len(per_link) * len(arm.links)] = per_link * len(arm.links)
    return factors


def _steps(arm: Mechanism, length: float) -> Array:
    """How far each coordinate goes when the joints it drives turn by 1 rad or slide by the arm's length."""
    fastest = np.zeros(arm.dof)
    for link, row in zip(arm.links, arm.couplings, strict=True):
        for j, ratio in row:
            fastest[j] = max(fastest[j], abs(float(ratio)) / (1.0 if link.turns else length))
    return 1 / np.where(fastest > 0, fastest, 1.0)


def _length(arm: Mechanism) -> float:
    """The longest way from the first joint to another [m], from joint to joint; 1 where all sit in one point."""
    ways: list[float] = []
    for link in arm.links:
        step = math.hypot(*map(float, link.placement.position))
        ways.append(0.0 if link.parent == WORLD else ways[link.parent] + step)
    return max(ways) or 1.0
