"""Formulas for a terminal, in Unicode: θ̇₁, m₁ L₁², c₁₂, matrices in tall brackets, fractions over a bar.

Here a formula becomes lines that fit. `unicode_forms.py` says how each kind of formula looks.
"""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.notation import tree
from leverarm.notation.boxes import EMPTY, Box, aligned, beside, blank, stacked, word
from leverarm.notation.line_breaking import MINUS, PLUS, Line, MatrixSizes, Part, broken, rows_of_equation, wide_matrix
from leverarm.notation.text import in_one_line
from leverarm.notation.tree import Node
from leverarm.notation.unicode_forms import COLUMN_GAP, UNICODE, matrix_box, run_box, term_box
from leverarm.notation.unicode_names import RELATIONS
from leverarm.notation.vocabulary import Writing

MATRIX = MatrixSizes(brackets=2, gap=COLUMN_GAP, narrowest=8)
INDENT = 4
SIGNS = ((PLUS,), (MINUS,))
"""Starts of a run that lose a space where they start a line."""


def to_unicode(node: Node, writing: Writing = Writing(), width: int = 80) -> list[str]:
    """The formula as lines of text, at most `width` columns wide where it can be broken so.

    Equations are aligned at their equals signs. A matrix with several columns that is too wide is listed entry by
    entry; a symmetric one names each entry once more instead of repeating it.
    """
    match node:
        case tree.Equation(sides=(only,)):
            box = _fitted(only, writing, width)
        case tree.Equation():
            box = _equation_lines(node, writing, width)
        case _:
            box = _fitted(node, writing, width)
    return [row.rstrip() for row in box.rows]


def to_unicode_line(node: Node, writing: Writing = Writing()) -> str:
    """The formula as one line, however long: for sentences, and for what cannot be drawn in the width there is."""
    box = term_box(node, writing)
    return box.rows[0] if box.height == 1 else in_one_line(node, writing, UNICODE)


def _equation_lines(equation: tree.Equation, writing: Writing, width: int) -> Box:
    relation = f" {RELATIONS.get(equation.relation, equation.relation)} "
    laid = rows_of_equation(equation, width, lambda node: term_box(node, writing).width, len(relation), INDENT)
    names = [EMPTY if name is None else term_box(name, writing) for name, _ in laid.rows]
    left = _fitted(equation.sides[0], writing, width)
    if laid.is_apart:
        names[0] = EMPTY
    room = int(laid.room)
    edge = width - room - len(relation)
    lines = [
        beside(aligned(name, edge, "right"), word(relation), _fitted(side, writing, room))
        for name, (_, side) in zip(names, laid.rows, strict=True)
    ]
    below = _paragraph(lines)
    return stacked((left, below), left.baseline, "left") if laid.is_apart else below


def _fitted(node: Node, writing: Writing, width: int) -> Box:
    """The formula in lines that fit, as one block whose baseline is that of the first line."""
    lines = broken(node, width, lambda parts: run_box(parts, writing).width + (parts[:1] in SIGNS))
    return _paragraph([_line(line, writing, width) for line in lines])


def _line(line: Line, writing: Writing, width: int) -> Box:
    margin = blank(sum(run_box(parts, writing).width for parts in line.under))
    box = run_box(line.parts, writing)
    if margin.width + box.width > width:
        box = _narrowed(line.parts, box, writing, width - margin.width)
    return beside(margin, box)


def _narrowed(parts: tuple[Part, ...], box: Box, writing: Writing, width: int) -> Box:
    """The line with the cells of its widest matrix broken; as it was where there is none or no room."""
    found = wide_matrix(parts, width, lambda run: run_box(run, writing).width, MATRIX)
    if found is None:
        return box
    matrix, rooms = found
    cells = [[_fitted(x, writing, int(room)) for x, room in zip(row, rooms, strict=True)] for row in matrix.rows]
    return run_box(parts, writing, {id(matrix): matrix_box(cells, "left")})


def _paragraph(lines: Sequence[Box]) -> Box:
    """Lines below each other, tall ones set apart."""
    spaced: list[Box] = []
    for line in lines:
        if spaced and (line.height > 1 or spaced[-1].height > 1):
            spaced.append(EMPTY)
        spaced.append(line)
    return stacked(spaced, lines[0].baseline, "left")
