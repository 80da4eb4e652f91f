"""The ten numbers of a body as its pseudo-inertia, the integral of (r, 1) (r, 1)^T dm, and back: for arrays of bodies.

P = [[second moments, h], [h^T, m]] with second moments tr(I)/2 1 - I (Wensing, Kim, Slotine 2018, eq. 17). A body can
exist exactly if P is positive semidefinite. `model.inertias.algebra` has the same map for one body over any scalar.
"""

from __future__ import annotations

import numpy as np

from leverarm.arrays import Array
from leverarm.mechanics.regressor import UNIT_INERTIAS
from leverarm.model.inertias.algebra import inertia_from_pseudo, pseudo_inertia

PSEUDO_OF_NUMBERS: Array = np.array([pseudo_inertia(unit) for unit in UNIT_INERTIAS], dtype=float)
"""The pseudo-inertia of a body with one of its ten numbers 1 and the others 0, shape (10, 4, 4)."""


def _numbers_of_pseudo() -> Array:
    """The ten numbers of each symmetric matrix with a single pair of ones: weights of the entries, shape (10, 4, 4)."""
    weights = np.zeros((10, 4, 4))
    for row in range(4):
        for column in range(row, 4):
            unit = np.zeros((4, 4))
            unit[row, column] = 1.0
            numbers = np.array(inertia_from_pseudo(unit.tolist()).numbers(), dtype=float)
            weights[:, row, column] += numbers / 2
            weights[:, column, row] += numbers / 2
    return weights


NUMBERS_OF_PSEUDO: Array = _numbers_of_pseudo()


def pseudo_inertias(numbers: Array) -> Array:
    """The pseudo-inertias [kg, kg m, kg m^2] of bodies given by their ten numbers: (..., 10) to (..., 4, 4)."""
    return np.tensordot(numbers, PSEUDO_OF_NUMBERS, axes=1)


def inertial_numbers(pseudo: Array) -> Array:
    """The ten numbers of bodies from their pseudo-inertias: (..., 4, 4) to (..., 10)."""
    return np.asarray(np.einsum("kij,...ij->...k", NUMBERS_OF_PSEUDO, pseudo))


def consistency(numbers: Array) -> Array:
    """Margin of physical consistency: smallest eigenvalue of the pseudo-inertia over its trace, shape (...).

    Positive for a consistent body, zero for a point, a rod or a plate, negative (NaN for a body of nothing at all) for
    an inconsistent one.
    """
    pseudo = pseudo_inertias(np.asarray(numbers, dtype=float))
    with np.errstate(invalid="ignore", divide="ignore"):
        smallest: Array = np.linalg.eigvalsh(pseudo)[..., 0] / np.abs(np.trace(pseudo, axis1=-2, axis2=-1))
    return smallest
