"""Solving with a symmetric positive definite matrix: M = L D L^T, no square roots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from leverarm.scalars import Scalar, divide


@dataclass(frozen=True, slots=True)
class Factors:
    """Unit lower triangle L (rows, below the diagonal) and diagonal D of M = L D L^T."""

    L: list[list[Scalar]]
    D: list[Scalar]

    def solve(self, b: Sequence[Scalar]) -> list[Scalar]:
        """x with M x = b. Field, O(n^2)."""
        n = len(self.D)
        x = list(b)
        for i in range(n):
            for k in range(i):
                x[i] = x[i] - self.L[i][k] * x[k]
        x = [divide(value, d) for value, d in zip(x, self.D, strict=True)]
        for i in reversed(range(n)):
            for k in range(i + 1, n):
                x[i] = x[i] - self.L[k][i] * x[k]
        return x


def factorise(M: Sequence[Sequence[Scalar]]) -> Factors:
    """L and D of a symmetric M; a zero pivot (a direction without inertia) raises ZeroDivisionError. Field, O(n^3)."""
    n = len(M)
    L: list[list[Scalar]] = [[0] * i for i in range(n)]
    D: list[Scalar] = [0] * n
    for j in range(n):
        D[j] = M[j][j]
        for k in range(j):
            D[j] = D[j] - L[j][k] * L[j][k] * D[k]
        for i in range(j + 1, n):
            entry = M[i][j]
            for k in range(j):
                entry = entry - L[i][k] * L[j][k] * D[k]
            L[i][j] = divide(entry, D[j])
    return Factors(L, D)
