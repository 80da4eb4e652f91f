"""The structure of any arm, by the rank of its regressor at random states.

Columns are scaled by the arm's length and time, never to unit size: what is rounding would be made as large as the rest
and count as a parameter.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from leverarm import mechanics as me
from leverarm.arrays import Array
from leverarm.errors import NotFiniteError
from leverarm.identification.structure.preference import preferred
from leverarm.identification.structure.random_states import ScaledRows, random_rows
from leverarm.identification.structure.table import Structure, structure_of
from leverarm.model import Arm, bind

NOISE = 1e-9
"""Singular values above this, over the largest, are no rounding of floats."""
FLOOR = 1e-16
ROUNDING = 1e-14
TIDY = 1e-12, 1e-9
"""The least and the most that a coefficient, scaled, may be off zero or a whole number and count as that."""


def numeric_structure(geometry: Arm, kinds: Sequence[str]) -> Structure:
    """The structure of an arm in plain numbers, from its regressor at random states."""
    mechanism = bind(geometry)
    rows = random_rows(mechanism, kinds)
    if not np.isfinite(rows.W).all():
        raise NotFiniteError(f"arm {geometry.name!r}: its regressor leaves the range of floats. Check its lengths.")
    count, cut = rank(rows.W)
    base = independent(rows.W, preferred(mechanism, kinds), count, cut)
    names = tuple(entry.name for entry in me.parameters(mechanism, kinds))
    return structure_of(names, base, _regrouping(rows, base), "numeric", tuple(kinds))


def rank(W: Array) -> tuple[int, float]:
    """The rank of a matrix by the largest gap in its singular values, and a size in the middle of that gap.

    The gap is looked for below `NOISE` of the largest: a calibrated arm has small values that are meant.
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


def _regrouping(rows: ScaledRows, base: Sequence[int]) -> Array:
    """R with W = W_b R, from least squares on the scaled columns, tidied as far as its rounding errors go."""
    kept = list(base)
    R, _, _, sizes = np.linalg.lstsq(rows.W[:, kept], rows.W, rcond=None)
    tidy = np.clip(ROUNDING * sizes.max(initial=1.0) / sizes.min(initial=1.0), *TIDY)
    R[np.abs(R) < tidy] = 0.0
    R[:, kept] = np.eye(len(kept))
    R = R * rows.factors[kept, None] / rows.factors[None, :]
    whole = np.round(R)
    return np.where(np.abs(R - whole) < tidy, whole, R).astype(np.float64)
