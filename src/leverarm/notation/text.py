"""Formulas as one line of ASCII: m1 L1^2 + m2 (L1^2 + L2^2 + 2 L1 L2 c2) + I1 + I2.

A space multiplies. Products and quotients are evaluated from left to right, so 1/2 m r^2 is half of m r^2. `parsing.py`
reads what is written here back to the same element.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Letters:
    """How the names, numbers and scripts of a formula in one line are spelled."""

    name: Callable[[str, int], str]
    number: Callable[[Fraction, bool], str]
    decimal: Callable[[str, str], str]
    raised: Callable[[str], str]
    lowered: Callable[[str], str]
    digits: Callable[[str], str]
    minus: str
    times: str
    cross: str
    norm: str
    partial: str
    relations: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Hand:
    """What a formula is written with."""

    writing: Writing
    letters: Letters


def to_text(node: Node, writing: Writing = Writing()) -> str:
    """The formula as one line of ASCII."""
    return in_one_line(node, writing, ASCII)


def in_one_line(node: Node, writing: Writing, letters: Letters) -> str:
    """The formula as one line, in these letters."""
    return _text(node, Hand(writing, letters))


def _text(node: Node, hand: Hand) -> str:
    return _write(node, hand)[0]


def _write(node: Node, hand: Hand) -> Written:
    match node:
        case tree.Number(value=value, is_decimal=is_decimal):
            text = hand.letters.number(value, is_decimal)
            return text, SUM if value < 0 else QUOTIENT if "/" in text else ATOM
        case tree.Decimal(digits=decimal, unit=unit):
            return hand.letters.decimal(decimal, unit), PRODUCT if unit else ATOM
        case tree.Symbol(name=name, dots=dots):
            return hand.letters.name(name, dots), ATOM
        case tree.Trig(function=function, angle=angle):
            index = short_index(angle, hand.writing)
            short = function[0] + hand.letters.digits(index) if index else ""
            return short or f"{function}({angle_text(angle, hand.letters)})", ATOM
        case tree.Call(function="norm" | "abs" as function, argument=argument):
            bars = "|" if function == "abs" else hand.letters.norm
            return f"{bars}{_text(argument, hand)}{bars}", ATOM
        case tree.Call(function=function, argument=argument):
            return f"{function}({_text(argument, hand)})", ATOM
        case tree.Sum(terms=terms):
            signs = (signed(term) for term in terms)
            return signed_sum(signs, lambda size: _within(size, hand, PRODUCT), hand.letters.minus), SUM
        case tree.Product(factors=factors):
            return _product(factors[0], factors[1:], hand)
        case tree.Power(base=base, exponent=exponent):
            return _within(base, hand, ATOM) + hand.letters.raised(str(exponent)), POWER
        case tree.Ratio():
            return _ratio(node, hand)
        case tree.Matrix(rows=rows):
            inside = ", ".join("[" + ", ".join(_text(entry, hand) for entry in row) + "]" for row in rows)
            return ("[ ]" if node.is_empty else f"[{inside}]"), ATOM
        case tree.Of(head=head, arguments=arguments):
            return f"{_within(head, hand, ATOM)}({', '.join(_text(a, hand) for a in arguments)})", ATOM
        case tree.Indexed(head=head, lower=lower, upper=upper):
            below = hand.letters.lowered(lower) if lower else ""
            above = hand.letters.raised(f"{{{upper}}}") if upper else ""
            return f"{_within(head, hand, ATOM)}{below}{above}", POWER if upper else ATOM
        case tree.Transposed(of=of):
            return _within(of, hand, ATOM) + hand.letters.raised("T"), POWER
        case tree.Inverse(of=of):
            return _within(of, hand, ATOM) + hand.letters.raised("-1"), POWER
        case tree.Between(left=left, sign=kind, right=right):
            between = hand.letters.cross if kind == "cross" else hand.letters.times
            return f"{_within(left, hand, POWER)} {between} {_within(right, hand, POWER)}", SUM
        case tree.Differential(of=of):
            return f"d{_within(of, hand, ATOM)}", ATOM
        case tree.Exponential(exponent=of):
            return f"exp({_text(of, hand)})", ATOM
        case tree.Bracketed(of=of):
            return f"[{_text(of, hand)}]", ATOM
        case tree.PartialDerivative(of=of, by=by):
            d = hand.letters.partial
            return f"{d}{_within(of, hand, ATOM)}/{d}{_within(by, hand, ATOM)}", QUOTIENT
        case tree.TimeDerivative(of=of):
            return f"d/dt({_text(of, hand)})", POWER
        case tree.Labelled(of=of, label=label):
            return f"{{{_text(of, hand)} : {label}}}", ATOM
        case tree.Equation(sides=sides, relation=relation):
            sign = hand.letters.relations.get(relation, relation)
            return f" {sign} ".join(_text(side, hand) for side in sides), SUM
        case _:
            raise TypeError(f"{type(node).__name__} cannot be written as text")


def _within(node: Node, hand: Hand, level: int) -> str:
    """The text of a part, in parentheses where it binds less tightly than its place needs."""
    text, binds = _write(node, hand)
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


def angle_text(angle: Angle, letters: Letters) -> str:
    """A sum of whole multiples of angles: theta1 - 2 theta2."""
    multiples = ((is_minus, multiple(k, name, letters.times), name) for is_minus, k, name in signed_multiples(angle))
    return signed_sum(((minus, k + letters.name(name, 0)) for minus, k, name in multiples), minus=letters.minus)


def multiple(k: int, name: str, sign: str) -> str:
    """What stands before an angle that is taken k times: nothing, the number, and the sign before another number."""
    return "" if k == 1 else f"{k}{sign}" if constant_angle(name) is not None else f"{k} "


ASCII = Letters(
    name=dotted,
    number=number_text,
    decimal=lambda digits, unit: f"{digits} {unit}".rstrip(),
    raised=lambda text: f"^{text}",
    lowered=lambda text: f"_{text}" if text.isalnum() else f"_{{{text}}}",
    digits=str,
    minus="-",
    times="*",
    cross="x",
    norm="||",
    partial="d",
    relations={},
)


def _product(first: Node, rest: tuple[Node, ...], hand: Hand) -> Written:
    if not rest:
        return _write(first, hand)
    minus = hand.letters.minus
    if first == tree.MINUS_ONE and len(rest) == 1:
        return f"{minus}{_within(rest[0], hand, QUOTIENT)}", SUM
    is_minus = first == tree.MINUS_ONE
    before = rest if is_minus else (first, *rest)
    others = "".join(
        (f" {hand.letters.times} " if is_numeric(left) and is_numeric(right) else " ") + _within(right, hand, POWER)
        for left, right in pairwise(before)
    )
    if is_minus:
        return f"{minus}{_within(rest[0], hand, POWER)}{others}", SUM
    match first:
        case tree.Number(value=value, is_decimal=is_decimal):
            return f"{hand.letters.number(value, is_decimal)}{others}", SUM if value < 0 else PRODUCT
        case _:
            return f"{_within(first, hand, POWER)}{others}", PRODUCT


def _ratio(node: tree.Ratio, hand: Hand) -> Written:
    below = _within(node.below, hand, POWER)
    above, binds = _write(node.above, hand)
    if is_negative(node.above):
        return (f"{above}/{below}" if above.startswith(hand.letters.minus) else f"({above})/{below}"), SUM
    return (f"{above}/{below}" if binds in (PRODUCT, POWER, ATOM) else f"({above})/{below}"), QUOTIENT
