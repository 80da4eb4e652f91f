"""When a number is written as a decimal or with a power of ten: in every renderer the same."""

from __future__ import annotations

from fractions import Fraction

LONGEST_DECIMAL = 18
_LARGE = 10**LONGEST_DECIMAL


def decimal_text(value: Fraction, is_decimal: bool = False) -> str | None:
    """The number as a decimal where that is exact and reads better than a fraction: 9.81, not 981/100.

    Unless all are to be decimals, small fractions such as 1/2, 3/4 and 2/5 stay: those are coefficients.
    """
    places = _decimal_places(value)
    is_coefficient = not is_decimal and abs(value.numerator) < 10 and value.denominator in (2, 4, 5, 8, 16, 32, 64)
    if places is None or places > LONGEST_DECIMAL or value.denominator == 1 or is_coefficient:
        return None
    digits = _digits(value, places).rjust(places + 1, "0")
    return f"{digits[:-places]}.{digits[-places:]}"


def power_of_ten(value: Fraction) -> tuple[str, int] | None:
    """The digits before a power of ten and its exponent, ("1.5", -300), of a number that is long without it.

    That is one with more than 18 zeros behind its digits or before them; None of any other.
    """
    if abs(value.numerator) < _LARGE and value.denominator < _LARGE:
        return None
    places = _decimal_places(value)
    if places is None:
        return None
    written = _digits(value, places)
    digits, exponent = written.rstrip("0"), len(written) - 1 - places
    zeros = exponent + 1 - len(digits) if exponent > 0 else -exponent
    if zeros <= LONGEST_DECIMAL:
        return None
    return (f"{digits[0]}.{digits[1:]}" if len(digits) > 1 else digits), exponent


def _decimal_places(value: Fraction) -> int | None:
    """How many digits stand behind the point; None where they have no end."""
    twos, fives, rest = 0, 0, value.denominator
    while rest % 2 == 0:
        twos, rest = twos + 1, rest // 2
    while rest % 5 == 0:
        fives, rest = fives + 1, rest // 5
    return max(twos, fives) if rest == 1 else None


def _digits(value: Fraction, places: int) -> str:
    return str(abs(value.numerator) * 10**places // value.denominator)
