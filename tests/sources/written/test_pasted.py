"""The lectures' equations, pasted as they stand there: each gets the verdict it deserves, each misprint its correction.

`python -m tests.sources.written.test_pasted` writes docs/checked-sources.md anew.
"""

from __future__ import annotations

import pytest

from tests.sources.written.mistakes import signs
from tests.sources.written.pages import GENERAL, WORKED, Section, load
from tests.sources.written.table import PAGE, document, pairs


def sections() -> list[object]:
    """Every heading of every page."""
    return [pytest.param(name, s, id=f"{name}: {s.at}") for name in WORKED for s in load(name).sections]


def misprints() -> list[object]:
    """Every misprint, by its page, its heading and its place under it."""
    return [
        pytest.param(name, s, i, id=f"{name}: {s.at} {i}")
        for name in WORKED
        for s in load(name).sections
        for i, expected in enumerate(s.expected)
        if expected.printed
    ]


@pytest.mark.parametrize(("name", "section"), sections())
def test_an_equation_gets_the_verdict_it_deserves(name: str, section: Section):
    page = load(name)
    verdicts = section.verdicts(page)
    assert len(verdicts) == len(section.expected)
    for expected, verdict in zip(section.expected, verdicts, strict=True):
        assert expected.aside or verdict.status == expected.status, f"{verdict.text}\n{verdict}"


@pytest.mark.parametrize(("name", "section", "number"), misprints())
def test_a_misprint_is_named(name: str, section: Section, number: int):
    page = load(name)
    expected, verdict = pairs(section, page)[number]
    suggestion = verdict.suggestion
    assert suggestion is not None
    first, last = suggestion.span
    assert page.text[first:last] == suggestion.written
    start, end = verdict.span
    followed = page.text[start:first] + suggestion.meant + page.text[last:end]
    assert page.text[start:end].count(expected.printed) == 1
    assert signs(followed) == signs(page.text[start:end].replace(expected.printed, expected.meant))


@pytest.mark.parametrize("name", GENERAL)
def test_of_the_general_formulas_only_wrong_ones_are_different(name: str):
    page = load(name)
    different = [v.text for v in page.verdicts if v.status == "different"]
    assert [text for text in different if not any(piece in text for piece in page.wrong)] == []
    assert [piece for piece in page.wrong if not any(piece in text for text in different)] == []


def test_the_page_in_the_docs_is_this():
    assert PAGE.read_text() == document(), "run: python -m tests.sources.written.test_pasted"


if __name__ == "__main__":
    PAGE.write_text(document())
