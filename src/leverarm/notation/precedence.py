"""How tightly a formula holds together, and the sign it is written with: what decides about parentheses.

Exact elements as formulas that are quick to make and quick to compute, though not as a textbook prints them.
"""

from __future__ import annotations

from enum import IntEnum
from fractions import Fraction

from leverarm.notation.decimals import power_of_ten
from leverarm.notation.names import split_dots
from leverarm.notation.tree import (
    ONE,
    Call,
    Equation,
    Exponential,
    Indexed,
    Inverse,
    Labelled,
    Node,
    Number,
    PartialDerivative,
    Power,
    Product,
    Ratio,
    Sum,
    Symbol,
    TimeDerivative,
    Transposed,
    Trig,
    is_negative,
    negated,
)
from leverarm.notation.vocabulary import Vocabulary
from leverarm.scalars import Scalar
from leverarm.scalars.exact import Application, Cosine, Generator, Polynomial, Quotient, Root, Sine


class Binding(IntEnum):
    """From loose to tight. A part is put in parentheses where its place asks for a tighter one."""

    EQUATION = 0
    SUM = 1
    PRODUCT = 2
    FRACTION = 3
    SCRIPTED = 4
    ATOM = 5


def binding(node: Node) -> Binding:
    """How tightly the formula holds together as it is written."""
    match node:
        case Equation(sides=sides) if len(sides) > 1:
            return Binding.EQUATION
        case Equation(sides=sides):
            return binding(sides[0])
        case Sum(terms=terms):
            return Binding.SUM if len(terms) > 1 else binding(terms[0])
        case Number(value=value) if value < 0:
            return Binding.SUM
        case Number(value=value) if value.denominator != 1 or power_of_ten(value):
            return Binding.FRACTION
        case Product(factors=factors):
            return Binding.SUM if is_negative(node) else Binding.PRODUCT if len(factors) > 1 else binding(factors[0])
        case Ratio():
            return Binding.SUM if is_negative(node) else Binding.FRACTION
        case PartialDerivative() | TimeDerivative():
            return Binding.FRACTION
        case Labelled(of=of):
            return binding(of)
        case Power() | Transposed() | Inverse() | Exponential():
            return Binding.SCRIPTED
        case Indexed(upper=upper) if upper:
            return Binding.SCRIPTED
        case _:
            return Binding.ATOM


def signed(term: Node) -> tuple[bool, Node]:
    """Whether a term is subtracted, and what is then written behind the sign. A brace covers what is behind it."""
    if isinstance(term, Labelled):
        is_minus, size = signed(term.of)
        return is_minus, Labelled(size, term.label)
    opposite = negated(term) if is_negative(term) else term
    return (False, term) if is_negative(opposite) else (opposite is not term, opposite)


def without_ones(factors: tuple[Node, ...]) -> tuple[Node, ...]:
    """The factors of a product less a leading one, which is not written."""
    if len(factors) > 1 and isinstance(factors[0], Number) and factors[0].value == Fraction(1):
        return factors[1:]
    return factors


Terms = list[tuple[tuple[tuple[Generator, int], ...], Fraction]]


def nested(x: Scalar, vocabulary: Vocabulary) -> Node:
    """A formula equal to x, with each letter taken out of all terms that begin with it: m1 (2 + L1 (g + L1)).

    About as many operations as there are terms; a thousand terms take milliseconds.
    """
    if isinstance(x, Quotient):
        return Ratio(nested(x.numerator, vocabulary), nested(x.denominator, vocabulary))
    if not isinstance(x, Polynomial):
        return Number(Fraction(x))
    letters = {generator: letter_node(generator, vocabulary) for generator in x.generators()}
    return _nested(list(x.terms()), letters)


def _nested(terms: Terms, letters: dict[Generator, Node]) -> Node:
    groups: dict[tuple[Generator, int] | None, Terms] = {}
    for monomial, coefficient in terms:
        first = monomial[0] if monomial else None
        groups.setdefault(first, []).append((monomial[1:], coefficient))
    parts: list[Node] = []
    for first, rest in groups.items():
        if first is None:
            parts.append(Number(Fraction(rest[0][1])))
            continue
        generator, exponent = first
        power = letters[generator] if exponent == 1 else Power(letters[generator], exponent)
        inner = _nested(rest, letters)
        parts.append(power if inner == ONE else Product((inner, power)))
    return parts[0] if len(parts) == 1 else Sum(tuple(parts))


def letter_node(generator: Generator, vocabulary: Vocabulary) -> Node:
    """A letter of the ring as it is written."""
    printed = vocabulary.printed
    match generator:
        case Cosine(angle=angle):
            return Trig("cos", ((printed.get(angle, angle), 1),))
        case Sine(angle=angle):
            return Trig("sin", ((printed.get(angle, angle), 1),))
        case Root(square=square):
            return Call("sqrt", Number(Fraction(square)))
        case Application(function=function, argument=argument):
            return Call(function, nested(argument, vocabulary))
        case _:
            name, dots = split_dots(generator.name)
            return Symbol(printed.get(name, name), dots)
