"""Formulas as one line of ASCII: m1 L1^2 + m2 (L1^2 + L2^2 + 2 L1 L2 c2) + I1 + I2.

A space multiplies. Products and quotients are evaluated from left to right, so 1/2 m r^2 is half of m r^2. `parsing.py`
reads what is written here back to the same element.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import pairwise
from typing import Any

from leverarm.notation import tree
from leverarm.notation.decimals import decimal_text, power_of_ten
from leverarm.notation.names import constant_angle, dotted, short_index, signed_multiples
from leverarm.notation.precedence import is_numeric, signed
from leverarm.notation.tree import Node, is_negative
from leverarm.notation.vocabulary import Angle, Writing

SUM, PRODUCT, QUOTIENT, POWER, ATOM = range(5)
"""How tightly the outermost operation of a text binds."""

Written = tuple[str, int]
"""A text and how tightly it binds."""


def to_text(node: Node, writing: Writing = Writing()) -> str:
    """The formula as one line of ASCII."""
    return _write(node, writing)[0]


def _write(node: Node, writing: Writing) -> Written:
    match node:
        case tree.Number(value=value, is_decimal=is_decimal):
            text = number_text(value, is_decimal)
            return text, SUM if value < 0 else QUOTIENT if "/" in text else ATOM
        case tree.Symbol(name=name, dots=dots):
            return dotted(name, dots), ATOM
        case tree.Trig(function=function, angle=angle):
            digits = short_index(angle, writing)
            return (f"{function[0]}{digits}" if digits else f"{function}({angle_text(angle)})"), ATOM
        case tree.Call(function=function, argument=argument):
            return f"{function}({to_text(argument, writing)})", ATOM
        case tree.Sum(terms=terms):
            return signed_sum((signed(term) for term in terms), lambda size: _within(size, writing, PRODUCT)), SUM
        case tree.Product(factors=factors):
            return _product(factors[0], factors[1:], writing)
        case tree.Power(base=base, exponent=exponent):
            return f"{_within(base, writing, ATOM)}^{exponent}", POWER
        case tree.Ratio():
            return _ratio(node, writing)
        case tree.Matrix(rows=rows):
            inside = ", ".join("[" + ", ".join(to_text(entry, writing) for entry in row) + "]" for row in rows)
            return ("[ ]" if node.is_empty else f"[{inside}]"), ATOM
        case tree.Of(head=head, arguments=arguments):
            return f"{_within(head, writing, ATOM)}({', '.join(to_text(a, writing) for a in arguments)})", ATOM
        case tree.Indexed(head=head, lower=lower, upper=upper):
            below = f"_{lower if lower.isalnum() else f'{{{lower}}}'}" if lower else ""
            above = f"^{{{upper}}}" if upper else ""
            return f"{_within(head, writing, ATOM)}{below}{above}", POWER if upper else ATOM
        case tree.Transposed(of=of):
            return f"{_within(of, writing, ATOM)}^T", POWER
        case tree.Inverse(of=of):
            return f"{_within(of, writing, ATOM)}^-1", POWER
        case tree.Exponential(exponent=of):
            return f"exp({to_text(of, writing)})", ATOM
        case tree.Bracketed(of=of):
            return f"[{to_text(of, writing)}]", ATOM
        case tree.PartialDerivative(of=of, by=by):
            return f"d{_within(of, writing, ATOM)}/d{_within(by, writing, ATOM)}", QUOTIENT
        case tree.TimeDerivative(of=of):
            return f"d/dt({to_text(of, writing)})", POWER
        case tree.Labelled(of=of, label=label):
            return f"{{{to_text(of, writing)} : {label}}}", ATOM
        case tree.Equation(sides=sides, relation=relation):
            return f" {relation} ".join(to_text(side, writing) for side in sides), SUM
        case _:
            raise TypeError(f"{type(node).__name__} cannot be written as text")


def _within(node: Node, writing: Writing, level: int) -> str:
    """The text of a part, in parentheses where it binds less tightly than its place needs."""
    text, binds = _write(node, writing)
    return text if binds >= level else f"({text})"


def number_text(value: Fraction, is_decimal: bool = False) -> str:
    """A number of either sign: 2, -1/2, 9.81, 1.5e-30."""
    sign, size = ("-" if value < 0 else ""), abs(value)
    if power := power_of_ten(size):
        return f"{sign}{power[0]}e{power[1]}"
    return sign + (decimal_text(size, is_decimal) or str(size))


def signed_sum(terms: Iterable[tuple[bool, Any]], write: Callable[[Any], str] = str, minus: str = "-") -> str:
    """Terms with their signs, whether each is subtracted and what is written: a - b + c."""
    text = ""
    for k, (is_minus, size) in enumerate(terms):
        text += ((f" {minus} " if is_minus else " + ") if k else minus * is_minus) + write(size)
    return text or "0"


def angle_text(angle: Angle) -> str:
    """A sum of whole multiples of angles: theta1 - 2 theta2."""
    return signed_sum((is_minus, multiple(k, name, "*") + name) for is_minus, k, name in signed_multiples(angle))


def multiple(k: int, name: str, sign: str) -> str:
    """What stands before an angle that is taken k times: nothing, the number, and the sign before another number."""
    return "" if k == 1 else f"{k}{sign}" if constant_angle(name) is not None else f"{k} "


def _product(first: Node, rest: tuple[Node, ...], writing: Writing) -> Written:
    if not rest:
        return _write(first, writing)
    if first == tree.MINUS_ONE and len(rest) == 1:
        return f"-{_within(rest[0], writing, QUOTIENT)}", SUM
    is_minus = first == tree.MINUS_ONE
    before = rest if is_minus else (first, *rest)
    others = "".join(
        (" * " if is_numeric(left) and is_numeric(right) else " ") + _within(right, writing, POWER)
        for left, right in pairwise(before)
    )
    if is_minus:
        return f"-{_within(rest[0], writing, POWER)}{others}", SUM
    match first:
        case tree.Number(value=value, is_decimal=is_decimal):
            return f"{number_text(value, is_decimal)}{others}", SUM if value < 0 else PRODUCT
        case _:
            return f"{_within(first, writing, POWER)}{others}", PRODUCT


def _ratio(node: tree.Ratio, writing: Writing) -> Written:
    below = _within(node.below, writing, POWER)
    above, binds = _write(node.above, writing)
    if is_negative(node.above):
        return (f"{above}/{below}" if above.startswith("-") else f"({above})/{below}"), SUM
    return (f"{above}/{below}" if binds in (PRODUCT, POWER, ATOM) else f"({above})/{below}"), QUOTIENT
