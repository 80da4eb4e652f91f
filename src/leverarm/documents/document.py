"""A document as data: sections of sentences, equations, tables, figures, verdicts and code, for every renderer.

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


Piece = str | Node | Mark | Figure
Words = tuple[Piece, ...]
"""A sentence with formulas in it: ("The mass matrix ", M, " is symmetric."). `Code` in it stands in backticks."""

Cell = Piece | Words
"""What stands in a cell of a table."""


def sentence(text: str, **parts: Piece) -> Words:
    """A sentence with formulas or words in the place of names: sentence("{M} is symmetric.", M=Symbol("M"))."""
    pieces = [parts[piece] if k % 2 else piece for k, piece in enumerate(re.split(r"\{(\w+)\}", text)) if piece]
    runs = groupby(pieces, key=lambda piece: isinstance(piece, str))
    return tuple(whole for is_text, run in runs for whole in (["".join(map(str, run))] if is_text else run))


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Sentences; an aside is set smaller, below what it explains."""

    words: Words
    kind: Literal["text", "aside"] = "text"


Row = tuple[Cell, ...] | Paragraph
"""A row of a table: its cells, or what is to be said below the row above it, across the table."""


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
    """A table; a row of one cell is the heading of those below it. `numeric` are the columns set flush right.

    A table whose head is () has none. `shares` are the parts of the page's width that the columns take [%], so that
    tables below each other are alike; in a terminal each row of theirs is a list.
    """

    head: tuple[Cell, ...]
    rows: tuple[Row, ...]
    caption: str = ""
    numeric: tuple[int, ...] = ()
    shares: tuple[int, ...] = ()

    @property
    def width(self) -> int:
        """The number of columns."""
        return max(map(len, (self.head, *(row for row in self.rows if isinstance(row, tuple)))))

    def heading(self, row: Row) -> Cell | None:
        """The cell of a row that is the heading of those below it; None of other rows."""
        return row[0] if isinstance(row, tuple) and len(row) == 1 < self.width else None


@dataclass(frozen=True, slots=True)
class Facts:
    """A few named values that matter most, with a remark each: ("torque error", "3.4 %", "of the raw torque")."""

    facts: tuple[tuple[str, Cell, str], ...]


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

    @property
    def lowest(self) -> Level:
        """The lowest level at which anything of it is shown."""
        within = [section.lowest for section in self.sections]
        return max(self.level, min(within)) if within and not self.blocks else self.level

    @property
    def words(self) -> Words:
        """The first sentences."""
        return next((block.words for block in self.blocks if isinstance(block, Paragraph)), ())

    @property
    def equations(self) -> tuple[Shown, ...]:
        """All equations, each with its level."""
        return tuple(shown for block in self.blocks if isinstance(block, Equations) for shown in block.shown)

    @property
    def tables(self) -> tuple[Table, ...]:
        """All tables."""
        return tuple(block for block in self.blocks if isinstance(block, Table))

    @property
    def proven(self) -> Words:
        """What was verified, where anything was."""
        return next((block.words for block in self.blocks if isinstance(block, Verdict)), ())

    @property
    def code(self) -> str:
        """Python that computes all of it again."""
        return "\n".join(block.text for block in self.blocks if isinstance(block, Code))


@dataclass(frozen=True, slots=True)
class Document:
    """A title, a summary and sections. `code` is the notebook's first cell: imports, and how the object arises.

    `data` is what a .json file holds, where the document has data. The sections of a "text" are numbered; the tables
    and figures of a "report" take the whole width of the page.
    """

    title: str
    summary: tuple[Block, ...]
    sections: tuple[Section, ...]
    writing: Writing = Writing()
    code: str = ""
    data: Mapping[str, Any] | None = field(default=None, compare=False)
    layout: Literal["text", "report"] = "text"

    def __iter__(self) -> Iterator[Section]:
        """All sections, those within others included, in the order of the page."""
        stack = list(reversed(self.sections))
        while stack:
            section = stack.pop()
            yield section
            stack += reversed(section.sections)


def numbered(document: Document) -> Iterator[tuple[int, str, Section]]:
    """All sections in the order of the page, each with its depth from 1 and its number: 1, 1.1, 2; none in a report."""
    return _numbered(document.sections, 1, "" if document.layout == "text" else None)


def _numbered(sections: tuple[Section, ...], depth: int, above: str | None) -> Iterator[tuple[int, str, Section]]:
    for k, section in enumerate(sections, 1):
        number = "" if above is None else f"{above}{k}"
        yield depth, number, section
        yield from _numbered(section.sections, depth + 1, f"{number}." if number else None)


def marks(document: Document) -> Iterator[Mark]:
    """Every mark on the page, as often as it is there."""
    for block in (*document.summary, *(block for section in document for block in section.blocks)):
        match block:
            case Paragraph(words) | Verdict(words):
                yield from _marks_in(words)
            case Items(many) | Table(_, many) | Facts(many):
                yield from _marks_in(many)


def _marks_in(cell: object) -> Iterator[Mark]:
    if isinstance(cell, tuple):
        for piece in cell:
            yield from _marks_in(piece)
    elif isinstance(cell, Paragraph):
        yield from _marks_in(cell.words)
    elif isinstance(cell, Mark):
        yield cell


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
