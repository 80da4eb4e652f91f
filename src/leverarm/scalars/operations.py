"""Every operation that a straight-line program may contain, on one page."""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import Enum
from typing import Any


class Op(Enum):
    """An operation: its name, how many values it takes, and how many additions, products and divisions it counts as.

    A tape is built from the first three groups; the fused ones are made by a pass (`compiler/passes/fused.py`).
    """

    INPUT = ("input", 0, 0)
    CONST = ("constant", 0, 0)

    NEG = ("negation", 1, 0)
    ADD = ("sum", 2, 1)
    SUB = ("difference", 2, 1)
    MUL = ("product", 2, 1)
    DIV = ("quotient", 2, 1)

    COS = ("cosine", 1, 0)
    SIN = ("sine", 1, 0)
    SIGN = ("sign", 1, 0)
    TANH = ("tanh", 1, 0)

    FMA = ("a b + c", 3, 2)
    FMS = ("a b - c", 3, 2)
    FNMA = ("c - a b", 3, 2)

    def __init__(self, meaning: str, arity: int, flops: int) -> None:
        self.meaning = meaning
        self.arity = arity
        self.flops = flops

    __hash__ = object.__hash__  # by identity: programs are tables keyed by operations


COMMUTATIVE = frozenset({Op.ADD, Op.MUL})
FUSED = frozenset({Op.FMA, Op.FMS, Op.FNMA})

ARITHMETIC: dict[Op, Callable[..., Any]] = {
    Op.NEG: lambda a: -a,
    Op.ADD: lambda a, b: a + b,
    Op.SUB: lambda a, b: a - b,
    Op.MUL: lambda a, b: a * b,
    Op.DIV: lambda a, b: a / b,
    Op.FMA: lambda a, b, c: a * b + c,
    Op.FMS: lambda a, b, c: a * b - c,
    Op.FNMA: lambda a, b, c: c - a * b,
}
"""What the operations are over anything that has + - * / (the fused ones with two roundings)."""


def _sign(x: float) -> float:
    return x if math.isnan(x) else float((x > 0) - (x < 0))


FUNCTIONS: dict[Op, Callable[[float], float]] = {
    Op.COS: math.cos,
    Op.SIN: math.sin,
    Op.TANH: math.tanh,
    Op.SIGN: _sign,
}
"""What the functions of one value are for floats."""
