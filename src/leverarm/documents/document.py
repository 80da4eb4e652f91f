"""A document as data: sections of sentences, equations, tables, figures, verdicts and code, the same for every renderer.

Whoever has something to show (a derivation, closed forms, properties, a check, an identification) builds a document;
`documents` writes it as terminal text, a web page, Markdown, LaTeX or a notebook.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum
from itertools import groupby
from typing import Any, Literal

from leverarm.notation.tree import Node
from leverarm.notation.vocabulary import Writing


class Level(IntEnum):
    """How much is shown: only the results, the steps between them, or every line of the calculation."""

    BRIEF = 0
    FULL = 1
    EVERY_LINE = 2


LEVELS = {"brief": Level.BRIEF, "full": Level.FULL, "every-line": Level.EVERY_LINE}

Tone = Literal["good", "fair", "bad", "plain"]
"""What a mark or a verdict says: proven or accepted; with reserve; wrong or refused; neither."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A word set as a badge, that says how something is known: proven, certified, sampled; `hint` explains it."""

    word: str
    tone: Tone = "plain"
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing as SVG. `text` is what is shown where there are no drawings; in a table cell it is a small one."""

    svg: str
    caption: str = ""
    text: str = ""


Words = tuple["str | Node | Mark", ...]
"""A sentence with formulas in it: ("The mass matrix ", M, " is symmetric."). `Code` in it stands in backticks."""

Cell = "str | Node | Mark | Figure | Words"


def sentence(text: str, **parts: str | Node | Mark) -> Words:
    """A sentence with formulas or words in the place of names: sentence("{M} is symmetric.", M=Symbol("M"))."""
    pieces = [parts[piece] if k % 2 else piece for k, piece in enumerate(re.split(r"\{(\w+)\}", text)) if piece]
    runs = groupby(pieces, key=lambda piece: isinstance(piece, str))
    return tuple(whole for is_text, run in runs for whole in (["".join(map(str, run))] if is_text else run))


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Sentences; an aside is set smaller, below what it explains."""

    words: Words
    kind: Literal["text", "aside"] = "text"


@dataclass(frozen=True, slots=True)
class Shown:
    """An equation, and the lowest level at which it appears."""

    equation: Node
    level: Level = Level.BRIEF


@dataclass(frozen=True, slots=True)
class Equations:
    """Displayed equations, below each other; those that only name a matrix may stand side by side."""

    shown: tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table; a row of one cell is the heading of those below it. `numeric` are the columns set flush right."""

    head: tuple[Any, ...]
    rows: tuple[tuple[Any, ...], ...]
    caption: str = ""
    numeric: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Facts:
    """A few named values that matter most, with a remark each: ("torque error", "3.4 %", "of the raw torque")."""

    facts: tuple[tuple[str, Any, str], ...]


@dataclass(frozen=True, slots=True)
class Items:
    """A list; each item may carry a mark and what to do about it."""

    items: tuple[Words, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was verified or decided, with a tick, a question mark or a cross."""

    words: Words
    tone: Tone = "good"


@dataclass(frozen=True, slots=True)
class Code:
    """Python that computes again what stands above it: a cell of the notebook."""

    text: str


Block = Paragraph | Equations | Table | Facts | Items | Verdict | Code | Figure


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, what stands below it, and sections within it."""

    title: str
    blocks: tuple[Block, ...] = ()
    sections: tuple[Section, ...] = ()
    level: Level = Level.BRIEF


@dataclass(frozen=True, slots=True)
class Document:
    """A title, a summary and sections. `code` is the notebook's first cell: imports, and how the object arises.

    `data` is what a .json file holds, where the document has data; it is built when asked for.
    """

    title: str
    summary: tuple[Block, ...]
    sections: tuple[Section, ...]
    writing: Writing
    code: str = ""
    data: Mapping[str, Any] | None = field(default=None, compare=False)

    def __iter__(self) -> Iterator[Section]:
        """All sections, those within others included, in the order of the page."""
        stack = list(reversed(self.sections))
        while stack:
            section = stack.pop()
            yield section
            stack += reversed(section.sections)


def at_level(document: Document, level: Level) -> Document:
    """The document with only what this level shows; sections that become empty are dropped."""
    return replace(document, sections=_sections_at(document.sections, level))


def _sections_at(sections: tuple[Section, ...], level: Level) -> tuple[Section, ...]:
    kept = []
    for section in sections:
        if section.level <= level:
            within = _sections_at(section.sections, level)
            if within or section.blocks or not section.sections:
                blocks = tuple(_block_at(block, level) for block in section.blocks)
                kept.append(replace(section, blocks=blocks, sections=within))
    return tuple(kept)


def _block_at(block: Block, level: Level) -> Block:
    if isinstance(block, Equations):
        return Equations(tuple(shown for shown in block.shown if shown.level <= level))
    return block
