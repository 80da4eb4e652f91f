"""The equations of a step in a terminal: short ones close together, matrices beside each other as far as they fit."""

from __future__ import annotations

from functools import reduce

from leverarm.derivation.document import Shown
from leverarm.derivation.render.arrangement import arranged, rows_that_fit
from leverarm.derivation.render.wrapping import cells, formula_lines, widest
from leverarm.notation.vocabulary import Writing

GAP = 4
"""Columns between matrices that stand beside each other."""

Block = list[str]


def equation_lines(equations: tuple[Shown, ...], writing: Writing, width: int) -> list[str]:
    """The lines of all equations, with a blank one first and between those that are not one line each."""
    lines: list[str] = []
    before = 0
    for group in arranged(equations):
        blocks = [formula_lines(shown.equation, writing, width) for shown in group.equations]
        for block in _filled(blocks, width) if group.is_tall else blocks:
            is_close = before == 1 and len(block) == 1
            lines += block if is_close else ["", *block]
            before = len(block)
    return lines


def _filled(blocks: list[Block], width: int) -> list[Block]:
    """The blocks put beside each other as far as they fit."""
    counts = rows_that_fit([widest(block) for block in blocks], GAP, width)
    waiting = iter(blocks)
    return [reduce(_beside, [next(waiting) for _ in range(count)]) for count in counts]


def _beside(left: Block, right: Block) -> Block:
    """Two blocks, the lower one centred on the higher."""
    height, column = max(len(left), len(right)), widest(left) + GAP
    pairs = zip(_centred(left, height), _centred(right, height), strict=True)
    return [(a + " " * (column - cells(a)) + b).rstrip() for a, b in pairs]


def _centred(block: Block, height: int) -> Block:
    above = (height - len(block)) // 2
    return [""] * above + block + [""] * (height - len(block) - above)
