"""Truncated power series in one variable over any other scalar: the motion near an instant, to any order.

c_0 + c_1 s + c_2 s^2 + ...: a Dual carries one derivative, a series as many as it is long. Running an algorithm on q(s)
gives the Taylor coefficients of its result along the motion (Griewank and Walther 2008, chapter 13).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from operator import mul

from leverarm.errors import InputError
from leverarm.scalars.dual import Dual
from leverarm.scalars.floats import FLOAT
from leverarm.scalars.ring import NumberSystem, Scalar, as_length, cos_sin, divide, is_one, is_zero, sign, tanh


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """The coefficients, lowest power first. A plain scalar mixes in as a constant; the structural zero absorbs.

    The sum or product of two series is as long as the shorter. A Dual may hold series; a series holds no Duals.
    """

    coefficients: tuple[Scalar, ...]

    def __add__(self, other: Scalar) -> Series:
        if isinstance(other, Dual):
            return NotImplemented
        first, *rest = self.coefficients
        if isinstance(other, Series):
            return Series(tuple(a + b for a, b in zip(self.coefficients, other.coefficients, strict=False)))
        return self if is_zero(other) else Series((first + other, *rest))

    __radd__ = __add__

    def __neg__(self) -> Series:
        return Series(tuple(-a for a in self.coefficients))

    def __sub__(self, other: Scalar) -> Scalar:
        if isinstance(other, Dual):
            return NotImplemented
        return self + -other

    def __rsub__(self, other: Scalar) -> Scalar:
        return -self + other

    def __mul__(self, other: Scalar) -> Scalar:
        if isinstance(other, Dual):
            return NotImplemented
        if isinstance(other, Series):
            a, b = self.coefficients, other.coefficients
            return Series(tuple(_convolved(a, b[k::-1]) for k in range(min(len(a), len(b)))))
        if is_zero(other):
            return 0
        return self if is_one(other) else Series(tuple(a * other for a in self.coefficients))

    __rmul__ = __mul__

    def __truediv__(self, other: Scalar) -> Series:
        if isinstance(other, Dual):
            return NotImplemented
        if not isinstance(other, Series):
            return Series(tuple(divide(a, other) for a in self.coefficients))
        first, *rest = other.coefficients
        quotient: list[Scalar] = []
        for a in self.coefficients[: len(rest) + 1]:
            quotient.append(divide(a - _convolved(rest, quotient[::-1]), first))
        return Series(tuple(quotient))

    def __rtruediv__(self, other: Scalar) -> Scalar:
        if is_zero(other):
            return 0
        return Series((other, *(0 for _ in self.coefficients[1:]))) / self


def _convolved(a: Sequence[Scalar], backwards: Sequence[Scalar]) -> Scalar:
    """One coefficient of a product: the sum of a_j b_(k - j), with b given from its last coefficient to its first."""
    return sum(map(mul, a, backwards))


def _risen(x: Series) -> list[Scalar]:
    """j c_j from j = 1 on: the coefficients of the derivative."""
    return [j * c for j, c in enumerate(islice(x.coefficients, 1, None), start=1)]


@cos_sin.register
def _(angle: Series) -> tuple[Scalar, Scalar]:
    """From c' = -s x' and s' = c x', coefficient by coefficient."""
    c, s = ([part] for part in cos_sin(angle.coefficients[0]))
    slope = _risen(angle)
    for k in range(1, len(angle.coefficients)):
        k_th = Fraction(1, k)
        ahead = -k_th * _convolved(slope, s[::-1]), k_th * _convolved(slope, c[::-1])
        c.append(ahead[0])
        s.append(ahead[1])
    return Series(tuple(c)), Series(tuple(s))


@as_length.register
def _(coordinate: Series) -> Scalar:
    first, *rest = coordinate.coefficients
    return Series((as_length(first), *rest))


@sign.register
def _(speed: Series) -> Scalar:
    """That of the first coefficient; a series that leaves zero has no one sign."""
    found = sign(speed.coefficients[0])
    if isinstance(found, int | float) and not found and any(speed.coefficients[1:]):
        raise InputError(
            "the sign of a power series that begins at zero was asked for: friction changes there. Begin where every "
            "joint with friction moves, or use smooth friction."
        )
    return found


@tanh.register
def _(x: Series) -> Scalar:
    """From y' = (1 - y^2) x', coefficient by coefficient."""
    y = [tanh(x.coefficients[0])]
    slope, rate = _risen(x), [1 - y[0] * y[0]]
    for k in range(1, len(x.coefficients)):
        y.append(Fraction(1, k) * _convolved(slope, rate[::-1]))
        rate.append(-_convolved(y, y[::-1]))
    return Series(tuple(y))


SERIES = NumberSystem(
    "series",
    FLOAT.lift,
    FLOAT.turn,
    FLOAT.direction,
    lambda t: Series((FLOAT.angle(t), 1.0, 0.25)),
    lambda x: float(x.coefficients[0] if isinstance(x, Series) else x),
)
