"""When a number is written as a decimal: in every renderer the same."""

from __future__ import annotations

from fractions import Fraction

LONGEST_DECIMAL = 18


def decimal_text(value: Fraction) -> str | None:
    """The number as a decimal where that is exact and reads better than a fraction: 9.81, not 981/100.

    Small fractions such as 1/2, 3/4 and 2/5 stay: those are coefficients, the others were typed as decimals.
    """
    twos, fives, rest = 0, 0, value.denominator
    while rest % 2 == 0:
        twos, rest = twos + 1, rest // 2
    while rest % 5 == 0:
        fives, rest = fives + 1, rest // 5
    places = max(twos, fives)
    is_coefficient = abs(value.numerator) < 10 and value.denominator in (2, 4, 5, 8, 16, 32, 64)
    if rest != 1 or places > LONGEST_DECIMAL or value.denominator == 1 or is_coefficient:
        return None
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    return f"{digits[:-places]}.{digits[-places:]}"
