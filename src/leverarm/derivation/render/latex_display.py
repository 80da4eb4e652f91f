r"""Displayed equations for amsmath and MathJax: below each other, aligned at =, or beside each other with a \qquad."""

from __future__ import annotations

from dataclasses import dataclass

from leverarm.derivation.document import Shown
from leverarm.derivation.render.arrangement import arranged, rows_that_fit
from leverarm.notation.latex import to_latex
from leverarm.notation.latex_lines import lines_together
from leverarm.notation.latex_width import width_in_ems
from leverarm.notation.tree import Equation, Node
from leverarm.notation.vocabulary import Writing

SIMILAR = 2.0
"""Left sides that differ by less [em] are aligned at one equals sign; others would waste the room."""
BESIDE = r" \qquad "
BESIDE_WIDTH = 2.0
TALL = r"\begin"
"""A matrix: higher than a line, and apart from the next one."""
NEW_LINE, NEW_EQUATION = " \\\\\n", " \\\\[4pt]\n"


@dataclass(frozen=True, slots=True)
class Block:
    """One display: lines with an & each, for align* or aligned, and the width of the widest [em].

    `plain` is it without an &, where it has one line.
    """

    aligned: str
    width: float
    plain: str = ""


def displays(equations: tuple[Shown, ...], writing: Writing, width: float) -> list[Block]:
    """The equations of a step as displays no wider than `width` [em], as far as formulas can be broken."""
    blocks: list[Block] = []
    for group in arranged(equations):
        nodes = [shown.equation for shown in group.equations]
        blocks += _in_rows(nodes, writing, width) if group.is_tall else _in_stacks(nodes, writing, width)
    return blocks


def _in_rows(nodes: list[Node], writing: Writing, width: float) -> list[Block]:
    counts = rows_that_fit([_width(node, writing) for node in nodes], BESIDE_WIDTH, width)
    waiting = iter(nodes)
    rows = [[next(waiting) for _ in range(count)] for count in counts]
    return [_beside(row, writing) if len(row) > 1 else _below(row, writing, width) for row in rows]


def _beside(nodes: list[Node], writing: Writing) -> Block:
    plain = BESIDE.join(to_latex(node, writing) for node in nodes)
    return Block(f"& {plain}", width_in_ems(plain), plain)


def _in_stacks(nodes: list[Node], writing: Writing, width: float) -> list[Block]:
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


def _below(nodes: list[Node], writing: Writing, width: float) -> Block:
    pieces = lines_together(nodes, width, writing)
    is_tight = all(len(lines) == 1 and TALL not in lines[0] for lines in pieces)
    aligned = (NEW_LINE if is_tight else NEW_EQUATION).join(NEW_LINE.join(lines) for lines in pieces)
    plain = to_latex(nodes[0], writing) if len(pieces) == len(pieces[0]) == 1 else ""
    return Block(aligned, width_in_ems(rf"\begin{{aligned}} {aligned} \end{{aligned}}"), plain)


def _left_width(node: Node, writing: Writing) -> float:
    """Of what stands before the first equals sign; 0 where there is none."""
    return _width(node.sides[0], writing) if isinstance(node, Equation) and len(node.sides) > 1 else 0.0


def _width(node: Node, writing: Writing) -> float:
    return width_in_ems(to_latex(node, writing))
