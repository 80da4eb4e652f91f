r"""A sheet as LaTeX: one align* per quantity, to paste into a document that loads amsmath."""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.closed_form.robot_equation import Equations
from leverarm.closed_form.sheet.entries import Item, grouped
from leverarm.closed_form.sheet.text import heading
from leverarm.notation.latex import to_latex
from leverarm.notation.latex_lines import broken_lines
from leverarm.notation.tree import Equation, Matrix
from leverarm.notation.vocabulary import Writing

LARGEST = 10
"""Rows or columns of a matrix that is written as one: amsmath's own limit, and a page's."""

LONGEST = 20
"""Lines of a display that stays on one page."""


def to_latex_sheet(eq: Equations, items: Sequence[Item]) -> str:
    """Lines that are broken to fit a plain article; matrices as such where they fit, else entry by entry."""
    writing = eq.notation.writing
    blocks = ["\n".join(f"% {line}" for line in (*heading(eq), r"Needs \usepackage{amsmath}."))]
    for found in items:
        lines = [line for equation in _equations(found) for line in broken_lines(equation, writing=writing)]
        lines += _rest(found, writing)
        body = " \\\\\n".join(lines)
        display = f"\\begin{{align*}}\n{body}\n\\end{{align*}}"
        if len(lines) > LONGEST:
            display = f"\\begingroup\\allowdisplaybreaks\n{display}\n\\endgroup"
        blocks.append(f"% {found.title}\n{display}")
    return "\n\n".join(blocks) + "\n"


def _equations(found: Item) -> list[Equation]:
    if _is_one_matrix(found):
        columns = found.shape[1] if len(found.shape) == 2 else 1
        trees = [entry.formula.tree for entry in found.entries]
        rows = tuple(tuple(trees[k : k + columns]) for k in range(0, len(trees), columns))
        return [Equation((found.quantity.head, Matrix(rows)))]
    groups, _ = grouped(found.entries)
    return [Equation((Equation(tuple(entry.symbol for entry in group)), group[0].formula.tree)) for group in groups]


def _rest(found: Item, writing: Writing) -> list[str]:
    """What is left out entry by entry."""
    if _is_one_matrix(found) or not any(entry.formula.is_zero for entry in found.entries):
        return []
    if not found.shape:
        return [f"{to_latex(found.entries[0].symbol, writing)} &= 0"]
    indices = "ijk"[: len(found.shape)]
    letter = to_latex(found.quantity.head, writing)
    if all(entry.formula.is_zero for entry in found.entries):
        return [f"{letter}_{{{indices}}} &= 0"]
    return [f"{letter}_{{{indices}}} &= 0 \\quad \\text{{otherwise}}"]


def _is_one_matrix(found: Item) -> bool:
    return 1 <= len(found.shape) <= 2 and max(found.shape) <= LARGEST
