"""Long decimals cut short for reading: a formula with rounded numbers, shown with a sign that says so."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from leverarm.notation.tree import Equation, Number, mapped

DIGITS = 6
"""Significant digits of a rounded number."""


def readable(equation: Equation) -> Equation:
    """The equation with numbers of at most DIGITS digits; its sign is "about equal" where that changed one."""
    short = mapped(equation, lambda node: Number(_round(node.value)) if isinstance(node, Number) else node)
    return equation if short == equation or not isinstance(short, Equation) else replace(short, relation="~")


def _round(x: Fraction) -> Fraction:
    """The nearest number of DIGITS significant digits. Whole numbers and fractions such as 1/3 stay as they are."""
    is_decimal = 10**18 % x.denominator == 0
    return Fraction(f"{float(x):.{DIGITS}g}") if is_decimal and x.denominator > 1 else x
