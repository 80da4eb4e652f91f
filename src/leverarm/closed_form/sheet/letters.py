"""The symbols that a sheet's formulas hold, with numbers for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from leverarm.closed_form.robot_equation import Equations
from leverarm.closed_form.sheet.entries import Item
from leverarm.scalars import Scalar
from leverarm.scalars.exact import Application, Cosine, Generator, Polynomial, Quotient, Sine


def symbols_in(eq: Equations, items: Sequence[Item]) -> dict[str, float]:
    """The symbols of the formulas in the arm's order, with their defaults; a wrench's or a disturbance's are zero."""
    states = {f"{name}{dots}" for name in eq.arm.coordinates for dots in ("", ".d", ".dd")}
    found = {name for each in items for entry in each.entries for name in _names(entry.formula.value)} - states
    own = {name: value for name, value in eq.notation.defaults.items() if name in found}
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
