"""The structure of any arm, by the rank of its regressor at random states.

Columns are scaled by the arm's length and time, never to unit size, which would make rounding errors count as a
parameter. `preferred` decides which parameters the base parameters are named after: the same on both routes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from leverarm import mechanics as me
from leverarm.arrays import Array
from leverarm.errors import NotFiniteError
from leverarm.identification.structure.exact_route import Structure
from leverarm.mechanics.regressor import INERTIAL_NAMES, KINDS
from leverarm.model import WORLD, Arm, Link, Mechanism, bind

RANKS = {"offset": 0, "inertial": 1}
MASS, DRIVE, MOVED = 2, 3, 4


def preferred(arm: Mechanism, kinds: Sequence[str]) -> list[int]:
    """The columns of the regressor of these kinds, those that are kept where possible first.

    Constant forces, the links' parameters from the base outwards with the masses after them, then drives; last, of each
    link, what can be regrouped into its parent. That is Khalil's choice, and that of the exact base parameters.
    """
    moved = {f"{link.name}.{name}" for link in arm.links for name in _moved_inward(link)}
    ranks: list[int] = []
    for kind in kinds:
        for parameter in KINDS[kind].parameters(arm):
            rank = RANKS.get(kind, DRIVE)
            if kind == "inertial":
                rank = MOVED if parameter.name in moved else MASS if parameter.name.endswith(".m") else rank
            ranks.append(rank)
    return sorted(range(len(ranks)), key=ranks.__getitem__)


def _moved_inward(link: Link) -> list[str]:
    """The inertial parameters of a link that can be regrouped into its parent.

    On a joint that turns about z they are m, hz and Iyy; on one that slides all second moments; on a screw Iyy only.
    """
    if not link.turns:
        return [name for name in INERTIAL_NAMES if name.startswith("I")]
    along = max(range(3), key=lambda k: round(float(list(link.axis)[k]) ** 2, 9))
    across = "xyz"[along - 1]
    on_axis = ["m", f"h{'xyz'[along]}"] if link.slide == 0 else []
    return [*on_axis, f"I{across}{across}"]


ROWS_PER_COLUMN = 3
FEWEST_STATES = 12
SEED = 7
LENGTHS = {"m": 2, "h": 1, "I": 0}
"""The power of length of a column of the regressor, relative to those of the moments of inertia."""


def random_rows(arm: Mechanism, kinds: Sequence[str]) -> tuple[Array, Array]:
    """W at many states, its columns times factors so that all that matters has a size near one; and these factors.

    There are enough rows to excite every parameter that has an effect.

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
    return W * factors, factors


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


NOISE = 1e-9
"""Singular values above this, over the largest, are no rounding of floats."""
FLOOR = 1e-16
ROUNDING = 1e-14
TIDY = 1e-12, 1e-9
"""The least and the most that a coefficient, scaled, may be off zero or a whole number and count as that."""


def numeric_structure(geometry: Arm, kinds: Sequence[str]) -> Structure:
    """The structure of an arm in plain numbers, from its regressor at random states."""
    mechanism = bind(geometry)
    W, factors = random_rows(mechanism, kinds)
    if not np.isfinite(W).all():
        raise NotFiniteError(f"arm {geometry.name!r}: its regressor overflows. Check its lengths.")
    count, cut = rank(W)
    base = independent(W, preferred(mechanism, kinds), count, cut)
    names = tuple(entry.name for entry in me.parameters(mechanism, kinds))
    regrouping = _regrouping(W, factors, base)
    regrouping.setflags(write=False)
    return Structure(names, base, regrouping, "numeric", tuple(kinds))


def rank(W: Array) -> tuple[int, float]:
    """The rank of a matrix by the largest gap in its singular values, and a size in the middle of that gap.

    The gap is searched below `NOISE` of the largest: a calibrated arm has small values that are real.
    """
    values = np.linalg.svd(W, compute_uv=False) if W.any() else np.zeros(0)
    if not values.size:
        return 0, 0.0
    sizes = np.append(np.maximum(values / values[0], FLOOR), FLOOR)
    gaps = np.where(sizes[1:] < NOISE, sizes[:-1] / sizes[1:], 0.0)
    count = int(np.argmax(gaps)) + 1
    return count, float(values[0] * np.sqrt(sizes[count - 1] * sizes[count]))


def independent(W: Array, order: Sequence[int], count: int, cut: float) -> tuple[int, ...]:
    """The first columns in this order of which each has more than `cut` that those before it have not; `count` at most.

    Gram-Schmidt over the columns that are kept; twice, so that their directions are orthogonal to rounding.
    """
    directions = np.zeros((len(W), 0))
    kept: list[int] = []
    for j in order:
        rest = W[:, j].copy()
        for _ in range(2):
            rest -= directions @ (directions.T @ rest)
        length = float(np.linalg.norm(rest))
        if length > cut and len(kept) < count:
            kept.append(j)
            directions = np.column_stack([directions, rest / length])
    return tuple(sorted(kept))


def _regrouping(W: Array, factors: Array, base: Sequence[int]) -> Array:
    """R with W = W_b R, from least squares on the scaled columns, tidied as far as its rounding errors go."""
    kept = list(base)
    R, _, _, sizes = np.linalg.lstsq(W[:, kept], W, rcond=None)
    tidy = np.clip(ROUNDING * sizes.max(initial=1.0) / sizes.min(initial=1.0), *TIDY)
    R[np.abs(R) < tidy] = 0.0
    R[:, kept] = np.eye(len(kept))
    R = R * factors[kept, None] / factors[None, :]
    whole = np.round(R)
    return np.where(np.abs(R - whole) < tidy, whole, R).astype(np.float64)
