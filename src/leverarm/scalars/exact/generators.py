"""The letters of exact polynomials: symbols, sines and cosines of angles, square roots, functions of an element."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

HALF = "/2"
"""What the name of half an angle ends in, theta1/2: the angle is theta1."""


@dataclass(frozen=True, slots=True)
class Generator:
    """A letter with a name. `value` is its number, where it is one."""

    name: str
    value: float | None = None

    rank = 4
    """Where it stands among the letters of a ring: what is reduced comes first."""


@dataclass(frozen=True, slots=True)
class Sine(Generator):
    """sin(angle), with sin(angle)^2 = 1 - cos(angle)^2."""

    angle: str = ""

    rank = 0


@dataclass(frozen=True, slots=True)
class Cosine(Generator):
    """cos(angle)."""

    angle: str = ""

    rank = 2


@dataclass(frozen=True, slots=True)
class Root(Generator):
    """The square root of a whole number without square factors."""

    square: int = 2

    rank = 1


@dataclass(frozen=True, slots=True)
class Application(Generator):
    """A function that is no polynomial, of an element: sgn(qd), tanh(qd/w)."""

    function: str = ""
    argument: Any = field(default=None, compare=False)

    rank = 3


def symbol(name: str, value: float | None = None) -> Generator:
    """A letter that stands for itself."""
    return Generator(name, value)


def circle(angle: str, value: float | None = None) -> tuple[Cosine, Sine]:
    """The cosine and sine of a named angle."""
    c, s = (None, None) if value is None else (math.cos(value), math.sin(value))
    return Cosine(f"cos({angle})", c, angle), Sine(f"sin({angle})", s, angle)


def root(square: int) -> Root:
    """The positive square root of a whole number."""
    return Root(f"sqrt({square})", math.sqrt(square), square)
