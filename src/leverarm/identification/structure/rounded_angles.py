"""Which angles are a multiple of 15 degrees that someone wrote with too few digits: 1.5708 is pi/2, 1.5731 is not.

What decides is the digits, not the distance: a calibrated angle may be as near to pi/2 as a careless rounding of it.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

from leverarm.model import Quantity, parse_quantity
from leverarm.scalars import SNAP

FIFTEEN = math.pi / 12
NO_ANGLE = 1e-5
"""Angles below this [rad] move a joint at one metre by 10 um, less than an arm repeats: they are rounding too."""
FEWEST = 2, 3
"""Decimals that make a rounding believable: of right angles (3.14), and of the other multiples (0.785)."""
MOST = 15
SAME = 1e-15
LARGEST = 100.0
"""No frame is placed by more turns than this [rad]."""


def rounded_multiple(angle: float) -> int | None:
    """The k for which an angle [rad] is k pi/12, or k pi/12 rounded or cut to the digits it is written with.

    Read as such are also a k/12 of a rounded pi (1.570795), what single precision leaves of it, and small angles as 0.
    """
    if abs(angle) > LARGEST:
        return None
    k = round(angle / FIFTEEN)
    exact = k * FIFTEEN
    if abs(angle - exact) <= SNAP:
        return k
    if k == 0:
        return 0 if abs(angle) < NO_ANGLE else None
    candidates = (_in_single_precision(exact), *_roundings(angle, k))
    return k if any(math.isclose(angle, x, rel_tol=SAME) for x in candidates) else None


def multiple(k: int) -> Quantity:
    """k pi/12, as it would be written: "pi/2", "-3*pi/4"."""
    part = Fraction(abs(k), 12)
    over = f"/{part.denominator}" if part.denominator > 1 else ""
    times = f"{part.numerator}*" if part.numerator > 1 else ""
    return parse_quantity(f"{'-' if k < 0 else ''}{times}pi{over}") if k else 0


def decimals(number: float) -> int:
    """How many digits a number has after its point, in the shortest way to write it."""
    exponent = Decimal(repr(number)).as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def is_written(number: float, exact: float, fewest: int) -> bool:
    """Whether a number is another one, rounded or cut to the digits it is written with, which are not too few."""
    digits = decimals(number)
    return fewest <= digits <= MOST and number in (round(exact, digits), _cut(exact, digits))


def _roundings(angle: float, k: int) -> Iterator[float]:
    """k pi/12 to as many decimals as the angle has, of pi itself and of pi to fewer digits."""
    fewest, digits = FEWEST[k % 6 != 0], decimals(angle)
    if fewest <= digits <= MOST:
        yield from (round(k * FIFTEEN, digits), _cut(k * FIFTEEN, digits))
    for kept in range(fewest, MOST):
        for pi in (round(math.pi, kept), _cut(math.pi, kept)):
            product = float(Fraction(repr(pi)) * k / 12)
            yield from (product, pi / 12 * k, pi * k / 12)
            if digits >= kept:
                yield round(product, digits)


def _cut(number: float, digits: int) -> float:
    """The number without its later decimals."""
    return float(Fraction(math.trunc(Fraction(number) * 10**digits), 10**digits))


def _in_single_precision(number: float) -> float:
    value: float = struct.unpack("f", struct.pack("f", number))[0]
    return value
