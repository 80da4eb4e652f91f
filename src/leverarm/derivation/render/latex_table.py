"""A table for LaTeX: columns that wrap where the page is too narrow, and several tables where it is too short."""

from __future__ import annotations

from collections.abc import Callable

from leverarm.derivation.document import Table
from leverarm.derivation.render.columns import Cell, can_wrap, column_cells, narrowed
from leverarm.derivation.render.latex_size import SIZES, size_that_fits
from leverarm.derivation.render.latex_text import latex_text
from leverarm.notation.latex import to_latex
from leverarm.notation.latex_width import width_in_ems
from leverarm.notation.vocabulary import Writing

ROOM = 38.5
"""Of all columns [em]: the page less the indent, and a little as widths are estimated."""
GAP = 1.1
"""Between columns: twice tabcolsep [em]."""
BOLD = 1.16
"""How much wider the head is set."""
LEAST_FORMULA = 9.0
"""A formula that can be broken is not made narrower [em]."""
TALL = r"\begin"
"""What makes a row with a matrix higher than a line."""
ROWS = 32
"""What stands on one page."""

Widths = list[float | None]
"""Of each column that is wrapped [em]; None for one that is as wide as its cells."""


def table_blocks(table: Table, writing: Writing) -> list[str]:
    """The table, in pieces that each fit a page."""
    size, widths = _layout(table, writing)
    start = rf"{{{size}\leftskip=2em\interlinepenalty=10000\noindent\ignorespaces"
    caption = [rf"\textit{{{latex_text(table.caption)}}}\\*[4pt]"] if table.caption else []
    columns = "".join("l" if width is None else rf"p{{{width:.1f}em}}" for width in widths)
    bold = " & ".join(map(_wrapping, [rf"\textbf{{{_cell(cell, writing)}}}" for cell in table.head], widths))
    head = (rf"\begin{{tabular}}{{@{{}}{columns}@{{}}}}", rf"{bold} \\ \hline\noalign{{\vskip 3pt}}")
    blocks = []
    for k in range(0, max(len(table.rows), 1), ROWS):
        rows = [_row(row, widths, writing) for row in table.rows[k : k + ROWS]]
        lines = (start, *([] if k else caption), *head, *rows, r"\end{tabular}", r"\par}")
        blocks.append("\n".join(lines))
    return blocks


def _layout(table: Table, writing: Writing) -> tuple[str, Widths]:
    """The size of the letters, and the columns that are wrapped."""
    columns = column_cells(table)
    natural = [_widest(cells, _natural, writing) for cells in columns]
    least = [min(_widest(cells, _least, writing), full) for cells, full in zip(columns, natural, strict=True)]
    gaps = GAP * (len(columns) - 1)
    size = size_that_fits(sum(least) + gaps, ROOM)
    widths = narrowed(natural, least, ROOM / SIZES[size] - gaps) or least
    return size, [None if width >= full else width for width, full in zip(widths, natural, strict=True)]


def _widest(cells: list[Cell], measure: Callable[[Cell, Writing], float], writing: Writing) -> float:
    head, *rest = (measure(cell, writing) for cell in cells)
    return max(BOLD * head, *rest, 0.0)


def _natural(cell: Cell, writing: Writing) -> float:
    return _text_width(cell) if isinstance(cell, str) else width_in_ems(to_latex(cell, writing))


def _least(cell: Cell, writing: Writing) -> float:
    if isinstance(cell, str):
        return max(map(_text_width, cell.replace("_", "_ ").split()), default=0.0)
    return LEAST_FORMULA if can_wrap(cell) else _natural(cell, writing)


def _text_width(text: str) -> float:
    """Estimated, in Computer Modern Roman [em]."""
    return sum(0.74 if c.isupper() else 0.5 if c.isalnum() else 0.36 for c in text)


def _row(row: tuple[Cell, ...], widths: Widths, writing: Writing) -> str:
    text = " & ".join(map(_wrapping, [_cell(cell, writing) for cell in row], widths))
    return text + (r" \\ \noalign{\vskip 4pt}" if TALL in text else r" \\")


def _wrapping(text: str, width: float | None) -> str:
    return text if width is None else rf"\raggedright\let\\\tabularnewline {text}"


def _cell(cell: Cell, writing: Writing) -> str:
    if isinstance(cell, str):
        return latex_text(cell).replace(r"\_", r"\_\allowbreak ")  # names wrap at their underscores
    return f"${to_latex(cell, writing)}$"
