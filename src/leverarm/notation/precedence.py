"""How tightly a formula holds together, and the sign it is written with: what decides about parentheses."""

from __future__ import annotations

from enum import IntEnum

from leverarm.notation import tree
from leverarm.notation.decimals import power_of_ten
from leverarm.notation.tree import Node, is_negative, negated


class Binding(IntEnum):
    """From loose to tight. A part is put in parentheses where its place needs a tighter one."""

    EQUATION = 0
    SUM = 1
    PRODUCT = 2
    FRACTION = 3
    SCRIPTED = 4
    ATOM = 5


def binding(node: Node) -> Binding:
    """How tightly the formula holds together as it is written."""
    match node:
        case tree.Equation(sides=sides) if len(sides) > 1:
            return Binding.EQUATION
        case tree.Equation(sides=sides):
            return binding(sides[0])
        case tree.Sum(terms=terms):
            return Binding.SUM if len(terms) > 1 else binding(terms[0])
        case tree.Number(value=value) if value < 0:
            return Binding.SUM
        case tree.Number(value=value) if value.denominator != 1 or power_of_ten(value):
            return Binding.FRACTION
        case tree.Between():
            return Binding.SUM
        case tree.Product(factors=factors):
            return Binding.SUM if is_negative(node) else Binding.PRODUCT if len(factors) > 1 else binding(factors[0])
        case tree.Ratio():
            return Binding.SUM if is_negative(node) else Binding.FRACTION
        case tree.PartialDerivative() | tree.TimeDerivative():
            return Binding.FRACTION
        case tree.Labelled(of=of):
            return binding(of)
        case tree.Power() | tree.Transposed() | tree.Inverse() | tree.Exponential():
            return Binding.SCRIPTED
        case tree.Indexed(upper=upper) if upper:
            return Binding.SCRIPTED
        case _:
            return Binding.ATOM


def signed(term: Node) -> tuple[bool, Node]:
    """Whether a term is subtracted, and what is written behind the sign. A brace covers what is behind the sign."""
    match term:
        case tree.Labelled(of=of, label=label):
            is_minus, size = signed(of)
            return is_minus, tree.Labelled(size, label)
        case _:
            opposite = negated(term) if is_negative(term) else term
            return (False, term) if is_negative(opposite) else (opposite is not term, opposite)


def is_numeric(node: Node) -> bool:
    """Whether a factor is written in digits, so that a sign stands between it and another one."""
    match node:
        case tree.Number() | tree.Power(base=tree.Number()) | tree.Ratio(above=tree.Number(), below=tree.Number()):
            return True
        case _:
            return False


def is_sum(node: Node) -> bool:
    """Whether a minus before it needs parentheses, -(a + b), where a product needs none, -a b."""
    match node:
        case tree.Sum():
            return True
        case _:
            return False


def without_ones(factors: tuple[Node, ...]) -> tuple[Node, ...]:
    """The factors of a product without a leading 1, which is not written."""
    return factors[1:] if len(factors) > 1 and factors[0] == tree.ONE else factors
