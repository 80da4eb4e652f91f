"""Layout that renderers share: what a cell is set with, which equations stand side by side, how wide columns are."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

from leverarm.documents.document import Cell, Figure, Mark, Shown, Table
from leverarm.notation.tree import Equation, Matrix, Node, Product, Sum


@dataclass(frozen=True, slots=True)
class Inline:
    """How a renderer sets each kind of piece; called with a cell or a sentence, it gives the text of all of it."""

    text: Callable[[str], str]
    formula: Callable[[Node], str]
    mark: Callable[[Mark], str]
    figure: Callable[[Figure], str]

    def __call__(self, cell: Cell) -> str:
        match cell:
            case str():
                return self.text(cell)
            case tuple():
                return "".join(map(self, cell))
            case Mark():
                return self.mark(cell)
            case Figure():
                return self.figure(cell)
            case _:
                return self.formula(cell)


TICKS = {"good": "✓", "fair": "?", "bad": "✗", "plain": "•"}
"""What a verdict of each tone begins with."""


@dataclass(frozen=True, slots=True)
class Group:
    """Consecutive equations; `is_tall` where each just names a matrix.

    Tall ones stand side by side as far as they fit: theta = [...], tau = [...].
    """

    equations: tuple[Shown, ...]
    is_tall: bool


def arranged(equations: tuple[Shown, ...]) -> list[Group]:
    """The equations in their order, in groups."""
    runs = groupby(equations, lambda shown: _is_tall(shown.equation))
    return [Group(tuple(run), is_tall) for is_tall, run in runs]


def rows_that_fit(widths: Sequence[float], gap: float, room: float) -> list[int]:
    """How many items of these widths go in each row: rows of equal count if they fit, else each row filled up."""
    for rows in range(1, len(widths)):
        most = -(-len(widths) // rows)
        counts = [min(most, len(widths) - k) for k in range(0, len(widths), most)]
        if _fit(widths, counts, gap, room):
            return counts
    counts, used = [], room
    for width in widths:
        if used + gap + width > room:
            counts.append(0)
            used = -gap
        counts[-1] += 1
        used += gap + width
    return counts


def _fit(widths: Sequence[float], counts: list[int], gap: float, room: float) -> bool:
    ends = [sum(counts[: k + 1]) for k in range(len(counts))]
    rows = [widths[end - count : end] for end, count in zip(ends, counts, strict=True)]
    return all(sum(row) + gap * (len(row) - 1) <= room for row in rows)


def _is_tall(node: Node) -> bool:
    if not isinstance(node, Equation) or len(node.sides) != 2:
        return False
    side = node.sides[1]
    return isinstance(side, Matrix) and len(side.rows) > 1


def column_cells(table: Table) -> list[list[Cell]]:
    """The cells of each column, its head first."""
    rows = [
        table.head or ("",) * table.width,
        *(row for row in table.rows if isinstance(row, tuple) and len(row) == table.width),
    ]
    return [list(column) for column in zip(*rows, strict=True)]


def can_wrap(cell: Cell) -> bool:
    """Whether the formula can be broken over lines: a sum, product or equation without a matrix among its parts."""
    match cell:
        case Sum(terms=parts) | Product(factors=parts) | Equation(sides=parts):
            return not any(isinstance(part, Matrix) for part in parts)
        case _:
            return False


_CODE = re.compile(r"`([^`]+)`")


def with_code(text: str, plain: Callable[[str], str], code: Callable[[str], str]) -> str:
    """The text, with one function applied outside `backticks` and the other inside them."""
    pieces = _CODE.split(text)
    return "".join((code if k % 2 else plain)(piece) for k, piece in enumerate(pieces))
