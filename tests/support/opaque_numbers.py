"""A number that cannot be compared, hashed, rounded or tested for zero."""

from __future__ import annotations

import math
from fractions import Fraction

from leverarm.scalars import cos_sin, is_one, is_zero, sign, tanh


class Opaque:
    """A number whose value only the test may see."""

    __slots__ = ("hidden",)
    operations = 0

    def __init__(self, hidden: float) -> None:
        self.hidden = float(hidden)

    def _refuse(self, *_: object) -> bool:
        raise TypeError("an algorithm looked at a value")

    __bool__ = __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __float__ = __int__ = __abs__ = __index__ = _refuse
    __hash__ = None

    @staticmethod
    def of(x: object) -> float:
        return x.hidden if isinstance(x, Opaque) else float(x)

    def _with(self, other: object, operation) -> object:
        """The operation on the hidden values; other types (a Dual over this one) do it their own way."""
        if not isinstance(other, Opaque | int | Fraction):
            return NotImplemented
        Opaque.operations += 1
        return Opaque(operation(self.hidden, self.of(other)))

    def __add__(self, other):
        return self if is_zero(other) else self._with(other, lambda a, b: a + b)

    __radd__ = __add__

    def __sub__(self, other):
        return self if is_zero(other) else self._with(other, lambda a, b: a - b)

    def __rsub__(self, other):
        return -self if is_zero(other) else self._with(other, lambda a, b: b - a)

    def __mul__(self, other):
        if is_zero(other):
            return 0
        return self if is_one(other) else self._with(other, lambda a, b: a * b)

    __rmul__ = __mul__

    def __truediv__(self, other):
        return self._with(other, lambda a, b: a / b)

    def __rtruediv__(self, other):
        return 0 if is_zero(other) else self._with(other, lambda a, b: b / a)

    def __neg__(self):
        Opaque.operations += 1
        return Opaque(-self.hidden)


@cos_sin.register
def _(angle: Opaque):
    return Opaque(math.cos(angle.hidden)), Opaque(math.sin(angle.hidden))


@sign.register
def _(speed: Opaque):
    return Opaque(math.copysign(1, speed.hidden))


@tanh.register
def _(x: Opaque):
    return Opaque(math.tanh(x.hidden))
