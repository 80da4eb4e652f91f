"""Formulas of a derivation: the symbols of its quantities, sums and products, and equations at a level of detail."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from leverarm.documents.document import Level, Shown
from leverarm.notation.tree import ZERO, Equation, Node, Number, Product, Sum, Symbol

HALF = Number(Fraction(1, 2))
K, P, L, H, M, C, J, N = map(Symbol, "KPLHMCJN")
c, g, tau, a_g = map(Symbol, ("c", "g", "tau", "a_g"))
M_DOT_MINUS_2C = Sum((Symbol("M", 1), Product((Number(Fraction(-2)), C))))


def equation(*sides: Node) -> Equation:
    """a = b = c."""
    return Equation(sides)


def brief(*sides: Node) -> Shown:
    """a = b = c, shown at every level."""
    return Shown(Equation(sides))


def full(*sides: Node) -> Shown:
    """a = b = c, shown with the steps."""
    return Shown(Equation(sides), Level.FULL)


def every_line(*sides: Node) -> Shown:
    """a = b = c, shown with every line of the calculation."""
    return Shown(Equation(sides), Level.EVERY_LINE)


def times(*factors: Node) -> Node:
    """The product of the factors; factors that are products themselves are not put in brackets."""
    flat: list[Node] = []
    for factor in factors:
        flat.extend(factor.factors if isinstance(factor, Product) else [factor])
    return flat[0] if len(flat) == 1 else Product(tuple(flat))


def plus(*terms: Node) -> Node:
    """The sum of the terms; zero where there are none."""
    return ZERO if not terms else terms[0] if len(terms) == 1 else Sum(terms)


def added(sums: Sequence[Node], more: Sequence[Node]) -> list[Node]:
    """Term by term, sums with one more term each."""
    return [
        plus(*(whole.terms if isinstance(whole, Sum) else (whole,)), term)
        for whole, term in zip(sums, more, strict=True)
    ]
