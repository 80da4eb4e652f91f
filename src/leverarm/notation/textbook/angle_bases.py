"""Trig polynomials of parallel joints in other angles, and as sums of harmonics.

Between parallel axes sums of angles are natural: c1 c2 - s1 s2 is the cosine of one angle, that of the second link with
the ground; of absolute angles c1 c2 + s1 s2 is that of the angle between the links. A basis of angles is as many angles
between links as there are coordinates, each of which is a sum of whole multiples of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, pairwise
from operator import sub

from leverarm.notation.textbook.letter_order import TrigLetter
from leverarm.notation.textbook.sparse import add_term
from leverarm.notation.vocabulary import Angle

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

Direction = tuple[int, ...]
"""How a link is turned: a whole multiple of each coordinate."""

Basis = tuple[tuple[str, tuple[tuple[Angle, int], ...]], ...]
"""Each coordinate as a sum of whole multiples of other angles."""


def directions(links: Iterable[Angle], names: Sequence[str]) -> tuple[Direction, ...]:
    """The ground, and the links as far as these coordinates turn them; each direction once."""
    turns = map(dict[str, int], links)
    return tuple(dict.fromkeys(((0,) * len(names), *(tuple(turn.get(name, 0) for name in names) for turn in turns))))


def differences(found: Sequence[Direction]) -> tuple[Direction, ...]:
    """The angles between any two of them, with a plus in front."""
    return tuple(dict.fromkeys(_difference(a, b) for a, b in combinations(found, 2)))


def _difference(a: Direction, b: Direction) -> Direction:
    angle = tuple(map(sub, b, a))
    return angle if next(filter(None, angle)) > 0 else tuple(-k for k in angle)


def angle_of(direction: Direction, names: Sequence[str]) -> Angle:
    """The sum of angles that a direction is."""
    return tuple((name, k) for name, k in zip(names, direction, strict=True) if k)


@lru_cache(maxsize=256)
def bases(found: tuple[Direction, ...], names: tuple[str, ...]) -> tuple[Basis, ...]:
    """The bases tried: all angles between links for up to three coordinates, then relative and absolute ones only."""
    relative = tuple(_difference(a, b) for a, b in pairwise(found))
    absolute = tuple(_difference(found[0], b) for b in found[1:])
    every = combinations(differences(found), len(names)) if len(names) <= 3 else ()
    tried = dict.fromkeys((relative, absolute, *every))
    inverses = ((edges, _inverse(edges)) for edges in tried if any(sum(map(abs, edge)) > 1 for edge in edges))
    return tuple(
        tuple(
            (name, tuple((angle_of(edge, names), k) for edge, k in zip(edges, row, strict=True) if k))
            for name, row in zip(names, rows, strict=True)
        )
        for edges, rows in inverses
        if rows
    )


def _inverse(matrix: Sequence[Direction]) -> list[Direction]:
    """The inverse of a matrix, where it has one of whole numbers; else nothing."""
    n = len(matrix[0])
    if len(matrix) != n:
        return []
    rows = [[Fraction(x) for x in (*row, *(int(i == j) for j in range(n)))] for i, row in enumerate(matrix)]
    for k in range(n):
        pivot = next((i for i in range(k, n) if rows[i][k]), None)
        if pivot is None:
            return []
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for i, row in enumerate(rows):
            if i != k:
                rows[i] = [x - row[k] * y for x, y in zip(row, rows[k], strict=True)]
    is_whole = all(x.denominator == 1 for row in rows for x in row)
    return [tuple(map(int, row[n:])) for row in rows] if is_whole else []


def in_basis(t: TrigPolynomial, basis: Basis) -> AnglePolynomial:
    """t with the coordinates of a basis written through its angles."""
    turned = {name: _cos_sin_of_sum(steps) for name, steps in basis}
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


@lru_cache(maxsize=1024)
def _cos_sin_of_sum(steps: tuple[tuple[Angle, int], ...]) -> tuple[AnglePolynomial, AnglePolynomial]:
    cosine: AnglePolynomial = {(): Fraction(1)}
    sine: AnglePolynomial = {}
    for angle, sign in ((angle, k // abs(k)) for angle, k in steps for _ in range(abs(k))):
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
