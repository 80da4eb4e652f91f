"""A number of a model that is not a literal: an expression in named symbols, such as m1*L1^2/12 or pi/2.

Expressions are data: they add, multiply and print, and are given values by a `Valuation`. Printing and parsing are
inverse to each other. Nothing is ever evaluated as code.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from leverarm.errors import ExpressionError
from leverarm.scalars import Number

FUNCTIONS = ("cos", "sin", "sqrt")
RESERVED = (*FUNCTIONS, "pi", "deg")
_PRECEDENCE = {"+": 1, "-": 1, "*": 2, "/": 2, "neg": 3, "^": 4}
_ATOM = 5
MAX_EXPONENT = 16
MAX_DEPTH = 300
"""How deep an expression may be: every walk over it stays far from Python's own limit."""


@dataclass(frozen=True, slots=True, repr=False)
class Expression:
    """A node: `head` is an operator (+ - * / ^ neg), a function, "pi", or "symbol"; `args` are its operands."""

    head: str
    args: tuple[Any, ...] = ()
    depth: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        depth = 1 + max((arg.depth for arg in self.args if isinstance(arg, Expression)), default=0)
        if depth > MAX_DEPTH:
            raise ExpressionError(f"an expression is more than {MAX_DEPTH} deep; give parts of it names as symbols.")
        object.__setattr__(self, "depth", depth)

    def __add__(self, other: Quantity) -> Quantity:
        return add(self, other)

    def __radd__(self, other: Quantity) -> Quantity:
        return add(other, self)

    def __sub__(self, other: Quantity) -> Quantity:
        return subtract(self, other)

    def __rsub__(self, other: Quantity) -> Quantity:
        return subtract(other, self)

    def __mul__(self, other: Quantity) -> Quantity:
        return multiply(self, other)

    def __rmul__(self, other: Quantity) -> Quantity:
        return multiply(other, self)

    def __truediv__(self, other: Quantity) -> Quantity:
        return divide(self, other)

    def __rtruediv__(self, other: Quantity) -> Quantity:
        return divide(other, self)

    def __pow__(self, exponent: int) -> Quantity:
        return power(self, exponent)

    def __neg__(self) -> Quantity:
        return negate(self)

    def __str__(self) -> str:
        return format_quantity(self)

    def __repr__(self) -> str:
        return f"parse_quantity({str(self)!r})"


Quantity = Number | Expression
"""What a number in a description of an arm may be: a literal, or an expression in symbols."""

PI = Expression("pi")


def symbol(name: str) -> Expression:
    """The symbol with this name."""
    if not name.isidentifier() or not name.isascii() or name in RESERVED:
        raise ExpressionError(
            f"{name!r} cannot name a symbol. Use letters, digits and _, not starting with a digit, "
            f"and none of {', '.join(RESERVED)}."
        )
    return Expression("symbol", (name,))


def add(a: Quantity, b: Quantity) -> Quantity:
    """a + b; a literal zero vanishes."""
    if _is_literal(a, 0):
        return b
    if _is_literal(b, 0):
        return a
    return a + b if _are_numbers(a, b) else Expression("+", (a, b))


def subtract(a: Quantity, b: Quantity) -> Quantity:
    """a - b; a literal zero vanishes."""
    if _is_literal(b, 0):
        return a
    if _is_literal(a, 0):
        return negate(b)
    return a - b if _are_numbers(a, b) else Expression("-", (a, b))


def multiply(a: Quantity, b: Quantity) -> Quantity:
    """a b; literal zeros and ones vanish."""
    if _is_literal(a, 0) or _is_literal(b, 0):
        return 0
    if _is_literal(a, 1):
        return b
    if _is_literal(b, 1):
        return a
    return a * b if _are_numbers(a, b) else Expression("*", (a, b))


def divide(a: Quantity, b: Quantity) -> Quantity:
    """a / b; whole numbers divide to an exact fraction, and a factor b of a cancels."""
    if _is_literal(b, 0):
        raise ExpressionError(f"{format_quantity(a)} is divided by zero.")
    if _is_literal(a, 0):
        return 0
    if _is_literal(b, 1):
        return a
    if isinstance(b, Expression) and a == b:
        return 1
    if isinstance(a, Expression) and a.head == "*" and isinstance(b, Expression) and b in a.args:
        other: Quantity = a.args[0] if a.args[1] == b else a.args[1]
        return other
    if isinstance(a, Expression) or isinstance(b, Expression):
        return Expression("/", (a, b))
    if isinstance(a, float) or isinstance(b, float):
        return a / b
    return Fraction(a) / Fraction(b)


def power(a: Quantity, exponent: int) -> Quantity:
    """a to a whole power."""
    if isinstance(exponent, bool) or not isinstance(exponent, int) or abs(exponent) > MAX_EXPONENT:
        raise ExpressionError(f"exponent {exponent!r}; it must be a whole number of size {MAX_EXPONENT} at most.")
    if exponent == 1:
        return a
    if isinstance(a, Expression):
        return Expression("^", (a, exponent))
    return Fraction(a) ** exponent if isinstance(a, int | Fraction) else a**exponent


def negate(a: Quantity) -> Quantity:
    """-a."""
    if isinstance(a, Expression):
        return a.args[0] if a.head == "neg" else Expression("neg", (a,))
    return -a


def call(function: str, argument: Quantity) -> Expression:
    """A function of an argument."""
    return Expression(function, (argument,))


def symbols_of(quantity: Quantity) -> Iterator[str]:
    """The names of the symbols in a quantity, with repetitions."""
    if isinstance(quantity, Expression):
        if quantity.head == "symbol":
            yield quantity.args[0]
        else:
            for arg in quantity.args:
                yield from symbols_of(arg)


def to_float(quantity: Quantity, values: Mapping[str, Number]) -> float:
    """The numeric value of a quantity with these values of the symbols."""
    if not isinstance(quantity, Expression):
        return _float(quantity)
    if quantity.head == "symbol":
        return _float(values[quantity.args[0]])
    if quantity.head == "pi":
        return math.pi
    args = [to_float(arg, values) for arg in quantity.args]
    try:
        return float(_FLOAT_OPERATIONS[quantity.head](*args))
    except OverflowError:
        raise ExpressionError(f"{quantity} is too large for a float.") from None
    except (ArithmeticError, ValueError):
        raise ExpressionError(f"{quantity} has no real value.") from None


def _float(number: Number) -> float:
    try:
        return float(number)
    except OverflowError:
        raise ExpressionError(f"a number of {len(str(number))} digits is too large for a float.") from None
    except (TypeError, ValueError):
        raise ExpressionError(f"{number!r} is not a number; read a text with `parse_quantity` first.") from None


_FLOAT_OPERATIONS: dict[str, Any] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "^": lambda a, b: a**b,
    "neg": lambda a: -a,
    "cos": math.cos,
    "sin": math.sin,
    "sqrt": math.sqrt,
}


def format_quantity(quantity: Quantity) -> str:
    """The text of a quantity; `parse_quantity` reads it back to an equal one."""
    return _format(quantity)[0]


def _format(quantity: Quantity) -> tuple[str, int]:
    """The text and the precedence of its outermost operator."""
    if not isinstance(quantity, Expression):
        text = repr(float(quantity)) if isinstance(quantity, float) else str(quantity)
        loose = 2 if "/" in text else 3 if text.startswith("-") else _ATOM
        return text, loose
    head, args = quantity.head, quantity.args
    if head == "symbol":
        return args[0], _ATOM
    if head == "pi":
        return "pi", _ATOM
    if head in FUNCTIONS:
        return f"{head}({format_quantity(args[0])})", _ATOM
    own = _PRECEDENCE[head]
    if head == "neg":
        return f"-{_wrapped(args[0], own)}", own
    left, right = _wrapped(args[0], own + (head == "^")), _wrapped(args[1], own + 1)
    space = " " if own == 1 else ""
    return f"{left}{space}{head}{space}{right}", own


def _wrapped(quantity: Quantity, at_least: int) -> str:
    text, precedence = _format(quantity)
    return text if precedence >= at_least else f"({text})"


def _is_literal(quantity: Quantity, number: int) -> bool:
    return not isinstance(quantity, Expression) and quantity == number


def _are_numbers(a: Quantity, b: Quantity) -> bool:
    return not isinstance(a, Expression) and not isinstance(b, Expression)
