"""Exact derivatives: by a coordinate, by a symbol, and in time."""

from __future__ import annotations

from collections.abc import Mapping

from leverarm.scalars.exact.polynomial import Polynomial, element, letter
from leverarm.scalars.exact.quotient import Quotient, quotient
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
    if (sine := f"sin({name})") in ring.index:
        i, j = ring.index[sine], ring.index[f"cos({name})"]
        s, c, bit = ring.letters[i], ring.letters[j], 1 << i
        B, dc = x.p.derivative(i), x.p.derivative(j)
        dB = dc.derivative(i)
        turned = c * B - s * (dc - s * dB)
        if dB:
            turned = turned + (c * c - 1) * dB
        total = total + element(ring, turned, x.curbed | bit)
    return total


def time_derivative(x: Scalar, motion: Mapping[str, Polynomial]) -> Scalar:
    """dx/dt, given the rate of change of each coordinate and of each speed: the chain rule."""
    total: Scalar = 0
    for name, rate in motion.items():
        total = total + partial(x, name) * rate
    return total


def rates(x: Polynomial, names: Mapping[str, str]) -> dict[str, Polynomial]:
    """The motion in which each name changes at the rate that another letter of the same ring names."""
    return {name: letter(x.ring, rate) for name, rate in names.items()}
