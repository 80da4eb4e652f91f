"""The lectures' displayed equations as they stand there: a page to paste, and the verdict each equation deserves.

`sources/NAME.md` holds nothing but the equations, character by character, under headings; `sources/NAME.toml` names the arm
and, for each heading, the expected verdicts. The formulas of pages called general-* are about any arm and are tried on one;
only those that are wrong are listed.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import leverarm as la

HERE = Path(__file__).parent / "sources"
WORKED = ("polar", "elbow", "rp", "rr", "energy-lecture", "lecture-14", "point-mass")
GENERAL = (
    "general-table-3.3.1",
    "general-energy",
    "general-rigid-bodies",
    "general-lagrangian-dynamics",
    "general-newton-euler",
)
HEADING = re.compile(r"^## (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Expected:
    """The verdict that an equation of a page deserves.

    A misprint has what is printed and what is meant. `aside` says why an equation is not about a quantity of the arm under
    that name, or is none; it only has to be answered.
    """

    status: str
    printed: str = ""
    meant: str = ""
    aside: str = ""
    note: str = ""


@dataclass(frozen=True)
class Section:
    """The equations under one heading."""

    at: str
    start: int
    end: int
    expected: tuple[Expected, ...]

    def verdicts(self, page: Page) -> list[la.types.Verdict]:
        """What the check of the whole page says about these equations."""
        return [v for v in page.verdicts if self.start <= v.span[0] < self.end]


@dataclass(frozen=True)
class Page:
    """A pasted page and the arm it is about."""

    name: str
    title: str
    source: str
    arm: str
    text: str
    sections: tuple[Section, ...]
    wrong: dict[str, str]
    """Of a general page: the formulas that do not hold, by a piece of each, and why."""

    @cached_property
    def loaded(self) -> la.Arm:
        return la.load(HERE / self.arm if self.arm.endswith(".toml") else self.arm)

    @cached_property
    def verdicts(self) -> tuple[la.types.Verdict, ...]:
        return tuple(la.check(self.loaded, self.text))


@cache
def load(name: str) -> Page:
    """A page by its name."""
    data = tomllib.loads((HERE / f"{name}.toml").read_text())
    with (HERE / f"{name}.md").open(newline="") as file:
        text = file.read()
    headings = list(HEADING.finditer(text))
    ends = [heading.start() for heading in headings[1:]] + [len(text)] * bool(headings)
    entries = data.get("section", [])
    if [heading[1] for heading in headings] != [entry["at"] for entry in entries]:
        raise ValueError(f"{name}.md and {name}.toml do not have the same headings in the same order.")
    sections = tuple(
        Section(entry["at"], heading.end(), end, tuple(map(_expected, entry["verdicts"])))
        for heading, end, entry in zip(headings, ends, entries, strict=True)
    )
    wrong = {entry["printed"]: entry["why"] for entry in data.get("different", [])}
    return Page(name, data["title"], data["source"], data["arm"], text, sections, wrong)


def _expected(entry: str | dict[str, str]) -> Expected:
    if isinstance(entry, str):
        return Expected(entry)
    return Expected("" if "aside" in entry else "different", **entry)
