"""The letters that an exact value is made of, and whether it moves."""

from __future__ import annotations

from collections.abc import Container, Iterable

from leverarm.scalars import Scalar
from leverarm.scalars.exact import Application, Cosine, Polynomial, Quotient, Sine
from leverarm.verify.equations.values import Value, entries


def letters_of(value: Value) -> set[str]:
    """The letters in a value: "m1", "theta1.d"; an angle for its sine and cosine. Constants such as pi are none."""
    return {name for x in entries(value) for name in _letters(x)}


def depth_of(value: Value, coordinates: Container[str]) -> int:
    """What a value depends on: 0 constants only, 1 positions, 2 speeds, 3 accelerations."""
    return max((_depth(name, coordinates) for name in letters_of(value)), default=0)


def _depth(letter: str, coordinates: Container[str]) -> int:
    name, _, dots = letter.partition(".")
    return 1 + len(dots) if name in coordinates else 0


def _letters(x: Scalar) -> Iterable[str]:
    if isinstance(x, Quotient):
        return {*_letters(x.numerator), *_letters(x.denominator)}
    if not isinstance(x, Polynomial):
        return ()
    found: set[str] = set()
    for generator in x.generators():
        if isinstance(generator, Application):
            found |= {*_letters(generator.argument)}
        elif generator.value is None:
            found.add(generator.angle if isinstance(generator, Cosine | Sine) else generator.name)
    return found
