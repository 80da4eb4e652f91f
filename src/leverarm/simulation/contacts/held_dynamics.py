"""Forward dynamics with some coordinates held: they do not accelerate, the others do as if those were welded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from leverarm import mechanics
from leverarm.mechanics import Matrix
from leverarm.scalars import Scalar
from leverarm.simulation.contacts.choosing import negated


def with_held(M: Matrix, held: Mapping[int, Scalar]) -> tuple[Matrix, list[Scalar]]:
    """The mass matrix of the free coordinates, with rows of the unit matrix for those that are held; and 1 or 0: free.

    `held` is 1 or 0 for the coordinates that can be held.
    """
    n = range(len(M))
    free = [negated(held[i]) if i in held else 1 for i in n]
    masked = [[free[i] * (free[j] * M[i][j]) for j in n] for i in n]
    for i in n:
        masked[i][i] = free[i] * M[i][i] + held.get(i, 0)
    return masked, free


def held_accelerations(
    M: Matrix, rhs: Sequence[Scalar], held: Mapping[int, Scalar]
) -> tuple[list[Scalar], list[Scalar]]:
    """qdd, zero where held, and the load on what holds each coordinate: rhs - M qdd, zero where free. Field, O(n^3)."""
    masked, free = with_held(M, held)
    qdd = _among_free(masked, free, rhs)
    needed = mechanics.apply(M, qdd)
    return qdd, [held[i] * (rhs[i] - needed[i]) if i in held else 0 for i in range(len(M))]


def held_velocities(M: Matrix, qd: Sequence[Scalar], held: Mapping[int, Scalar]) -> list[Scalar]:
    """Velocities with those that are held at rest and the momenta of the others unchanged. Field, O(n^3)."""
    masked, free = with_held(M, held)
    return _among_free(masked, free, mechanics.apply(M, qd))


def _among_free(masked: Matrix, free: Sequence[Scalar], rhs: Sequence[Scalar]) -> list[Scalar]:
    x = mechanics.factorise(masked).solve([f * r for f, r in zip(free, rhs, strict=True)])
    return [f * value for f, value in zip(free, x, strict=True)]
