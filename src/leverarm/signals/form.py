"""What a program must know of a signal, and the signal's formula over any scalar. The rest of a signal is data.

One piece of a signal is one row of numbers, and `moment` reads it. Its two formulas are ring programs:

    polynomial: [begin, c_0, c_1, ...]               value = sum of c_k s^k,                              s = t - begin
    fourier:    [begin, w, c, a_1, b_1, a_2, b_2, ...]   value = c + sum of a_k sin(k w s) + b_k cos(k w s)

Each c, c_k, a_k, b_k is as many numbers as the signal has coordinates; w [rad/s] is the base frequency.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

from leverarm.errors import InputError, unknown_name
from leverarm.scalars import Scalar, cos_sin

Kind = Literal["polynomial", "fourier"]


@dataclass(frozen=True, slots=True)
class Form:
    """The shape of a signal's formula: its kind, how many coordinates it has, and how many terms each one has.

    A polynomial of n terms has degree n - 1; a Fourier series of n terms has n harmonics.

    >>> Form("polynomial", size=2, terms=4).width
    9
    """

    kind: Kind
    size: int
    terms: int

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise InputError(unknown_name("kind of signal", self.kind, get_args(Kind)))
        if self.size < 1 or self.terms < 1:
            raise InputError(
                f"a {self.kind} signal of {self.size} coordinates and {self.terms} terms: it takes one or more of each."
            )

    @property
    def head(self) -> int:
        """How many numbers of a row come before the coefficients."""
        return 1 if self.kind == "polynomial" else 2

    @property
    def vectors(self) -> int:
        """How many coefficients each coordinate has."""
        return self.terms if self.kind == "polynomial" else 1 + 2 * self.terms

    @property
    def width(self) -> int:
        """How many numbers one piece has."""
        return self.head + self.vectors * self.size


class Moment(NamedTuple):
    """A signal at one time: its value and the first two derivatives with respect to time [per s, per s^2]."""

    value: Any
    rate: Any
    acceleration: Any


def moment(form: Form, row: Sequence[Scalar], t: Scalar) -> Moment:
    """The signal and its two time derivatives at a time [s] by the formula of one piece: three lists. Ring.

    >>> moment(Form("polynomial", size=1, terms=3), [10.0, 1.0, 2.0, 3.0], 12.0)
    Moment(value=[17.0], rate=[14.0], acceleration=[6.0])
    """
    s = t - row[0]
    coordinates = [row[form.head + j :: form.size] for j in range(form.size)]
    if form.kind == "polynomial":
        moments = [polynomial(c, s) for c in coordinates]
    else:
        shared = waves(form.terms, row[1], *cos_sin(row[1] * s))
        moments = [series(c, shared) for c in coordinates]
    value, rate, acceleration = map(list, zip(*moments, strict=True))
    return Moment(value, rate, acceleration)


def polynomial(coefficients: Sequence[Scalar], s: Scalar) -> Moment:
    """The sum of c_k s^k and its derivatives, by Horner's rule on all three at once. Ring."""
    *lower, value = coefficients
    rate: Scalar = 0
    half_acceleration: Scalar = 0
    for c in reversed(lower):
        half_acceleration = half_acceleration * s + rate
        rate = rate * s + value
        value = value * s + c
    return Moment(value, rate, 2 * half_acceleration)


def waves(terms: int, w: Scalar, cos: Scalar, sin: Scalar) -> list[Moment]:
    """sin(k w s) and cos(k w s) for k = 1, 2, ... with their derivatives, from cosine and sine of w s alone. Ring.

    The next multiple of the angle is one turn further (sum formulas): rounding grows with k, not with k^2.
    """
    found = []
    cos_k, sin_k = cos, sin
    for k in range(1, terms + 1):
        if k > 1:
            cos_k, sin_k = cos_k * cos - sin_k * sin, sin_k * cos + cos_k * sin
        kw = k * w
        sin_rate, cos_rate = kw * cos_k, -(kw * sin_k)
        found.append(Moment(sin_k, sin_rate, kw * cos_rate))
        found.append(Moment(cos_k, cos_rate, -(kw * sin_rate)))
    return found


def series(coefficients: Sequence[Scalar], shared: Sequence[Moment]) -> Moment:
    """A constant and a sum of waves with their derivatives. Ring."""
    value, rate, acceleration = coefficients[0], 0, 0
    for c, wave in zip(coefficients[1:], shared, strict=True):
        value = value + c * wave.value
        rate = rate + c * wave.rate
        acceleration = acceleration + c * wave.acceleration
    return Moment(value, rate, acceleration)
