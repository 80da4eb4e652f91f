"""A document as terminal text: Unicode formulas, numbered steps, colours, and no line wider than asked for.

Tables wrap their columns; where even that is too wide, each row becomes a list.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from leverarm.documents import document as doc
from leverarm.documents.arrangement import (
    TICKS,
    can_wrap,
    column_cells,
)
from leverarm.documents.terminal_lines import (
    TIE,
    UNBROKEN,
    Lines,
    badge,
    cells,
    centred,
    equation_lines,
    formula_lines,
    inline,
    widest,
    wrapped,
    wrapped_text,
)
from leverarm.errors import InputError
from leverarm.notation.line_breaking import narrowed
from leverarm.notation.tree import Node
from leverarm.notation.vocabulary import Writing

if TYPE_CHECKING:
    from rich.text import Text


COLUMN_GAP = "  "
LEAST_HEAD = 12
LEAST_FORMULA = 18
"""The least width of a formula that can be broken [columns]."""

TableLine = tuple[Literal["head", "rule", "body"], str]


def table_lines(
    table: doc.Table, writing: Writing, width: int, indents: tuple[int, ...]
) -> tuple[int, list[TableLine]]:
    """The lines of the table, and the first of the indents at which they fit: as they are, else wrapped, else lists."""
    natural, least = _widths(table, writing)
    gaps = len(COLUMN_GAP) * (len(natural) - 1)
    for smallest in (natural, least) if not table.shares else ():
        for indent in indents:
            widths = narrowed(natural, smallest, width - indent - gaps)
            if widths is not None:
                return indent, _lines(table, [int(column) for column in widths], writing)
    return indents[0], _records(table, writing, width - indents[0])


def _lines(table: doc.Table, columns: list[int], writing: Writing) -> list[TableLine]:
    shown: list[TableLine] = []
    if table.head:
        shown += [("head", line) for line in _row(table.head, columns, table, writing)]
        shown.append(("rule", COLUMN_GAP.join("─" * column for column in columns).rstrip()))
    room = sum(columns) + len(COLUMN_GAP) * (len(columns) - 1)
    return shown + _spaced(table, [_row(row, columns, table, writing) for row in table.rows], room, writing)


def _records(table: doc.Table, writing: Writing, width: int) -> list[TableLine]:
    """Each row as a list of heads and cells, for a table that is too wide."""
    heads = [_block(cell, writing, UNBROKEN)[0] for cell in table.head or ("",) * table.width]
    least = max(_least(cell, writing) for column in column_cells(table) for cell in column[1:])
    left = min(widest(heads), width // 3, max(LEAST_HEAD, width - least - len(COLUMN_GAP)))
    columns = [left, width - left - len(COLUMN_GAP)]
    records = []
    for row in table.rows:
        if isinstance(row, doc.Paragraph):
            records.append(_row(row, [width], table, writing))
            continue
        pairs = [pair for pair in zip(heads, row, strict=False) if pair[1] not in ("", ())]
        records.append([line for pair in pairs for line in _row(pair, columns, doc.Table((), ()), writing)])
    return _spaced(table, records, width, writing)


def _spaced(table: doc.Table, blocks: list[Lines], room: int, writing: Writing) -> list[TableLine]:
    """Rows below each other, apart where one has several lines; headings of groups apart from what is above them."""
    is_apart = any(len(block) > 1 for block in blocks)
    shown: list[TableLine] = []
    for k, (row, block) in enumerate(zip(table.rows, blocks, strict=True)):
        heading = table.heading(row)
        shown += [("body", "")] if k and (is_apart or heading is not None) and isinstance(row, tuple) else []
        lines = block if heading is None else wrapped(heading, writing, room)
        shown += [("body" if heading is None else "head", line) for line in lines]
    return shown


def _widths(table: doc.Table, writing: Writing) -> tuple[list[int], list[int]]:
    """The natural and the least width of each column."""
    columns = column_cells(table)
    natural = [max(widest(_block(cell, writing, UNBROKEN)) for cell in column) for column in columns]
    least = [max(_least(cell, writing) for cell in column) for column in columns]
    return natural, [min(pair) for pair in zip(natural, least, strict=True)]


def _least(cell: doc.Cell, writing: Writing) -> int:
    if isinstance(cell, Node):
        return LEAST_FORMULA if can_wrap(cell) else widest(_block(cell, writing, UNBROKEN))
    return max(map(cells, inline(writing, UNBROKEN)(cell).split(" ")), default=0)


def _row(row: doc.Row, columns: list[int], table: doc.Table, writing: Writing) -> Lines:
    if isinstance(row, doc.Paragraph):
        room = sum(columns) + len(COLUMN_GAP) * (len(columns) - 1)
        return ["    " + line for line in wrapped(row.words, writing, room - 4)]
    if table.heading(row) is not None:
        return []
    blocks = [_block(cell, writing, column) for cell, column in zip(row, columns, strict=True)]
    height = max(len(block) for block in blocks)
    is_prose = any(not isinstance(cell, Node) and len(block) > 1 for cell, block in zip(row, blocks, strict=True))
    filled = [block + [""] * (height - len(block)) if is_prose else centred(block, height) for block in blocks]
    return [_line([block[k] for block in filled], columns, table.numeric) for k in range(height)]


def _line(pieces: list[str], columns: list[int], numeric: tuple[int, ...]) -> str:
    padded = []
    for k, (piece, column) in enumerate(zip(pieces, columns, strict=True)):
        room = " " * (column - cells(piece))
        padded.append(room + piece if k in numeric else piece + room)
    return COLUMN_GAP.join(padded).rstrip()


def _block(cell: doc.Cell, writing: Writing, width: int) -> Lines:
    return formula_lines(cell, writing, width) if isinstance(cell, Node) else wrapped(cell, writing, width)


WIDTH = 80
LEAST_WIDTH = 24
TITLE, PART, STEP, NUMBER, RULE, CAPTION, HEAD, BODY, ASIDE = (
    "bold", "bold cyan", "bold", "dim", "dim", "italic", "bold", "", "dim",
)  # fmt: skip
TONES: dict[doc.Tone, str] = {"good": "green", "fair": "yellow", "bad": "red", "plain": ""}
Line = tuple[tuple[str, str], ...]
"""Pieces of a line, each with its style."""
BLANK: Line = ()


def to_text(document: doc.Document, level: doc.Level = doc.Level.FULL, width: int = WIDTH) -> str:
    """The terminal text without colours."""
    return to_terminal(document, level, width).plain


def to_terminal(document: doc.Document, level: doc.Level = doc.Level.FULL, width: int = WIDTH) -> Text:
    """The document as rich text in lines of at most `width` columns; `.plain` is the text without colours.

    Raises InputError where the width is not a whole number of at least 24.
    """
    from rich.text import Text

    if not isinstance(width, int) or width < LEAST_WIDTH:
        raise InputError(f"width={width!r}; give a whole number of columns, at least {LEAST_WIDTH}.")
    text = Text(no_wrap=True, overflow="ignore")
    shown = doc.at_level(document, level)
    for line in _document(shown, width):
        for piece, style in line:
            text.append(piece, style)
        text.append("\n")
    for mark in set(doc.marks(shown)):
        text.highlight_words([badge(mark).replace(TIE, " ")], TONES[mark.tone])
    return text


def _document(document: doc.Document, width: int) -> list[Line]:
    title = wrapped_text(document.title, width)
    lines = [_styled(line, TITLE) for line in title]
    lines += [_styled("═" * max(cells(line) for line in title), RULE), BLANK]
    lines += _blocks(document.summary, document.writing, width, 0)
    inside = 5 if width >= 60 else 2
    for depth, number, section in doc.numbered(document):
        lines += _heading(depth, number, section, width)
        lines += _blocks(section.blocks, document.writing, width, inside if number else 2)
    return lines


def _heading(depth: int, number: str, section: doc.Section, width: int) -> list[Line]:
    """A title behind its number, further lines indented below the first; a rule below those of depth 1."""
    start = f"{number}  ".ljust(5 if depth > 1 else 0) if number else ""
    style = STEP if depth > 1 else PART
    first, *rest = wrapped_text(section.title, width - len(start))
    lines = [((start, NUMBER), (first, style)), *(_styled(line, style, len(start)) for line in rest)]
    if depth > 1:
        return [BLANK, *lines]
    return [BLANK, BLANK, *lines, _styled("─" * min(width, cells(section.title) + len(start)), RULE)]


def _blocks(blocks: tuple[doc.Block, ...], writing: Writing, width: int, inside: int) -> list[Line]:
    """Sentences under the title, formulas indented further, blank lines around all but sentences."""
    lines: list[Line] = []
    for k, block in enumerate(blocks):
        shown = _shown(block, writing, width, inside)
        is_close = not k or not shown or isinstance(block, doc.Equations)
        lines += shown if is_close else [BLANK, *shown]
    return lines


def _shown(block: doc.Block, writing: Writing, width: int, inside: int) -> list[Line]:
    further = inside + 3 if inside >= 5 else inside
    room = width - inside
    match block:
        case doc.Paragraph(words, kind):
            style = ASIDE if kind == "aside" else BODY
            return [_styled(line, style, inside) for line in wrapped(words, writing, room) if line]
        case doc.Equations(shown):
            return [_styled(line, BODY, further) for line in equation_lines(shown, writing, width - further)]
        case doc.Table():
            return _table(block, writing, width, (further, inside, 0))
        case doc.Facts(facts):
            return _table(doc.Table((), facts), writing, width, (inside, 0))
        case doc.Items(items):
            return [line for words in items for line in _hanging("•", words, BODY, writing, width, inside)]
        case doc.Verdict(words, tone):
            return _hanging(TICKS[tone], words, TONES[tone], writing, width, inside)
        case doc.Figure(_, caption, text):
            return [_styled(line, BODY, inside) for line in wrapped_text(text or caption, room) if line]
        case doc.Code():
            return []


def _hanging(sign: str, words: doc.Words, style: str, writing: Writing, width: int, inside: int) -> list[Line]:
    """A sentence behind a sign, its further lines below the first."""
    first, *rest = wrapped(words, writing, width - inside - 2)
    return [_styled(f"{sign} {first}", style, inside), *(_styled(line, style, inside + 2) for line in rest)]


def _table(table: doc.Table, writing: Writing, width: int, indents: tuple[int, ...]) -> list[Line]:
    indent, rows = table_lines(table, writing, width, indents)
    caption = wrapped_text(table.caption, width - indent) if table.caption else []
    styles = {"head": HEAD, "rule": RULE, "body": BODY}
    return [_styled(line, CAPTION, indent) for line in caption] + [_styled(line, styles[k], indent) for k, line in rows]


def _styled(text: str, style: str, indent: int = 0) -> Line:
    return ((" " * indent, ""), (text, style)) if text else BLANK
