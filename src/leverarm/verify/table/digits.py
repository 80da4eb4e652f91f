"""Numbers as the table shows them: lower bounds are rounded down, upper bounds up; states in degrees and SI units."""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal

from leverarm.model import Arm
from leverarm.model.units import Units

MOST_DIGITS = 10
"""Significant digits; files of JSON hold all of them."""
FEWEST_DIGITS = 3
PLAIN = range(-4, 7)
"""Powers of ten of the first digit that are written without one."""
_EXACT = Context(prec=2000)
"""Every float has fewer decimal digits than this."""


def outward(lower: float, upper: float) -> tuple[str, str]:
    """The two sides, cut where their digits stop being certain: what is shown encloses what is known.

    The last digit is at most a tenth of the distance of the sides.
    """
    largest = max(abs(lower), abs(upper))
    if not largest:
        return "0", "0"
    first = _power(largest)
    apart = _EXACT.subtract(Decimal(upper), Decimal(lower))
    last = apart.adjusted() - 1 if apart else first - MOST_DIGITS
    last = max(min(last, first - FEWEST_DIGITS + 1), first - MOST_DIGITS + 1)
    return _written(lower, last, first, ROUND_FLOOR), _written(upper, last, first, ROUND_CEILING)


def rounded_down(x: float, digits: int = 6) -> str:
    """Not above x."""
    return _written(x, _power(x) - digits + 1, _power(x), ROUND_FLOOR) if x else "0"


def rounded_up(x: float, digits: int = 6) -> str:
    """Not below x."""
    return _written(x, _power(x) - digits + 1, _power(x), ROUND_CEILING) if x else "0"


def nearest(x: float, digits: int = 6) -> str:
    """The nearest number of so many digits, without zeros at its end: for witnesses and times, not for bounds."""
    text = _written(x, _power(x) - digits + 1, _power(x), ROUND_HALF_EVEN) if x else "0"
    mantissa, _, exponent = text.partition("e")
    short = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
    return f"{short}e{exponent}" if exponent else short


def percent(gap: float) -> str:
    """A relative gap, not smaller than it is."""
    return "unknown" if not math.isfinite(gap) else f"{rounded_up(100 * gap, 2)} %"


def _power(x: float) -> int:
    """Of ten, of the first digit."""
    return Decimal(x).adjusted()


def _written(x: float, last: int, first: int, rounding: str) -> str:
    """With the last digit at this power of ten; sides of one enclosure share the power of ten they are written with."""
    rounded = Decimal(x).quantize(Decimal((0, (1,), last)), rounding=rounding, context=_EXACT)
    if not rounded:
        return "0"
    if first in PLAIN:
        return f"{rounded:f}" if last < 0 else str(int(rounded))
    return f"{rounded.scaleb(-first, context=_EXACT):f}e{first}"


DEGREES, SI = 3, 5
"""Digits behind the point: a state is shown to look at; files of JSON hold all digits."""


def state_lines(arm: Arm, witness: Mapping[str, tuple[float, ...]]) -> tuple[str, ...]:
    """Lines such as "q = (90°, 0.5 m)" and "qd = (0.6 rad/s, 0.8 m/s)", one for each part of the state."""
    turns = Units.of(arm).is_angle
    lines: list[str] = []
    for name, values in witness.items():
        if len(values) != len(turns):
            lines.append(f"{name} = ({', '.join(_short(x, SI) for x in values)})")
        elif name == "q":
            lines.append(f"q = ({', '.join(map(_in_degrees, values, turns))})")
        else:
            lines.append(_si(name, values, turns, "rad/s", "m/s"))
    return tuple(lines)


def range_texts(arm: Arm, k: int, lower: float, upper: float) -> tuple[str, str]:
    """The range of the k-th coordinate: in degrees, or metres, and again in radians, where it is an angle."""
    turns = Units.of(arm).is_angle[k]
    plain = f"{nearest(lower)} to {nearest(upper)}"
    if not turns:
        return f"{plain} m", ""
    return f"{nearest(math.degrees(lower))}° to {nearest(math.degrees(upper))}°", f"{plain} rad"


def _in_degrees(x: float, turns: bool) -> str:
    return f"{_short(math.degrees(x), DEGREES)}°" if turns else f"{_short(x, SI)} m"


def _short(x: float, decimals: int) -> str:
    """Without zeros at the end, or a sign of zero."""
    text = f"{x:.{decimals}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def _si(name: str, values: tuple[float, ...], turns: tuple[bool, ...], angular: str, linear: str) -> str:
    """One unit behind the bracket where all are alike."""
    if len(set(turns)) == 1:
        return f"{name} = ({', '.join(_short(x, SI) for x in values)}) {angular if turns[0] else linear}"
    parts = (f"{_short(x, SI)} {angular if turn else linear}" for x, turn in zip(values, turns, strict=True))
    return f"{name} = ({', '.join(parts)})"
