"""The search for the shortest bracketing of a polynomial.

A polynomial is first divided by what is common to its terms and factored. What cannot be factored is grouped: the
letters are split into two sets, "outer" and "inner" (say masses, and lengths with trig); terms with the same outer
letters share a bracket of inner ones, and outer letters with the same inner bracket share a bracket in turn. Several
splits are tried, recursively, and the one with the lowest cost is kept; of equal ones, the first tried.
Sums of squares are kept together: x^2 c^2 + y^2 s^2 - 2 x y s c + z^2 is (x c - y s)^2 + z^2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from operator import add, mul, sub

from leverarm.notation.textbook.plans import Bracket, Costing, Kind, Kinds, Term, sum_cost
from leverarm.notation.textbook.sparse import Monomial, Sparse, common_monomial, divided, factors, numeric_content

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


MANY = 60
"""Terms above which only one kind of letter at a time is grouped by."""
VERY_MANY = 400
"""Terms above which a sum is grouped once."""
SHORT = 5
"""The terms of brackets in which squares are kept together."""
FACTORED = 1000
"""The most terms of a sum that is factored."""
EFFORT = 40_000
"""Terms that may be grouped in search of the best form; then every sum is grouped once, in the usual way."""
NUMERIC_EFFORT = 15_000
"""The same of a sum of trig and speeds alone, whose numbers are an arm's own: few of its terms have much in common."""
FORGIVEN = 1
"""How many operations longer the usual grouping of a sum without speeds may be than the shortest."""


@dataclass(slots=True)
class Grouping:
    """Searches bracketings for one set of letters, and remembers what it has found."""

    costing: Costing
    is_gravity: bool = False
    """Whether the sum is a moment or energy of gravity, usually grouped by trig: (m1 lc1 + m2 l1) g c1."""
    angles: Sequence[Monomial] = ()
    """For each angle, 1 at the letters that are its cosine and sine."""
    effort: int = EFFORT
    found: dict[tuple[frozenset[tuple[Monomial, Fraction]], bool], tuple[Term, ...]] = field(default_factory=dict)

    def best(self, p: Sparse, inside: bool = False) -> tuple[Term, ...]:
        """The terms that p is written as; `inside` a bracket, or by itself."""
        key = (frozenset(p.items()), inside)
        if key not in self.found:
            candidates = list(self._candidates(p, inside))
            costs = [self.costing.bracket(terms).cost if inside else sum_cost(terms) for terms, _ in candidates]
            costs = [cost - bonus for cost, (_, bonus) in zip(costs, candidates, strict=True)]
            self.found[key] = candidates[costs.index(min(costs))][0]
        return self.found[key]

    def _candidates(self, p: Sparse, inside: bool) -> Iterator[tuple[tuple[Term, ...], int]]:
        """Ways to write p, each with the number of operations that it is forgiven."""
        yield tuple(self.costing.term(c, m) for m, c in p.items()), 0
        if len(p) == 1:
            return
        letters, number = common_monomial(p), simple_content(p.values())
        if any(letters) or number != 1:
            rest = divided(p, letters, number)
            yield tuple(self.costing.scaled(t, number, letters) for t in self.best(rest, inside)), 0
            yield (self.product(p),), 0
            return
        unit, parts = factors(p) if 2 < len(p) <= FACTORED else (ONE, [(p, 1)])
        if len(parts) > 1 or parts[0][1] > 1:
            yield (self.costing.term(unit, letters, tuple((self.bracketed(f), e) for f, e in parts)),), 0
        squares, rest = split_squares(p)
        if len(squares) + bool(rest) > 1 and squares:
            whole = tuple(self.costing.term(ONE, letters, ((self.bracketed(s), 2),)) for s in squares)
            yield (*whole, *self.best_in_sum(rest, inside)), 0
        yield from self._groupings(p, inside)

    def best_in_sum(self, p: Sparse, inside: bool) -> tuple[Term, ...]:
        """The terms that p is written as where more terms follow."""
        if not p:
            return ()
        terms = self.best(p, inside)
        if len(terms) > 1:
            return terms
        product = self.product_in_sum(p)
        if any(product.letters) or len(product.brackets) != 1 or product.brackets[0][1] > 1 or abs(product.number) != 1:
            return (product,)
        return tuple(self.costing.scaled(t, product.number, product.letters) for t in product.brackets[0][0].terms)

    def product(self, p: Sparse, inside: bool = True) -> Term:
        """p as one product: what is common to its terms, and its factors, in brackets that count as such or not."""
        if len(p) == 1:
            ((letters, number),) = p.items()
            return self.costing.term(number, letters)
        letters = common_monomial(p)
        rest = divided(p, letters, ONE)
        unit, parts = factors(rest) if 2 < len(p) <= FACTORED else as_it_is(rest)
        unit, parts = with_decimals_inside(unit, parts)
        inside = inside and not (len(parts) == 1 and self._is_motion({letters: ONE}))
        return self.costing.term(unit, letters, tuple((self.bracketed(f, inside), e) for f, e in parts))

    def product_in_sum(self, p: Sparse, inside: bool = True) -> Term:
        """The same, but squares stay together: m2 (L2^2 + L1 L2 c2), not m2 L2 (L2 + L1 c2); yet (2 qd1 + qd2) qd2."""
        whole = self.product(p, inside)
        if len(whole.brackets) != 1 or whole.brackets[0][1] != 1 or len(p) > SHORT:
            return whole
        if whole.brackets[0][0].kinds & Kind.PARAMETER or whole.brackets[0][0].kinds == Kind.SPEED:
            return whole
        rest = divided(p, whole.letters, whole.number)
        occurs = map(max, zip(*rest, strict=True))
        back = tuple(min(e, x) for e, x in zip(whole.letters, occurs, strict=True))
        if not any(back):
            return whole
        inner = self.costing.bracket(self.costing.term(c, tuple(map(add, m, back))) for m, c in rest.items())
        return self.costing.term(whole.number, tuple(map(sub, whole.letters, back)), ((inner, 1),))

    def bracketed(self, p: Sparse, inside: bool = True) -> Bracket:
        """A sum to be multiplied by something."""
        return self.costing.bracket(self.best(p, inside))

    def _groupings(self, p: Sparse, inside: bool) -> Iterator[tuple[tuple[Term, ...], int]]:
        for outer, bonus in self._splits(p):
            self.effort -= len(p)
            groups = grouped(p, outer)
            if len(groups) == len(p) or len(groups) == 1:
                continue
            terms: list[Term] = []
            alone: Sparse = {}
            for left, right in groups:
                if is_number(left) or is_number(right):
                    alone |= {tuple(map(add, m, n)): x * y for m, x in left.items() for n, y in right.items()}
                else:
                    a = self.product_in_sum(left, not self._is_motion(right))
                    b = self.product_in_sum(right, not self._is_motion(left))
                    terms.append(self.costing.times(a, b))
            if terms:
                yield (*terms, *self.best_in_sum(alone, inside)), bonus

    def _is_motion(self, p: Sparse) -> bool:
        """Whether p is a product of speeds or an acceleration: what it multiplies is its coefficient."""
        if len(p) > 1:
            return False
        (m,) = p
        return any(m) and not self.costing.kinds_in(m) & ~Kind.MOTION

    def _splits(self, p: Sparse) -> Iterator[tuple[Monomial, int]]:
        """Which letters are outer, as 0 and 1, and the number of operations forgiven.

        The usual split comes first: speeds inside; else trig outside in gravity and where every term has some; else
        masses outside.
        """
        present, common = 0, ~0
        for m in p:
            kinds = self.costing.kinds_in(m)
            present, common = present | kinds, common & kinds
        if present & Kind.MOTION:
            usual, forgiven = present & ~Kind.MOTION, 0
        elif self.is_gravity:
            usual, forgiven = present & Kind.TRIG, FORGIVEN
        elif common & Kind.TRIG:
            usual, forgiven = Kind.TRIG, 0
        else:
            usual, forgiven = present & Kind.PARAMETER, FORGIVEN
        for choice in (usual, *_subsets(present, usual)):
            if choice in (0, present) or (len(p) > MANY and choice.bit_count() > 1):
                continue
            yield self.costing.mask(choice), forgiven if choice == usual else 0
            if len(p) > VERY_MANY or self.effort < 0:
                return
        if not present & (Kind.PARAMETER | Kind.MOTION):
            yield from ((angle, 0) for angle in self.angles if self.effort > 0)


@lru_cache(maxsize=1024)
def _subsets(kinds: Kinds, but: Kinds) -> tuple[Kinds, ...]:
    """The sets of these kinds but one of them."""
    bits = [1 << i for i in range(kinds.bit_length()) if kinds >> i & 1]
    every = [sum(bit for i, bit in enumerate(bits) if choice >> i & 1) for choice in range(1 << len(bits))]
    return tuple(choice for choice in every if choice != but)
