"""docs/checked-sources.md, written from the data: every displayed equation as pasted, and what `leverarm check` says."""

from __future__ import annotations

from collections import Counter

import leverarm as la
from tests.sources.written.pages import GENERAL, WORKED, Expected, Page, Section, load
from tests.support.paths import ROOT

PAGE = ROOT / "docs" / "checked-sources.md"

INTRODUCTION = """\
# The lectures' equations, pasted and checked

Every displayed equation of the lectures in [sources.md](sources.md), pasted as it stands there (some pages lost characters
when they were copied: `heta` for `\\theta`, `egin` for `\\begin`), and what `leverarm check` says about it. `equal` is a proof:
both sides are the same function of all symbols. `defined, not checked` is a line that only gives a name or a value to
something: that proves nothing, and the lines are counted apart. Of a misprint, the table shows the correction that comes
first.
The tests check the pages again and write this page: `python -m tests.sources.written.test_pasted`.
"""


def document() -> str:
    """The whole page."""
    pages = [load(name) for name in WORKED]
    general = [load(name) for name in GENERAL]
    parts = [INTRODUCTION, *_summary(pages, general), *_misprints(pages, general)]
    parts += [line for page in pages for line in _worked(page)]
    parts += ["## General formulas", "", _GENERAL, ""]
    parts += [line for page in general for line in _general(page)]
    return "\n".join(parts)


_GENERAL = """\
They are about any arm, and often name things that an arm does not have: a body without a number, an index without a value,
an integral. They are tried on the arm of their lecture; `equal` is a proof for that arm, of what the line was read as: an
S beside an M is Mdot - 2 C, though a page may mean another S. What `check` cannot read is done by other commands, which
[the lectures, line by line](sources.md) name."""


def pairs(section: Section, page: Page) -> list[tuple[Expected, la.types.Verdict]]:
    """The equations under a heading: the verdict each deserves, and the one it gets."""
    return list(zip(section.expected, section.verdicts(page), strict=True))


def _summary(pages: list[Page], general: list[Page]) -> list[str]:
    every = [pair for page in pages for section in page.sections for pair in pairs(section, page)]
    asides = sum(bool(expected.aside) for expected, _ in every)
    misprints = sum(bool(expected.printed) for expected, _ in every)
    equal = sum(not e.aside and v.status == "equal" for e, v in every)
    convention = sum(not e.aside and v.status == "equal by convention" for e, v in every)
    of_any = Counter(verdict.status for page in general for verdict in page.verdicts)
    return [
        f"{len(every)} equations about a worked arm: {equal} equal, {convention} equal by convention, {misprints} misprinted;"
        f" {asides} are not about a quantity of the arm.",
        f"{of_any.total()} general formulas: {', '.join(f'{n} {status}' for status, n in of_any.most_common())}.",
        "",
    ]


def _misprints(pages: list[Page], general: list[Page]) -> list[str]:
    lines = ["## Misprints", "", "| where | printed | meant | what the check says first |", "|---|---|---|---|"]
    for page in pages:
        for section in page.sections:
            for expected, verdict in pairs(section, page):
                if expected.printed:
                    cells = [f"{page.title}: {section.at}", _code(expected.printed), _code(expected.meant)]
                    lines.append(f"| {' | '.join([*cells, _said(verdict)])} |")
    for page in general:
        for piece, why in page.wrong.items():
            verdict = next(verdict for verdict in page.verdicts if piece in verdict.text)
            lines.append(f"| {page.title} (general) | {_code(piece)} | {why} | {_said(verdict)} |")
    return [*lines, ""]


def _worked(page: Page) -> list[str]:
    lines = [f"## {page.title}", "", f"{page.source[0].upper()}{page.source[1:]}.", ""]
    lines += ["| place | as pasted | verdict |", "|---|---|---|"]
    for section in page.sections:
        for expected, verdict in pairs(section, page):
            outcome = f"{_outcome(expected, verdict)}{'. ' + expected.note if expected.note else ''}"
            lines.append(f"| {section.at} | {_code(verdict.text)} | {outcome} |")
    return [*lines, ""]


def _outcome(expected: Expected, verdict: la.types.Verdict) -> str:
    if expected.aside:
        return f"{verdict.status} ({expected.aside})"
    if expected.printed:
        return f"{verdict.status}: {_said(verdict)}"
    return verdict.status if verdict.convention is None else f"{verdict.status}: {verdict.convention}"


def _general(page: Page) -> list[str]:
    lines = [f"### {page.title}", "", f"{page.source[0].upper()}{page.source[1:]}. Tried on {page.loaded.name}.", ""]
    lines += ["| as pasted | read as | verdict |", "|---|---|---|"]
    for verdict in page.verdicts:
        why = next((why for piece, why in page.wrong.items() if piece in verdict.text), "")
        about = (verdict.about or "").replace("|", "\\|") if verdict.status != "unreadable" else ""
        lines.append(f"| {_code(verdict.text)} | {about} | {verdict.status}{': ' + why if why else ''} |")
    return [*lines, ""]


def _said(verdict: la.types.Verdict) -> str:
    if verdict.suggestion is None:
        return "no correction"
    written, meant = (_code(text) for text in (verdict.suggestion.written, verdict.suggestion.meant))
    return f"{verdict.suggestion.what}: {written} should be {meant}"


def _code(text: str) -> str:
    """Text as code in a cell of a table: on one line, its bars escaped."""
    return f"`{' '.join(text.split())}`".replace("|", "\\|") if text.strip() else "nothing"
