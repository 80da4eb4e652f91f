"""Products of sines and cosines as sums of harmonics, inside groups of parallel axes.

There sums of angles are natural: c1 c2 - s1 s2 is the cosine of one angle, that of the second link with the ground.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache

from leverarm.notation.textbook.letters import Angle, TrigLetter
from leverarm.notation.textbook.sparse import add_term

TrigMonomial = tuple[tuple[str, int, int], ...]
"""For each angle of the ring the exponents of its sine and of its cosine."""

TrigPolynomial = dict[TrigMonomial, Fraction]

Factors = tuple[tuple[TrigLetter, int], ...]

Written = list[tuple[Fraction, Factors]]
"""A sum of products of trig letters."""


def harmonics(t: TrigPolynomial, groups: Iterable[Sequence[str]]) -> Written:
    """t with each group's part a sum of single harmonics; angles outside the groups stay as they are."""
    rows = [frozenset(group) for group in groups]
    grouped = frozenset[str]().union(*rows)
    total: dict[Factors, Fraction] = {}
    for monomial, number in t.items():
        outside = tuple(part for part in monomial if part[0] not in grouped)
        parts: list[tuple[Factors, Fraction]] = [(plain_factors(outside), number)]
        for row in rows:
            inside = tuple(part for part in monomial if part[0] in row)
            if inside:
                parts = [(left + right, a * b) for left, a in parts for right, b in _harmonics_of(inside)]
        for factors, c in parts:
            add_term(total, factors, c)
    return [(c, factors) for factors, c in total.items()]


def plain_factors(monomial: TrigMonomial) -> Factors:
    """A product as it stands in the ring."""
    factors: list[tuple[TrigLetter, int]] = []
    for name, s, c in monomial:
        angle = ((name, 1),)
        factors += [(TrigLetter("sin", angle), s)] if s else []
        factors += [(TrigLetter("cos", angle), c)] if c else []
    return tuple(factors)


@lru_cache(maxsize=4096)
def _harmonics_of(monomial: TrigMonomial) -> tuple[tuple[Factors, Fraction], ...]:
    """s = (z - 1/z)/2i, c = (z + 1/z)/2, multiplied out; coefficients as (real, imaginary)."""
    waves: dict[tuple[int, ...], tuple[Fraction, Fraction]] = {(0,) * len(monomial): (Fraction(1), Fraction(0))}
    for place, (_, sines, cosines) in enumerate(monomial):
        for is_sine in (True,) * sines + (False,) * cosines:
            wider: dict[tuple[int, ...], tuple[Fraction, Fraction]] = {}
            for k, (re, im) in waves.items():
                for sign in (1, -1):
                    turned = (*k[:place], k[place] + sign, *k[place + 1 :])
                    a, b = (im * sign / 2, -re * sign / 2) if is_sine else (re / 2, im / 2)
                    old = wider.get(turned, (0, 0))
                    wider[turned] = (old[0] + a, old[1] + b)
            waves = wider
    total: dict[Factors, Fraction] = {}
    for k, (re, im) in waves.items():
        first = next((x for x in k if x), 0)
        if not first:
            if re:
                add_term(total, (), re)
            continue
        sign = 1 if first > 0 else -1
        angle: Angle = tuple((name, sign * x) for (name, _, _), x in zip(monomial, k, strict=True) if x)
        if re:
            add_term(total, ((TrigLetter("cos", angle), 1),), re)
        if im:
            add_term(total, ((TrigLetter("sin", angle), 1),), -im * sign)
    return tuple(total.items())
