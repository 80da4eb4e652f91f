"""Whether a change repairs an equation: looked at in floats, then decided exactly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from leverarm.reading.tree import Node, replaced
from leverarm.verify.equations.case import Case
from leverarm.verify.equations.mending.edits import Edit
from leverarm.verify.equations.mending.floats import Float, SampleError, same
from leverarm.verify.equations.mending.sampling import Sample, State
from leverarm.verify.equations.values import aligned, equal
from leverarm.verify.equations.verdict import WrittenError

MOST_PROVEN = 8
"""Changes that are proven, at most."""
MOST_TRIED_EXACTLY = 300
"""Changes that are tried with exact values, where floats cannot follow the formula."""


def changed_tree(root: Node, edit: Edit) -> Node:
    """The formula with the changes made."""
    for old, new in edit.changes:
        root = replaced(root, old, new)
    return root


def sampled(case: Case) -> tuple[Sample, Float] | None:
    """The formula of a case at a random state, and the number it should have; None where floats cannot follow it."""
    try:
        sample = Sample(case.written, case.scope, State("corrections", case.conditions))
        wanted = sample.state.numbers(aligned(case.wanted, case.value))
        is_faithful = same(sample.value, sample.state.numbers(case.value))
    except (SampleError, ZeroDivisionError, OverflowError):
        return None
    return (sample, wanted) if is_faithful else None


def agreeing(edits: Sequence[Edit], at: tuple[Sample, Float] | None) -> list[Edit]:
    """The changes that could repair the formula, cheapest first; without a sample, those that are likely at all."""
    likeliest = sorted(edits, key=lambda edit: edit.cost)
    return [edit for edit in likeliest if _agrees(edit, *at)] if at else likeliest[:MOST_TRIED_EXACTLY]


def _agrees(edit: Edit, sample: Sample, wanted: Float) -> bool:
    """Whether the changed formula has the right number at the sampled state."""
    try:
        if len(edit.changes) == 1:
            old, new = edit.changes[0]
            return same(sample.changed(old, sample.of(new), new), wanted)
        return same(sample.changed_at(edit.changes), wanted)
    except SampleError:
        return False


def proven(edits: Iterable[Edit], case: Case) -> list[Edit]:
    """The changes that repair the formula, exactly."""
    found: list[Edit] = []
    for edit in edits:
        if _is_proven(edit, case):
            found.append(edit)
        if len(found) == MOST_PROVEN:
            break
    return found


def _is_proven(edit: Edit, case: Case) -> bool:
    try:
        return equal(case.worth(changed_tree(case.written, edit)), case.wanted)
    except WrittenError:
        return False
