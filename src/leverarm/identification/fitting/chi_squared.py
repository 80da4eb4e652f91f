"""How often chance exceeds a sum of squares of independent normal numbers."""

from __future__ import annotations

import math

TERMS = 100_000
SMALL = 1e-300


def exceeded_by_chance(statistic: float, freedom: int) -> float:
    """The probability that chi-squared with some degrees of freedom is larger than `statistic`; 1 with none.

    Q(a, x) = Gamma(a, x) / Gamma(a) at a = freedom/2, x = statistic/2: by the power series of the lower part where
    x < a + 1, by its continued fraction elsewhere (Abramowitz and Stegun 6.5.29, 6.5.31; Lentz's recurrence).
    """
    if freedom <= 0 or statistic <= 0:
        return 1.0
    a, x = freedom / 2, statistic / 2
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    return max(0.0, 1 - scale * _series(a, x)) if x < a + 1 else min(1.0, scale * _fraction(a, x))


def _series(a: float, x: float) -> float:
    """The sum over i of x^i / (a (a + 1) ... (a + i))."""
    term = total = 1 / a
    for i in range(1, TERMS):
        term *= x / (a + i)
        total += term
        if term < 1e-17 * total:
            break
    return total


def _fraction(a: float, x: float) -> float:
    """1 / (x + 1 - a - 1 (1 - a) / (x + 3 - a - 2 (2 - a) / (x + 5 - a - ...)))."""
    b = x + 1 - a
    c, d = 1 / SMALL, 1 / b
    total = d
    for i in range(1, TERMS):
        step = i * (a - i)
        b += 2
        d = 1 / _not_zero(b + step * d)
        c = _not_zero(b + step / c)
        total *= c * d
        if abs(c * d - 1) < 1e-16:
            break
    return total


def _not_zero(x: float) -> float:
    return x if abs(x) > SMALL else SMALL
