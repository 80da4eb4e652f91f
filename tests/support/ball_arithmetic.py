"""Programs and mechanics in ball arithmetic (F. Johansson, Arb): results with a proven bound of what rounding does to them."""

from __future__ import annotations

from flint import arb

from leverarm.model import bind
from leverarm.scalars import BALL, as_ball, precision
from leverarm.scalars.operations import ARITHMETIC, Op

BITS = 160
"""Of midpoints: their own rounding is nothing beside that of doubles."""
UNIT = {"double": 2.0**-53, "float": 2.0**-24}
LEAST = {"double": 2.0**-1074, "float": 2.0**-149}
"""The smallest numbers: what an operation loses where its result underflows."""
FUNCTION = 4
"""Units that a sine, cosine or tanh may be off: two in the last place."""


def result_balls(program, numbers, real, constant=0.0):
    """A ball per result: whatever the rounding of each operation, fused or not, the result lies there.

    Inputs are exact, and so are constants, but for their rounding to floats and what is said: a part of themselves.
    """
    unit = UNIT[real]
    narrowed = 0.0 if real == "double" else unit
    with precision(BITS):
        return _results(
            program, numbers, arb(1, unit), arb(0, LEAST[real]), arb(1, FUNCTION * unit), constant + narrowed
        )


def exact_results(program, numbers):
    """The results without any rounding."""
    with precision(BITS):
        return _results(program, numbers, 1, 0, 1, 0.0)


def _results(program, numbers, rounded, least, function, constant):
    """Each operation times `rounded` plus `least`; sines and their like times `function`."""
    values = []
    for op, args, number in program.code:
        a = [values[k] for k in args]
        match op:
            case Op.INPUT:
                value = arb(numbers[int(number)])
            case Op.CONST:
                value = arb(number) * arb(1, constant)
            case Op.NEG:
                value = -a[0]
            case Op.SIGN:
                value = a[0].sgn()
            case Op.SIN | Op.COS | Op.TANH:
                value = _FUNCTIONS[op](a[0]) * function + least
            case Op.FMA | Op.FMS | Op.FNMA:
                product = a[0] * a[1] * rounded + least
                total = product + a[2] if op is Op.FMA else product - a[2] if op is Op.FMS else a[2] - product
                value = total * rounded + least
            case _:
                value = ARITHMETIC[op](*a) * rounded + least
        values.append(value)
    return [values[k] for k in program.results]


_FUNCTIONS = {Op.SIN: arb.sin, Op.COS: arb.cos, Op.TANH: arb.tanh}


def over_balls(arm):
    """The arm with its numbers exactly as they are written."""
    with precision(BITS):
        return bind(arm, BALL)


def exactly(algorithm, *state):
    """What an algorithm of the mechanics gives at a state of floats, to many more digits than those have: arbs, flat."""
    with precision(BITS):
        return _flat(algorithm(*[[as_ball(float(x)) for x in vector] for vector in state]))


def _flat(nested):
    if isinstance(nested, list | tuple):
        return [x for part in nested for x in _flat(part)]
    return [as_ball(nested).arb]
