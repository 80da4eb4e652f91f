"""Gauss's methods as tables of numbers: the implicit midpoint rule and its relatives of order four and six.

Hairer, Lubich and Wanner 2006, Geometric Numerical Integration, II.1.3. All are symmetric, and symplectic in canonical
variables; with s stages the order is 2 s.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import prod, sqrt

from leverarm.compiler.llvm.implicit_layout import Collocation

Row = Sequence[float]


def collocation(name: str, nodes: Row, past_steps: int, stiffness: float) -> Collocation:
    """The method that collocates at these nodes, and the guess from the stages of so many steps before."""
    stages = range(len(nodes))
    matrix = [[_integral(nodes, j, end) for j in stages] for end in nodes]
    past = [c - k for k in range(past_steps, 0, -1) for c in nodes]
    guesses = [[_lagrange(past, j, ahead) for j in range(len(past))] for ahead in nodes]
    weights = tuple(_integral(nodes, j, 1.0) for j in stages)
    return Collocation(name, 2 * len(nodes), tuple(nodes), _table(matrix), weights, _table(guesses), stiffness)


def _integral(nodes: Row, j: int, end: float) -> float:
    """The integral from 0 to `end` of the polynomial that is 1 at node j and 0 at the others, rounded once."""
    polynomial, own = [Fraction(1)], Fraction(nodes[j])
    for k, c in enumerate(Fraction(node) for node in nodes):
        if k != j:
            shifted, scaled = [Fraction(0), *polynomial], [*(c * a for a in polynomial), Fraction(0)]
            polynomial = [(a - b) / (own - c) for a, b in zip(shifted, scaled, strict=True)]
    return float(sum(a * Fraction(end) ** (k + 1) / (k + 1) for k, a in enumerate(polynomial)))


def _lagrange(nodes: Row, j: int, at: float) -> float:
    """The polynomial that is 1 at node j and 0 at the others, at another place."""
    own = Fraction(nodes[j])
    return float(prod((Fraction(at) - Fraction(c)) / (own - Fraction(c)) for k, c in enumerate(nodes) if k != j))


def _table(rows: Sequence[Row]) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(row) for row in rows)


MIDPOINT = collocation("midpoint", [0.5], 6, 0.5)
"""The implicit midpoint rule."""

GAUSS4 = collocation("gauss4", [0.5 - sqrt(3) / 6, 0.5 + sqrt(3) / 6], 2, 0.35)
GAUSS6 = collocation("gauss6", [0.5 - sqrt(15) / 10, 0.5, 0.5 + sqrt(15) / 10], 2, 0.27)

SYMPLECTIC = {method.name: method for method in (MIDPOINT, GAUSS4, GAUSS6)}
"""The lengths of their guesses took the fewest iterations of those tried on a Panda that falls freely at steps of 1 ms.
Their stiffness is where very stiff forces converge fastest: the errors shrink by 0, 0.50 and 0.69."""
