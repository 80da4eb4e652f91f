"""Matrices as lists of rows over any scalar: the few operations the algorithms share."""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.model import Mechanism
from leverarm.scalars import Scalar

Matrix = list[list[Scalar]]


def dot(a: Sequence[Scalar], b: Sequence[Scalar]) -> Scalar:
    """The sum of products of two sequences of one length."""
    return sum((x * y for x, y in zip(a, b, strict=True)), start=0)


def apply(A: Sequence[Sequence[Scalar]], x: Sequence[Scalar]) -> list[Scalar]:
    """A x."""
    return [dot(row, x) for row in A]


def add(A: Matrix, B: Matrix) -> Matrix:
    """A + B."""
    return [[a + b for a, b in zip(ra, rb, strict=True)] for ra, rb in zip(A, B, strict=True)]


def transposed(A: Sequence[Sequence[Scalar]]) -> Matrix:
    """A^T."""
    return [list(column) for column in zip(*A, strict=True)]


def along_coordinates(arm: Mechanism, joint_matrix: Matrix) -> Matrix:
    """G^T A G: a matrix over joints as one over coordinates; itself where no joint is coupled."""
    if not arm.is_coupled:
        return joint_matrix
    half_way = [arm.generalised_forces(row) for row in joint_matrix]
    return transposed([arm.generalised_forces(column) for column in transposed(half_way)])
