"""The pages' displayed equations as data: one file per worked arm, and one for the general formulas."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import leverarm as la
from leverarm.closed_form import Equations
from leverarm.scalars import Turn
from leverarm.scalars.exact import substitute
from tests.sources.reading import read
from tests.sources.values import Value, quantities, value_of

HERE = Path(__file__).parent
WORKED = ("polar", "elbow", "rp", "rr", "energy-lecture", "lecture-14", "point-mass")


@dataclass(frozen=True)
class Row:
    """One displayed equation of a page."""

    at: str
    """Its number, or where it stands."""
    what: str
    shows: str | list[str]
    """The left side as leverarm's derivation writes it; with `term`, the sums whose terms of that number are added."""
    page: str | list[str]
    """The right sides that the page prints, in the letters of the arm."""
    left: str = ""
    """The left side on the page, where it differs."""
    holds: str = ""
    """The last right side without the misprint."""
    misprint: tuple[str, str] | tuple[()] = ()
    """What is printed, and what is meant."""
    note: str = ""
    where: dict[str, str] = field(default_factory=dict)
    """What the page abbreviates."""
    letters: tuple[str, ...] = ()
    """Letters on the page that the arm does not have."""
    entry: tuple[int, ...] = ()
    term: int | None = None
    pose: dict[str, list[int]] = field(default_factory=dict)
    """Cosine and sine of each angle where the equation is meant, the joint accelerations zero."""
    route: str = "lagrange"
    step: str = ""
    said: str = ""
    """The sentence of the derivation that stands for the equation."""
    again: bool = False
    """Whether the page only repeats it, or prints it late: it does not count for the order."""
    unshown: bool = False

    @property
    def sides(self) -> list[str]:
        return [self.page] if isinstance(self.page, str) else self.page

    @property
    def shown_left(self) -> str:
        return self.shows if isinstance(self.shows, str) else " + ".join(self.shows)


@dataclass(frozen=True)
class Page:
    """A worked arm: where it is printed, its displayed equations, and leverarm's closed forms of it."""

    name: str
    title: str
    source: str
    arm: str
    rows: tuple[Row, ...]
    remarks: tuple[dict[str, object], ...]

    @cached_property
    def eq(self) -> Equations:
        return la.equations(la.load(HERE / self.arm if self.arm.endswith(".toml") else self.arm))

    @cached_property
    def known(self) -> dict[str, Value]:
        return quantities(self.eq)

    def printed(self, text: str, row: Row) -> Value:
        """The exact value of a printed side."""
        for name, meaning in row.where.items():
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", lambda _, meaning=meaning: meaning, text)
        return value_of(read(text, self.eq.notation, {*self.known, *row.letters}), self.eq, self.known)

    def computed(self, row: Row) -> Value:
        """What leverarm computes for the equation."""
        if isinstance(row.shows, list):
            raise ValueError("the value of a sum of terms is that of the derivation.")
        value = value_of(read(row.shows, self.eq.notation, self.known), self.eq, self.known)
        if row.pose:
            still = {name: Turn(*turn) for name, turn in row.pose.items()} | {f"{name}.dd": 0 for name in row.pose}
            value = [[substitute(x, still) for x in line] for line in value]
        for index in row.entry:
            value = value[index]
        return value


def load(name: str) -> Page:
    """A worked arm's page."""
    data = tomllib.loads((HERE / f"{name}.toml").read_text())
    rows = [{**row, "misprint": tuple(row.get("misprint", ()))} for row in data["equation"]]
    return Page(
        name,
        data["title"],
        data["source"],
        data["arm"],
        tuple(Row(**row) for row in rows),
        tuple(data.get("remark", ())),
    )


def general() -> list[dict[str, object]]:
    """The sources of general formulas, each with its formulas."""
    return tomllib.loads((HERE / "general.toml").read_text())["source"]
