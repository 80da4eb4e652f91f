"""Sparse polynomials as dictionaries from exponents to coefficients: the material that groupings are searched in."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm
from operator import sub
from typing import Any

Monomial = tuple[int, ...]
"""The exponents of all letters."""

Sparse = dict[Monomial, Fraction]


def add_term(total: dict[Any, Fraction], key: Any, value: Fraction) -> None:
    """Add to one coefficient; a coefficient that becomes zero is no term."""
    value = total.get(key, 0) + value
    if value:
        total[key] = value
    else:
        del total[key]


def common_monomial(monomials: Iterable[Monomial]) -> Monomial:
    """The letters that divide all of them."""
    columns = zip(*monomials, strict=True)
    return tuple(map(min, columns))


def numeric_content(coefficients: Iterable[Fraction]) -> Fraction:
    """The positive rational by which division makes the coefficients whole and coprime."""
    above, below = 0, 1
    for c in coefficients:
        above, below = gcd(above, c.numerator), lcm(below, c.denominator)
    return Fraction(above, below)


def divided(p: Sparse, monomial: Monomial, number: Fraction) -> Sparse:
    """p over a monomial that divides it."""
    if number == 1:
        if not any(monomial):
            return p
        return {tuple(map(sub, m, monomial)): c for m, c in p.items()}
    if not any(monomial):
        return {m: c / number for m, c in p.items()}
    return {tuple(map(sub, m, monomial)): c / number for m, c in p.items()}


def is_plainly_irreducible(p: Sparse) -> bool:
    """Whether p, without monomial factor, is seen to have no factors: some letter occurs once in it, and not squared.

    p = x a + b with a monomial a: a factor would have to divide a and b, hence p, and a is a monomial.
    """
    once = [0] * len(next(iter(p)))
    for m in p:
        for i, e in enumerate(m):
            if e:
                once[i] += 1 if e == 1 and once[i] == 0 else 2
    return 1 in once


def factors(p: Sparse) -> tuple[Fraction, list[tuple[Sparse, int]]]:
    """The irreducible factors of p over the rationals, each with its multiplicity, and the number in front."""
    if is_plainly_irreducible(p):
        number = numeric_content(p.values())
        return number, [(divided(p, (), number), 1)]
    context, rational = _flint(len(next(iter(p))))
    q = context.from_dict({m: rational(c.numerator, c.denominator) for m, c in p.items()})
    unit, found = q.factor()
    parts = [
        ({tuple(map(int, m)): Fraction(int(c.p), int(c.q)) for m, c in f.to_dict().items()}, int(e)) for f, e in found
    ]
    return Fraction(int(unit.p), int(unit.q)), parts


@lru_cache(maxsize=256)
def _flint(size: int) -> tuple[Any, Any]:
    import flint

    names = tuple(f"x{i}" for i in range(size))
    return flint.fmpq_mpoly_ctx.get(names, "lex"), flint.fmpq
