"""Derivatives and values of exact elements that may hold functions such as exp(x), which the ring knows by name only.

Polynomials, sines and cosines are differentiated in the ring; elements with other functions through SymPy, which also
simplifies them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from leverarm.notation.elements import over, power_of
from leverarm.notation.names import dotted, split_dots
from leverarm.notation.sympy_bridge import from_sympy, to_sympy
from leverarm.notation.vocabulary import Vocabulary
from leverarm.scalars import Scalar
from leverarm.scalars.exact import (
    Application,
    Generator,
    Polynomial,
    Quotient,
    Ring,
    letter,
    numerator_and_denominator,
    partial,
)
from leverarm.scalars.turn import Turn

KNOWN = ("sgn", "tanh")
"""Functions that the ring can differentiate."""


def functions_in(x: Scalar) -> Iterator[Application]:
    """The functions in an element of which the ring knows the name only."""
    for part in numerator_and_denominator(x):
        if isinstance(part, Polynomial):
            for generator in part.generators():
                if isinstance(generator, Application):
                    if generator.function not in KNOWN:
                        yield generator
                    yield from functions_in(generator.argument)


def derivative(x: Scalar, name: str, vocabulary: Vocabulary) -> Scalar:
    """dx/d(name), of a coordinate, a speed or a constant."""
    if next(functions_in(x), None) is None:
        return partial(x, name)
    import sympy

    return _from_sympy(x, sympy.diff(to_sympy(x), sympy.Symbol(dotted(*split_dots(name)))), vocabulary)


def at(x: Scalar, values: Mapping[str, Scalar], vocabulary: Vocabulary) -> Scalar:
    """x with values, quotients too, in place of letters; an angle is replaced by a Turn."""
    if next(functions_in(x), None) is None:
        return composed(x, values)
    import sympy

    there = {}
    for name, value in values.items():
        itself = sympy.Symbol(dotted(*split_dots(name)))
        if isinstance(value, Turn):
            there |= {sympy.cos(itself): to_sympy(value.cos), sympy.sin(itself): to_sympy(value.sin)}
            value = value.value
        there[itself] = to_sympy(value)
    return _from_sympy(x, to_sympy(x).subs(there), vocabulary)


def tidied(x: Scalar) -> Scalar:
    """x without squares of square roots."""
    return _composed(x, {}) if any(each.function == "sqrt" for each in functions_in(x)) else x


def composed(x: Scalar, values: Mapping[str, Scalar]) -> Scalar:
    """x with exact values in place of letters, and without squares of square roots."""
    given: dict[str, Scalar] = {}
    for name, value in values.items():
        match value:
            case Turn():
                given |= {f"cos({name})": value.cos, f"sin({name})": value.sin, name: value.value}
            case _:
                given[name] = value
    return tidied(_composed(x, given))


def _composed(x: Scalar, given: Mapping[str, Scalar]) -> Scalar:
    match x:
        case Quotient(numerator=above, denominator=below):
            return over(_composed(above, given), _composed(below, given))
        case Polynomial():
            total: Scalar = 0
            for factors, c in x.terms():
                term: Scalar = c if c.denominator > 1 else int(c)
                for generator, exponent in factors:
                    term = term * _power(generator, exponent, given, x.ring)
                total = total + term
            return total
        case _:
            return x


def _power(generator: Generator, exponent: int, given: Mapping[str, Scalar], ring: Ring) -> Scalar:
    if generator.name in given:
        return power_of(given[generator.name], exponent)
    own = letter(ring, generator.name)
    match generator:
        case Application(function="sqrt", argument=square):
            pairs = power_of(square, exponent // 2) if exponent > 1 else 1
            return pairs * own if exponent % 2 else pairs
        case _:
            return own**exponent


def _from_sympy(x: Scalar, found: object, vocabulary: Vocabulary) -> Scalar:
    """A result of SymPy simplified, with the functions of x for those that it has."""
    import sympy

    return from_sympy(sympy.simplify(found), vocabulary, _ring(x))


def _ring(x: Scalar) -> Ring | None:
    rings = [part.ring for part in numerator_and_denominator(x) if isinstance(part, Polynomial)]
    return max(rings, key=lambda ring: len(ring.generators), default=None)
