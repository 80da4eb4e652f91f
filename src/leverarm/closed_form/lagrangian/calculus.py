"""Derivatives and values of exact elements that may hold functions such as exp(x), which the ring knows by name only.

Polynomials, sines and cosines are differentiated in the ring; elements with other functions through SymPy, which also
simplifies them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from leverarm.errors import ExpressionError, InputError
from leverarm.notation.elements import over, power_of
from leverarm.notation.names import dotted, split_dots
from leverarm.notation.sympy_bridge import from_sympy, to_sympy
from leverarm.notation.vocabulary import Vocabulary
from leverarm.scalars import Scalar, sign, tanh
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

LONG = 200
"""Operations of an expression that SymPy would take long to simplify."""
KNOWN = {"sgn": sign, "tanh": tanh}
"""Functions that the ring can differentiate, and the compiler compute."""


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
    """x with exact values, quotients too, in place of letters; an angle is replaced by a Turn."""
    if next(functions_in(x), None) is None:
        return tidied(over_scalars(x, by_letter(values)))
    import sympy

    there: dict[Any, Any] = {}
    for name, value in by_letter(values).items():
        function, _, angle = name.rstrip(")").partition("(")
        is_angle = angle and name.endswith(")")
        symbol = sympy.Symbol(dotted(*split_dots(angle if is_angle else name)))
        there[getattr(sympy, function)(symbol) if is_angle else symbol] = to_sympy(value)
    return _from_sympy(x, to_sympy(x).subs(there), vocabulary)


def simplified(x: Scalar, vocabulary: Vocabulary) -> Scalar:
    """x simplified by SymPy where it has functions that the ring knows by name only: exp(x)^2 as exp(2 x)."""
    return x if next(functions_in(x), None) is None else _from_sympy(x, to_sympy(x), vocabulary)


def by_letter(values: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """Values by letters of the ring: a Turn is those of a cosine and a sine."""
    given: dict[str, Scalar] = {}
    for name, value in values.items():
        match value:
            case Turn(cos=c, sin=s):
                given |= {f"cos({name})": c, f"sin({name})": s}
            case _:
                given[name] = value
    return given


def over_scalars(x: Scalar, given: Mapping[str, Scalar]) -> Scalar:
    """x with other scalars, exact ones or those of a tape, in place of letters."""
    match x:
        case Quotient(numerator=above, denominator=below):
            return over(over_scalars(above, given), over_scalars(below, given))
        case Polynomial():
            total: Scalar = 0
            for factors, c in x.terms():
                term: Scalar = c if c.denominator > 1 else int(c)
                for generator, exponent in factors:
                    term = term * power_of(_value(generator, given, x.ring), exponent)
                total = total + term
            return total
        case _:
            return x


def _value(generator: Generator, given: Mapping[str, Scalar], ring: Ring) -> Scalar:
    if generator.name in given:
        return given[generator.name]
    match generator:
        case Application(function=function, argument=argument) if function in KNOWN:
            return KNOWN[function](over_scalars(argument, given))
        case _:
            return letter(ring, generator.name)


def tidied(x: Scalar) -> Scalar:
    """x without squares of square roots."""
    if not any(each.function == "sqrt" for each in functions_in(x)):
        return x
    above, below = map(_without_squares, numerator_and_denominator(x))
    return over(above, below)


def _without_squares(x: Scalar) -> Scalar:
    if not isinstance(x, Polynomial):
        return x
    total: Scalar = 0
    for factors, c in x.terms():
        term: Scalar = c if c.denominator > 1 else int(c)
        for generator, exponent in factors:
            match generator:
                case Application(function="sqrt", argument=square) if exponent > 1:
                    term = term * power_of(square, exponent // 2)
                    exponent %= 2
            term = term * letter(x.ring, generator.name) ** exponent
        total = total + term
    return total


def require_compilable(x: Scalar) -> None:
    """Raises InputError where an element has a function that the compiler does not know."""
    for each in functions_in(x):
        raise InputError(
            f"{each.function} of a formula is not compiled: + - * /, sin, cos, tanh and sgn are. `simulate` and the "
            "NumPy functions of the closed forms have it."
        )


def _from_sympy(x: Scalar, found: Any, vocabulary: Vocabulary) -> Scalar:
    """A result of SymPy, simplified where that is quick and readable, with the functions of x for those it has."""
    import sympy

    rings = [part.ring for part in numerator_and_denominator(x) if isinstance(part, Polynomial)]
    home = max(rings, key=lambda ring: len(ring.generators), default=None)
    if sympy.count_ops(found) < LONG:
        with suppress(ExpressionError):  # a function that is not read, such as sec
            return from_sympy(sympy.simplify(found), vocabulary, home)
    return from_sympy(found, vocabulary, home)
