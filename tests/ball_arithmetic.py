"""Programs and mechanics in ball arithmetic (F. Johansson, Arb): results with a proven bound of what rounding does to them."""

from __future__ import annotations

from fractions import Fraction

from flint import arb, ctx, fmpq

from leverarm.scalars import FLOAT, NumberSystem, cos_sin, quarter_turn, sign, tanh
from leverarm.scalars.operations import ARITHMETIC, Op
from leverarm.scalars.quarter import coordinate_axis

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
    return _results(program, numbers, arb(1, unit), arb(0, LEAST[real]), arb(1, FUNCTION * unit), constant + narrowed)


def exact_results(program, numbers):
    """The results without any rounding."""
    return _results(program, numbers, 1, 0, 1, 0.0)


def _results(program, numbers, rounded, least, function, constant):
    """Each operation times `rounded` plus `least`; sines and their like times `function`."""
    ctx.prec = BITS
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


class Ball:
    """An arb as a scalar of the mechanics: it mixes with ints, floats and Fractions."""

    __slots__ = ("arb",)

    def __init__(self, value):
        self.arb = value

    def __add__(self, other):
        return Ball(self.arb + _arb(other))

    __radd__ = __add__

    def __sub__(self, other):
        return Ball(self.arb - _arb(other))

    def __rsub__(self, other):
        return Ball(_arb(other) - self.arb)

    def __mul__(self, other):
        return Ball(self.arb * _arb(other))

    __rmul__ = __mul__

    def __truediv__(self, other):
        return Ball(self.arb / _arb(other))

    def __rtruediv__(self, other):
        return Ball(_arb(other) / self.arb)

    def __neg__(self):
        return Ball(-self.arb)


def _arb(x):
    if type(x) is Ball:
        return x.arb
    return arb(fmpq(x.numerator, x.denominator)) if type(x) is Fraction else arb(x)


@cos_sin.register
def _(angle: Ball):
    sin, cos = angle.arb.sin_cos()
    return Ball(cos), Ball(sin)


@sign.register
def _(speed: Ball):
    return Ball(speed.arb.sgn())


@tanh.register
def _(x: Ball):
    return Ball(x.arb.tanh())


def _lift(number):
    """The arm's number as a float first: those are the numbers that are compiled."""
    return Ball(arb(float(number))) if number else 0


def _turn(angle):
    return quarter_turn(angle) or cos_sin(Ball(arb(angle)))


def _direction(x, y, z):
    if (snapped := coordinate_axis(x, y, z)) is not None:
        return snapped
    parts = [_arb(part) for part in (x, y, z)]
    length = sum((part * part for part in parts), start=arb(0)).sqrt()
    return tuple(Ball(part / length) if part else 0 for part in parts)


BALLS = NumberSystem("balls", _lift, _turn, _direction, FLOAT.angle, lambda x: float(_arb(x)))


def exactly(algorithm, *state):
    """What an algorithm of the mechanics gives at a state of floats, to many more digits than those have: arbs, flat."""
    ctx.prec = BITS
    return _flat(algorithm(*[[Ball(arb(float(x))) for x in vector] for vector in state]))


def _flat(nested):
    if isinstance(nested, list | tuple):
        return [x for part in nested for x in _flat(part)]
    return [_arb(nested)]
