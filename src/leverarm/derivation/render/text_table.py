"""A table in a terminal: columns as wide as their cells, wrapped where the line is too short, else one list per row."""

from __future__ import annotations

from typing import Literal

from leverarm.derivation.document import Table
from leverarm.derivation.render.columns import Cell, can_wrap, column_cells, narrowed
from leverarm.derivation.render.wrapping import UNBROKEN, cells, formula_lines, widest, wrapped_text
from leverarm.notation.vocabulary import Writing

GAP = "  "
LEAST_FORMULA = 18
"""A formula that can be broken is not made narrower [columns]."""

Block = list[str]
"""The lines of a cell."""
Line = tuple[Literal["head", "rule", "body"], str]


def table_lines(table: Table, writing: Writing, width: int, indents: tuple[int, ...]) -> tuple[int, list[Line]]:
    """The lines of the table, and the first of the indents at which they fit: as they are, else wrapped, else lists."""
    natural, least = _widths(table, writing)
    gaps = len(GAP) * (len(natural) - 1)
    for smallest in (natural, least):
        for indent in indents:
            widths = narrowed(natural, smallest, width - indent - gaps)
            if widths is not None:
                return indent, _lines(table, [int(column) for column in widths], writing)
    return indents[0], _records(table, writing, width - indents[0])


def _lines(table: Table, columns: list[int], writing: Writing) -> list[Line]:
    head: list[Line] = [("head", line) for line in _row(table.head, columns, writing)]
    rule: Line = ("rule", GAP.join("─" * column for column in columns).rstrip())
    return [*head, rule, *_spaced([_row(row, columns, writing) for row in table.rows])]


def _records(table: Table, writing: Writing, width: int) -> list[Line]:
    """The rows one below the other, each as a list of heads and cells, for a table that is too wide."""
    heads = [_block(cell, writing, UNBROKEN)[0] for cell in table.head]
    left = min(widest(heads), width // 3)
    columns = [left, width - left - len(GAP)]
    records = []
    for row in table.rows:
        record = [_row((head, cell), columns, writing) for head, cell in zip(heads, row, strict=True) if cell != ""]
        records.append([line for block in record for line in block])
    return _spaced(records)


def _spaced(blocks: list[Block]) -> list[Line]:
    """Rows below each other, apart where one has several lines."""
    gap = [""] if any(len(block) > 1 for block in blocks) else []
    return [("body", line) for k, block in enumerate(blocks) for line in ((gap if k else []) + block)]


def _widths(table: Table, writing: Writing) -> tuple[list[int], list[int]]:
    """The width each column takes, and the least it can be made."""
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
    filled = [_filled(block, height, 0 if is_prose else (height - len(block)) // 2) for block in blocks]
    return [_line([block[k] for block in filled], columns) for k in range(height)]


def _line(pieces: list[str], columns: list[int]) -> str:
    padded = (piece + " " * (column - cells(piece)) for piece, column in zip(pieces, columns, strict=True))
    return GAP.join(padded).rstrip()


def _filled(block: Block, height: int, above: int) -> Block:
    return [""] * above + block + [""] * (height - len(block) - above)


def _block(cell: Cell, writing: Writing, width: int) -> Block:
    return wrapped_text(cell, width) if isinstance(cell, str) else formula_lines(cell, writing, width)
