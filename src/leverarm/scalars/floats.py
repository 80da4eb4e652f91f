"""Plain floats: the reference evaluation."""

from __future__ import annotations

import math
from fractions import Fraction

from leverarm.scalars.ring import Number, NumberSystem, Scalar, cos_sin, is_zero, sign, tanh
from leverarm.scalars.turn import coordinate_axis, quarter_turn


@cos_sin.register(int)
@cos_sin.register(float)
def _(angle: float) -> tuple[Scalar, Scalar]:
    if is_zero(angle):
        return 1, 0
    return math.cos(angle), math.sin(angle)


@sign.register(int)
@sign.register(float)
@sign.register(Fraction)
def _(speed: Number) -> Scalar:
    return int(speed > 0) - int(speed < 0)


@tanh.register(int)
@tanh.register(float)
def _(x: float) -> Scalar:
    return math.tanh(x) if x else 0


def _lift(number: Number) -> Scalar:
    return float(number) if number else 0


def _turn(angle: float) -> tuple[Scalar, Scalar]:
    return quarter_turn(angle) or (math.cos(angle), math.sin(angle))


def _direction(x: Number, y: Number, z: Number) -> tuple[Scalar, Scalar, Scalar]:
    length = math.hypot(x, y, z)
    return coordinate_axis(x, y, z) or (_lift(x / length), _lift(y / length), _lift(z / length))


def _angle(half_tangent: Fraction) -> float:
    return 2 * math.atan(half_tangent)


FLOAT = NumberSystem("float", _lift, _turn, _direction, _angle, float)
