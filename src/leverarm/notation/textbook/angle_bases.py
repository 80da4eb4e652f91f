"""Trig polynomials of parallel joints in other angles, and as sums of harmonics.

Between parallel axes sums of angles are natural: c1 c2 - s1 s2 is the cosine of one angle, that of the second link with
the ground. A basis of angles for a row of k parallel joints is a tree on the k + 1 links, in which an edge from link a
to link b is the angle between them: relative angles are the path 0-1-...-k, absolute ones the star at 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

from leverarm.notation.textbook.letter_order import Angle, TrigLetter
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
    return _factors(tuple((((name, 1),), s, c) for name, s, c in monomial))


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


AngleMonomial = tuple[tuple[Angle, int, int], ...]
AnglePolynomial = dict[AngleMonomial, Fraction]

Edge = tuple[int, int]


@lru_cache(maxsize=64)
def trees(k: int) -> tuple[tuple[Edge, ...], ...]:
    """The bases tried for k joints: all for up to three, then relative and absolute angles only."""
    relative = tuple((i, i + 1) for i in range(k))
    absolute = tuple((0, i + 1) for i in range(k))
    if k > 3:
        return (relative, absolute)
    every = [t for t in combinations(combinations(range(k + 1), 2), k) if _spans(t, k)]
    return (relative, absolute, *(t for t in every if t not in (relative, absolute)))


def _spans(tree: Sequence[Edge], k: int) -> bool:
    reached, size = {0}, 0
    while size != len(reached):
        size = len(reached)
        for a, b in tree:
            if a in reached or b in reached:
                reached |= {a, b}
    return len(reached) == k + 1


def path(tree: Sequence[Edge], start: int, end: int) -> list[tuple[int, int]]:
    """The edges from one link to another, each with the sense it is passed in."""

    def walk(at: int, seen: tuple[int, ...]) -> list[tuple[int, int]] | None:
        if at == end:
            return []
        for i, (a, b) in enumerate(tree):
            if i in seen or at not in (a, b):
                continue
            rest = walk(b if at == a else a, (*seen, i))
            if rest is not None:
                return [(i, 1 if at == a else -1), *rest]
        return None

    return walk(start, ()) or []


def in_basis(t: TrigPolynomial, row: Sequence[tuple[str, int]], tree: Sequence[Edge]) -> AnglePolynomial:
    """t with the angles of a row of joints (each with its sense) written through those of a tree."""
    edges = [_angle(row, a, b) for a, b in tree]
    turned: dict[str, tuple[AnglePolynomial, AnglePolynomial]] = {}
    for i, (name, sense) in enumerate(row):
        steps = [(edges[e][0], edges[e][1] * way * sense) for e, way in path(tree, i, i + 1)]
        turned[name] = _cos_sin_of_sum(tuple(steps))
    total: AnglePolynomial = {}
    for monomial, number in t.items():
        product: AnglePolynomial = {(): number}
        for name, s, c in monomial:
            if name not in turned:
                product = _times(product, {((((name, 1),), s, c),): Fraction(1)})
                continue
            cosine, sine = turned[name]
            for factor in (sine,) * s + (cosine,) * c:
                product = _times(product, factor)
        for m, x in product.items():
            add_term(total, m, x)
    return total


def _angle(row: Sequence[tuple[str, int]], a: int, b: int) -> tuple[Angle, int]:
    """The angle from link a to link b, written with a plus in front, and the sense that was lost by it."""
    first = row[a][1]
    return tuple((name, sense * first) for name, sense in row[a:b]), first


@lru_cache(maxsize=1024)
def _cos_sin_of_sum(steps: tuple[tuple[Angle, int], ...]) -> tuple[AnglePolynomial, AnglePolynomial]:
    cosine: AnglePolynomial = {(): Fraction(1)}
    sine: AnglePolynomial = {}
    for angle, sign in steps:
        c: AnglePolynomial = {((angle, 0, 1),): Fraction(1)}
        s: AnglePolynomial = {((angle, 1, 0),): Fraction(sign)}
        minus = {m: -x for m, x in _times(sine, s).items()}
        cosine, sine = _sum(_times(cosine, c), minus), _sum(_times(sine, c), _times(cosine, s))
    return cosine, sine


def _sum(a: AnglePolynomial, b: AnglePolynomial) -> AnglePolynomial:
    total = dict(a)
    for m, x in b.items():
        add_term(total, m, x)
    return total


def _times(a: AnglePolynomial, b: AnglePolynomial) -> AnglePolynomial:
    total: AnglePolynomial = {}
    for m, x in a.items():
        for n, y in b.items():
            powers = {angle: (s, c) for angle, s, c in m}
            for angle, s, c in n:
                old = powers.get(angle, (0, 0))
                powers[angle] = (old[0] + s, old[1] + c)
            add_term(total, tuple(sorted((angle, s, c) for angle, (s, c) in powers.items())), x * y)
    return total


def reductions(t: AnglePolynomial) -> Iterator[Written]:
    """t with s^2 -> 1 - c^2 or c^2 -> 1 - s^2, chosen for each angle that has squares."""
    squared = sorted({angle for m in t for angle, s, c in m if s + c > 1})[:5]
    for choice in range(1 << len(squared)):
        keeps_sines = {angle for i, angle in enumerate(squared) if choice >> i & 1}
        yield [(x, _factors(m)) for m, x in _reduced(t, keeps_sines).items()]


def _reduced(t: AnglePolynomial, keeps_sines: set[Angle]) -> AnglePolynomial:
    total: AnglePolynomial = {}
    for monomial, number in t.items():
        product: AnglePolynomial = {(): number}
        for angle, s, c in monomial:
            powers = _reduced_power(s, c, angle in keeps_sines)
            product = {(*m, (angle, a, b)) if a or b else m: x * y for m, x in product.items() for (a, b), y in powers}
        for m, x in product.items():
            add_term(total, m, x)
    return total


@lru_cache(maxsize=256)
def _reduced_power(s: int, c: int, keeps_sines: bool) -> tuple[tuple[tuple[int, int], int], ...]:
    """s^a c^b with at most one of the two to more than the first power."""
    low, high = (c, s) if keeps_sines else (s, c)
    terms = {(low % 2, high): 1}
    for _ in range(low // 2):
        wider: dict[tuple[int, int], int] = {}
        for (a, b), x in terms.items():
            wider[a, b] = wider.get((a, b), 0) + x
            wider[a, b + 2] = wider.get((a, b + 2), 0) - x
        terms = wider
    return tuple(((b, a) if keeps_sines else (a, b), x) for (a, b), x in terms.items() if x)


def _factors(monomial: AngleMonomial) -> Factors:
    powers = [
        power for angle, s, c in monomial for power in ((TrigLetter("sin", angle), s), (TrigLetter("cos", angle), c))
    ]
    return tuple((letter, e) for letter, e in powers if e)
