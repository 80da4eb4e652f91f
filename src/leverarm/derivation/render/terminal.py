"""A derivation as terminal text: Unicode formulas, numbered steps, colours, and no line wider than asked for.

Widths are counted in terminal cells, since a combining dot takes none. Short equations stand close together, matrices
side by side. Tables wrap their columns; where even that is too wide, each row becomes a list.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Literal

from leverarm.derivation.document import Derivation, Level, Shown, Step, Table, Words, at_level
from leverarm.derivation.render.arrangement import Cell, arranged, can_wrap, column_cells, narrowed, rows_that_fit
from leverarm.errors import InputError
from leverarm.notation.text import to_text
from leverarm.notation.tree import Node
from leverarm.notation.unicode import to_unicode
from leverarm.notation.vocabulary import Writing

if TYPE_CHECKING:
    from rich.text import Text


UNBROKEN = 10_000
"""A width at which no formula is broken."""
ATTEMPTS = 3
"""How often a formula that came out too wide is drawn again, narrower."""
TIE = "\N{NO-BREAK SPACE}"


def cells(text: str) -> int:
    """The width of a text in terminal cells."""
    from rich.cells import cell_len

    return cell_len(text)


def wrapped(words: Words, writing: Writing, width: int) -> list[str]:
    """The sentence in lines no wider than `width`, broken between words and inside formulas only if necessary."""
    return wrapped_text("".join(_inline(word, writing, width) for word in words), width)


def formula_lines(node: Node, writing: Writing, width: int) -> list[str]:
    """The formula in lines no wider than `width`: drawn where that fits, else on one line, wrapped."""
    room = width
    for _ in range(ATTEMPTS):
        drawn = to_unicode(node, writing, room)
        if (excess := widest(drawn) - width) <= 0:
            return drawn
        room -= excess
    return wrapped_text(to_text(node, writing), width)


def wrapped_text(text: str, width: int) -> list[str]:
    """Lines no wider than `width`; no-break spaces hold words together and become spaces."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if cells(longer) <= width:
            line = longer
            continue
        if line:
            lines.append(line)
        *full, line = _cut(word, width)
        lines += full
    return [line.replace(TIE, " ").rstrip() for line in (*lines, line)]


def widest(lines: list[str]) -> int:
    """The width of the widest line."""
    return max((cells(line) for line in lines), default=0)


def _inline(word: str | Node, writing: Writing, width: int) -> str:
    if isinstance(word, str):
        return " ".join(word.split("\n"))
    drawn = to_unicode(word, writing, UNBROKEN)
    text = drawn[0] if len(drawn) == 1 else to_text(word, writing)
    return text.replace(" ", TIE) if cells(text) <= width else text


def _cut(word: str, width: int) -> list[str]:
    """A word in pieces that fit: first at its no-break spaces, then anywhere."""
    if cells(word) <= width:
        return [word]
    if TIE in word.strip(TIE):
        return wrapped_text(word.replace(TIE, " "), width)
    pieces, piece = [], ""
    for letter in word:
        if piece and cells(piece + letter) > width:
            pieces.append(piece)
            piece = ""
        piece += letter
    return [*pieces, piece]


GAP = 4
"""Columns between matrices that stand side by side."""

Block = list[str]


def equation_lines(equations: tuple[Shown, ...], writing: Writing, width: int) -> list[str]:
    """The lines of all equations, with a blank one first and between those that are not one line each."""
    lines: list[str] = []
    before = 0
    for group in arranged(equations):
        blocks = [formula_lines(shown.equation, writing, width) for shown in group.equations]
        for block in _filled(blocks, width) if group.is_tall else blocks:
            is_close = before == 1 and len(block) == 1
            lines += block if is_close else ["", *block]
            before = len(block)
    return lines


def _filled(blocks: list[Block], width: int) -> list[Block]:
    """The blocks side by side, as far as they fit."""
    counts = rows_that_fit([widest(block) for block in blocks], GAP, width)
    waiting = iter(blocks)
    return [reduce(_beside, [next(waiting) for _ in range(count)]) for count in counts]


def _beside(left: Block, right: Block) -> Block:
    """Two blocks side by side, the shorter one centred on the taller."""
    height, column = max(len(left), len(right)), widest(left) + GAP
    pairs = zip(_centred(left, height), _centred(right, height), strict=True)
    return [(a + " " * (column - cells(a)) + b).rstrip() for a, b in pairs]


def _centred(block: Block, height: int) -> Block:
    above = (height - len(block)) // 2
    return [""] * above + block + [""] * (height - len(block) - above)


COLUMN_GAP = "  "
LEAST_FORMULA = 18
"""The least width of a formula that can be broken [columns]."""

TableLine = tuple[Literal["head", "rule", "body"], str]


def table_lines(table: Table, writing: Writing, width: int, indents: tuple[int, ...]) -> tuple[int, list[TableLine]]:
    """The lines of the table, and the first of the indents at which they fit: as they are, else wrapped, else lists."""
    natural, least = _widths(table, writing)
    gaps = len(COLUMN_GAP) * (len(natural) - 1)
    for smallest in (natural, least):
        for indent in indents:
            widths = narrowed(natural, smallest, width - indent - gaps)
            if widths is not None:
                return indent, _lines(table, [int(column) for column in widths], writing)
    return indents[0], _records(table, writing, width - indents[0])


def _lines(table: Table, columns: list[int], writing: Writing) -> list[TableLine]:
    head: list[TableLine] = [("head", line) for line in _row(table.head, columns, writing)]
    rule: TableLine = ("rule", COLUMN_GAP.join("─" * column for column in columns).rstrip())
    return [*head, rule, *_spaced([_row(row, columns, writing) for row in table.rows])]


def _records(table: Table, writing: Writing, width: int) -> list[TableLine]:
    """Each row as a list of heads and cells, for a table that is too wide."""
    heads = [_block(cell, writing, UNBROKEN)[0] for cell in table.head]
    left = min(widest(heads), width // 3)
    columns = [left, width - left - len(COLUMN_GAP)]
    records = []
    for row in table.rows:
        record = [_row((head, cell), columns, writing) for head, cell in zip(heads, row, strict=True) if cell != ""]
        records.append([line for block in record for line in block])
    return _spaced(records)


def _spaced(blocks: list[Block]) -> list[TableLine]:
    """Rows below each other, apart where one has several lines."""
    gap = [""] if any(len(block) > 1 for block in blocks) else []
    return [("body", line) for k, block in enumerate(blocks) for line in ((gap if k else []) + block)]


def _widths(table: Table, writing: Writing) -> tuple[list[int], list[int]]:
    """The natural and the least width of each column."""
    columns = column_cells(table)
    natural = [max(widest(_block(cell, writing, UNBROKEN)) for cell in column) for column in columns]
    least = [max(_least(cell, writing) for cell in column) for column in columns]
    return natural, [min(pair) for pair in zip(natural, least, strict=True)]


def _least(cell: Cell, writing: Writing) -> int:
    if isinstance(cell, str):
        return max(map(cells, cell.split()), default=0)
    return LEAST_FORMULA if can_wrap(cell) else widest(_block(cell, writing, UNBROKEN))


def _row(row: tuple[Cell, ...], columns: list[int], writing: Writing) -> Block:
    blocks = [_block(cell, writing, column) for cell, column in zip(row, columns, strict=True)]
    height = max(len(block) for block in blocks)
    is_prose = any(isinstance(cell, str) and len(block) > 1 for cell, block in zip(row, blocks, strict=True))
    filled = [block + [""] * (height - len(block)) if is_prose else _centred(block, height) for block in blocks]
    return [_line([block[k] for block in filled], columns) for k in range(height)]


def _line(pieces: list[str], columns: list[int]) -> str:
    padded = (piece + " " * (column - cells(piece)) for piece, column in zip(pieces, columns, strict=True))
    return COLUMN_GAP.join(padded).rstrip()


def _block(cell: Cell, writing: Writing, width: int) -> Block:
    return wrapped_text(cell, width) if isinstance(cell, str) else formula_lines(cell, writing, width)


WIDTH = 80
LEAST_WIDTH = 24
TITLE, PART, STEP, NUMBER, RULE, PROVEN, CAPTION, HEAD, BODY = (
    "bold", "bold cyan", "bold", "dim", "dim", "green", "italic", "bold", "",
)  # fmt: skip
Line = tuple[tuple[str, str], ...]
"""Pieces of a line, each with its style."""
BLANK: Line = ()


def to_terminal(derivation: Derivation, level: Level = Level.FULL, width: int = WIDTH) -> Text:
    """The derivation as rich text in lines of at most `width` columns; `.plain` is the text without colours.

    Raises InputError where the width is not a whole number of at least 24.
    """
    from rich.text import Text

    if not isinstance(width, int) or width < LEAST_WIDTH:
        raise InputError(f"width={width!r}; give a whole number of columns, at least {LEAST_WIDTH}.")
    text = Text(no_wrap=True, overflow="ignore")
    for line in _document(at_level(derivation, level), width):
        for piece, style in line:
            text.append(piece, style)
        text.append("\n")
    return text


def _document(derivation: Derivation, width: int) -> list[Line]:
    title = wrapped_text(derivation.title, width)
    lines = [_styled(line, TITLE) for line in title]
    lines += [_styled("═" * max(cells(line) for line in title), RULE), BLANK]
    lines += [_styled(line, BODY) for line in wrapped(derivation.summary, derivation.writing, width)]
    for p, part in enumerate(derivation.parts, 1):
        lines += [BLANK, BLANK, *_headed(f"{p}", part.title, PART, width)]
        lines.append(_styled("─" * min(width, cells(part.title) + cells(f"{p}") + 2), RULE))
        for s, step in enumerate(part.steps, 1):
            lines += [BLANK, *_headed(f"{p}.{s}", step.title, STEP, width)]
            lines += _step(step, derivation.writing, width)
    return lines


def _step(step: Step, writing: Writing, width: int) -> list[Line]:
    """Sentences under the title, formulas indented further, blank lines around all but sentences."""
    inside = 5 if width >= 60 else 2
    further = inside + 3 if width >= 60 else inside
    lines = [_styled(line, BODY, inside) for line in wrapped(step.words, writing, width - inside) if line]
    lines += [_styled(line, BODY, further) for line in equation_lines(step.equations, writing, width - further)]
    for table in step.tables:
        lines += [BLANK, *_table(table, writing, width, (further, inside, 0))]
    if step.proven:
        first, *rest = wrapped(step.proven, writing, width - inside - 2)
        lines += [BLANK, _styled(f"✓ {first}", PROVEN, inside), *(_styled(line, PROVEN, inside + 2) for line in rest)]
    return lines


def _table(table: Table, writing: Writing, width: int, indents: tuple[int, ...]) -> list[Line]:
    indent, rows = table_lines(table, writing, width, indents)
    caption = wrapped_text(table.caption, width - indent) if table.caption else []
    styles = {"head": HEAD, "rule": RULE, "body": BODY}
    return [_styled(line, CAPTION, indent) for line in caption] + [_styled(line, styles[k], indent) for k, line in rows]


def _headed(number: str, title: str, style: str, width: int) -> list[Line]:
    """A title behind its number; further lines are indented below the first."""
    start = f"{number}  ".ljust(5) if "." in number else f"{number}  "
    first, *rest = wrapped_text(title, width - len(start))
    return [((start, NUMBER), (first, style)), *(_styled(line, style, len(start)) for line in rest)]


def _styled(text: str, style: str, indent: int = 0) -> Line:
    return ((" " * indent, ""), (text, style)) if text else BLANK
