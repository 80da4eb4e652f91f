"""Sums of squares: x^2 c^2 + y^2 s^2 - 2 x y s c + z^2 as (x c - y s)^2 + z^2."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from operator import add

from leverarm.notation.textbook.sparse import Monomial, Sparse


def split_squares(p: Sparse) -> tuple[list[Sparse], Sparse]:
    """Sums of at least two terms whose squares are part of p, and what is left of p."""
    rest = dict(p)
    roots = [(m, c) for m, c in map(_root, p.items()) if c]
    found: list[Sparse] = []
    while roots:
        (first, x), *roots = roots
        total: Sparse = {first: x}
        for m, y in list(roots):
            signs = {_sign_of_cross_term(rest, m, y, n, z) for n, z in total.items()}
            if signs in ({1}, {-1}):
                total[m] = y * signs.pop()
                roots.remove((m, y))
        square = _square(total)
        if len(total) > 1 and all(rest.get(m) == c for m, c in square.items()):
            rest = {m: c for m, c in rest.items() if m not in square}
            found.append(total)
    return found, rest


def _root(term: tuple[Monomial, Fraction]) -> tuple[Monomial, Fraction]:
    letters, c = term
    if c <= 0 or any(e % 2 for e in letters):
        return letters, Fraction(0)
    above, below = isqrt(c.numerator), isqrt(c.denominator)
    if above * above != c.numerator or below * below != c.denominator:
        return letters, Fraction(0)
    return tuple(e // 2 for e in letters), Fraction(above, below)


def _sign_of_cross_term(p: Sparse, m: Monomial, y: Fraction, n: Monomial, z: Fraction) -> int:
    """1 or -1 where the other sign of root m makes 2 m n a term of p, 0 where it is none."""
    c = p.get(tuple(map(add, m, n)), Fraction(0))
    return 1 if c == 2 * y * z else -1 if c == -2 * y * z else 0


def _square(p: Sparse) -> Sparse:
    total: Sparse = {}
    for m, x in p.items():
        for n, y in p.items():
            key = tuple(map(add, m, n))
            total[key] = total.get(key, Fraction(0)) + x * y
    return total
