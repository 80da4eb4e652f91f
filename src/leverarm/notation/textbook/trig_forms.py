"""The shortest way to write a polynomial in sines and cosines: products, sums of angles, s^2 or c^2.

Factors are found first, c1 c2 (s1 s2 - c1 c2), since each may have a short form of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from leverarm.notation.textbook.angle_bases import (
    AnglePolynomial,
    Factors,
    TrigMonomial,
    TrigPolynomial,
    Written,
    angle_of,
    bases,
    differences,
    directions,
    harmonics,
    in_basis,
    plain_factors,
    reductions,
)
from leverarm.notation.textbook.letter_order import TrigLetter, angle_key
from leverarm.notation.textbook.sparse import Monomial, Sparse, common_monomial, divided, factors
from leverarm.notation.vocabulary import Angle, Vocabulary

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


PER_TERM = 3
"""What one more term costs, in factors: it repeats all that it is multiplied by."""
UNUSUAL = 3
"""What an angle costs that is no plain sum of neighbouring joints, in factors."""
LARGE = 24
"""Terms above which only the plain form and the harmonics are tried."""
EFFORT = 20_000
"""Products that may be rewritten for one element; then only the plain form, the harmonics and the factors are tried."""


@dataclass(slots=True)
class TrigForms:
    """Chooses trig forms for one arm, and remembers its choices so that equal coefficients look alike."""

    vocabulary: Vocabulary
    effort: int = EFFORT
    chosen: dict[tuple[tuple[object, Fraction], ...], Written] = field(default_factory=dict)

    def shortest(self, t: TrigPolynomial) -> Written:
        """The cheapest of the forms tried; of equally cheap ones, the first tried."""
        key = tuple(sorted(t.items()))
        if key not in self.chosen:
            self.chosen[key] = self._shortest(t)
        return self.chosen[key]

    def _shortest(self, t: TrigPolynomial) -> Written:
        plain: Written = [(c, plain_factors(m)) for m, c in t.items()]
        if len(plain) == 1 and sum(e for _, e in plain[0][1]) < 2:
            return plain
        best, least = plain, self.cost(plain)
        for form in self._forms(t):
            cost = self.cost(form)
            if cost < least:
                best, least = form, cost
            if least <= 2:
                break
        return best

    def _forms(self, t: TrigPolynomial) -> Iterator[Written]:
        used = self._angles(t)
        rows: list[tuple[tuple[Angle, ...], tuple[str, ...]]] = []
        together: list[tuple[str, ...]] = []
        for links in self.vocabulary.parallel:
            names = tuple(name for name in used if any(name in dict(angle) for angle in links))
            rows.append((links, names))
            if len(names) > 1 and not any(name in earlier for name in names for earlier in together):
                together.append(names)
        yield harmonics(t, together)
        if len(t) > LARGE:
            return
        yield from self._by_factors(t)
        alone = [(name,) for name in used if not any(name in names for names in together)]
        yield harmonics(t, [*together, *alone])
        yield from self._reductions({tuple((((n, 1),), s, c) for n, s, c in m): x for m, x in t.items()})
        for links, names in rows:
            for basis in bases(directions(links, names), names) if names else ():
                if self.effort > 0:
                    yield from self._reductions(in_basis(t, basis))

    def _reductions(self, t: AnglePolynomial) -> Iterator[Written]:
        for form in reductions(t):
            yield form
            self.effort -= len(t) + len(form)
            if self.effort < 0:
                return

    def _by_factors(self, t: TrigPolynomial) -> Iterator[Written]:
        """The product of the shortest forms of the factors of t, where at most one of them is a sum."""
        found = trig_factors(t, self._angles(t))
        if found is None:
            return
        number, common, parts = found
        total: Written = [(number, plain_factors(common))]
        for part, exponent in parts:
            form = self.shortest(part)
            if len(form) > 1 and (len(total) > 1 or exponent > 1):
                return
            total = [(x * y**exponent, _together(a, b, exponent)) for x, a in total for y, b in form]
        yield total

    def _angles(self, t: TrigPolynomial) -> list[str]:
        """The angles of t in the order of the joints."""
        return sorted({name for m in t for name, _, _ in m}, key=lambda name: angle_key(name, self.vocabulary))

    def cost(self, form: Written) -> int:
        """Factors and coefficients written, with a charge for every further term and for unusual angles."""
        total = PER_TERM * (len(form) - 1)
        for number, product in form:
            total += (abs(number) != 1) + sum(e for _, e in product)
            total += sum(UNUSUAL for letter, _ in product if not self.is_usual(letter))
        return total

    def is_usual(self, letter: TrigLetter) -> bool:
        """Whether the angle is one between two links that turn about parallel axes, or a coordinate."""
        if len(letter.angle) == 1 and letter.angle[0][1] == 1:
            return True
        names = [name for name, _ in letter.angle]
        between = (differences(directions(links, names)) for links in self.vocabulary.parallel)
        return any(letter.angle in [angle_of(angle, names) for angle in angles] for angles in between)


def _together(a: Factors, b: Factors, exponent: int) -> Factors:
    """a b^exponent, each letter once."""
    powers = dict(a)
    for letter, e in b:
        powers[letter] = powers.get(letter, 0) + e * exponent
    return tuple(powers.items())
