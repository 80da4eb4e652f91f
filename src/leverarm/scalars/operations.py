"""Every operation a straight-line program may have, on one page."""

from __future__ import annotations

from enum import Enum


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
