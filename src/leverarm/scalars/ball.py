"""Ball arithmetic: numbers with a proven error bound (F. Johansson, Arb), so that every result is certified.

A decimal of the arm is taken exactly as it is written; constant angles keep their exact quarter turns. How many bits
midpoints have is set with `precision`, one number for the whole process.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import cache
from threading import RLock
from typing import Any

from leverarm.scalars.rational import exact
from leverarm.scalars.ring import Number, NumberSystem, Scalar, cos_sin, is_one, is_zero, sign, tanh
from leverarm.scalars.turn import coordinate_axis, quarter_turn

_PRECISION_LOCK = RLock()


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Sets how many bits midpoints have within the block, and restores it afterwards. One thread at a time."""
    import flint

    with _PRECISION_LOCK, flint.ctx.workprec(bits):
        yield


class Ball:
    """A number known to lie in `arb`. It mixes with ints, floats (taken as they are) and Fractions."""

    __slots__ = ("arb",)

    def __init__(self, arb: Any) -> None:
        self.arb = arb
        """FLINT's own number (python-flint has no types to import before it is loaded)."""

    def __repr__(self) -> str:
        return f"Ball({self.arb})"

    def __float__(self) -> float:
        return float(self.arb.mid())

    def bounds(self) -> tuple[float, float]:
        """The floats next below and next above everything that the number can be."""
        lower, upper = float(self.arb.lower()), float(self.arb.upper())
        if math.isnan(lower) or math.isnan(upper):
            return -math.inf, math.inf
        below = lower if self.arb >= lower else math.nextafter(lower, -math.inf)
        return below, upper if self.arb <= upper else math.nextafter(upper, math.inf)

    def sqrt(self) -> Ball:
        """The square root of what is known not to be negative, however near to zero."""
        return Ball(self.arb.nonnegative_part().sqrt())

    def __abs__(self) -> Ball:
        return Ball(abs(self.arb))

    def __neg__(self) -> Ball:
        return Ball(-self.arb)

    def __add__(self, other: Scalar) -> Ball:
        if is_zero(other):
            return self
        b = _arb(other)
        return NotImplemented if b is None else Ball(self.arb + b)

    __radd__ = __add__

    def __sub__(self, other: Scalar) -> Ball:
        if is_zero(other):
            return self
        b = _arb(other)
        return NotImplemented if b is None else Ball(self.arb - b)

    def __rsub__(self, other: Scalar) -> Ball:
        a = _arb(other)
        return NotImplemented if a is None else Ball(a - self.arb)

    def __mul__(self, other: Scalar) -> Scalar:
        if is_zero(other):
            return 0
        if is_one(other):
            return self
        b = _arb(other)
        return NotImplemented if b is None else Ball(self.arb * b)

    __rmul__ = __mul__

    def __truediv__(self, other: Scalar) -> Ball:
        b = _arb(other)
        return NotImplemented if b is None else Ball(self.arb / b)

    def __rtruediv__(self, other: Scalar) -> Scalar:
        if is_zero(other):
            return 0
        a = _arb(other)
        return NotImplemented if a is None else Ball(a / self.arb)


def as_ball(x: Scalar) -> Ball:
    """A float, int, Fraction or ball as a ball that holds exactly that number, as far as the precision goes."""
    return x if type(x) is Ball else Ball(_arb(x))


def _arb(x: Scalar) -> Any:
    """FLINT's number of a scalar, None for what is no real number."""
    if type(x) is Ball:
        return x.arb
    if isinstance(x, int | float):
        return _types()[0](x)
    return _fraction(x) if isinstance(x, Fraction) else None


def _fraction(x: Fraction) -> Any:
    arb, fmpq = _types()
    return arb(fmpq(x.numerator, x.denominator))


@cache
def _types() -> tuple[Any, Any]:
    from flint import arb, fmpq

    return arb, fmpq


@cos_sin.register
def _(angle: Ball) -> tuple[Scalar, Scalar]:
    s, c = angle.arb.sin_cos()
    return Ball(c), Ball(s)


@sign.register
def _(speed: Ball) -> Scalar:
    return Ball(speed.arb.sgn())


@tanh.register
def _(x: Ball) -> Scalar:
    return Ball(x.arb.tanh())


def _lift(number: Number) -> Scalar:
    return Ball(_fraction(exact(number))) if number else 0


def _turn(angle: float) -> tuple[Scalar, Scalar]:
    return quarter_turn(angle) or cos_sin(_lift(angle))


def _direction(x: Number, y: Number, z: Number) -> tuple[Scalar, Scalar, Scalar]:
    if (snapped := coordinate_axis(x, y, z)) is not None:
        return snapped
    given = (exact(x), exact(y), exact(z))
    length = as_ball(sum(part * part for part in given)).sqrt()
    a, b, c = (part / length if part else 0 for part in given)
    return a, b, c


def _angle(half_tangent: Fraction) -> Scalar:
    return 2 * Ball(_fraction(Fraction(half_tangent)).atan())


BALL = NumberSystem("ball", _lift, _turn, _direction, _angle, lambda x: float(x))
