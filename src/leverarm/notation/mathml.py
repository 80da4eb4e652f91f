"""Formulas for web pages, as MathML Core: browsers set it without scripts and without fonts of ours.

Here a formula becomes lines that fit, aligned at the equals signs. `mathml_forms.py` says how each kind of formula is
marked up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from leverarm.notation import tree
from leverarm.notation.line_breaking import Line, MatrixSizes, Part, broken, rows_of_equation, wide_matrix
from leverarm.notation.mathml_forms import COLUMN_GAP, MATRIX_BRACKETS, markup_of, matrix_markup, run_markup
from leverarm.notation.mathml_markup import NOTHING, Markup, infix, row, space
from leverarm.notation.tree import Node
from leverarm.notation.unicode_names import RELATIONS
from leverarm.notation.vocabulary import Writing

INDENT = space(2.0)
MATRIX = MatrixSizes(MATRIX_BRACKETS, COLUMN_GAP, narrowest=6.0)
LEFT = 'style="text-align: left; padding-left: 0"'
RIGHT = 'style="text-align: right; padding-right: 0"'


def to_mathml(
    node: Node, writing: Writing = Writing(), display: Literal["block", "inline"] = "block", width: float = 44.0
) -> str:
    """The formula as a `math` element. A block is broken into lines of at most about `width` [em]; the rest is not."""
    if display == "inline":
        return f"<math>{markup_of(node, writing).text}</math>"
    if isinstance(node, tree.Equation) and len(node.sides) > 1:
        inside = _equation_table(node, writing, width)
    else:
        lines = _fitted(node.sides[0] if isinstance(node, tree.Equation) else node, writing, width)
        inside = _column(lines)
    return f'<math display="block">{inside}</math>'


def _equation_table(equation: tree.Equation, writing: Writing, width: float) -> str:
    relation = infix(RELATIONS.get(equation.relation, equation.relation))
    laid = rows_of_equation(equation, width, lambda node: markup_of(node, writing).width, relation.width, INDENT.width)
    left, side = (markup_of(node, writing) for node in equation.sides[:2])
    if len(laid.rows) == 1 and not laid.is_apart and side.width <= laid.room:
        return row(left, relation, side).text
    above = _fitted(equation.sides[0], writing, width) if laid.is_apart else []
    cells = [_cell(line, LEFT) for line in above]
    for i, (name, node) in enumerate(laid.rows):
        names = NOTHING if name is None or (laid.is_apart and not i) else markup_of(name, writing)
        lead = row(INDENT, names, relation) if laid.is_apart else relation
        for k, line in enumerate(_fitted(node, writing, laid.room)):
            right = f"{_phantom(lead) if k else lead.text}{line}"
            cells.append(("" if laid.is_apart else _cell("" if k else names.text, RIGHT)) + _cell(right, LEFT))
    return _table(cells)


def _fitted(node: Node, writing: Writing, width: float) -> list[str]:
    """The formula in lines that fit."""
    lines = broken(node, width, lambda parts: run_markup(parts, writing).width)
    return [_line(line, writing, width) for line in lines]


def _line(line: Line, writing: Writing, width: float) -> str:
    margins = [run_markup(parts, writing) for parts in line.under]
    room = width - sum(margin.width for margin in margins)
    inside = run_markup(line.parts, writing)
    if inside.width > room:
        inside = _narrowed(line.parts, inside, writing, room)
    return "".join(_phantom(margin) for margin in margins) + inside.text


def _narrowed(parts: tuple[Part, ...], line: Markup, writing: Writing, width: float) -> Markup:
    """The line with the cells of its widest matrix broken; as it was where there is none or no room."""
    found = wide_matrix(parts, width, lambda run: run_markup(run, writing).width, MATRIX)
    if found is None:
        return line
    matrix, rooms = found
    cells = [
        [Markup(_column(_fitted(entry, writing, room)), room) for entry, room in zip(entries, rooms, strict=True)]
        for entries in matrix.rows
    ]
    return run_markup(parts, writing, {id(matrix): matrix_markup(cells)})


def _column(lines: list[str]) -> str:
    return lines[0] if len(lines) == 1 else _table([_cell(line, LEFT) for line in lines])


def _phantom(piece: Markup) -> str:
    """As wide as the piece, and empty: it indents exactly, whatever the font."""
    return f"<mphantom>{piece.text}</mphantom>"


def _cell(inside: str, style: str) -> str:
    return f"<mtd {style}><mrow>{inside}</mrow></mtd>"


def _table(rows: Sequence[str]) -> str:
    alignment = "right left" if rows[0].count("<mtd style") > 1 else "left"
    inside = "".join(f"<mtr>{cells}</mtr>" for cells in rows)
    return f'<mtable displaystyle="true" columnalign="{alignment}">{inside}</mtable>'
