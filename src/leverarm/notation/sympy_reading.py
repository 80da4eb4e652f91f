"""SymPy expressions as exact elements: what a user derived elsewhere, in the arm's letters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, NoReturn

from leverarm.errors import ExpressionError, unknown_name
from leverarm.notation import tree
from leverarm.notation.elements import element_of
from leverarm.notation.letters import written_symbols
from leverarm.notation.tree import Node
from leverarm.notation.vocabulary import Vocabulary
from leverarm.scalars.exact import Ring
from leverarm.scalars.rational import exact
from leverarm.scalars.ring import Scalar

Expr = Any
"""An expression of SymPy, which is not loaded where this is read."""

MAX_EXPONENT = 64


def from_sympy(expression: Expr, vocabulary: Vocabulary, ring: Ring | None = None) -> Scalar:
    """The exact element of a SymPy expression in the arm's letters.

    Read are sums, products, whole powers, quotients, rationals (a float as the decimal it prints as), sin, cos and tan
    of whole multiples of angles plus multiples of 15 degrees, sqrt of rationals, sign, tanh; symbols by their written
    names (thetad1 is a speed); functions of one variable, time, as coordinates, and their derivatives as speeds and
    accelerations. Raises ExpressionError, which says what is outside.
    """
    import sympy

    reading = _Reading(written_symbols(vocabulary, ring), str(expression)[:60])
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

        if base.is_Rational and exponent.is_Rational and exponent.q == 2:
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
