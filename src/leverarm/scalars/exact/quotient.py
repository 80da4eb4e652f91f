"""Quotients of polynomials: what field programs need, such as the mass felt at the tip."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from leverarm.scalars.exact.generators import Sine
from leverarm.scalars.exact.polynomial import Polynomial, as_element, element, is_exactly_zero
from leverarm.scalars.exact.ring import Flint, Ring, join
from leverarm.scalars.ring import Scalar


class Quotient:
    """numerator / denominator, without common factors. Equality is decided by multiplying crosswise.

    The ring of sines and cosines has no unique factorisation, so a quotient has no unique form.
    """

    __slots__ = ("denominator", "numerator")

    def __init__(self, numerator: Polynomial, denominator: Polynomial) -> None:
        self.numerator, self.denominator = numerator, denominator

    def __add__(self, other: Scalar) -> Scalar:
        if not _is_exact(other):
            return NotImplemented
        a, b = numerator_and_denominator(other)
        if self.denominator == b:
            return quotient(self.numerator + a, b)
        return quotient(self.numerator * b + a * self.denominator, self.denominator * b)

    __radd__ = __add__

    def __neg__(self) -> Quotient:
        return Quotient(-self.numerator, self.denominator)

    def __sub__(self, other: Scalar) -> Scalar:
        return self + -other if _is_exact(other) else NotImplemented

    def __rsub__(self, other: Scalar) -> Scalar:
        return -self + other if _is_exact(other) else NotImplemented

    def __mul__(self, other: Scalar) -> Scalar:
        if not _is_exact(other):
            return NotImplemented
        a, b = numerator_and_denominator(other)
        return quotient(self.numerator * a, self.denominator * b)

    __rmul__ = __mul__

    def __truediv__(self, other: Scalar) -> Scalar:
        if not _is_exact(other):
            return NotImplemented
        a, b = numerator_and_denominator(other)
        return quotient(self.numerator * b, self.denominator * a)

    def __rtruediv__(self, other: Scalar) -> Scalar:
        if not _is_exact(other):
            return NotImplemented
        return quotient(other * self.denominator, self.numerator)

    def __eq__(self, other: object) -> bool:
        if not _is_exact(other):
            return NotImplemented
        a, b = numerator_and_denominator(other)
        return is_exactly_zero(self.numerator * b - a * self.denominator)

    __hash__ = None  # type: ignore[assignment]  # equal quotients may have different forms

    def __float__(self) -> float:
        return float(self.numerator) / float(self.denominator)

    def __repr__(self) -> str:
        return f"({self.numerator!r})/({self.denominator!r})"


def _is_exact(x: Any) -> bool:
    return isinstance(x, Polynomial | Quotient | int | Fraction)


def numerator_and_denominator(x: Scalar) -> tuple[Scalar, Scalar]:
    """An exact scalar as a quotient of two without denominators."""
    return (x.numerator, x.denominator) if isinstance(x, Quotient) else (x, 1)


def _without_sines(ring: Ring, p: Flint, d: Flint) -> tuple[Flint, Flint]:
    """Both without the sines they share, which a common divisor does not see: s^2 is held as 1 - c^2.

    A sine s divides x exactly when 1 - c^2 divides s x in normal form, and the quotient is x / s.
    """
    degrees = d.degrees()
    for i, generator in enumerate(ring.generators):
        if not isinstance(generator, Sine):
            continue
        j = ring.index[f"cos({generator.angle})"]
        if degrees[i] == degrees[j] == 0:
            continue
        s, square = ring.letters[i], 1 - ring.letters[j] ** 2
        while not d.is_constant():
            turned = [ring.reduce(s * x, 1 << i) for x in (p, d)]
            if any(x % square for x in turned):
                break
            p, d = (x / square for x in turned)
    return p, d


def quotient(a: Scalar, b: Scalar) -> Scalar:
    """a / b of exact scalars without denominators, in lowest terms; a polynomial where the division comes out."""
    if is_exactly_zero(b):
        raise ZeroDivisionError("division by an element that is zero")
    if is_exactly_zero(a) or not isinstance(b, Polynomial):
        return a * (Fraction(1) / b) if a != 0 else 0
    ring = b.ring if not isinstance(a, Polynomial) or a.ring is b.ring else join(a.ring, b.ring)
    above, below = as_element(ring, a), as_element(ring, b)
    shared = above.p.gcd(below.p)
    p, d = _without_sines(ring, above.p / shared, below.p / shared)
    if d.is_constant():
        return element(ring, p / d, above.curbed)
    scale = d.leading_coefficient()
    return Quotient(element(ring, p / scale, above.curbed), element(ring, d / scale, below.curbed))
