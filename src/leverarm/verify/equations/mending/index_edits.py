"""An index under a sum over an index: c_{jk2} for c_{jk1}, or a sum over i where j is meant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from leverarm.reading.tree import Name, Node, Total, replaced, walk
from leverarm.verify.equations.case import Case
from leverarm.verify.equations.indices import RUNNING
from leverarm.verify.equations.mending.edits import Edit
from leverarm.verify.equations.mending.name_texts import with_index
from leverarm.verify.equations.mending.spelling import Spelling
from leverarm.verify.equations.mending.splicing import Splice
from leverarm.verify.equations.values import equal
from leverarm.verify.equations.verdict import WrittenError

INDEX = 1.0
MOST_TRIED = 60


def index_edits(case: Case, spelling: Spelling) -> list[Edit]:
    """Changes of one index under a sum that make the formula right; proven already."""
    side = next((side for side in case.statement.sides if side.span == case.written.span), None)
    if side is None or not any(isinstance(node, Total) for node in walk(side)):
        return []
    found = []
    for tried, edit in enumerate(_edits(side, spelling)):
        if tried == MOST_TRIED:
            break
        if _is_right(replaced(side, *edit.changes[0]), case):
            found.append(edit)
    return found


def _edits(side: Node, spelling: Spelling) -> Iterator[Edit]:
    digits = [str(i) for i in range(1, len(spelling.coordinates) + 1)]
    for total in (node for node in walk(side) if isinstance(node, Total)):
        bound = [name.letter for name in total.index]
        for name in (node for node in walk(total.of) if isinstance(node, Name)):
            for lower in _others(name.lower, digits, bound):
                if text := with_index(spelling.source(name), name.lower, lower):
                    yield _edit(name, replace(name, lower=lower), text)
        for name in total.index:
            for letter in sorted(RUNNING - {*bound}):
                new = replace(total, index=tuple(replace(n, letter=letter) if n is name else n for n in total.index))
                yield Edit(((total, new),), (Splice(*name.span, letter),), "an index", "the sum is over another", INDEX)


def _edit(old: Name, new: Name, text: str) -> Edit:
    return Edit(((old, new),), (Splice(*old.span, text),), "an index", "it has another index", INDEX)


def _others(lower: str, digits: list[str], bound: list[str]) -> Iterator[str]:
    """The index with one of its digits, or one of its letters that run, exchanged."""
    for i, c in enumerate(lower):
        among = [*bound, *digits] if c.isdigit() or c in RUNNING else ()
        yield from (lower[:i] + other + lower[i + 1 :] for other in among if other != c)


def _is_right(formula: Node, case: Case) -> bool:
    try:
        return equal(case.worth(formula), case.wanted)
    except WrittenError:
        return False
