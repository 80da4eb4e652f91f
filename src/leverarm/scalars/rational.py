"""Exact rational numbers: identities hold with tolerance zero.

An angle is held as a rational point on the unit circle, (1 - t^2, 2 t)/(1 + t^2) with t = tan(angle/2); sums and
integer multiples of angles stay exact.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from leverarm.errors import InputError
from leverarm.scalars.quarter import coordinate_axis, quarter_turn
from leverarm.scalars.ring import Number, NumberSystem, Scalar, as_length, cos_sin, sign, tanh


@dataclass(frozen=True, slots=True)
class Turn:
    """A joint angle as its exact cosine and sine; `value` stands for the angle itself where a screw joint slides by it.

    As elements of Q[x, c, s]/(c^2 + s^2 - 1) the three are independent, so every identity of the mechanics holds
    whatever the value is.
    """

    cos: Fraction
    sin: Fraction
    value: Fraction = Fraction(0)

    @staticmethod
    def from_half_tangent(t: Fraction, value: Fraction = Fraction(0)) -> Turn:
        t = Fraction(t)
        return Turn((1 - t * t) / (1 + t * t), 2 * t / (1 + t * t), value)

    def __add__(self, other: Turn | int | Fraction) -> Turn:
        if not isinstance(other, Turn):
            if other == 0:
                return self
            return NotImplemented
        return Turn(
            self.cos * other.cos - self.sin * other.sin,
            self.sin * other.cos + self.cos * other.sin,
            self.value + other.value,
        )

    __radd__ = __add__

    def __neg__(self) -> Turn:
        return Turn(self.cos, -self.sin, -self.value)

    def __sub__(self, other: Turn) -> Turn:
        return self + -other

    def __mul__(self, times: int | Fraction) -> Turn:
        """A whole multiple of the angle (geared joints)."""
        if Fraction(times).denominator != 1:
            raise ValueError(f"an exact angle can only be multiplied by whole numbers, not by {times}")
        forward = self if times >= 0 else -self
        result = Turn(Fraction(1), Fraction(0))
        for _ in range(abs(int(times))):
            result = result + forward
        return result

    __rmul__ = __mul__


@cos_sin.register
def _(angle: Turn) -> tuple[Scalar, Scalar]:
    return angle.cos, angle.sin


@as_length.register
def _(coordinate: Turn) -> Scalar:
    return coordinate.value


@sign.register
def _(speed: Fraction) -> Scalar:
    return int(speed > 0) - int(speed < 0)


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
