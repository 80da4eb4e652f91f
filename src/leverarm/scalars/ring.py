"""What an algorithm may do with a number: + - *, the literals 0 and 1, and the few functions below.

A structural zero is the Python int 0. A scalar type that builds expressions absorbs it (0 * x -> 0, x + 0 -> x,
x * 1 -> x), mixes with ints and Fractions, and leaves other types (a Dual over it) to themselves by returning
NotImplemented; floats and rationals only have the value of a zero. Structure is asked with `is_zero` and `is_one`,
never with ==, which a symbol or an interval cannot answer. A function here dispatches on the type of its argument; a
number system registers its own in its own file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import singledispatch
from typing import Any

Scalar = Any
"""A number of any system: float, Fraction, Dual, and whatever a later file registers."""

Number = int | float | Fraction
"""A literal number of a model."""

HALF = Fraction(1, 2)


@singledispatch
def cos_sin(angle: Scalar) -> tuple[Scalar, Scalar]:
    """Cosine and sine of a joint angle; every number system registers its own."""
    raise TypeError(f"no cos_sin is registered for {type(angle).__name__}")


@singledispatch
def as_length(coordinate: Scalar) -> Scalar:
    """A joint coordinate as a length, where a joint slides: itself, except for angles held as (cos, sin)."""
    return coordinate


@singledispatch
def sign(speed: Scalar) -> Scalar:
    """-1, 0 or 1. Only friction asks for it."""
    raise TypeError(f"no sign is registered for {type(speed).__name__}")


@singledispatch
def tanh(x: Scalar) -> Scalar:
    """Hyperbolic tangent. Only smooth friction asks for it."""
    raise TypeError(f"no tanh is registered for {type(x).__name__}")


def is_zero(x: Scalar) -> bool:
    """Whether x is the structural zero. A zero that was computed is not one."""
    return type(x) is int and x == 0


def is_one(x: Scalar) -> bool:
    """Whether x is the structural one."""
    return type(x) is int and x == 1


def half(x: Scalar) -> Scalar:
    """x / 2 in any ring that holds the rationals; a structural zero stays one."""
    return 0 if is_zero(x) else HALF * x


def divide(a: Scalar, b: Scalar) -> Scalar:
    """a / b in a field; structural zeros stay, and whole numbers divide to an exact fraction."""
    if is_zero(a):
        return 0
    return Fraction(a, b) if type(a) is int and type(b) is int else a / b


@dataclass(frozen=True, slots=True)
class NumberSystem:
    """How the literal numbers of a model become scalars of one type."""

    name: str
    lift: Callable[[Number], Scalar]
    """A literal number as a scalar. Zero becomes the structural zero."""
    turn: Callable[[float], tuple[Scalar, Scalar]]
    """Cosine and sine of a constant angle [rad]. Multiples of pi/2 are the exact ints 0, 1, -1."""
    direction: Callable[[Number, Number, Number], tuple[Scalar, Scalar, Scalar]]
    """The unit vector along three literals. Along a coordinate axis its entries are the exact ints 0, 1, -1."""
    angle: Callable[[Fraction], Scalar]
    """The joint angle whose half has this tangent: the same pose in every system."""
    approximate: Callable[[Scalar], float]
    """The nearest float, to compare systems by."""
