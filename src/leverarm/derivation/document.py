"""A derivation as data: chapters, steps, sentences and equations, the same for every renderer."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import groupby
from typing import TYPE_CHECKING

from leverarm.late_import import late
from leverarm.notation.tree import Node
from leverarm.notation.vocabulary import Writing

if TYPE_CHECKING:
    from rich.text import Text as RichText


class Level(IntEnum):
    """How much is shown: only the results, the steps between them, or every line of the calculation."""

    BRIEF = 0
    FULL = 1
    EVERY_LINE = 2


LEVELS = {"brief": Level.BRIEF, "full": Level.FULL, "every-line": Level.EVERY_LINE}

Words = tuple["str | Node", ...]
"""A sentence with formulas in it: ("The mass matrix ", M, " is symmetric.")."""


def sentence(text: str, **parts: str | Node) -> Words:
    """A sentence with formulas or words in the place of names: sentence("{M} is symmetric.", M=Symbol("M"))."""
    pieces = [parts[piece] if k % 2 else piece for k, piece in enumerate(re.split(r"\{(\w+)\}", text)) if piece]
    runs = groupby(pieces, key=lambda piece: isinstance(piece, str))
    return tuple(whole for is_text, run in runs for whole in (["".join(map(str, run))] if is_text else run))


@dataclass(frozen=True, slots=True)
class Shown:
    """An equation, and the lowest level at which it appears."""

    equation: Node
    level: Level = Level.BRIEF


@dataclass(frozen=True, slots=True)
class Table:
    """A small table; cells are words or formulas."""

    head: tuple[str | Node, ...]
    rows: tuple[tuple[str | Node, ...], ...]
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One step: a title, a sentence or two, equations, and Python that computes them again."""

    title: str
    words: Words
    equations: tuple[Shown, ...] = ()
    tables: tuple[Table, ...] = ()
    level: Level = Level.BRIEF
    code: str = ""
    proven: Words = ()
    """What was verified here, shown with a tick: ("Newton-Euler minus Lagrange is identically zero.",)."""


@dataclass(frozen=True, slots=True)
class Part:
    """A chapter of a derivation."""

    title: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Derivation:
    """An arm's equations of motion derived by one route. Iterating gives the steps."""

    arm: str
    title: str
    route: str
    summary: Words
    parts: tuple[Part, ...]
    writing: Writing
    code: str
    """Python that loads the arm: the first cell of a notebook."""

    def __iter__(self) -> Iterator[Step]:
        return (step for part in self.parts for step in part.steps)

    def __len__(self) -> int:
        return sum(len(part.steps) for part in self.parts)

    def __getitem__(self, index: int) -> Step:
        return list(self)[index]

    def save(self, path: str | os.PathLike[str], level: str = "full") -> None:
        """Writes it as .html, .md, .tex, .ipynb or .txt; `level` is "brief" (results), "full" or "every-line"."""
        late("derivation.documents:save_derivation")(self, path, level)

    def text(self, level: str = "full", width: int = 80) -> str:
        """Plain text in lines of at most `width` columns."""
        return self.terminal(level, width).plain

    def terminal(self, level: str = "full", width: int = 80) -> RichText:
        """The same with colours, for `rich.print`."""
        shown: RichText = late("derivation.documents:terminal_derivation")(self, level, width)
        return shown

    def _repr_markdown_(self) -> str:
        written: str = late("derivation.render.markdown:to_markdown")(self)
        return written


def at_level(derivation: Derivation, level: Level) -> Derivation:
    """The derivation with only what this level shows; chapters that become empty are dropped."""
    parts = []
    for part in derivation.parts:
        steps = tuple(_step_at(step, level) for step in part.steps if step.level <= level)
        if steps:
            parts.append(Part(part.title, steps))
    return replace(derivation, parts=tuple(parts))


def _step_at(step: Step, level: Level) -> Step:
    return replace(step, equations=tuple(shown for shown in step.equations if shown.level <= level))
