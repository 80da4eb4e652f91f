"""Bounds on a program's rounding error by running error analysis.

Each operation propagates the errors of its arguments, times its sensitivity to them, and adds its own rounding
(Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed. 2002, section 3.3). Products of errors are kept, so the
bounds hold for errors of any size; underflow is left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.compiler.program import Program
from leverarm.scalars.operations import ARITHMETIC, FUNCTIONS, Op

ROUNDOFF = {"double": 2.0**-53, "float": 2.0**-24}
CONSTANT = 8
"""Roundings in a constant, which was itself computed from the arm's parameters."""
FUNCTION = 4
"""Error bound of a sine, cosine or tanh, in half units in the last place."""
NO_BOUND = 1e300
"""The error of an unbounded value: rounding may have made a divisor zero."""


def error_bounds(program: Program, inputs: Sequence[float], unit: float) -> list[float]:
    """A bound for the error of each entry of the results at these inputs, which are exact.

    `unit` is the relative rounding of an operation, not less than that of floats in Python. An error is how far a
    result may be from the exact one on any machine, whether it has fused operations or not.
    """
    values: list[float] = []
    errors: list[float] = []
    for op, args, number in program.code:
        a = [values[k] for k in args]
        e = [errors[k] for k in args]
        if op is Op.INPUT:
            value, error = inputs[int(number)], 0.0
        elif op is Op.CONST:
            value, error = number, CONSTANT * unit * abs(number)
        elif op is Op.SIGN:
            value, error = FUNCTIONS[op](a[0]), 0.0 if e[0] == 0.0 or abs(a[0]) > 2 * e[0] else 2.0
        elif op is Op.NEG:
            value, error = -a[0], e[0]
        elif op in FUNCTIONS:
            value = FUNCTIONS[op](a[0])
            error = e[0] + _own(FUNCTION * unit, value, e[0])
        else:
            value = ARITHMETIC[op](*a)
            error = _handed_on(op, a, e, unit)
            error += _own(unit, value, error)
        values.append(value)
        errors.append(min(error, NO_BOUND))
    return [errors[k] for k in program.results]


def _own(unit: float, value: float, handed_on: float) -> float:
    """The rounding of a result: both it and the `value` known here may be off by what is handed on."""
    return unit * (abs(value) + 2 * handed_on) * (1 + 4 * unit)


def _handed_on(op: Op, a: Sequence[float], e: Sequence[float], unit: float) -> float:
    """What the errors of the arguments make of the result's, before it is rounded."""
    if op in (Op.ADD, Op.SUB):
        return e[0] + e[1]
    if op is Op.DIV:
        least = abs(a[1]) - 2 * e[1]
        return (e[0] + e[1] * (abs(a[0]) + e[0]) / least) / least if least > 0 else NO_BOUND
    product = e[0] * (abs(a[1]) + e[1]) + e[1] * (abs(a[0]) + e[0]) + e[0] * e[1]
    if op is Op.MUL:
        return product
    # Where the target has no fused operations the product is rounded too.
    return product + _own(unit, a[0] * a[1], product) + e[2]
