"""The symbols that closed forms hold, with numbers for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from leverarm.scalars import Scalar
from leverarm.scalars.exact import Application, Cosine, Generator, Polynomial, Quotient, Sine

if TYPE_CHECKING:
    from leverarm.closed_form.formula import Notation


def symbols_in(values: Iterable[Scalar], notation: Notation) -> dict[str, float]:
    """The symbols of the values in the arm's order, with their defaults; a wrench's or a disturbance's are zero."""
    states = {f"{name}{dots}" for name in notation.vocabulary.coordinates for dots in ("", ".d", ".dd")}
    found = {name for value in values for name in _names(value)} - states
    own = {name: value for name, value in notation.defaults.items() if name in found}
    return own | dict.fromkeys(sorted(found - set(own)), 0.0)


def _names(value: Scalar) -> Iterator[str]:
    if isinstance(value, Quotient):
        yield from _names(value.numerator)
        yield from _names(value.denominator)
    if isinstance(value, Polynomial):
        for letter in value.generators():
            if isinstance(letter, Application):
                yield from _names(letter.argument)
            elif isinstance(letter, Cosine | Sine):
                if letter.value is None:
                    yield letter.angle
            elif type(letter) is Generator:
                yield letter.name
