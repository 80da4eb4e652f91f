"""Eigenvalues of small symmetric matrices of floats by Jacobi rotations: short, and accurate to the last digits."""

from __future__ import annotations

import math
from collections.abc import Sequence

MAX_SWEEPS = 60


def symmetric_eigen(rows: Sequence[Sequence[float]]) -> tuple[list[float], list[list[float]]]:
    """Eigenvalues in rising order, and the unit eigenvector of each (as rows).

    Cyclic Jacobi: each rotation zeroes one off-diagonal pair (Golub and Van Loan, Algorithm 8.5.2), until what is left
    is below the rounding of the diagonal.
    """
    n = len(rows)
    A = [[float(x) for x in row] for row in rows]
    V = [[float(i == j) for j in range(n)] for i in range(n)]
    pairs = [(p, q) for p in range(n) for q in range(p + 1, n)]
    for _ in range(MAX_SWEEPS):
        rest = max((abs(A[p][q]) for p, q in pairs), default=0.0)
        if rest <= 1e-300 or rest <= 2.0**-60 * max(abs(A[i][i]) for i in range(n)):
            break
        for p, q in pairs:
            _rotate(A, V, p, q)
    order = sorted(range(n), key=lambda i: A[i][i])
    return [A[i][i] for i in order], [V[i] for i in order]


def _rotate(A: list[list[float]], V: list[list[float]], p: int, q: int) -> None:
    if A[p][q] == 0.0:
        return
    theta = (A[q][q] - A[p][p]) / (2 * A[p][q])
    # The smaller root for tan(angle): turning by less than 45 degrees is what makes the sweeps converge.
    t = math.copysign(1.0, theta) / (abs(theta) + math.hypot(1.0, theta))
    c = 1 / math.hypot(1.0, t)
    s = t * c
    for k in range(len(A)):
        A[k][p], A[k][q] = c * A[k][p] - s * A[k][q], s * A[k][p] + c * A[k][q]
    for M in (A, V):
        M[p], M[q] = (
            [c * x - s * y for x, y in zip(M[p], M[q], strict=True)],
            [s * x + c * y for x, y in zip(M[p], M[q], strict=True)],
        )
    A[p][q] = A[q][p] = 0.0
