"""Exact rational numbers: identities hold with tolerance zero.

An angle is held as a rational point on the unit circle, (1 - t^2, 2 t)/(1 + t^2) with t = tan(angle/2); sums and
integer multiples of angles stay exact.
"""

from __future__ import annotations

import math
from fractions import Fraction

from leverarm.errors import InputError
from leverarm.scalars.ring import Number, NumberSystem, Scalar, tanh
from leverarm.scalars.turn import Turn, coordinate_axis, quarter_turn


@tanh.register
def _(x: Fraction) -> Scalar:
    raise InputError(
        "the hyperbolic tangent of a rational number is not rational: smooth friction has no exact value. Use floats, "
        "or leave `smoothing` out."
    )


def exact(number: Number) -> Fraction:
    """A literal as the rational it prints as: the float 0.1 is 1/10, not 3602879701896397/36028797018963968."""
    return Fraction(repr(number)) if isinstance(number, float) else Fraction(number)


def _lift(number: Number) -> Scalar:
    return exact(number) if number else 0


def _turn(angle: float) -> tuple[Scalar, Scalar]:
    """An exact rotation, as near to the given one as the floats cos and sin are (2e-16)."""
    if (snapped := quarter_turn(angle)) is not None:
        return snapped
    cos, sin = math.cos(angle), math.sin(angle)
    back = cos < 0  # turn by pi first, so that the half-angle tangent is at most one
    half_turned = Turn.from_half_tangent(Fraction((-sin if back else sin) / (1 + abs(cos))))
    return (-half_turned.cos, -half_turned.sin) if back else (half_turned.cos, half_turned.sin)


def _direction(x: Number, y: Number, z: Number) -> tuple[Scalar, Scalar, Scalar]:
    """An exact unit vector: the given one where it is one, else one within 2e-16 of it by stereographic projection."""
    if (snapped := coordinate_axis(x, y, z)) is not None:
        return snapped
    given = (exact(x), exact(y), exact(z))
    if sum(part * part for part in given) == 1:
        return given
    length = math.hypot(x, y, z)
    below = 1 if z < 0 else -1  # project from the pole that is farther away
    u, v = (Fraction(float(part) / (length - below * float(z))) for part in (x, y))
    square = u * u + v * v
    return 2 * u / (1 + square), 2 * v / (1 + square), -below * (1 - square) / (1 + square)


def _angle(half_tangent: Fraction) -> Turn:
    return Turn.from_half_tangent(half_tangent, exact(2 * math.atan(half_tangent)))


RATIONAL = NumberSystem("rational", _lift, _turn, _direction, _angle, float)
