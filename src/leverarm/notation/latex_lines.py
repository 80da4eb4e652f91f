r"""Formulas as lines of amsmath's align*: one side of an equation per line, long sides broken to fit the page.

Each line holds one & outside of matrices and ends with no \\; join them with " \\\\\n".
"""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.notation import tree
from leverarm.notation.equation_rows import MatrixSizes, has_columns, rows_of_equation, wide_matrix
from leverarm.notation.latex import relation_latex, run_latex, to_latex
from leverarm.notation.latex_width import BROKEN_MATRIX_BRACKETS, COLUMN_GAP, width_in_ems
from leverarm.notation.line_breaking import Line, Mark, Part, broken
from leverarm.notation.tree import Node
from leverarm.notation.vocabulary import Writing

INDENT, INDENT_WIDTH = r"\quad ", 1.0
TALLEST = 24
"""Lines of a column whose cells are broken; a longer one is listed entry by entry, so that it can go over pages."""
MATRIX = MatrixSizes(BROKEN_MATRIX_BRACKETS, COLUMN_GAP, narrowest=8.0)
NEXT, APART = r" \\ ", r" \\[8pt] "
"""Between lines, and between the entries of a matrix of which some have several lines."""


def broken_lines(node: Node, width: float, writing: Writing = Writing()) -> list[str]:
    """The formula as lines no wider than the width [em], as far as it has sums, brackets or products to break.

    A matrix with several columns that is too wide is written entry by entry.
    """
    if isinstance(node, tree.Equation) and len(node.sides) > 1:
        return _equation_lines(node, width, writing)
    only = node.sides[0] if isinstance(node, tree.Equation) else node
    return _bare(_fitted(only, width, writing))


def lines_together(nodes: Sequence[Node], width: float, writing: Writing) -> list[list[str]]:
    """The lines of formulas that stand in one align*: broken earlier where another's left-hand side is longer."""
    whole = [broken_lines(node, width, writing) for node in nodes]
    lefts = [_left_width(node, lines[0], writing) for node, lines in zip(nodes, whole, strict=True)]
    return [
        lines if left == max(lefts) else broken_lines(node, width - (max(lefts) - left), writing)
        for node, lines, left in zip(nodes, whole, lefts, strict=True)
    ]


def _left_width(node: Node, line: str, writing: Writing) -> float:
    """Of what stands left of the & [em]: the left-hand side, unless it stands apart."""
    left = to_latex(node.sides[0], writing) if isinstance(node, tree.Equation) else ""
    return width_in_ems(left) if left and line.startswith(f"{left} &") else 0.0


def _equation_lines(equation: tree.Equation, width: float, writing: Writing) -> list[str]:
    def is_listed(matrix: tree.Matrix, room: float) -> bool:
        if has_columns(matrix, room):
            return True
        return sum(len(_fitted(entry, room - MATRIX.brackets, writing)) for (entry,) in matrix.rows) > TALLEST

    relation = relation_latex(equation.relation)
    laid = rows_of_equation(
        equation,
        width,
        lambda node: width_in_ems(to_latex(node, writing)),
        width_in_ems(relation),
        INDENT_WIDTH,
        is_listed,
    )
    left, indent = equation.sides[0], INDENT if laid.is_apart else ""
    lines = _bare(_fitted(left, width, writing)) if laid.is_apart else []
    for i, (name, side) in enumerate(laid.rows):
        lead = "" if name is None or (laid.is_apart and not i) else to_latex(name, writing)
        first, *rest = _fitted(side, laid.room, writing)
        lines.append(f"{lead} &{indent}{relation} {first}".strip())
        lines += [f"&{indent}{INDENT}{line}" for line in rest]
    return lines


def _fitted(node: Node, width: float, writing: Writing) -> list[str]:
    """The formula in lines that fit."""
    lines = broken(node, width, lambda parts: width_in_ems(run_latex(parts, writing)))
    return [_line(line, width, writing) for line in lines]


def _line(line: Line, width: float, writing: Writing) -> str:
    under = tuple(part for parts in line.under for part in parts)
    margin = rf"\hphantom{{{_begun(under, run_latex(under, writing))}}} " if under else ""
    inside = run_latex(line.parts, writing)
    room = width - width_in_ems(margin)
    if width_in_ems(inside) > room:
        inside = _narrowed(line.parts, inside, room, writing)
    return margin + _begun(line.parts, inside)


def _begun(parts: tuple[Part, ...], latex: str) -> str:
    """A sign at the start of a line has something empty before it: TeX then sets it as one between two terms."""
    is_sign = isinstance(parts[0], Mark) and parts[0].kind in ("plus", "minus", "times")
    return f"{{}} {latex}" if is_sign else latex


def _narrowed(parts: tuple[Part, ...], latex: str, width: float, writing: Writing) -> str:
    """The line with the cells of its widest matrix broken; as it was where there is none or no room."""
    found = wide_matrix(parts, width, lambda run: width_in_ems(run_latex(run, writing)), MATRIX)
    if found is None:
        return latex
    matrix, room = found
    cells = [[_fitted(entry, room, writing) for entry in row] for row in matrix.rows]
    if len(cells[0]) == 1:
        drawn = rf"\left[ {_aligned([NEXT.join(_bare(lines)) for (lines,) in cells])} \right]"
    else:
        rows = [" & ".join(rf"\!{_aligned([NEXT.join(_bare(lines))])}" for lines in row) for row in cells]
        drawn = rf"\begin{{bmatrix}} {APART.join(rows)} \end{{bmatrix}}"
    return run_latex(parts, writing, {id(matrix): drawn})


def _bare(lines: list[str]) -> list[str]:
    """Lines without a relation. A minus in front is one of its own there, not one between two terms."""
    return [f"& {{-}}{line[1:]}" if line.startswith("-") else f"& {line}" for line in lines]


def _aligned(cells: list[str]) -> str:
    return rf"\begin{{aligned}} {APART.join(cells)} \end{{aligned}}"
