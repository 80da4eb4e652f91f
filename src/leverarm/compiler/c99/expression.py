"""Expressions of C: operators, brackets and literals. What is written is rounded as the program says, nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from leverarm.compiler.single_precision import nearest_float
from leverarm.scalars.operations import Op

Real = Literal["double", "float"]

SUM, PRODUCT, SIGNED, ATOM = range(4)
"""How tightly an expression holds together; C groups sums and products from the left, as they are written here."""


@dataclass(frozen=True, slots=True)
class Expression:
    """A text, and how tightly it holds together."""

    text: str
    binding: int = ATOM

    def inside(self, binding: int) -> str:
        """The text, in brackets where it holds together less than that."""
        return self.text if self.binding >= binding else f"({self.text})"


def literal(value: float, real: Real) -> Expression:
    """The number with just enough digits to be read back as it is."""
    text = repr(value) if real == "double" else _float_text(value)
    return Expression(text, SIGNED if text.startswith("-") else ATOM)


def _float_text(value: float) -> str:
    rounded = nearest_float(value)
    for digits in range(6, 10):
        text = f"{rounded:.{digits}g}"
        if nearest_float(float(text)) == rounded:
            break
    return f"{text}f" if any(c in text for c in ".e") else f"{text}.0f"


def written(op: Op, args: list[Expression]) -> Expression:
    """The operation on these expressions."""
    if op is Op.NEG:
        return Expression(f"-{args[0].inside(ATOM)}", SIGNED)
    if op is Op.FNMA:
        factor, other, start = args
        return Expression(f"SUB_MUL({start.text}, {factor.text}, {other.text})")
    if op in _CALLS:
        return Expression(f"{_CALLS[op]}({', '.join(a.text for a in args)})")
    a, b = args
    if op in (Op.ADD, Op.SUB):
        return Expression(f"{a.text} {_SIGNS[op]} {_bracketed(b, PRODUCT)}", SUM)
    return Expression(f"{a.inside(PRODUCT)}{_SIGNS[op]}{_bracketed(b, ATOM)}", PRODUCT)


def _bracketed(right: Expression, binding: int) -> str:
    """A right operand; one that begins with a sign is never next to an operator."""
    return f"({right.text})" if right.binding < binding or right.text.startswith("-") else right.text


_SIGNS = {Op.ADD: "+", Op.SUB: "-", Op.MUL: "*", Op.DIV: "/"}
_CALLS = {Op.FMA: "MUL_ADD", Op.FMS: "MUL_SUB", Op.SIGN: "sign_of", Op.TANH: "tanh_of"}
