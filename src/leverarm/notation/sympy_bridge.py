"""Formulas and exact elements as SymPy expressions, and SymPy expressions in the arm's symbols as exact elements.

SymPy is imported when the first expression is converted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, NoReturn

from leverarm.errors import ExpressionError, unknown_name
from leverarm.notation import tree
from leverarm.notation.elements import element_of, expanded
from leverarm.notation.names import FUNCTIONS, FURTHER_FUNCTIONS, constant_angle, dotted, written_symbols
from leverarm.notation.parsing import trig_of
from leverarm.notation.tree import Node
from leverarm.notation.vocabulary import Vocabulary
from leverarm.scalars.exact import Ring
from leverarm.scalars.rational import exact
from leverarm.scalars.ring import Scalar

MAX_EXPONENT = 64
OWN_NAMES = Vocabulary((), {}, (), {})
"""Letters are called as in the ring."""


def from_sympy(expression: Expr, vocabulary: Vocabulary, ring: Ring | None = None) -> Scalar:
    """The exact element of a SymPy expression in the arm's symbols.

    Read are sums, products, whole powers, quotients, rationals (a float as the decimal it prints as), sin, cos and tan
    of whole multiples of angles plus multiples of 15 degrees, sqrt of rationals, sign, tanh; symbols by their written
    names (thetad1 is a velocity); functions of one variable, time, as coordinates, and their derivatives as velocities
    and accelerations. Raises ExpressionError, which names what is not read.
    """
    import sympy

    reading = _Reading(written_symbols(vocabulary, ring), str(expression)[:60], vocabulary.functions)
    try:
        given = sympy.sympify(expression, strict=True)  # strict: text would be run as code
    except sympy.SympifyError:
        given = None
    if not isinstance(given, sympy.Expr):
        raise ExpressionError(
            f"{reading.shown!r} is a {type(expression).__name__}, not one SymPy expression. Read text "
            "with `parse_text`, and a matrix or an equation part by part."
        )
    return element_of(reading.node(given), vocabulary, ring)


@dataclass(frozen=True, slots=True)
class _Reading:
    """A SymPy expression as a tree."""

    symbols: Mapping[str, tree.Symbol]
    shown: str
    functions: frozenset[str]

    def refuse(self, part: Expr, why: str) -> NoReturn:
        raise ExpressionError(
            f"{self.shown!r}: {part} {why}. Read are + - * /, whole powers, rationals, cos, sin and tan of sums of "
            "angles, sqrt of numbers, sign and tanh, in the arm's letters."
        )

    def node(self, x: Expr) -> Node:
        if x.is_Rational:
            return tree.Number(Fraction(int(x.p), int(x.q)))
        if x.is_Float:
            return tree.Number(exact(float(x)))
        if x.is_Symbol:
            return self.letter(x.name, 0, x)
        if x.is_Add:
            return tree.Sum(tuple(self.node(term) for term in x.args))
        if x.is_Mul:
            return tree.Product(tuple(self.node(factor) for factor in x.args))
        if x.is_Pow:
            return self.power(*x.args)
        if x.is_Derivative:
            return self.derivative(x)
        if x.is_Function:
            return self.function(x)
        return self.refuse(x, "is no number in the arm's letters")

    def letter(self, name: str, dots: int, x: Expr) -> tree.Symbol:
        symbol = self.symbols.get(name)
        if symbol is None:
            raise ExpressionError(f"{self.shown!r}: {unknown_name('letter', str(x), self.symbols)}")
        return tree.Symbol(symbol.name, symbol.dots + dots)

    def power(self, base: Expr, exponent: Expr) -> Node:
        import sympy

        if (base.is_Rational or "sqrt" in self.functions) and exponent.is_Rational and exponent.q == 2:
            half = tree.Call("sqrt", self.node(base))
            return tree.Product((half, self.power(base, exponent - sympy.Rational(1, 2))))
        if not exponent.is_Integer or abs(int(exponent)) > MAX_EXPONENT:
            self.refuse(base**exponent, f"has no whole exponent up to {MAX_EXPONENT}")
        size = abs(int(exponent))
        power = tree.ONE if size == 0 else self.node(base) if size == 1 else tree.Power(self.node(base), size)
        return power if exponent > 0 else tree.Ratio(tree.ONE, power)

    def derivative(self, x: Expr) -> Node:
        of, *by = x.args
        if not (of.is_Function and len(of.args) == 1 and len(by) == 1 and by[0][0] == of.args[0]):
            self.refuse(x, "is a derivative of something that is no coordinate by time; carry it out first (doit)")
        return self.letter(of.func.__name__, int(by[0][1]), of)

    def function(self, x: Expr) -> Node:
        name = x.func.__name__
        if self.functions and name in (*self.functions, "cos", "sin"):
            return trig_of(name, self.node(x.args[0]))
        if name in ("cos", "sin"):
            return self.trig("cos" if name == "cos" else "sin", x.args[0])
        if name == "tan":
            return tree.Ratio(self.trig("sin", x.args[0]), self.trig("cos", x.args[0]))
        if name in ("sign", "tanh"):
            return tree.Call("sgn" if name == "sign" else "tanh", self.node(x.args[0]))
        if len(x.args) == 1 and x.args[0].is_Symbol and name in self.symbols:
            return self.letter(name, 0, x)
        return self.refuse(x, "is a function that is not read")

    def trig(self, function: Literal["cos", "sin"], argument: Expr) -> Node:
        """cos(a + shift) = cos(shift) cos(a) - sin(shift) sin(a), and so for the sine."""
        import sympy

        angle: list[tuple[str, int]] = []
        shift = sympy.Integer(0)
        for term in sympy.Add.make_args(sympy.expand(argument)):
            times, rest = term.as_coeff_Mul()
            if rest == sympy.pi and (12 * times).is_Integer:
                shift += term
            elif rest == 1:
                number = float(times)
                angle.append((f"{abs(number):.12g}", 1 if number > 0 else -1))
            elif times.is_Integer and (rest.is_Symbol or (rest.is_Function and len(rest.args) == 1)):
                angle.append(
                    (self.letter(rest.name if rest.is_Symbol else rest.func.__name__, 0, rest).name, int(times))
                )
            else:
                self.refuse(term, "is no whole multiple of an angle and no multiple of 15 degrees")
        if shift == 0:
            return tree.Trig(function, tuple(angle))
        c, s = self.node(sympy.cos(shift)), self.node(sympy.sin(shift))
        cos, sin = tree.Trig("cos", tuple(angle)), tree.Trig("sin", tuple(angle))
        if function == "cos":
            return tree.Sum((tree.Product((c, cos)), tree.Product((tree.Number(Fraction(-1)), s, sin))))
        return tree.Sum((tree.Product((c, sin)), tree.Product((s, cos))))


__all__ = ["from_sympy", "to_sympy"]

Expr = Any
"""A SymPy expression; SymPy itself is imported only where it is needed."""


def to_sympy(x: Node | Scalar) -> Expr:
    """A formula or an exact element as a SymPy expression; a matrix as a SymPy matrix, a = b as an Eq.

    A tree keeps its form: brackets stay, c12 becomes cos(theta1 + theta2). Symbols become plain SymPy Symbols with
    their ASCII names (thetad1 for a velocity).
    """
    match x:
        case Node():
            return _from_tree(x)
        case _:
            return _from_tree(expanded(x, OWN_NAMES))


def _from_tree(node: Node) -> Expr:
    import sympy

    names = dict.fromkeys((*FUNCTIONS, *FURTHER_FUNCTIONS))
    functions = {name: getattr(sympy, "sign" if name == "sgn" else name) for name in names}
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
