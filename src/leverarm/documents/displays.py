"""Equations as displays of amsmath, in LaTeX and in Markdown: below each other, aligned at =, or side by side."""

from __future__ import annotations

from dataclasses import dataclass

from leverarm.documents.arrangement import arranged, rows_that_fit
from leverarm.documents.document import Shown
from leverarm.notation.latex import to_latex
from leverarm.notation.latex_lines import lines_together, width_in_ems
from leverarm.notation.tree import Equation, Node
from leverarm.notation.vocabulary import Writing

SIMILAR = 2.0
"""Left-hand sides whose widths differ by less [em] are aligned at the equals sign; others would waste space."""
BESIDE = r" \qquad "
BESIDE_WIDTH = 2.0
TALL = r"\begin"
"""A matrix: taller than a line, and set apart from the next one."""
NEW_LINE, NEW_EQUATION = " \\\\\n", " \\\\[4pt]\n"


@dataclass(frozen=True, slots=True)
class Display:
    """One display: lines with one & each, for align* or aligned, and the width of the widest [em].

    `plain` is the display without &, where it is one line.
    """

    aligned: str
    width: float
    plain: str = ""


def displays(equations: tuple[Shown, ...], writing: Writing, width: float) -> list[Display]:
    """The equations of a step as displays no wider than `width` [em], as far as formulas can be broken."""
    blocks: list[Display] = []
    for group in arranged(equations):
        nodes = [shown.equation for shown in group.equations]
        blocks += _in_rows(nodes, writing, width) if group.is_tall else _in_stacks(nodes, writing, width)
    return blocks


def _in_rows(nodes: list[Node], writing: Writing, width: float) -> list[Display]:
    counts = rows_that_fit([_width(node, writing) for node in nodes], BESIDE_WIDTH, width)
    waiting = iter(nodes)
    rows = [[next(waiting) for _ in range(count)] for count in counts]
    return [_beside(row, writing) if len(row) > 1 else _below(row, writing, width) for row in rows]


def _beside(nodes: list[Node], writing: Writing) -> Display:
    plain = BESIDE.join(to_latex(node, writing) for node in nodes)
    return Display(f"& {plain}", width_in_ems(plain), plain)


def _in_stacks(nodes: list[Node], writing: Writing, width: float) -> list[Display]:
    stacks: list[list[Node]] = []
    for node in nodes:
        if stacks and _is_alignable([*stacks[-1], node], writing):
            stacks[-1].append(node)
        else:
            stacks.append([node])
    return [_below(stack, writing, width) for stack in stacks]


def _is_alignable(nodes: list[Node], writing: Writing) -> bool:
    lefts = [_left_width(node, writing) for node in nodes]
    return min(lefts) > 0 and max(lefts) - min(lefts) < SIMILAR


def _below(nodes: list[Node], writing: Writing, width: float) -> Display:
    pieces = lines_together(nodes, width, writing)
    is_tight = all(len(lines) == 1 and TALL not in lines[0] for lines in pieces)
    aligned = (NEW_LINE if is_tight else NEW_EQUATION).join(NEW_LINE.join(lines) for lines in pieces)
    plain = to_latex(nodes[0], writing) if len(pieces) == len(pieces[0]) == 1 else ""
    return Display(aligned, width_in_ems(rf"\begin{{aligned}} {aligned} \end{{aligned}}"), plain)


def _left_width(node: Node, writing: Writing) -> float:
    """The width of the left-hand side; 0 where there is no equals sign."""
    return _width(node.sides[0], writing) if isinstance(node, Equation) and len(node.sides) > 1 else 0.0


def _width(node: Node, writing: Writing) -> float:
    return width_in_ems(to_latex(node, writing))
