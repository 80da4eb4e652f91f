"""A sheet as a document, a section per quantity; and as LaTeX to paste, the displays of each quantity."""

from __future__ import annotations

from collections.abc import Sequence

from leverarm._version import __version__
from leverarm.closed_form.exact_equations import Equations
from leverarm.closed_form.sheet.entries import Item, grouped
from leverarm.closed_form.sheet.text import heading
from leverarm.documents import Block, Document, Paragraph, Section, Shown
from leverarm.documents import Equations as Displayed
from leverarm.documents.html import to_html
from leverarm.documents.markdown import to_markdown
from leverarm.notation.latex import to_latex
from leverarm.notation.latex_lines import lines_together, width_in_ems
from leverarm.notation.tree import Equation, Matrix, Node
from leverarm.notation.vocabulary import Writing

TEXT_WIDTH = 33.5
"""Of a plain article at 10 pt [em]."""
LARGEST = 10
"""Rows or columns of a matrix that is written as one: amsmath's own limit, and a page's."""
LONGEST = 20
"""Lines of a display that stays on one page."""


def to_document(eq: Equations, items: Sequence[Item]) -> Document:
    """Matrices as such where they fit a page, else entry by entry; equal entries share an equation."""
    arm, writing = eq.arm, eq.notation.writing
    return Document(
        title=f"{arm.title or arm.name}: closed forms",
        summary=(
            Paragraph((f"`{arm.name}`, with exact arithmetic: decimals are fractions. leverarm {__version__}.",)),
        ),
        sections=tuple(Section(found.title, _blocks(found, writing)) for found in items),
        writing=writing,
    )


def to_html_sheet(eq: Equations, items: Sequence[Item]) -> str:
    """A web page."""
    return to_html(to_document(eq, items))


def to_markdown_sheet(eq: Equations, items: Sequence[Item]) -> str:
    """Markdown with formulas between dollars."""
    return to_markdown(to_document(eq, items))


def to_latex_sheet(eq: Equations, items: Sequence[Item]) -> str:
    """An align* per quantity for a plain article with amsmath, its lines broken to fit."""
    parts = ["\n".join(f"% {line}" for line in (*heading(eq), r"Needs \usepackage{amsmath}."))]
    for found in items:
        lines = [line for block in _blocks(found, eq.notation.writing) for line in _lines(block, eq.notation.writing)]
        display = "\\begin{align*}\n" + " \\\\\n".join(lines) + "\n\\end{align*}"
        if len(lines) > LONGEST:
            display = f"\\begingroup\\allowdisplaybreaks\n{display}\n\\endgroup"
        parts.append(f"% {found.title}\n{display}")
    return "\n\n".join(parts) + "\n"


def _lines(block: Block, writing: Writing) -> list[str]:
    if isinstance(block, Displayed):
        equations = [shown.equation for shown in block.shown]
        return [line for lines in lines_together(equations, TEXT_WIDTH, writing) for line in lines]
    return [rf"&\text{{{word}}}" for word in block.words] if isinstance(block, Paragraph) else []


def _blocks(found: Item, writing: Writing) -> tuple[Block, ...]:
    matrix = _matrix_equation(found, writing)
    if matrix is not None:
        return (Displayed((Shown(matrix),)),)
    groups, zeros = grouped(found.entries)
    shown = [
        Shown(Equation((_names(tuple(entry.symbol for entry in group)), group[0].formula.tree))) for group in groups
    ]
    blocks: list[Block] = [Displayed(tuple(shown))] if shown else []
    if zeros:
        blocks.append(Paragraph(("All other entries are zero." if shown else f"{found.quantity.letter} is zero.",)))
    return tuple(blocks)


def _matrix_equation(found: Item, writing: Writing) -> Equation | None:
    """M = [...] where that fits a page."""
    if not 1 <= len(found.shape) <= 2 or max(found.shape) > LARGEST:
        return None
    columns = found.shape[1] if len(found.shape) == 2 else 1
    trees = [entry.formula.tree for entry in found.entries]
    rows = tuple(tuple(trees[k : k + columns]) for k in range(0, len(trees), columns))
    equation = Equation((found.head, Matrix(rows)))
    return equation if width_in_ems(to_latex(equation, writing)) <= TEXT_WIDTH else None


def _names(symbols: tuple[Node, ...]) -> Node:
    """M_12, or M_12 = M_21 where entries are the same."""
    return symbols[0] if len(symbols) == 1 else Equation(symbols)
