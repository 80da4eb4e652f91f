"""docs/sources.md, written from the data: every displayed equation of the pages, ours beside it, and the verdict."""

from __future__ import annotations

import re

from leverarm.derivation import Derivation
from tests.sources import coverage
from tests.sources.pages import WORKED, Page, Row, general, load
from tests.sources.showing import derivation, places
from tests.support.paths import ROOT

PAGE = ROOT / "docs" / "sources.md"
MATRIX = re.compile(r"\[\[.*?\]\]")
WIDE = 60
"""Formulas longer than this are broken into lines, wider matrices into rows."""

INTRODUCTION = """\
# The lectures, line by line

The sources are Examples 3.2-1 and 3.2-2 and Table 3.3.1 of Lewis, Dawson and Abdallah, *Robot Manipulator Control*; a
lecture on kinetic and potential energy (2R arm with inertias); *Robot Dynamics*, Lecture 10 (rigid bodies, RR arm);
*Introduction to Robotics*, Lecture 14 (Lagrangian dynamics); and the RP arm of the METR4202 tutorial on dynamics, with
the Newton-Euler algorithm in screw form.

First comes every paragraph, display, table row and exercise of these pages, in their order and each once, with the
command that does it; `tests/sources/test_coverage.py` runs each command and compares what it prints. Then follow the
misprints, and every displayed equation of the worked arms beside the same equation as `leverarm derive` shows it. There
`equal` means that both are the same function of all symbols: `tests/sources/test_displayed.py` parses the printed
equation into an exact expression, compares it with tolerance zero, finds it in the derivation, and generates this page
(`tests/sources/test_formulas.py` compares the same results in rational arithmetic at 1000 random states per arm). All
displays pasted as they stand: [checked sources](checked-sources.md). Notation: `thetad1` and `thetadd1` are the speed and
acceleration of `theta1`, `c12` is `cos(theta1 + theta2)`.
"""


def document() -> str:
    """The whole page."""
    pages = [load(name) for name in WORKED]
    return "\n".join(
        [
            INTRODUCTION,
            *coverage.section(),
            *_misprints(pages),
            *(line for page in pages for line in _worked(page)),
            *_general(),
        ]
    )


def _misprints(pages: list[Page]) -> list[str]:
    entries: dict[tuple[str, str, str], list[str]] = {}
    notes: dict[tuple[str, str, str], str] = {}
    for page in pages:
        for row in page.rows:
            if row.misprint:
                entries.setdefault((page.title, *row.misprint), []).append(f"{row.at}, {row.what}")
        for remark in page.remarks:
            entries.setdefault((page.title, *remark["misprint"]), []).append(f"{remark['at']}, {remark['what']}")
    for source in general():
        for formula in source["formula"]:
            if "misprint" in formula:
                entries.setdefault((source["title"], *formula["misprint"]), []).append(formula["what"])
                notes[source["title"], *formula["misprint"]] = formula.get("note", "")
    lines = ["## Misprints", "", "| where | printed | holds |", "|---|---|---|"]
    for (title, printed, meant), where in entries.items():
        note = notes.get((title, printed, meant), "")
        lines.append(
            f"| {title}: {'; '.join(where)} | {_code(printed)} | {_code(meant)}{'. ' + note if note else ''} |"
        )
    return [*lines, ""]


def _worked(page: Page) -> list[str]:
    lines = [f"## {page.title}", "", f"{page.source[0].upper()}{page.source[1:]}.", ""]
    lines += ["| place | what | the page | leverarm | verdict |", "|---|---|---|---|---|"]
    routes: dict[str, Derivation] = {}
    for row in page.rows:
        if row.route not in routes:
            routes[row.route] = derivation(page, row.route)
        left = row.left or row.shown_left
        printed = "<br>".join(
            [_lines(left, row.sides), *(f"with `{name} = {meaning}`" for name, meaning in row.where.items())]
        )
        cells = [row.at, row.what, printed, ours(page, row, routes[row.route]), verdict(row)]
        lines.append(f"| {' | '.join(cells)} |")
    return [*lines, ""]


def ours(page: Page, row: Row, shown: Derivation) -> str:
    """The derivation's own words or equations for a row; the value alone where it shows none."""
    if row.said:
        return f'"{row.said}"'
    found = places(page, row, shown)
    if not found:
        return _lines(row.shown_left, [page.eq.formula(page.computed(row)).text()])
    return "<br>".join(_broken(place.text) for place in found)


def verdict(row: Row) -> str:
    """`equal`, or what the page misprints."""
    if not row.misprint:
        return "equal"
    printed, meant = row.misprint
    return f"misprint on the page: `{printed}` for `{meant}`" + (f". {row.note}" if row.note else "")


def _lines(left: str, sides: list[str]) -> str:
    return "<br>".join(_broken(f"{left} = {side}" if i == 0 else f"= {side}") for i, side in enumerate(sides))


def _broken(text: str) -> str:
    """A formula as code; of a long one the further sides, the added matrices and the rows of wide matrices on their own lines."""
    if len(text) <= WIDE:
        return _code(text)
    first, *others = text.split(" = ")
    lines = [f"{first} = {others[0]}", *(f"= {side}" for side in others[1:])] if others else [first]
    pieces = [piece for line in lines for piece in re.split(r" (?=\+ [\[{])", line)]
    return "<br>".join(_code(row) for piece in pieces for row in MATRIX.sub(_by_rows, piece).split("\n"))


def _by_rows(matrix: re.Match[str]) -> str:
    return matrix[0].replace("], [", "],\n[") if len(matrix[0]) > WIDE else matrix[0]


def _code(text: str) -> str:
    return f"`{text}`"


def _general() -> list[str]:
    lines = [
        "## General formulas",
        "",
        "Unless noted otherwise, each was proven exactly on the elbow, RP and RR arms and on an arm with skew axes and full "
        "inertias.",
        "",
    ]
    for source in general():
        lines += [f"### {source['title']}", "", f"{source['source'][0].upper()}{source['source'][1:]}.", ""]
        lines += ["| what | the page | leverarm | verdict |", "|---|---|---|---|"]
        for formula in source["formula"]:
            if "misprint" in formula:
                outcome = "misprint on the page: {} for {}".format(*map(_code, formula["misprint"]))
            else:
                outcome = formula.get("verdict", "equal")
            outcome += f". {formula['note']}" if "note" in formula else ""
            page = formula["page"].replace("||", "\\|\\|")
            lines.append(f"| {formula['what']} | {_code(page)} | {_code(formula['ours'])} | {outcome} |")
        lines.append("")
    return lines
