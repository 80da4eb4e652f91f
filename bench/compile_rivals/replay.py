"""leverarm's program run over anything that has + - * / and sine and cosine: expressions of a rival, or arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import add, mul, neg, sub, truediv
from typing import Any

import leverarm as la
from leverarm.compiler import Program
from leverarm.compiler.lowering import lower
from leverarm.runtime.requests import request_for
from leverarm.runtime.tracing import traced
from leverarm.scalars.operations import Op

ARITHMETIC: dict[Op, Callable[..., Any]] = {
    Op.NEG: neg,
    Op.ADD: add,
    Op.SUB: sub,
    Op.MUL: mul,
    Op.DIV: truediv,
    Op.FMA: lambda a, b, c: a * b + c,
    Op.FMS: lambda a, b, c: a * b - c,
    Op.FNMA: lambda a, b, c: c - a * b,
}


def traced_program(arm: la.Arm, quantity: str) -> Program:
    """The program of a quantity as its algorithm leaves it."""
    return traced(request_for(arm, quantity))


def lowered_program(arm: la.Arm, quantity: str) -> Program:
    """The program of a quantity after all passes."""
    return lower(traced_program(arm, quantity)).program


def replayed(program: Program, inputs: Sequence[Any], functions: Any, constant: Callable[[float], Any] = float) -> list:
    """The results; `functions` has `cos` and `sin`. The arms of the comparison need no others."""
    operations = {**ARITHMETIC, Op.COS: functions.cos, Op.SIN: functions.sin}
    values: list[Any] = []
    for op, args, value in program.code:
        if op is Op.INPUT:
            values.append(inputs[int(value)])
        elif op is Op.CONST:
            values.append(constant(value))
        else:
            values.append(operations[op](*[values[a] for a in args]))
    return [values[k] for k in program.results]
