"""Numbers in front of brackets and inside them."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from leverarm.notation.textbook.sparse import Sparse, divided, numeric_content

ONE = Fraction(1)

SIMPLE = 12
"""Fractions with larger numbers than this are read as decimals."""

Factors = tuple[Fraction, list[tuple[Sparse, int]]]
"""A number and sums with their exponents."""


def simple_content(coefficients: Iterable[Fraction]) -> Fraction:
    """The number common to all coefficients, where dividing by it leaves some of them 1 or it is a simple one."""
    coefficients = list(coefficients)
    number = numeric_content(coefficients)
    is_simple = max(number.numerator, number.denominator) <= SIMPLE
    return number if is_simple or any(abs(c) == number for c in coefficients) else ONE


def with_decimals_inside(number: Fraction, parts: list[tuple[Sparse, int]]) -> Factors:
    """A number that is no simple one goes into a bracket with other numbers: 0.35 + 1.2 c2, not 0.05 (7 + 24 c2)."""
    if max(abs(number.numerator), number.denominator) <= SIMPLE:
        return number, parts
    for i, (part, exponent) in enumerate(parts):
        if exponent == 1 and all(abs(c) != 1 for c in part.values()):
            inside = {m: c * abs(number) for m, c in part.items()}
            return Fraction(1 if number > 0 else -1), [*parts[:i], (inside, 1), *parts[i + 1 :]]
    return number, parts


def as_it_is(p: Sparse) -> Factors:
    """Two terms are not factored, x^2 - y^2 is as short as (x - y) (x + y); nor are very many."""
    number = numeric_content(p.values())
    return number, [(divided(p, (), number), 1)]
