"""Solving with a symmetric positive definite matrix: M = L^T D L, no square roots.

Featherstone 2008, Table 6.3: eliminated from the last row to the first, so that for a mass matrix, whose joints come
parents first, zeros between branches of the tree stay zeros.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from leverarm.mechanics.matrices import Matrix, dot
from leverarm.scalars import Scalar, divide


@dataclass(frozen=True, slots=True)
class Factors:
    """Unit lower triangle L (rows, below the diagonal) and diagonal D of M = L^T D L."""

    L: list[list[Scalar]]
    D: list[Scalar]

    def solve(self, b: Sequence[Scalar]) -> list[Scalar]:
        """x with M x = b. Field, O(n^2)."""
        x = self._half_way(b)
        x = [divide(value, d) for value, d in zip(x, self.D, strict=True)]
        for k in range(len(x)):
            for i in range(k):
                x[k] = x[k] - self.L[k][i] * x[i]
        return x

    def _half_way(self, b: Sequence[Scalar]) -> list[Scalar]:
        """y with L^T y = b."""
        y = list(b)
        for k in reversed(range(len(y))):
            for i in range(k):
                y[i] = y[i] - self.L[k][i] * y[k]
        return y

    def between(self, A: Sequence[Sequence[Scalar]]) -> Matrix:
        """A M^-1 A^T, half of it computed, from the rows of A. Field, O(n^2 rows)."""
        rows = [self._half_way(row) for row in A]
        scaled = [[divide(entry, d) for entry, d in zip(row, self.D, strict=True)] for row in rows]
        lower = [[dot(a, b) for b in scaled[: i + 1]] for i, a in enumerate(rows)]
        return [[lower[max(i, j)][min(i, j)] for j in range(len(A))] for i in range(len(A))]

    def inverse(self) -> Matrix:
        """M^-1 = L^-1 D^-1 L^-T, half of it computed. Field, O(n^3)."""
        n = len(self.D)
        K = _unit_triangle_inverse(self.L)
        scaled = [[divide(entry, d) for entry, d in zip(row, self.D, strict=False)] for row in K]
        inverse: Matrix = [[0] * n for _ in range(n)]
        for i in range(n):
            for j in range(i + 1):
                entry = scaled[i][j] if j < i else divide(1, self.D[i])
                for k in range(j):
                    entry = entry + K[j][k] * scaled[i][k]
                inverse[i][j] = inverse[j][i] = entry
        return inverse


def _unit_triangle_inverse(L: Sequence[Sequence[Scalar]]) -> list[list[Scalar]]:
    """The rows, below the diagonal, of the inverse of a unit lower triangle."""
    K: list[list[Scalar]] = []
    for i, row in enumerate(L):
        K.append([-entry for entry in row])
        for k in range(i):
            for j in range(k):
                K[i][j] = K[i][j] - row[k] * K[k][j]
    return K


def factorise(M: Sequence[Sequence[Scalar]]) -> Factors:
    """L and D of a symmetric M; a zero pivot (a direction without inertia) raises ZeroDivisionError. Field, O(n^3)."""
    n = len(M)
    left = [list(row[: i + 1]) for i, row in enumerate(M)]
    L: list[list[Scalar]] = [[0] * i for i in range(n)]
    for k in reversed(range(n)):
        for i in range(k):
            L[k][i] = divide(left[k][i], left[k][k])
            for j in range(i + 1):
                left[i][j] = left[i][j] - L[k][i] * left[k][j]
    return Factors(L, [left[k][k] for k in range(n)])
