"""What the libraries need to solve the same problems as leverarm's own solvers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import clarabel
import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import minimize

from leverarm.identification.estimation.interior_point import SHARE_KEPT
from leverarm.identification.estimation.pseudo_inertia import inertial_numbers, pseudo_inertias

Array = NDArray[np.float64]


def cone_fit(
    H: Array, b: Array, cad: Array, links: Sequence[slice], bounded: Sequence[int], strength: float, digits: float
) -> tuple[Array, str]:
    """`consistent_fit` by Clarabel, and the status it ends with.

    log det by an upper triangle Z with [[M, Z], [Z^T, diag Z]] >= 0 and t_i <= log Z_ii; of a link, the unknowns are
    the ten entries of M with P = SHARE_KEPT P0 + (1 - SHARE_KEPT) C M C^T.
    """
    p, extra = len(b), 14 * len(links)  # ten of Z and four t for every link
    roots = [np.linalg.cholesky((1 - SHARE_KEPT) * pseudo_inertias(cad[link])) for link in links]
    pairs = [(i, j) for j in range(4) for i in range(j + 1)]
    own, nominal = np.eye(p) / np.sqrt(np.maximum(np.diag(H), 1e-12)), np.zeros(p)
    for link, root in zip(links, roots, strict=True):
        nominal[link] = SHARE_KEPT * cad[link]
        for k, (i, j) in enumerate(pairs):
            unit = np.zeros((4, 4))
            unit[i, j] = unit[j, i] = 1.0
            own[link, link.start + k] = inertial_numbers(root @ unit @ root.T)
    P, q = np.zeros((p + extra, p + extra)), np.zeros(p + extra)
    P[:p, :p] = own.T @ H @ own
    q[:p] = own.T @ (H @ nominal - b)
    rows, rhs, cones = [], [], []

    def add(A: Array, right: Array, cone: object) -> None:
        rows.append(A)
        rhs.append(right)
        cones.append(cone)

    if len(bounded):
        floors = np.zeros((len(bounded), p + extra))
        floors[np.arange(len(bounded)), bounded] = -1.0
        add(floors, np.zeros(len(bounded)), clarabel.NonnegativeConeT(len(bounded)))
    for n, link in enumerate(links):
        z, t = p + 14 * n, p + 14 * n + 10
        for k, (i, j) in enumerate(pairs):
            q[link.start + k] += strength * (i == j)
        q[t : t + 4] -= strength
        A, entry = np.zeros((36, p + extra)), 0
        for column in range(8):
            for row in range(column + 1):
                weight = -1.0 if row == column else -math.sqrt(2)
                if column < 4:
                    A[entry, link.start + pairs.index((row, column))] = weight
                elif row < 4 and row <= column - 4:
                    A[entry, z + pairs.index((row, column - 4))] = weight
                elif row == column:
                    A[entry, z + pairs.index((row - 4, row - 4))] = weight
                entry += 1
        add(A, np.zeros(36), clarabel.PSDTriangleConeT(8))
        for i in range(4):
            A = np.zeros((3, p + extra))
            A[0, t + i], A[2, z + pairs.index((i, i))] = -1.0, -1.0
            add(A, np.array([0.0, 1.0, 0.0]), clarabel.ExponentialConeT())
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = digits
    right, A = np.concatenate(rhs), sparse.csc_matrix(np.vstack(rows))
    solver = clarabel.DefaultSolver(sparse.csc_matrix(np.triu(P)), q, A, right, cones, settings)
    found = solver.solve()
    return nominal + own @ np.array(found.x)[:p], str(found.status)


def scipy_descent(cost: Callable[[Array], tuple[float, Array]], x: Array, most: int, least: float, name: str) -> Array:
    """A minimum by SciPy: at most so many steps, ended by one that gains less than `least`, relative."""
    limit = {"maxiter": most, **({"ftol": least, "maxcor": 24} if name == "L-BFGS-B" else {})}
    return np.asarray(minimize(cost, x, jac=True, method=name, options=limit).x)
