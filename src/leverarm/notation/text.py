"""Formulas as one line of ASCII: m1 L1^2 + m2 (L1^2 + L2^2 + 2 L1 L2 c2) + I1 + I2.

A space multiplies. Products and quotients are read from left to right, so 1/2 m r^2 is half of m r^2; `parsing.py`
reads what is written here back to the same element.
"""

from __future__ import annotations

from fractions import Fraction
from functools import singledispatch

from leverarm.notation import tree
from leverarm.notation.decimals import decimal_text, power_of_ten
from leverarm.notation.names import dotted, short_index
from leverarm.notation.precedence import signed
from leverarm.notation.tree import Node, is_negative
from leverarm.notation.vocabulary import Writing

SUM, PRODUCT, QUOTIENT, POWER, ATOM = range(5)
"""How tightly the outermost operation of a text binds."""

Written = tuple[str, int]
"""A text and how tightly it binds."""

MINUS_ONE = tree.Number(Fraction(-1))


def to_text(node: Node, writing: Writing = Writing()) -> str:
    """The formula as one line of ASCII."""
    return _write(node, writing)[0]


@singledispatch
def _write(node: Node, writing: Writing) -> Written:
    raise TypeError(f"no text is registered for {type(node).__name__}")


def _within(node: Node, writing: Writing, level: int) -> str:
    """The text of a part, in parentheses where it binds less tightly than its place needs."""
    text, binds = _write(node, writing)
    return text if binds >= level else f"({text})"


@_write.register
def _(node: tree.Number, writing: Writing) -> Written:
    text = number_text(node.value)
    if node.value < 0:
        return text, SUM
    return text, QUOTIENT if "/" in text else ATOM


def number_text(value: Fraction) -> str:
    """A number of either sign: 2, -1/2, 9.81, 1.5e-30."""
    sign, size = ("-" if value < 0 else ""), abs(value)
    if power := power_of_ten(size):
        return f"{sign}{power[0]}e{power[1]}"
    return sign + (decimal_text(size) or str(size))


@_write.register
def _(node: tree.Symbol, writing: Writing) -> Written:
    return dotted(node.name, node.dots), ATOM


@_write.register
def _(node: tree.Trig, writing: Writing) -> Written:
    digits = short_index(node.angle, writing)
    return (f"{node.function[0]}{digits}" if digits else f"{node.function}({angle_text(node.angle)})"), ATOM


def angle_text(angle: tree.Angle) -> str:
    """A sum of whole multiples of angles: theta1 - 2 theta2."""
    terms = [f"{'-' if k < 0 else '+'} {name if abs(k) == 1 else f'{abs(k)} {name}'}" for name, k in angle]
    first = terms[0].removeprefix("+ ").replace("- ", "-", 1) if terms else "0"
    return " ".join((first, *terms[1:]))


@_write.register
def _(node: tree.Call, writing: Writing) -> Written:
    return f"{node.function}({to_text(node.argument, writing)})", ATOM


@_write.register
def _(node: tree.Sum, writing: Writing) -> Written:
    text = ""
    for i, (is_minus, size) in enumerate(map(signed, node.terms)):
        text += (" - " if is_minus else " + ") if i else "-" * is_minus
        text += _within(size, writing, PRODUCT)
    return text, SUM


@_write.register
def _(node: tree.Product, writing: Writing) -> Written:
    first, rest = node.factors[0], node.factors[1:]
    if not rest:
        return _write(first, writing)
    if first == MINUS_ONE and len(rest) == 1:
        return f"-{_within(rest[0], writing, QUOTIENT)}", SUM
    others = " ".join(_within(factor, writing, POWER) for factor in rest)
    if first == MINUS_ONE:
        return f"-{others}", SUM
    if not isinstance(first, tree.Number):
        return f"{_within(first, writing, POWER)} {others}", PRODUCT
    return f"{number_text(first.value)} {others}", SUM if first.value < 0 else PRODUCT


@_write.register
def _(node: tree.Power, writing: Writing) -> Written:
    return f"{_within(node.base, writing, ATOM)}^{node.exponent}", POWER


@_write.register
def _(node: tree.Ratio, writing: Writing) -> Written:
    below = _within(node.below, writing, POWER)
    if is_negative(node.above):
        above, _ = _write(node.above, writing)
        return (f"{above}/{below}" if above.startswith("-") else f"({above})/{below}"), SUM
    above, binds = _write(node.above, writing)
    return (f"{above}/{below}" if binds in (PRODUCT, POWER, ATOM) else f"({above})/{below}"), QUOTIENT


@_write.register
def _(node: tree.Matrix, writing: Writing) -> Written:
    if node.is_empty:
        return "[ ]", ATOM
    rows = ", ".join("[" + ", ".join(to_text(entry, writing) for entry in row) + "]" for row in node.rows)
    return f"[{rows}]", ATOM


@_write.register
def _(node: tree.Of, writing: Writing) -> Written:
    return f"{_within(node.head, writing, ATOM)}({', '.join(to_text(a, writing) for a in node.arguments)})", ATOM


@_write.register
def _(node: tree.Indexed, writing: Writing) -> Written:
    lower = node.lower if node.lower.isalnum() else f"{{{node.lower}}}"
    below = f"_{lower}" if node.lower else ""
    above = f"^{{{node.upper}}}" if node.upper else ""
    return f"{_within(node.head, writing, ATOM)}{below}{above}", POWER if node.upper else ATOM


@_write.register
def _(node: tree.Transposed, writing: Writing) -> Written:
    return f"{_within(node.of, writing, ATOM)}^T", POWER


@_write.register
def _(node: tree.Inverse, writing: Writing) -> Written:
    return f"{_within(node.of, writing, ATOM)}^-1", POWER


@_write.register
def _(node: tree.Exponential, writing: Writing) -> Written:
    return f"exp({to_text(node.exponent, writing)})", ATOM


@_write.register
def _(node: tree.Bracketed, writing: Writing) -> Written:
    return f"[{to_text(node.of, writing)}]", ATOM


@_write.register
def _(node: tree.PartialDerivative, writing: Writing) -> Written:
    return f"d{_within(node.of, writing, ATOM)}/d{_within(node.by, writing, ATOM)}", QUOTIENT


@_write.register
def _(node: tree.TimeDerivative, writing: Writing) -> Written:
    return f"d/dt({to_text(node.of, writing)})", POWER


@_write.register
def _(node: tree.Labelled, writing: Writing) -> Written:
    return f"{{{to_text(node.of, writing)} : {node.label}}}", ATOM


@_write.register
def _(node: tree.Equation, writing: Writing) -> Written:
    return f" {node.relation} ".join(to_text(side, writing) for side in node.sides), SUM
