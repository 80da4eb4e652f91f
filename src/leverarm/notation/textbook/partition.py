"""A sum taken apart by two sets of letters: a sum of products (outer letters) * (inner letters)."""

from __future__ import annotations

from fractions import Fraction
from operator import mul

from leverarm.notation.textbook.numbers import ONE
from leverarm.notation.textbook.sparse import Monomial, Sparse, numeric_content


def grouped(p: Sparse, outer: Monomial) -> list[tuple[Sparse, Sparse]]:
    """p as a sum of products (sum of outer letters) * (sum of inner letters), given 1 for each outer letter.

    Terms with the same outer letters are put together first, then those whose inner sums are the same up to a number.
    """
    inner = tuple(1 - x for x in outer)
    by_outer: dict[Monomial, Sparse] = {}
    for m, c in p.items():
        by_outer.setdefault(tuple(map(mul, m, outer)), {})[tuple(map(mul, m, inner))] = c
    by_inner: dict[frozenset[tuple[Monomial, Fraction]], tuple[Sparse, Sparse]] = {}
    for m, rest in by_outer.items():
        if len(rest) == 1:
            ((k, number),) = rest.items()
            primitive = {k: ONE}
        else:
            number = numeric_content(rest.values())
            if rest[max(rest)] < 0:
                number = -number
            primitive = rest if number == 1 else {k: c / number for k, c in rest.items()}
        left, _ = by_inner.setdefault(frozenset(primitive.items()), ({}, primitive))
        left[m] = number
    return [_number_inside(left, right) if len(left) == 1 else (left, right) for left, right in by_inner.values()]


def _number_inside(left: Sparse, right: Sparse) -> tuple[Sparse, Sparse]:
    ((m, number),) = left.items()
    return {m: ONE}, right if number == 1 else {k: c * number for k, c in right.items()}


def is_number(p: Sparse) -> bool:
    """Whether p is a constant."""
    return len(p) == 1 and not any(next(iter(p)))
