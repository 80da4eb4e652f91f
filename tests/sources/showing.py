"""Where a derivation shows an equation of a page."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

import leverarm as la
from leverarm.derivation import Derivation
from leverarm.documents.document import Section
from leverarm.errors import LeverarmError
from leverarm.notation import tree
from leverarm.notation.text import to_text
from tests.sources.pages import Page, Row
from tests.sources.values import Value, added, value_of


@dataclass(frozen=True)
class Place:
    """A displayed equation of a derivation: its part, its step, and the equation as a tree and as text."""

    part: str
    step: str
    equation: tree.Equation
    text: str


def derivation(page: Page, route: str) -> Derivation:
    """The page's arm derived by a route, every line of it."""
    return la.derive(page.eq.arm, route)


def places(page: Page, row: Row, shown: Derivation) -> list[Place]:
    """The displayed equations of the derivation that show what the page prints; none where one is missing."""
    if isinstance(row.shows, list):
        return _terms(page, row, shown)
    value = page.computed(Row(row.at, row.what, row.shows, row.page, pose=row.pose))
    found = _with_value(page, row, shown, row.shows, value)
    if found or not row.shows.startswith("[["):
        return found[:1]
    names = [entry for entry in row.shows.strip("[]").split("], [") if entry != "0"]
    each = [_with_value(page, row, shown, name, page.known[name])[:1] for name in names]
    return [place for found in each for place in found] if all(each) else []


def _with_value(page: Page, row: Row, shown: Derivation, left: str, value: Value) -> list[Place]:
    """The equations one side of which is written as `left` and another has the value."""
    found = []
    for place in _all(shown):
        sides = [to_text(side, shown.document.writing) for side in place.equation.sides]
        if place.equation.relation == "->":
            sides[0] = f"lim {sides[0]}"
        if left not in sides or row.step not in ("", place.step):
            continue
        others = [side for side, text in zip(place.equation.sides, sides, strict=True) if text != left]
        if any(_has_value(page, side, value) for side in others):
            found.append(place)
    return found


def _terms(page: Page, row: Row, shown: Derivation) -> list[Place]:
    """The equations that define the sums, where their terms of the given number add up to what the page prints."""
    found, parts = [], []
    for name in row.shows:
        for place in _all(shown):
            defining = place.equation.sides[1]
            if to_text(place.equation.sides[0], shown.document.writing) == name and isinstance(defining, tree.Sum):
                found.append(place)
                parts.append(value_of(defining.terms[row.term or 0], page.eq, page.known))
                break
    return found if parts and reduce(added, parts) == page.printed(row.sides[-1], row) else []


def says(shown: Derivation, sentence: str) -> list[Section]:
    """The steps whose words contain a sentence."""
    return [
        step
        for step in shown
        if sentence
        in "".join(word if isinstance(word, str) else to_text(word, shown.document.writing) for word in step.words)
    ]


def _all(shown: Derivation) -> list[Place]:
    return [
        Place(part.title, step.title, line.equation, to_text(line.equation, shown.document.writing))
        for part in shown.parts
        for step in part.sections
        for line in step.equations
        if isinstance(line.equation, tree.Equation)
    ]


def _has_value(page: Page, side: tree.Node, value: Value) -> bool:
    try:
        return same(value_of(side, page.eq, page.known), value)
    except (LeverarmError, ValueError, KeyError):
        return False


def same(a: Value, b: Value) -> bool:
    """Whether two values are equal; a column may leave out zeros at its end, such as the z of a planar arm."""
    if isinstance(a, list) and isinstance(b, list) and len(a) != len(b):
        short, long = sorted((a, b), key=len)
        return long[: len(short)] == short and all(row == [0] for row in long[len(short) :])
    return bool(a == b)
