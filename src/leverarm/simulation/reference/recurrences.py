"""What the k-th Taylor coefficient of each operation is, on one page (Griewank and Walther 2008, tables 13.1 and 13.2).

A coefficient is asked for when everything that the operation takes has its own k-th, and the result all below.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import mul

from leverarm.scalars import Op, Scalar, tanh

Powers = list[Scalar]
"""The coefficients of a power series in the time since an instant, lowest power first."""
Coefficient = Callable[[int], Scalar]
"""The k-th coefficient of a series."""


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """A power series that grows, or a constant: one number, then zeros for every power there will be."""

    powers: Powers
    grows: bool

    @staticmethod
    def growing(taken: Sequence[Value]) -> Value:
        """What is made of these: it grows if one of them does."""
        return Value([], any(value.grows for value in taken))


def product(own: Powers, a: Value, b: Value) -> Coefficient:
    """Sum of a_j b_(k - j); both have exactly k + 1 coefficients when it is asked for."""
    x, y = a.powers, b.powers
    if not a.grows:
        return lambda k: x[0] * y[k]
    if not b.grows:
        return lambda k: y[0] * x[k]
    return lambda k: sum(map(mul, x, reversed(y)))


def quotient(own: Powers, a: Value, b: Value) -> Coefficient:
    """From own b = a: own_k = (a_k - sum of b_j own_(k - j) from j = 1 on) / b_0."""
    x, y = a.powers, b.powers
    if not b.grows:
        return lambda k: x[k] / y[0]
    return lambda k: (x[k] - sum(map(mul, y[1:], reversed(own)))) / y[0]


def circle(first: tuple[Scalar, Scalar], angle: Powers, slope: Powers, c: Powers, s: Powers) -> tuple[Coefficient, ...]:
    """The slope k x_k of the angle, its cosine and its sine, from c' = -s x' and s' = c x'."""
    return (
        lambda k: k * angle[k],
        lambda k: -_along(slope, s, k) / k if k else first[0],
        lambda k: _along(slope, c, k) / k if k else first[1],
    )


def hyperbolic(x: Powers, slope: Powers, y: Powers, rate: Powers) -> tuple[Coefficient, ...]:
    """The slope k x_k, y = tanh x and its rate 1 - y^2, from y' = (1 - y^2) x'."""
    return (
        lambda k: k * x[k],
        lambda k: _along(slope, rate, k) / k if k else tanh(x[0]),
        lambda k: -sum(map(mul, y, reversed(y))) if k else 1 - y[0] * y[0],
    )


def _along(slope: Powers, other: Powers, k: int) -> Scalar:
    """Sum of slope_j other_(k - j) from j = 1 on."""
    return sum(map(mul, slope[1:], other[k - 1 :: -1]))


def _fused(own: Powers, a: Value, b: Value, c: Value) -> Coefficient:
    p, z = product(own, a, b), c.powers
    return lambda k: p(k) + z[k]


def _fused_less(own: Powers, a: Value, b: Value, c: Value) -> Coefficient:
    p, z = product(own, a, b), c.powers
    return lambda k: p(k) - z[k]


def _less_fused(own: Powers, a: Value, b: Value, c: Value) -> Coefficient:
    p, z = product(own, a, b), c.powers
    return lambda k: z[k] - p(k)


def _negation(own: Powers, a: Value) -> Coefficient:
    x = a.powers
    return lambda k: -x[k]


def _sum(own: Powers, a: Value, b: Value) -> Coefficient:
    x, y = a.powers, b.powers
    return lambda k: x[k] + y[k]


def _difference(own: Powers, a: Value, b: Value) -> Coefficient:
    x, y = a.powers, b.powers
    return lambda k: x[k] - y[k]


RECURRENCES: dict[Op, Callable[..., Coefficient]] = {
    Op.NEG: _negation,
    Op.ADD: _sum,
    Op.SUB: _difference,
    Op.MUL: product,
    Op.DIV: quotient,
    Op.FMA: _fused,
    Op.FMS: _fused_less,
    Op.FNMA: _less_fused,
}
