"""Exact derivatives: by a coordinate, by a symbol, and in time."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from leverarm.scalars.exact.generators import HALF, Application
from leverarm.scalars.exact.polynomial import Polynomial, Quotient, element, is_exactly_zero, letter, quotient
from leverarm.scalars.exact.ring import Ring
from leverarm.scalars.ring import Scalar


def partial(x: Scalar, name: str) -> Scalar:
    """dx/d(name), where the name is a symbol, an angle whose sine and cosine are letters, or both at once.

    For x = A + s B with s = sin(name), c = cos(name): dx = c B - s A' + (c^2 - 1) B', primes for d/dc.
    """
    if isinstance(x, Quotient):
        a, b = x.numerator, x.denominator
        return quotient(partial(a, name) * b - a * partial(b, name), b * b)
    if not isinstance(x, Polynomial):
        return 0
    ring, total = x.ring, 0
    if name in ring.index:
        total = element(ring, x.p.derivative(ring.index[name]), x.curbed)
    for angle, rate in ((name, 1), (name + HALF, Fraction(1, 2))):
        if (sine := f"sin({angle})") not in ring.index:
            continue
        i, j = ring.index[sine], ring.index[f"cos({angle})"]
        s, c, bit = ring.letters[i], ring.letters[j], 1 << i
        B, dc = x.p.derivative(i), x.p.derivative(j)
        dB = dc.derivative(i)
        turned = c * B - s * (dc - s * dB)
        if dB:
            turned = turned + (c * c - 1) * dB
        total = total + element(ring, turned, x.curbed | bit) * rate
    for i, generator in enumerate(ring.generators):
        if isinstance(generator, Application) and not is_exactly_zero(inner := partial(generator.argument, name)):
            total = total + element(ring, x.p.derivative(i), x.curbed) * _outer(ring, generator) * inner
    return total


def _outer(ring: Ring, generator: Application) -> Scalar:
    """The derivative of a function by its argument: 1 - tanh^2 of tanh, 0 of a sign."""
    if generator.function == "sgn":
        return 0
    value = letter(ring, generator.name)
    return 1 - value * value


def time_derivative(x: Scalar, motion: Mapping[str, Polynomial]) -> Scalar:
    """dx/dt, given the rate of change of each coordinate and of each speed: the chain rule."""
    total: Scalar = 0
    for name, rate in motion.items():
        total = total + partial(x, name) * rate
    return total
