"""Determinants and adjugates without division: how a matrix over a ring is inverted, A^-1 = adj(A) / det(A)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from leverarm.mechanics.matrices import Matrix
from leverarm.scalars import Scalar, is_zero


def determinant(A: Sequence[Sequence[Scalar]]) -> Scalar:
    """det(A), by expansion along the rows; each minor is computed once. Ring, O(n 2^n)."""
    minors: dict[tuple[int, ...], Scalar] = {(): 1}
    for size in range(1, len(A) + 1):
        row, smaller, minors = A[size - 1], minors, {}
        for columns in combinations(range(len(A)), size):
            minors[columns] = _expand(row, columns, smaller)
    return minors[tuple(range(len(A)))]


def adjugate(A: Sequence[Sequence[Scalar]]) -> Matrix:
    """adj(A), with A adj(A) = det(A) 1: the transposed matrix of cofactors. Ring."""
    n = len(A)
    cofactors: Matrix = [[0] * n for _ in range(n)]
    for i in range(n):
        others = [row for k, row in enumerate(A) if k != i]
        for j in range(n):
            minor = determinant([[x for k, x in enumerate(row) if k != j] for row in others])
            cofactors[j][i] = minor if (i + j) % 2 == 0 else -minor
    return cofactors


def _expand(row: Sequence[Scalar], columns: tuple[int, ...], smaller: dict[tuple[int, ...], Scalar]) -> Scalar:
    """The minor of some columns, along its last row."""
    total: Scalar = 0
    for place, j in enumerate(columns):
        minor = smaller[columns[:place] + columns[place + 1 :]]
        if is_zero(row[j]) or is_zero(minor):
            continue
        term = row[j] * minor
        total = total + term if (len(columns) - 1 - place) % 2 == 0 else total - term
    return total
