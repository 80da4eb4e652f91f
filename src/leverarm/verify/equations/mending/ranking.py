"""Which of several repairs is the likeliest."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from leverarm.reading.tree import Name, Node, walk
from leverarm.verify.equations.case import Case
from leverarm.verify.equations.mending.edits import Edit
from leverarm.verify.equations.mending.proving import MOST_PROVEN, changed_tree


def ranked(edits: Sequence[Edit], case: Case) -> list[Edit]:
    """The cheapest first: one mark before one letter, a change within a term before a new term. Each text once.

    Of equally likely ones, the one that leaves the formula in better order, then the last on the page.
    """

    def key(edit: Edit) -> tuple[float, int, int]:
        return edit.cost, disorder(changed_tree(case.written, edit)), -max(s.start for s in edit.splices)

    dearest_first = sorted(edits, key=key, reverse=True)
    unique = {tuple((s.start, s.end, s.text) for s in edit.splices): edit for edit in dearest_first}
    return sorted(unique.values(), key=key)[:MOST_PROVEN]


def disorder(formula: Node) -> int:
    """How often an index, or a number of dots, stands before a smaller one of the same letter.

    Of a_1 a_2 and a_2 a_1, of r \\dot r and \\dot r r, people write the first.
    """
    names = [node for node in walk(formula) if isinstance(node, Name)]
    marks = [(name.letter, (name.lower, name.dots)) for name in names]
    return sum(1 for (a, first), (b, second) in pairwise(marks) if a == b and first > second)
