"""Choices without branches: conditions as the numbers 0 and 1, over any scalar.

Each condition is a sign of signs, which a compiler leaves whole: it never meets the terms that it chooses between, so
that x * 1 + y * 0 is x to the last bit.
"""

from __future__ import annotations

from leverarm.scalars import HALF, Scalar, sign


def is_positive(x: Scalar) -> Scalar:
    """1 where x > 0, else 0."""
    return sign(1 + sign(sign(x) - HALF))


def is_at_least_zero(x: Scalar) -> Scalar:
    """1 where x >= 0, else 0."""
    return sign(1 + sign(x))


def is_nought(x: Scalar) -> Scalar:
    """1 where x is 0, else 0."""
    s = sign(x)
    return sign(1 - s * s)


def negated(condition: Scalar) -> Scalar:
    """1 where a condition is 0, and 0 where it is 1."""
    return sign(1 - condition)


def either(*conditions: Scalar) -> Scalar:
    """1 where any of some conditions is 1."""
    return sign(sum(conditions, start=0))


def chosen(condition: Scalar, a: Scalar, b: Scalar) -> Scalar:
    """A where the condition holds, else b; both must be finite."""
    return condition * a + negated(condition) * b


def least(a: Scalar, b: Scalar) -> Scalar:
    """The smaller of two numbers."""
    return chosen(is_positive(b - a), a, b)


def greatest(a: Scalar, b: Scalar) -> Scalar:
    """The larger of two numbers."""
    return chosen(is_positive(a - b), a, b)
