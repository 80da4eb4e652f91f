"""Exact elements as a textbook prints them."""

from __future__ import annotations

from fractions import Fraction
from functools import singledispatch
from operator import sub
from typing import cast

from leverarm.notation.elements import element_of
from leverarm.notation.names import split_dots
from leverarm.notation.textbook.angle_bases import TrigPolynomial
from leverarm.notation.textbook.arrangement import Arrangement
from leverarm.notation.textbook.grouping import NUMERIC_EFFORT, Grouping
from leverarm.notation.textbook.letter_order import Letter, TrigLetter, angle_key, in_sum_key, letter_key, role_of
from leverarm.notation.textbook.plans import KIND_OF, Costing, Kind, Kinds, Term
from leverarm.notation.textbook.sparse import Monomial, Sparse, add_term, numeric_content
from leverarm.notation.textbook.trig_forms import TrigForms
from leverarm.notation.tree import Call, Node, Number, Ratio, Sum, Symbol, Trig, is_negative
from leverarm.notation.vocabulary import Vocabulary
from leverarm.scalars import Scalar
from leverarm.scalars.exact import Application, Cosine, Generator, Polynomial, Quotient, Root, Sine


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
    return Number(Fraction(x))


@textbook.register
def _(x: Quotient, vocabulary: Vocabulary) -> Node:
    above, below = _without_fractions(x.numerator, x.denominator)
    denominator = textbook(below, vocabulary)
    if _starts_negative(denominator):
        above, denominator = -above, textbook(-below, vocabulary)
    return Ratio(textbook(above, vocabulary), denominator)


def _without_fractions(above: Polynomial, below: Polynomial) -> tuple[Polynomial, Polynomial]:
    """Numerator and denominator with whole coefficients that have no common factor."""
    contents = [numeric_content([c for _, c in p.terms()]) for p in (above, below)]
    ratio = contents[0] / contents[1]
    return above * (ratio.numerator / contents[0]), below * (ratio.denominator / contents[1])


def _starts_negative(node: Node) -> bool:
    return is_negative(node.terms[0] if isinstance(node, Sum) else node)


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
        letters = sorted(
            {letter for factors, _ in products for letter, _ in factors}, key=lambda y: letter_key(y, vocabulary)
        )
        place = {letter: i for i, letter in enumerate(letters)}
        p: Sparse = {}
        for factors, c in products:
            exponents = [0] * len(letters)
            for letter, e in factors:
                exponents[place[letter]] += e
            add_term(p, tuple(exponents), c)
        self.p: Sparse = dict(sorted(p.items(), reverse=True))
        roles = [role_of(letter, vocabulary) for letter in letters]
        angles = dict.fromkeys(letter.angle for letter in letters if isinstance(letter, TrigLetter))
        self.angles = [
            tuple(int(isinstance(letter, TrigLetter) and letter.angle == angle) for letter in letters)
            for angle in angles
        ]
        self.costing = Costing([KIND_OF[role] for role in roles])
        in_sums = sorted(range(len(letters)), key=lambda i: in_sum_key(letters[i], vocabulary))
        ranks = [in_sums.index(i) for i in range(len(letters))]
        self.arrangement = Arrangement([_node(letter, vocabulary) for letter in letters], roles, ranks)

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


def _with_trig_forms(x: Polynomial, forms: TrigForms) -> list[tuple[tuple[tuple[Letter, int], ...], Fraction]]:
    """x as a sum of products of letters, with its sines and cosines in their shortest forms."""
    coefficients: dict[tuple[tuple[Generator, int], ...], TrigPolynomial] = {}
    for letters, c in x.terms():
        plain = tuple((g, e) for g, e in letters if not isinstance(g, Sine | Cosine))
        trig: dict[str, tuple[int, int]] = {}
        for g, e in letters:
            if isinstance(g, Sine | Cosine):
                s, k = trig.get(g.angle, (0, 0))
                trig[g.angle] = (s, k + e) if isinstance(g, Cosine) else (s + e, k)
        angles = sorted(trig, key=lambda name: angle_key(name, forms.vocabulary)) if len(trig) > 1 else trig
        monomial = tuple((angle, *trig[angle]) for angle in angles)
        coefficients.setdefault(plain, {})[monomial] = c
    return [
        (cast("tuple[tuple[Letter, int], ...]", plain + factors), c)
        for plain, t in coefficients.items()
        for c, factors in forms.shortest(t)
    ]


def _node(letter: Letter, vocabulary: Vocabulary) -> Node:
    """How a letter is written."""
    printed = vocabulary.printed
    if isinstance(letter, TrigLetter):
        return Trig(letter.function, tuple((printed.get(name, name), k) for name, k in letter.angle))
    if isinstance(letter, Root):
        return Call("sqrt", Number(Fraction(letter.square)))
    if isinstance(letter, Application):
        return Call(letter.function, textbook(letter.argument, vocabulary))
    name, dots = split_dots(letter.name)
    return Symbol(printed.get(name, name), dots)
