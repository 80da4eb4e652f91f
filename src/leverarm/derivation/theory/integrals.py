"""Integrals over the mass of any body: of 1, of x, y, z and of their products they are ten free letters."""

from __future__ import annotations

from fractions import Fraction

from leverarm.derivation.formulas import times
from leverarm.derivation.theory.proofs import letter, tensor, vector
from leverarm.notation.tree import Differential, Indexed, Node, Symbol
from leverarm.scalars import Scalar
from leverarm.scalars.exact import partial, substitute
from leverarm.spatial import Vec3

POINT = Vec3(*map(letter, "xyz"))
"""The place of a mass point."""
MASS, MOMENTS, SECOND = letter("m"), vector("h"), tensor("Q")
"""The integrals of dm, r dm and r r^T dm."""


def over_mass() -> Node:
    """dm."""
    return Differential(Symbol("m"))


def integral(of: Node | None = None) -> Node:
    """The integral of a formula over the mass; of 1 where there is none."""
    return times(Indexed(Symbol("int")), *(() if of is None else (of,)), over_mass())


def integrated_over_mass(value: Scalar) -> Scalar:
    """The integral over the mass of a polynomial of degree two in x, y, z, by Taylor's formula at the origin."""
    Q = SECOND.full().rows()
    total = _at_origin(value) * MASS
    for i, (a, first) in enumerate(zip("xyz", MOMENTS, strict=True)):
        slope = partial(value, a)
        total = total + _at_origin(slope) * first
        for j, b in enumerate("xyz"):
            total = total + _at_origin(partial(slope, b)) * Q[i][j] * Fraction(1, 2)
    return total


def _at_origin(value: Scalar) -> Scalar:
    return substitute(value, dict.fromkeys("xyz", 0))
