"""Formulas as Python source."""

from __future__ import annotations

from fractions import Fraction

from leverarm.errors import ExpressionError
from leverarm.notation import tree
from leverarm.notation.names import constant_angle, python_name
from leverarm.notation.precedence import signed
from leverarm.notation.text import number_text
from leverarm.notation.tree import Node

SUM, PRODUCT, UNARY, POWER, ATOM = range(5)
"""How tightly the outermost operation of a piece of source binds."""

Written = tuple[str, int]


def to_python(node: Node, module: str = "np") -> str:
    """The formula as a Python expression in the names of its letters: np.cos(theta1 + theta2)*thetad1.

    `module` is the name that NumPy, or a module with its functions, has in the code around. Raises ExpressionError
    where the formula has no value.
    """
    return _write(node, module)[0]


def no_value(node: Node) -> ExpressionError:
    """The refusal of a formula that cannot be computed."""
    return ExpressionError(
        f"a formula of the kind {type(node).__name__} cannot be computed. Give a formula of numbers, a matrix of "
        "them, or one side of an equation."
    )


def _write(node: Node, module: str) -> Written:
    match node:
        case tree.Matrix(rows=rows):
            inside = ", ".join("[" + ", ".join(_write(entry, module)[0] for entry in row) + "]" for row in rows)
            return f"{module}.array([{inside}])", ATOM
        case tree.Equation(sides=(only,)):
            return _write(only, module)
        case tree.Labelled(of=of):
            return _write(of, module)
        case tree.Number(value=value):
            return _number(value)
        case tree.Symbol():
            return python_name(node.name, node.dots), ATOM
        case tree.Trig(function=function, angle=angle):
            return f"{module}.{function}({_angle(angle)})", ATOM
        case tree.Call(function=function, argument=argument):
            return _call(node, function, _write(argument, module)[0], module), ATOM
        case tree.Sum(terms=terms):
            return _sum(terms, module), SUM
        case tree.Product(factors=factors):
            return _product(factors, module)
        case tree.Power(base=base, exponent=exponent):
            return f"{_within(base, module, ATOM)}**{exponent}", POWER
        case tree.Ratio(above=above, below=below):
            return f"{_within(above, module, PRODUCT)}/{_within(below, module, POWER)}", PRODUCT
        case _:
            raise no_value(node)


def _within(node: Node, module: str, level: int) -> str:
    source, binds = _write(node, module)
    return source if binds >= level else f"({source})"


def _number(value: Fraction) -> Written:
    text = number_text(value)
    return text, UNARY if value < 0 and "/" not in text else PRODUCT if "/" in text else ATOM


def _angle(angle: tree.Angle) -> str:
    terms = []
    for name, times in angle:
        symbol = name if constant_angle(name) is not None else python_name(name)
        size = symbol if abs(times) == 1 else f"{abs(times)}*{symbol}"
        terms.append(f"{'-' if times < 0 else '+'} {size}")
    first = terms[0].removeprefix("+ ").replace("- ", "-", 1)
    return " ".join((first, *terms[1:]))


def _call(node: Node, function: str, argument: str, module: str) -> str:
    if function == "sgn":
        return f"{module}.sign({argument})"
    if function in ("tanh", "sqrt"):
        return f"{module}.{function}({argument})"
    raise no_value(node)


def _sum(terms: tuple[Node, ...], module: str) -> str:
    source = ""
    for i, term in enumerate(terms):
        is_minus, size = signed(term)
        source += ((" - " if is_minus else " + ") if i else "-" * is_minus) + _within(size, module, PRODUCT)
    return source


def _product(factors: tuple[Node, ...], module: str) -> Written:
    first, *rest = factors
    sign = ""
    if rest and isinstance(first, tree.Number) and first.value == -1:
        sign, (first, *rest) = "-", rest
    source = "*".join((_within(first, module, PRODUCT), *(_within(factor, module, UNARY) for factor in rest)))
    return sign + source, PRODUCT
