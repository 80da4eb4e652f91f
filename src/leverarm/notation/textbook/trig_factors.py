"""Factors of polynomials in sines and cosines: c1 c2 (s1 s2 - c1 c2), whose parts may have short forms of their own."""

from __future__ import annotations

from fractions import Fraction

from leverarm.notation.textbook.harmonics import TrigMonomial, TrigPolynomial
from leverarm.notation.textbook.sparse import Monomial, Sparse, common_monomial, divided, factors

Factored = tuple[Fraction, TrigMonomial, list[tuple[TrigPolynomial, int]]]
"""A number, sines and cosines common to all terms, and sums with their exponents."""


def trig_factors(t: TrigPolynomial, angles: list[str]) -> Factored | None:
    """The factors of t in the sines and cosines of these angles, where it has any; (c - 1) (c + 1) is read as -s^2."""
    place = {name: 2 * i for i, name in enumerate(angles)}
    p: Sparse = {}
    for m, x in t.items():
        exponents = [0] * (2 * len(angles))
        for name, s, c in m:
            exponents[place[name]], exponents[place[name] + 1] = s, c
        p[tuple(exponents)] = x
    common = common_monomial(p)
    number, parts = factors(divided(p, common, Fraction(1)))
    if not any(common) and len(parts) == 1 and parts[0][1] == 1:
        return None
    powers = list(common)
    left = [(part, e) for part, e in parts if not _is_one_with_cosine(part)]
    for i in range(len(angles)):
        minus, plus = (_power_of(parts, len(powers), 2 * i + 1, sign) for sign in (-1, 1))
        pairs = min(minus, plus)
        powers[2 * i] += 2 * pairs
        number *= (-1) ** pairs
        left += [(part, e - pairs) for part, e in parts if _cosine_in(part) == 2 * i + 1 and e > pairs]
    return number, _monomial(tuple(powers), angles), [(_trig(part, angles), e) for part, e in left]


def _is_one_with_cosine(part: Sparse) -> bool:
    return _cosine_in(part) is not None


def _cosine_in(part: Sparse) -> int | None:
    """The place of c in c - 1 or c + 1."""
    if len(part) != 2:
        return None
    (one, low), (other, high) = sorted(part.items())
    if any(one) or abs(low) != 1 or high != 1 or sum(other) != 1 or other.index(1) % 2 == 0:
        return None
    return other.index(1)


def _power_of(parts: list[tuple[Sparse, int]], size: int, place: int, sign: int) -> int:
    """How often c + sign divides."""
    wanted = {tuple(int(i == place) for i in range(size)): Fraction(1), (0,) * size: Fraction(sign)}
    return next((e for part, e in parts if part == wanted), 0)


def _monomial(exponents: Monomial, angles: list[str]) -> TrigMonomial:
    rows = ((name, exponents[2 * i], exponents[2 * i + 1]) for i, name in enumerate(angles))
    return tuple((name, s, c) for name, s, c in rows if s or c)


def _trig(p: Sparse, angles: list[str]) -> TrigPolynomial:
    return {_monomial(m, angles): x for m, x in p.items()}
