"""How literal numbers become exact: decimals as they are written, angles of 15 degrees by square roots, others by name.

A float is read as the decimal it prints as, 0.1 as 1/10. A constant angle that is a multiple of 15 degrees (to within
1e-9 rad) gets its cosine and sine from sqrt(2) and sqrt(3); any other one becomes two letters, its sine and cosine,
tied by s^2 + c^2 = 1, so that what is proven holds for every such angle. A direction along the diagonals of a cube is
exact too; any other that is not a rational unit vector is replaced by the nearest one (2e-16).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from leverarm.scalars.exact.generators import Application, circle, root, symbol
from leverarm.scalars.exact.polynomial import Polynomial, Quotient, free_symbol, letter
from leverarm.scalars.exact.ring import ring_of
from leverarm.scalars.rational import RATIONAL, exact
from leverarm.scalars.ring import Number, NumberSystem, Scalar, sign, tanh
from leverarm.scalars.turn import SNAP, Turn, quarter_turn


def lift(number: Number) -> Scalar:
    """The rational that a literal prints as; a whole one stays an int."""
    x = exact(number)
    return int(x) if x.denominator == 1 else x


def turn(angle: float) -> tuple[Scalar, Scalar]:
    """Cosine and sine of a constant angle."""
    if (snapped := quarter_turn(angle)) is not None:
        return snapped
    fifteens = round(angle / (math.pi / 12))
    if abs(angle - fifteens * (math.pi / 12)) <= SNAP:
        return _cosine_of_fifteens(fifteens), _cosine_of_fifteens(fifteens - 6)
    nearest = math.remainder(angle, 2 * math.pi)
    named = unknown_angle(f"{abs(nearest):.12g}", abs(nearest))
    return named.cos, named.sin if nearest > 0 else -named.sin


def _cosine_of_fifteens(n: int) -> Scalar:
    """cos(n 15 degrees)."""
    n = abs(n) % 24
    n = 24 - n if n > 12 else n
    if n > 6:
        return -_cosine_of_fifteens(12 - n)
    r2, r3 = free_symbol(root(2)), free_symbol(root(3))
    quarter = Fraction(1, 4)
    cosines = [1, (r2 * r3 + r2) * quarter, r3 * Fraction(1, 2), r2 * Fraction(1, 2), Fraction(1, 2)]
    return [*cosines, (r2 * r3 - r2) * quarter, 0][n]


def direction(x: Number, y: Number, z: Number) -> tuple[Scalar, Scalar, Scalar]:
    """The unit vector along three literals."""
    sizes = {abs(float(part)) for part in (x, y, z)} - {0.0}
    signs = [(part > 0) - (part < 0) for part in (x, y, z)]
    diagonal = sum(map(abs, signs))
    if max(sizes) - min(sizes) <= SNAP * max(sizes) and diagonal > 1:
        part = free_symbol(root(diagonal)) * Fraction(1, diagonal)
        return signs[0] * part, signs[1] * part, signs[2] * part
    return RATIONAL.direction(x, y, z)


def unknown_angle(name: str, value: float | None = None) -> Turn:
    """An angle as letters: its cosine, its sine, and itself."""
    cosine, sine = circle(name, value)
    ring = ring_of([cosine, sine])
    return Turn(letter(ring, cosine.name), letter(ring, sine.name), free_symbol(symbol(name, value)))


def _angle(half_tangent: Fraction) -> Turn:
    return unknown_angle(f"2 atan({half_tangent})", 2 * math.atan(half_tangent))


@sign.register(Polynomial)
def _(speed: Polynomial) -> Scalar:
    factor = _factor(speed)
    if factor != 1:
        return sign(factor) * sign(speed * (1 / factor))
    return _application("sgn", speed, _maybe(lambda x: math.copysign(1, x) if x else 0, speed))


@tanh.register(Polynomial)
@tanh.register(Quotient)
def _(x: Polynomial | Quotient) -> Scalar:
    if isinstance(x, Polynomial) and _factor(x) < 0:
        return -tanh(-x)
    return _application("tanh", x, _maybe(math.tanh, x))


def function_letter(function: str, argument: Scalar) -> Polynomial:
    """A function of an element as a letter of which nothing is known but its name: exp(x), cos(x/l)."""
    return _application(function, argument, None)


def _factor(x: Polynomial) -> Fraction:
    """The number before the letters of a single term, so that sgn(-2 x) and sgn(x) are one letter; 1 of a sum."""
    return next(iter(x.terms()))[1] if len(x) == 1 else Fraction(1)


def _application(function: str, argument: Scalar, value: float | None) -> Polynomial:
    return free_symbol(Application(f"{function}({argument!r})", value, function, argument))


def _maybe(function: Callable[[float], float], x: Scalar) -> float | None:
    try:
        return float(function(float(x)))
    except ValueError:
        return None


EXACT = NumberSystem("exact", lift, turn, direction, _angle, float)
