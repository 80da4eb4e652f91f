"""How wide the columns of a table are made where it is too wide: sentences wrap, matrices cannot."""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.derivation.document import Table
from leverarm.notation.tree import Equation, Matrix, Node, Product, Sum

Cell = str | Node


def column_cells(table: Table) -> list[list[Cell]]:
    """The cells of each column, its head first."""
    return [[head, *(row[k] for row in table.rows)] for k, head in enumerate(table.head)]


def narrowed(natural: Sequence[float], least: Sequence[float], room: float) -> list[float] | None:
    """Widths that together fit the room, between the least and the natural ones; None where the least do not fit.

    The wider of the columns that can give way do so first.
    """
    if sum(least) > room:
        return None
    widths = list(natural)
    excess = sum(widths) - room
    while excess > 1e-9:
        slack = [k for k, width in enumerate(widths) if width > least[k] + 1e-9]
        highest = max(widths[k] for k in slack)
        top = [k for k in slack if widths[k] == highest]
        below = max((widths[k] for k in slack if widths[k] < highest), default=0.0)
        step = min(excess / len(top), *(highest - max(least[k], below) for k in top))
        for k in top:
            widths[k] -= step
        excess -= step * len(top)
    return widths


def can_wrap(node: Node) -> bool:
    """Whether the formula can be broken inside: it is a sum or a product, and holds no matrix beside others."""
    match node:
        case Sum(terms=parts) | Product(factors=parts) | Equation(sides=parts):
            return not any(isinstance(part, Matrix) for part in parts)
        case _:
            return False
