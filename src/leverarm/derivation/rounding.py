"""Long decimals cut short for reading: a formula with rounded numbers, shown with a sign that says so."""

from __future__ import annotations

from dataclasses import fields, replace
from fractions import Fraction
from typing import Any

from leverarm.notation.tree import Equation, Node, Number

DIGITS = 6
"""Significant digits of a rounded number."""


def readable(equation: Equation) -> Equation:
    """The equation with numbers of at most DIGITS digits; its sign is "about equal" where that changed one."""
    short = _rounded(equation)
    assert isinstance(short, Equation)
    return equation if short == equation else replace(short, relation="~")


def readable_value(node: Node) -> Node:
    """A formula with numbers of at most DIGITS digits."""
    short = _rounded(node)
    assert isinstance(short, Node)
    return short


def _rounded(part: Any) -> Any:
    if isinstance(part, Number):
        return Number(_round(part.value))
    if isinstance(part, tuple):
        return tuple(_rounded(item) for item in part)
    if isinstance(part, Node):
        return replace(part, **{field.name: _rounded(getattr(part, field.name)) for field in fields(part)})
    return part


def _round(x: Fraction) -> Fraction:
    """The nearest number of DIGITS significant digits. Whole numbers and fractions such as 1/3 stay as they are."""
    is_decimal = 10**18 % x.denominator == 0
    return Fraction(f"{float(x):.{DIGITS}g}") if is_decimal and x.denominator > 1 else x
