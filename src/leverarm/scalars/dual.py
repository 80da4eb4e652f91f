"""Dual numbers a + b eps with eps^2 = 0 over any other scalar: a value and its derivative, carried together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from leverarm.scalars.floats import FLOAT
from leverarm.scalars.ring import NumberSystem, Scalar, as_length, cos_sin, is_zero, sign, tanh


@dataclass(frozen=True, slots=True, eq=False)
class Dual:
    """value + slope eps. A plain scalar mixes in as a constant; the structural zero absorbs."""

    value: Scalar
    slope: Scalar

    def __add__(self, other: Scalar) -> Dual:
        if isinstance(other, Dual):
            return Dual(self.value + other.value, self.slope + other.slope)
        return Dual(self.value + other, self.slope)

    __radd__ = __add__

    def __neg__(self) -> Dual:
        return Dual(-self.value, -self.slope)

    def __sub__(self, other: Scalar) -> Dual:
        if isinstance(other, Dual):
            return Dual(self.value - other.value, self.slope - other.slope)
        return Dual(self.value - other, self.slope)

    def __rsub__(self, other: Scalar) -> Dual:
        return Dual(other - self.value, -self.slope)

    def __mul__(self, other: Scalar) -> Scalar:
        if isinstance(other, Dual):
            return Dual(self.value * other.value, self.value * other.slope + self.slope * other.value)
        return 0 if is_zero(other) else Dual(self.value * other, self.slope * other)

    __rmul__ = __mul__

    def __truediv__(self, other: Scalar) -> Dual:
        if isinstance(other, Dual):
            quotient = self.value / other.value
            return Dual(quotient, (self.slope - quotient * other.slope) / other.value)
        return Dual(self.value / other, self.slope / other)

    def __rtruediv__(self, other: Scalar) -> Scalar:
        return 0 if is_zero(other) else Dual(other, 0) / self


@cos_sin.register
def _(angle: Dual) -> tuple[Scalar, Scalar]:
    c, s = cos_sin(angle.value)
    return Dual(c, -s * angle.slope), Dual(s, c * angle.slope)


@as_length.register
def _(coordinate: Dual) -> Scalar:
    return Dual(as_length(coordinate.value), coordinate.slope)


@sign.register
def _(speed: Dual) -> Scalar:
    return sign(speed.value)


@tanh.register
def _(x: Dual) -> Scalar:
    t = tanh(x.value)
    return Dual(t, (1 - t * t) * x.slope)


def along(q: Sequence[Scalar], direction: Sequence[Scalar]) -> list[Dual]:
    """Coordinates that move along a direction: running any algorithm on them gives its directional derivative."""
    return [Dual(value, slope) for value, slope in zip(q, direction, strict=True)]


def slope(x: Scalar) -> Scalar:
    """The derivative part of a result; 0 where the result did not depend on the direction at all."""
    return x.slope if isinstance(x, Dual) else 0


def value(x: Scalar) -> Scalar:
    """The value part of a result."""
    return x.value if isinstance(x, Dual) else x


DUAL = NumberSystem(
    "dual", FLOAT.lift, FLOAT.turn, FLOAT.direction, lambda t: Dual(FLOAT.angle(t), 1.0), lambda x: float(value(x))
)
