"""How far rounding may lead a program from the exact result: a running error analysis to first order.

Each operation hands on the errors of what it takes, times how strongly it depends on them, and adds its own rounding
(Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed. 2002, section 3.3).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from leverarm.compiler.program import Program
from leverarm.scalars.operations import Op
from leverarm.scalars.tape import ARITHMETIC, FUNCTIONS

ROUNDOFF = {"double": 2.0**-53, "float": 2.0**-24}
CONSTANT = 8
"""Roundings in a constant: it was computed from the arm's numbers before."""
FUNCTION = 4
"""Half units in the last place that a sine, cosine or tanh may be off."""


def error_bounds(program: Program, inputs: Sequence[float], unit: float) -> list[float]:
    """A bound for the error of each entry of the results at these inputs, which are exact."""
    values: list[float] = []
    errors: list[float] = []
    for op, args, number in program.code:
        a = [values[k] for k in args]
        e = [errors[k] for k in args]
        if op is Op.INPUT:
            value, error = inputs[int(number)], 0.0
        elif op is Op.CONST:
            value, error = number, CONSTANT * unit * abs(number)
        elif op in FUNCTIONS:
            value = FUNCTIONS[op](a[0])
            error = 0.0 if op is Op.SIGN else e[0] + FUNCTION * unit * abs(value)
        else:
            value = ARITHMETIC[op](*a)
            error = _propagated(op, a, e) + unit * abs(value)
            if len(args) == 3:
                error += unit * abs(a[0] * a[1])  # where the target rounds the product too
        values.append(value)
        errors.append(error)
    return [errors[k] for k in program.results]


def _propagated(op: Op, a: Sequence[float], e: Sequence[float]) -> float:
    if op is Op.NEG:
        return e[0]
    if op in (Op.ADD, Op.SUB):
        return e[0] + e[1]
    if op is Op.DIV:
        return (e[0] + e[1] * abs(a[0] / a[1])) / abs(a[1])
    product = e[0] * abs(a[1]) + e[1] * abs(a[0]) + e[0] * e[1]
    return product if op is Op.MUL else math.fsum((product, e[2]))
