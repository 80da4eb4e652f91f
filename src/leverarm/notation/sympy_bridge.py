"""Formulas and exact elements as SymPy expressions, and back. SymPy is loaded when the first one crosses."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from leverarm.errors import ExpressionError
from leverarm.notation import tree
from leverarm.notation.letters import split_dots
from leverarm.notation.names import constant_angle, dotted
from leverarm.notation.sympy_reading import from_sympy
from leverarm.notation.tree import Node
from leverarm.scalars.exact import Application, Cosine, Generator, Polynomial, Quotient, Root, Sine
from leverarm.scalars.ring import Scalar

__all__ = ["from_sympy", "to_sympy"]

Expr = Any
"""An expression of SymPy, which is not loaded where this is read."""


def to_sympy(x: Node | Scalar) -> Expr:
    """A formula or an exact element as a SymPy expression; a matrix as a SymPy matrix, a = b as an Eq.

    A tree keeps its form: brackets stay, c12 becomes cos(theta1 + theta2). Letters become plain Symbols of their ASCII
    names (thetad1 for a speed).
    """
    return _from_tree(x) if isinstance(x, Node) else _from_element(x)


def _from_tree(node: Node) -> Expr:
    import sympy

    functions = {"sgn": sympy.sign, "tanh": sympy.tanh, "sqrt": sympy.sqrt, "cos": sympy.cos, "sin": sympy.sin}
    match node:
        case tree.Number(value=value):
            return sympy.Rational(value.numerator, value.denominator)
        case tree.Symbol(name=name, dots=dots):
            return sympy.Symbol(dotted(name, dots))
        case tree.Trig(function=function, angle=angle):
            return functions[function](sympy.Add(*(times * _angle(name) for name, times in angle)))
        case tree.Call(function=function, argument=argument) if function in functions:
            return functions[function](_from_tree(argument))
        case tree.Sum(terms=terms):
            return sympy.Add(*(_from_tree(term) for term in terms))
        case tree.Product(factors=factors):
            return _product([_from_tree(factor) for factor in factors])
        case tree.Power(base=base, exponent=exponent):
            return _from_tree(base) ** exponent
        case tree.Ratio(above=above, below=below):
            return _product([_from_tree(above), 1 / _from_tree(below)])
        case tree.Labelled(of=of):
            return _from_tree(of)
        case tree.Equation(sides=(only,)):
            return _from_tree(only)
        case tree.Equation(sides=(left, *_, right)):
            return sympy.Eq(_from_tree(left), _from_tree(right), evaluate=False)
        case tree.Matrix(rows=rows):
            return sympy.Matrix([[_from_tree(entry) for entry in row] for row in rows])
        case _:
            raise ExpressionError(
                f"a formula of the kind {type(node).__name__} has no SymPy form here. Convert what it stands for: a "
                "sum, product, quotient, matrix or equation of letters."
            )


def _product(factors: list[Expr]) -> Expr:
    """The product with a number before a sum kept there: SymPy would multiply 2 (a + b) out."""
    import sympy

    number = sympy.Mul(*(factor for factor in factors if factor.is_Number))
    rest = sympy.Mul(*(factor for factor in factors if not factor.is_Number))
    if number == 1 or not rest.is_Add:
        return number * rest
    return sympy.Mul(number, rest, evaluate=False)


def _angle(name: str) -> Expr:
    import sympy

    return sympy.Symbol(name) if constant_angle(name) is None else sympy.Rational(name)


def _from_element(x: Scalar) -> Expr:
    import sympy

    if isinstance(x, Quotient):
        return _from_element(x.numerator) / _from_element(x.denominator)
    if not isinstance(x, Polynomial):
        return sympy.Rational(Fraction(x).numerator, Fraction(x).denominator)
    letters = {generator: _from_letter(generator) for generator in x.generators()}
    return sympy.Add(
        *(
            sympy.Mul(sympy.Rational(c.numerator, c.denominator), *(letters[each] ** e for each, e in monomial))
            for monomial, c in x.terms()
        )
    )


def _from_letter(generator: Generator) -> Expr:
    import sympy

    match generator:
        case Cosine(angle=angle):
            return sympy.cos(_angle(angle))
        case Sine(angle=angle):
            return sympy.sin(_angle(angle))
        case Root(square=square):
            return sympy.sqrt(square)
        case Application(function=function, argument=argument):
            return {"sgn": sympy.sign, "tanh": sympy.tanh}[function](_from_element(argument))
        case _:
            return sympy.Symbol(dotted(*split_dots(generator.name)))
