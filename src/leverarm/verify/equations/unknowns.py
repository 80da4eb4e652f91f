"""Solving an equation for a name that means nothing: what it would have to be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from leverarm.notation.names import split_name
from leverarm.notation.reading.as_written import Name
from leverarm.scalars import Scalar
from leverarm.scalars.exact import Polynomial, is_exactly_zero, numerator_and_denominator, partial, quotient, substitute
from leverarm.verify.equations.case import Case
from leverarm.verify.equations.indices import depth_of
from leverarm.verify.equations.values import entries, shown, spelled, subtracted


@dataclass(frozen=True, slots=True)
class Solution:
    """The constant that an unknown name would have to be for its equation to hold."""

    name: Name
    text: str
    is_letter: bool
    is_same_letter: bool

    @property
    def sentence(self) -> str:
        return f"{shown(self.name)} = {self.text}"

    @property
    def mapping(self) -> str:
        return f"{spelled(self.name)} = {self.text}"


def solved(case: Case, unknown: Sequence[Name]) -> Solution | None:
    """What a single unknown name must be, where the equation is linear in it and it comes out as a constant."""
    if len(unknown) != 1:
        return None
    letter = spelled(unknown[0])
    found: Scalar | None = None
    for quotient_ in entries(subtracted(case.value, case.wanted)):
        x, _ = numerator_and_denominator(quotient_)
        if not isinstance(x, Polynomial):
            if is_exactly_zero(x):
                continue
            return None
        slope = partial(x, letter)
        if is_exactly_zero(slope) or not is_exactly_zero(partial(slope, letter)):
            return None
        meant = quotient(-substitute(x, {letter: 0}), slope)
        if found is not None and meant != found:
            return None
        found = meant
    if found is None or not isinstance(found, Polynomial) or depth_of(found, case.scope.values.exact.coordinates):
        return None
    names = [g.name for g in found.generators()]
    is_letter = len(found) == 1 and len(names) == 1 and next(found.terms())[1] == 1 and found == _power(found)
    text = case.scope.equations.formula(found).text()
    same = is_letter and split_name(names[0]).stem == unknown[0].letter
    return Solution(unknown[0], text, is_letter, same)


def _power(x: Polynomial) -> Scalar:
    """The element where it is a letter itself, else zero."""
    (letters, _) = next(x.terms())
    return x if letters[0][1] == 1 else 0
