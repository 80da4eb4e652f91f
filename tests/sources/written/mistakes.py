"""Equations as people paste them, with and without a mistake: mutated.toml and rewritten.toml as data."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
MARK = re.compile("⟨(.*?)⇒(.*?)⟩", re.DOTALL)
SPACES = re.compile(r"\s+|\\(?:left|right)(?![A-Za-z])|[{}*]")
SIGNS = re.compile(r"\\[A-Za-z]+|.")


@dataclass(frozen=True)
class Mistake:
    """An equation with one mistake: what is pasted, and what was meant."""

    kind: str
    """dropped, sign, index, dot, trig or factor."""
    arm: str
    marked: str

    @property
    def pasted(self) -> str:
        return MARK.sub(lambda mark: mark[1], self.marked)

    @property
    def meant(self) -> str:
        return MARK.sub(lambda mark: mark[2], self.marked)

    @property
    def place(self) -> int:
        """The character of the pasted text at which the mistake begins."""
        return self.marked.index("⟨")


@dataclass(frozen=True)
class Rewriting:
    """A correct equation in another form."""

    arm: str
    how: str
    text: str
    status: str = "equal"


def mistakes() -> list[Mistake]:
    """The equations with one mistake each."""
    data = tomllib.loads((HERE / "mutated.toml").read_text())
    return [Mistake(kind, entry["arm"], entry["text"]) for kind, entries in data.items() for entry in entries]


def rewritings() -> list[Rewriting]:
    """The correct equations in other forms."""
    data = tomllib.loads((HERE / "rewritten.toml").read_text())
    return [Rewriting(arm, **entry) for arm, entries in data.items() for entry in entries]


def signs(text: str) -> list[str]:
    """What a formula is made of, in no order: its letters, digits and signs without spaces, braces, \\left and \\right."""
    return sorted(SIGNS.findall(SPACES.sub("", text)))
