"""At a given pose: unit speeds at which the Coriolis and centripetal forces V = Gamma(qd, qd) are long.

|V| is the maximum of y^T V over unit y, so y and qd take turns: y along V, then qd an eigenvector of the symmetric
matrix sum of y_i Gamma_i, the one whose eigenvalue is greatest in size. Each turn is the best answer to the other, so
|V| never falls (alternating maximisation, as in higher-order power methods, without their shift).
"""

from __future__ import annotations

import numpy as np

from leverarm.arrays import Array
from leverarm.model import Arm
from leverarm.verify.enclosures.compiled_values import weightless


def unit_speeds(arm: Arm, q: Array, qd: Array, turns: int) -> Array:
    """Better speeds for each pose than those given, of unit length, after so many turns; poses and speeds are rows."""
    gamma = christoffel_symbols(arm, q)
    for _ in range(turns):
        V = np.einsum("kijm,kj,km->ki", gamma, qd, qd, optimize=True)
        vectors = np.linalg.eigh(np.einsum("kijm,ki->kjm", gamma, V, optimize=True))
        largest = np.abs(vectors.eigenvalues).argmax(axis=1)
        qd = vectors.eigenvectors[np.arange(len(q)), :, largest]
    return qd


def christoffel_symbols(arm: Arm, q: Array) -> Array:
    """Gamma_ijk of each pose: the Coriolis matrix at unit speed of coordinate k, for each k."""
    f = weightless(arm)
    columns = [f.coriolis_matrix(q, np.broadcast_to(unit, q.shape)) for unit in np.eye(q.shape[1])]
    return np.stack(columns, axis=-1)
