"""Exact elements as formulas that are quick to make and quick to compute, though not as a textbook prints them."""

from __future__ import annotations

from fractions import Fraction

from leverarm.notation.letters import split_dots
from leverarm.notation.tree import ONE, Call, Node, Number, Power, Product, Ratio, Sum, Symbol, Trig
from leverarm.notation.vocabulary import Vocabulary
from leverarm.scalars import Scalar
from leverarm.scalars.exact import Application, Cosine, Generator, Polynomial, Quotient, Root, Sine

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
