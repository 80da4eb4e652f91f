"""Every displayed equation of the lectures, exactly: read from the page, computed, and found in the derivation.

`python -m tests.sources.test_displayed` writes docs/sources.md anew.
"""

from __future__ import annotations

from functools import cache

import pytest

import leverarm as la
from leverarm.derivation import Derivation
from tests.sources.identities import IDENTITIES, Case
from tests.sources.pages import HERE, WORKED, Page, Row, general, load
from tests.sources.showing import derivation, places, same, says
from tests.sources.table import PAGE, document

page_of = cache(load)
KINDS = (
    ("The arm", ""),
    ("Positions and velocities", "Positions of the centres of mass"),
    ("Positions and velocities", ""),
    ("Kinetic and potential energy", ""),
    ("Lagrange's equations", "The Lagrangian"),
    ("Lagrange's equations", "Derivatives"),
    ("Lagrange's equations", "Equations of motion"),
    ("The equations of motion", ""),
    ("Properties", ""),
    ("The end-effector", ""),
)
"""The kinds of results in the order of the lectures: part and beginning of the step's title."""


@cache
def derived(name: str, route: str) -> Derivation:
    return derivation(page_of(name), route)


def rows() -> list[object]:
    """Every displayed equation, named by its page, its place and its left side."""
    return [
        pytest.param(name, row, id=f"{name} {row.at} {row.shown_left}") for name in WORKED for row in page_of(name).rows
    ]


@pytest.mark.parametrize(("name", "row"), rows())
def test_the_page_is_equal_or_misprinted(name: str, row: Row):
    page = page_of(name)
    sides = [page.printed(side, row) for side in row.sides]
    value = sides[-1] if row.term is not None else page.computed(row)
    if not row.misprint:
        assert all(same(side, value) for side in sides)
        assert not row.holds
    elif row.holds:
        assert not all(same(side, value) for side in sides)
        assert same(page.printed(row.holds, row), value)
    else:
        assert all(same(side, value) for side in sides)
        assert not same(page.printed(row.left, row), value), "neither side is misprinted"


@pytest.mark.parametrize(("name", "row"), rows())
def test_the_derivation_shows_it(name: str, row: Row, request: pytest.FixtureRequest):
    if row.unshown:
        request.applymarker(pytest.mark.xfail(reason="not shown yet", strict=True))
    shown = derived(name, row.route)
    assert says(shown, row.said) if row.said else places(page_of(name), row, shown)


@pytest.mark.parametrize("name", WORKED)
def test_the_derivation_keeps_the_order_of_the_page(name: str):
    """By kinds of results: a kind that the page finishes before another comes before it in the derivation."""
    page: Page = page_of(name)
    finished: dict[int, int] = {}
    for number, row in enumerate(page.rows):
        if row.route == "lagrange" and not (row.said or row.again or row.unshown):
            for place in places(page, row, derived(name, row.route)):
                finished[kind(place.part, place.step)] = number
    assert sorted(finished) == sorted(finished, key=finished.__getitem__)


def kind(part: str, step: str) -> int:
    """The number of the most particular kind that a step belongs to."""
    matching = [i for i, (of, start) in enumerate(KINDS) if part == of and step.startswith(start)]
    return max(matching, key=lambda i: len(KINDS[i][1]))


ARMS = ("elbow", "rp", "rr", HERE / "arms" / "skew.toml")


@pytest.mark.parametrize("arm", ARMS, ids=str)
@pytest.mark.parametrize("name", IDENTITIES)
def test_the_general_formulas_hold(arm: str, name: str):
    assert IDENTITIES[name](case_of(arm))


@cache
def case_of(arm: str) -> Case:
    return Case(la.equations(la.load(arm)))


def test_every_general_formula_is_checked():
    formulas = [formula for source in general() for formula in source["formula"]]
    assert {formula["check"] for formula in formulas if not formula.get("bound")} == set(IDENTITIES)


@pytest.mark.slow
def test_the_table_is_what_the_data_say():
    assert PAGE.read_text() == document(), "run python -m tests.sources.test_displayed"


if __name__ == "__main__":
    PAGE.write_text(document())
