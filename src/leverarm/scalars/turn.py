"""An angle held as its cosine and sine, for number systems in which the angle itself is not a number.

Angles within 1e-9 rad of a multiple of pi/2, and directions as near to a coordinate axis, are read as exactly that, so
that their zeros are structural zeros in every number system.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from leverarm.errors import InputError
from leverarm.scalars.ring import Number, Scalar, as_length, cos_sin, is_one


@dataclass(frozen=True, slots=True)
class Turn:
    """A joint angle as its exact cosine and sine; `value` stands for the angle itself where a screw joint slides by it.

    As elements of Q[x, c, s]/(c^2 + s^2 - 1) the three are independent, so every identity of the mechanics holds
    whatever the value is. Sums and whole multiples stay exact.
    """

    cos: Scalar
    sin: Scalar
    value: Scalar = 0

    @staticmethod
    def from_half_tangent(t: Fraction, value: Fraction = Fraction(0)) -> Turn:
        """The rational point (1 - t^2, 2 t)/(1 + t^2) of the circle, t = tan(angle/2)."""
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

    def __mul__(self, times: Scalar) -> Turn:
        """A whole multiple of the angle (geared joints)."""
        if not isinstance(times, int | Fraction) or Fraction(times).denominator != 1:
            factor = "another angle" if isinstance(times, Turn) else times
            raise InputError(
                f"an exact angle can only be multiplied by whole numbers, not by {factor}. Take the slowest joint as "
                "the coordinate, or give the smallest angle a name and write the others as multiples of it."
            )
        forward = self if times >= 0 else -self
        if is_one(times):
            return self
        result = Turn(1, 0)
        for _ in range(abs(int(times))):
            result = result + forward
        return result

    __rmul__ = __mul__

    def __truediv__(self, divisor: Scalar) -> Turn:
        return self * (Fraction(1) / divisor if isinstance(divisor, int | Fraction) else divisor)


@cos_sin.register
def _(angle: Turn) -> tuple[Scalar, Scalar]:
    return angle.cos, angle.sin


@as_length.register
def _(coordinate: Turn) -> Scalar:
    return coordinate.value


SNAP = 1e-9
QUARTER_TURNS = ((1, 0), (0, 1), (-1, 0), (0, -1))


def quarter_turn(angle: float) -> tuple[int, int] | None:
    """(cos, sin) as ints when the angle is a multiple of pi/2 to within SNAP, else None."""
    quarters = round(angle / (math.pi / 2))
    if abs(angle - quarters * (math.pi / 2)) > SNAP:
        return None
    return QUARTER_TURNS[quarters % 4]


def coordinate_axis(x: Number, y: Number, z: Number) -> tuple[int, int, int] | None:
    """The direction as ints when it is a coordinate axis to within SNAP, else None."""
    parts = [float(x), float(y), float(z)]
    largest = max(map(abs, parts))
    significant = [0 if abs(part) <= SNAP * largest else 1 if part > 0 else -1 for part in parts]
    if sum(map(abs, significant)) != 1:
        return None
    return significant[0], significant[1], significant[2]
