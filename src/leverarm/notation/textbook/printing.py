"""Exact elements as a textbook prints them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import singledispatch
from operator import sub
from typing import cast

from leverarm.notation.decimals import decimal_text
from leverarm.notation.elements import element_of
from leverarm.notation.textbook.angle_bases import TrigPolynomial
from leverarm.notation.textbook.arrangement import Arrangement
from leverarm.notation.textbook.grouping import NUMERIC_EFFORT, Grouping
from leverarm.notation.textbook.letter_order import TrigLetter, angle_key, described
from leverarm.notation.textbook.plans import KIND_OF, Costing, Kind, Kinds, Term
from leverarm.notation.textbook.sparse import Monomial, Sparse, add_term, numeric_content
from leverarm.notation.textbook.trig_forms import TrigForms
from leverarm.notation.tree import Node, Number, Ratio, is_negative, negated, terms_of
from leverarm.notation.vocabulary import Vocabulary
from leverarm.scalars import Scalar
from leverarm.scalars.exact import Cosine, Generator, Polynomial, Quotient, Sine


class PrintingError(AssertionError):
    """A printed form that is not equal to what was to be printed: a fault of leverarm."""


@singledispatch
def textbook(x: Scalar, vocabulary: Vocabulary) -> Node:
    """The formula of an exact element in the form a textbook prints: short, factored, grouped, in the usual order.

    Equal to x, which is checked: the tree is evaluated in the exact ring and compared.
    """
    raise TypeError(f"{type(x).__name__} is no exact element: a Polynomial, a Quotient, an int or a Fraction is.")


@textbook.register(int)
@textbook.register(Fraction)
def _(x: int | Fraction, vocabulary: Vocabulary) -> Node:
    return Number(Fraction(x), is_decimal=bool(vocabulary.decimals))


@textbook.register
def _(x: Quotient, vocabulary: Vocabulary) -> Node:
    above, below = _without_fractions(x, bool(vocabulary.decimals))
    denominator = textbook(below, vocabulary)
    if _is_mostly_negative(denominator):
        above, denominator = -above, textbook(-below, vocabulary)
    numerator = textbook(above, vocabulary)
    if all(map(is_negative, terms_of(numerator))):
        return negated(Ratio(textbook(-above, vocabulary), denominator))
    return Ratio(numerator, denominator)


def _without_fractions(x: Quotient, has_decimals: bool) -> tuple[Polynomial, Polynomial]:
    """Numerator and denominator with whole coefficients that have no common factor; or a numerator with decimals."""
    contents = [numeric_content([c for _, c in p.terms()]) for p in (x.numerator, x.denominator)]
    ratio = contents[0] / contents[1]
    whole = 1 if has_decimals and decimal_text(ratio, True) else ratio.denominator
    return x.numerator * (ratio * whole / contents[0]), x.denominator * (whole / contents[1])


def _is_mostly_negative(node: Node) -> bool:
    """Whether more terms are negative than positive; of as many, whether the first is."""
    signs = [is_negative(term) for term in terms_of(node)]
    return 2 * sum(signs) + signs[0] > len(signs)


@textbook.register
def _(x: Polynomial, vocabulary: Vocabulary) -> Node:
    return _checked(x, _Printer(x, vocabulary).node(), vocabulary)


def collected(x: Polynomial, vocabulary: Vocabulary) -> Node:
    """The same formula with one coefficient before each acceleration: (...) qdd1 + (...) qdd2 + the rest.

    `textbook` does so by itself where there is gravity too, as in the torques of an arm.
    """
    return _checked(x, _Printer(x, vocabulary).node(Kind.ACCELERATION), vocabulary)


def _checked(x: Polynomial, node: Node, vocabulary: Vocabulary) -> Node:
    if element_of(node, vocabulary, x.ring) != x:
        raise PrintingError(f"{node} was printed for {x!r}. Please report this.")
    return node


class _Printer:
    """Prints one polynomial: chooses trig forms, numbers the letters, groups, arranges."""

    def __init__(self, x: Polynomial, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        products = _with_trig_forms(x, TrigForms(vocabulary))
        found = {letter: described(letter, vocabulary, textbook) for factors, _ in products for letter, _ in factors}
        place = {letter: i for i, letter in enumerate(sorted(found, key=lambda each: found[each].in_product))}
        letters = [found[letter] for letter in place]
        p: Sparse = {}
        for factors, c in products:
            exponents = [0] * len(letters)
            for letter, e in factors:
                exponents[place[letter]] += e
            add_term(p, tuple(exponents), c)
        self.p: Sparse = dict(sorted(p.items(), reverse=True))
        angles = dict.fromkeys(letter.angle for letter in letters if letter.angle is not None)
        self.angles = [tuple(int(letter.angle == angle) for letter in letters) for angle in angles]
        self.costing = Costing([KIND_OF[letter.role] for letter in letters])
        in_sums = sorted(range(len(letters)), key=lambda i: letters[i].in_sum)
        ranks = [in_sums.index(i) for i in range(len(letters))]
        self.arrangement = Arrangement(letters, ranks, vocabulary.decimals)

    def node(self, collect: Kinds = 0) -> Node:
        """The tree. What stands alone in the equation of motion stays apart: inertial forces, speeds, gravity."""
        parts: dict[Kinds, Sparse] = {}
        for m, c in self.p.items():
            parts.setdefault(self.costing.kinds_in(m) & (Kind.MOTION | Kind.GRAVITY), {})[m] = c
        if Kind.GRAVITY in parts:
            collect = Kind.ACCELERATION
        terms: list[Term] = []
        for kinds, part in parts.items():
            if kinds & collect:
                terms += self._collected(part)
            else:
                terms += self._grouping(kinds).best(part)
        return self.arrangement.written(terms)

    def _grouping(self, kinds: Kinds) -> Grouping:
        is_numeric = not any(kind & ~(Kind.TRIG | Kind.MOTION) for kind in self.costing.kinds)
        grouping = Grouping(self.costing, bool(kinds & Kind.GRAVITY), self.angles)
        if is_numeric:
            grouping.effort = min(grouping.effort, NUMERIC_EFFORT)
        return grouping

    def _collected(self, p: Sparse) -> list[Term]:
        """The coefficient of each acceleration, times it."""
        coefficients: dict[Monomial, Sparse] = {}
        for m, c in p.items():
            outer = tuple(e if kind == Kind.ACCELERATION else 0 for e, kind in zip(m, self.costing.kinds, strict=True))
            coefficients.setdefault(outer, {})[tuple(map(sub, m, outer))] = c
        grouping = self._grouping(0)
        terms = []
        for outer, coefficient in coefficients.items():
            inner = grouping.best(coefficient)
            if len(inner) == 1:
                terms.append(self.costing.scaled(inner[0], Fraction(1), outer))
            else:
                terms.append(self.costing.term(Fraction(1), outer, ((self.costing.bracket(inner), 1),)))
        return terms


Factors = tuple[tuple[Generator | TrigLetter, int], ...]


def _with_trig_forms(x: Polynomial, forms: TrigForms) -> list[tuple[Factors, Fraction]]:
    """x as a sum of products of letters, with its sines and cosines in their shortest forms."""
    circular = dict(_circular(x.generators()))
    coefficients: dict[tuple[tuple[Generator, int], ...], TrigPolynomial] = {}
    for letters, c in x.terms():
        plain = tuple(power for power in letters if power[0] not in circular)
        trig: dict[str, tuple[int, int]] = {}
        for g, e in letters:
            if g in circular:
                angle, is_cosine = circular[g]
                s, k = trig.get(angle, (0, 0))
                trig[angle] = (s, k + e) if is_cosine else (s + e, k)
        angles = sorted(trig, key=lambda name: angle_key(name, forms.vocabulary)) if len(trig) > 1 else trig
        monomial = tuple((angle, *trig[angle]) for angle in angles)
        coefficients.setdefault(plain, {})[monomial] = c
    return [
        (cast("Factors", plain + factors), c) for plain, t in coefficients.items() for c, factors in forms.shortest(t)
    ]


def _circular(generators: Iterable[Generator]) -> Iterator[tuple[Generator, tuple[str, bool]]]:
    """The sines and cosines among letters, with their angles and whether they are cosines."""
    for generator in generators:
        match generator:
            case Sine(angle=angle):
                yield generator, (angle, False)
            case Cosine(angle=angle):
                yield generator, (angle, True)
