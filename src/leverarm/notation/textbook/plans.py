"""How a polynomial will be written, and what that costs: a sum of products of letters and of sums in brackets.

The cost is the number of operations, with charges for what is hard to read: brackets inside brackets, and brackets that
mix things a textbook keeps apart. The length of a finished formula is its number of operations.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import singledispatch
from operator import add

from leverarm.notation.textbook.sparse import Monomial
from leverarm.notation.tree import MINUS_ONE, ONE, Call, Node, Power, Product, Ratio, Sum
from leverarm.notation.vocabulary import Role


class Kind:
    """Kinds of letters that are grouped together, as bits: a set of kinds is their sum. (Plain ints, for speed.)"""

    PARAMETER = 1
    GRAVITY = 2
    LENGTH = 4
    TRIG = 8
    SPEED = 16
    ACCELERATION = 32

    MOTION = SPEED | ACCELERATION


Kinds = int
"""A set of kinds."""

KIND_OF = {
    Role.MASS: Kind.PARAMETER,
    Role.INERTIA: Kind.PARAMETER,
    Role.OTHER: Kind.PARAMETER,
    Role.GRAVITY: Kind.GRAVITY,
    Role.LENGTH: Kind.LENGTH,
    Role.COORDINATE: Kind.LENGTH,
    Role.TRIG: Kind.TRIG,
    Role.SPEED: Kind.SPEED,
    Role.ACCELERATION: Kind.ACCELERATION,
}

NESTED = 2
"""What a bracket inside a bracket costs, in operations."""
PURE = (Kind.PARAMETER, Kind.LENGTH, Kind.SPEED, Kind.ACCELERATION)
"""Brackets of only such letters may stand in a bracket for nothing: (m2 lc2 + m3 (d3 - lc3)) s2."""
PARAMETERS_WITH_TRIG = 4
"""What a bracket costs that mixes masses and trig: (m1 c1 + m2 c12) a1."""
MOTION_WITH_TRIG = 2
"""What a bracket costs that mixes speeds with trig: m2 (qd1 + c2 qd2)."""
MOTION_WITH_LENGTHS = 3
"""What a bracket costs that mixes speeds with lengths: m2 (a2 qd1 + a1 c2 qd2)."""


@dataclass(frozen=True, slots=True)
class Term:
    """number * letters * (bracket)^exponent ..."""

    number: Fraction
    letters: Monomial
    brackets: tuple[tuple[Bracket, int], ...]
    cost: int
    kinds: Kinds
    """Of all letters, also those in brackets."""


@dataclass(frozen=True, slots=True)
class Bracket:
    """A sum of two or more terms, to be multiplied by something."""

    terms: tuple[Term, ...]
    cost: int
    kinds: Kinds
    charges: int
    """The part of its cost that is waived where it is the coefficient of a speed."""


@dataclass(slots=True)
class Costing:
    """Builds terms and brackets over given letters, with their costs."""

    kinds: Sequence[Kinds]
    known: dict[Monomial, Kinds] = field(default_factory=dict)
    masks: dict[Kinds, Monomial] = field(default_factory=dict)

    def mask(self, kinds: Kinds) -> Monomial:
        """1 for each letter of these kinds, else 0."""
        if kinds not in self.masks:
            self.masks[kinds] = tuple(int(bool(kind & kinds)) for kind in self.kinds)
        return self.masks[kinds]

    def kinds_in(self, letters: Monomial) -> Kinds:
        """The kinds of the letters of a monomial."""
        if letters not in self.known:
            total = 0
            for kind, e in zip(self.kinds, letters, strict=True):
                if e:
                    total |= kind
            self.known[letters] = total
        return self.known[letters]

    def term(self, number: Fraction, letters: Monomial, brackets: tuple[tuple[Bracket, int], ...] = ()) -> Term:
        """A product; n factors are n - 1 multiplications, a power counts as often as it stands.

        The coefficient of a speed may be anything. The letter g stands with each mass rather than before all of them.
        """
        factors, inside = sum(letters) + (abs(number) != 1), 0
        own = kinds = self.kinds_in(letters)
        for bracket, exponent in brackets:
            factors += exponent
            inside += bracket.cost
            kinds |= bracket.kinds
        if len(brackets) == 1 and own and not own & ~Kind.MOTION:
            inside -= brackets[0][0].charges
        if own == Kind.GRAVITY:
            inside += sum(len(t.brackets) for bracket, _ in brackets for t in bracket.terms)
        return Term(number, letters, brackets, max(factors - 1, 0) + inside, kinds)

    def bracket(self, terms: Iterable[Term]) -> Bracket:
        """A sum that stands in brackets, so that brackets within it are nested."""
        terms = tuple(terms)
        kinds = 0
        for t in terms:
            kinds |= t.kinds
        charges = NESTED * sum(inner.kinds not in PURE for t in terms for inner, _ in t.brackets)
        if kinds & Kind.PARAMETER and kinds & Kind.TRIG:
            charges += PARAMETERS_WITH_TRIG
        cost = sum_cost(terms) + charges
        if kinds & Kind.MOTION:
            cost += MOTION_WITH_LENGTHS if kinds & Kind.LENGTH else MOTION_WITH_TRIG if kinds & Kind.TRIG else 0
        return Bracket(terms, cost, kinds, charges)

    def scaled(self, t: Term, number: Fraction, letters: Monomial) -> Term:
        """The term times a number and letters."""
        return self.term(t.number * number, tuple(map(add, t.letters, letters)), t.brackets)

    def times(self, a: Term, b: Term) -> Term:
        """The product of two products."""
        return self.term(a.number * b.number, tuple(map(add, a.letters, b.letters)), a.brackets + b.brackets)


def sum_cost(terms: Iterable[Term]) -> int:
    """The cost of a sum that stands by itself."""
    costs = [t.cost for t in terms]
    return sum(costs) + len(costs) - 1


@singledispatch
def operations(node: Node) -> int:
    """The number of + - * / in a formula, a power x^n counting as n - 1 multiplications.

    A sign in front, a cosine or sine, and the sum of angles inside one (c12) count nothing. A rational coefficient is
    one factor. This is `sympy.count_ops` with the trig functions and their arguments taken as letters, NEG as nothing
    and POW as repeated multiplication.
    """
    return 0


@operations.register
def _(node: Sum) -> int:
    return sum(map(operations, node.terms)) + len(node.terms) - 1


@operations.register
def _(node: Product) -> int:
    factors = [factor for factor in node.factors if factor not in (ONE, MINUS_ONE)]
    return sum(map(operations, factors)) + max(len(factors) - 1, 0)


@operations.register
def _(node: Power) -> int:
    return operations(node.base) + node.exponent - 1


@operations.register
def _(node: Ratio) -> int:
    return operations(node.above) + operations(node.below) + 1


@operations.register
def _(node: Call) -> int:
    return operations(node.argument)
