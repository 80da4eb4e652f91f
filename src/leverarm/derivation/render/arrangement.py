"""How the equations of a step stand on the page: matrices beside each other, the others below each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from leverarm.derivation.document import Shown
from leverarm.notation.tree import Equation, Matrix, Node


@dataclass(frozen=True, slots=True)
class Group:
    """Equations that follow each other; `is_tall` where each just names a matrix.

    Tall ones stand beside each other as far as they fit: theta = [...], tau = [...].
    """

    equations: tuple[Shown, ...]
    is_tall: bool


def arranged(equations: tuple[Shown, ...]) -> list[Group]:
    """The equations in their order, grouped."""
    runs = groupby(equations, lambda shown: _is_tall(shown.equation))
    return [Group(tuple(run), is_tall) for is_tall, run in runs]


def rows_that_fit(widths: Sequence[float], gap: float, room: float) -> list[int]:
    """How many things of these widths stand in each row: as many in each if that fits, else each row filled up."""
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
