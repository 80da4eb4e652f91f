"""An equation over several rows: one right-hand side per row, long left-hand sides above, wide matrices by entries.

Like `line_breaking.py` it works on trees: a renderer says how wide things are, and draws the rows it gets.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from leverarm.notation.line_breaking import Measure, Part, Piece
from leverarm.notation.tree import Bracketed, Equation, Indexed, Matrix, Node, Number, Of, Symbol

LONGEST_LEFT_SIDE = 1 / 3
"""Of the width: a longer left-hand side stands on a line of its own where the rest does not fit beside it."""

Row = tuple[Node | None, Node]
"""What is left and right of an equals sign; the left is None where it is not repeated."""


@dataclass(frozen=True, slots=True)
class EquationRows:
    """The rows of an equation, one below the other."""

    rows: tuple[Row, ...]
    is_apart: bool
    """Whether the left-hand side of the first row stands above it, on a line of its own."""
    room: float
    """The width of what is right of the equals signs."""


def has_columns(matrix: Matrix, room: float) -> bool:
    """Whether a matrix that is wider than the room is listed by its entries: a column is not, as its cells break."""
    return len(matrix.rows[0]) > 1


def rows_of_equation(
    equation: Equation,
    width: float,
    measure: Callable[[Node], float],
    relation: float,
    indent: float,
    is_listed: Callable[[Matrix, float], bool] = has_columns,
) -> EquationRows:
    """The rows of an equation with two sides or more, each no wider than `width` where it can be broken so.

    `relation` is the width of the equals sign, `indent` the space before it below a left-hand side that stands apart.
    """
    left, *right = equation.sides
    beside = width - measure(left) - relation
    is_long = measure(left) > LONGEST_LEFT_SIDE * width and any(measure(side) > beside for side in right)
    room = width - indent - relation if is_long else beside
    rows: list[Row] = []
    for k, side in enumerate(right):
        if isinstance(side, Matrix) and not side.is_empty and measure(side) > room and is_listed(side, room):
            rows += entries(left, side)
        else:
            rows.append((None if k else left, side))
    is_apart = is_long and rows[0][0] is left
    edges = [measure(name) for name, _ in rows[is_apart:] if name is not None]
    return EquationRows(tuple(rows), is_apart, width - relation - max(indent * is_apart, *edges, 0.0))


def entries(name: Node, matrix: Matrix) -> list[Row]:
    """The entries of a matrix with their names, row by row. A symmetric one says so instead of repeating itself."""
    rows = matrix.rows
    is_symmetric = len(rows) == len(rows[0]) and all(
        rows[i][j] == rows[j][i] for i in range(len(rows)) for j in range(i)
    )
    listed: list[Row] = []
    for i, row in enumerate(rows):
        for j, entry in enumerate(row):
            at = (i,) if len(row) == 1 else (i, j)
            listed.append((entry_name(name, at), entry_name(name, (j, i)) if is_symmetric and j < i else entry))
    return listed


def entry_name(name: Node, index: tuple[int, ...]) -> Node:
    """M_12 of M or M(theta), M_12(0, theta2) of M(0, theta2); [A]_12 of anything else. From 0, written from 1."""
    if isinstance(name, Of) and any(isinstance(argument, Number) for argument in name.arguments):
        return Of(entry_name(name.head, index), name.arguments)
    head = name.head if isinstance(name, Of) else name
    digits = ("" if max(index) < 9 else ",").join(str(i + 1) for i in index)
    is_letter = isinstance(head, Symbol) and not head.name[-1].isdigit()
    return Indexed(head if is_letter else Bracketed(head), digits)


@dataclass(frozen=True, slots=True)
class MatrixSizes:
    """What the brackets of a matrix and the gap between its columns take, and how narrow a cell may be made."""

    brackets: float
    gap: float
    narrowest: float


def wide_matrix(
    parts: tuple[Part, ...], width: float, measure: Measure, sizes: MatrixSizes
) -> tuple[Matrix, float] | None:
    """The matrix of a line that is too wide whose cells are to be broken, and their width; None where there is none."""
    nodes = [part.node for part in parts if isinstance(part, Piece)]
    matrices = [node for node in nodes if isinstance(node, Matrix) and not node.is_empty]
    if not matrices:
        return None
    widths = [measure((Piece(matrix, "term"),)) for matrix in matrices]
    widest = matrices[widths.index(max(widths))]
    columns = len(widest.rows[0])
    around = measure(parts) - max(widths) + sizes.brackets + sizes.gap * (columns - 1)
    room = (width - around) / columns
    return (widest, room) if room >= sizes.narrowest else None
