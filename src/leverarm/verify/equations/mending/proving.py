"""Whether a change repairs an equation (tried in floats, decided exactly), which repair is likeliest, and its words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from leverarm.notation.tree import Matrix, Name, Node, Span, Sum, parts, replaced
from leverarm.verify.equations.algebra import Value, aligned, every
from leverarm.verify.equations.mending.edits import Edit, angle_nodes
from leverarm.verify.equations.mending.sampling import Sample, SampleError, State, same
from leverarm.verify.equations.mending.spelling import Spelling
from leverarm.verify.equations.mending.splicing import covering, spliced
from leverarm.verify.equations.readings import Case
from leverarm.verify.equations.verdict import Correction, where_of

MOST_PROVEN = 8
"""Changes that are proven, at most."""
MOST_TRIED_EXACTLY = 300
"""Changes that are tried with exact values, where floats cannot follow the formula."""


def changed_tree(root: Node, edit: Edit) -> Node:
    """The formula with the changes made."""
    for old, new in edit.changes:
        root = replaced(root, old, new)
    return root


def sampled(case: Case) -> tuple[Sample, Value] | None:
    """The formula of a case at a random state, and the number it should have; None where floats cannot follow it."""
    try:
        sample = Sample(case.written, case.scope, State("corrections", case.conditions))
        wanted = sample.state.numbers(aligned(case.wanted, case.value))
        is_faithful = same(sample.value, sample.state.numbers(case.value))
    except (SampleError, ZeroDivisionError, OverflowError):
        return None
    return (sample, wanted) if is_faithful else None


def agreeing(edits: Sequence[Edit], at: tuple[Sample, Value] | None) -> list[Edit]:
    """The changes that could repair the formula, cheapest first; without a sample, those that are likely at all."""
    likeliest = sorted(edits, key=lambda edit: edit.cost)
    return [edit for edit in likeliest if _agrees(edit, *at)] if at else likeliest[:MOST_TRIED_EXACTLY]


def _agrees(edit: Edit, sample: Sample, wanted: Value) -> bool:
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
        if case.is_worth(changed_tree(case.written, edit), case.wanted):
            found.append(edit)
        if len(found) == MOST_PROVEN:
            break
    return found


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
    marks = [(name.letter, (name.lower, name.dots)) for name in every(Name, formula)]
    return sum(1 for (a, first), (b, second) in pairwise(marks) if a == b and first > second)


SHOWN = 60
"""Characters of a term beyond which only the changed factor of it is shown."""


def correction_of(edit: Edit, case: Case, spelling: Spelling) -> Correction:
    """The change in words, with the part of the text that changes before and after."""
    text = spelling.text
    if edit.both:
        return _correction_of_both(edit, case, spelling)
    if not edit.changes or edit.what == "an extra term":
        span = covering((edit.splices[0].start, edit.splices[0].end), edit.splices)
    else:
        span = covering(_shown_part(edit, case, spelling), edit.splices)
    written = text[slice(*span)]
    meant = spliced(text, span, edit.splices).strip()
    start = span[0] + len(written) - len(written.lstrip())
    written = written.strip()
    where = where_of(text, start)
    shown, better = (" ".join(part.split()) for part in (written, meant))
    apart = {(text[s.start : s.end], s.text): None for s in edit.splices}
    if len(edit.splices) > 1 and len(shown) > SHOWN and all(old and new for old, new in apart):
        sentence = f"{where}: {' and '.join(_change(*pair) for pair in apart)} ({edit.how})."
    elif not written:
        sentence = f"{where}: `{better}` is missing."
    elif not meant:
        sentence = f"{where}: `{shown}` should not be there ({edit.how})."
    else:
        sentence = f"{where}: `{shown}` should be `{better}` ({edit.how})."
    return Correction(written, meant, edit.what, (start, start + len(written)), where, sentence)


def _correction_of_both(edit: Edit, case: Case, spelling: Spelling) -> Correction:
    """Two changes: one stretch of text that holds them both, and a sentence for each."""
    first, second = (correction_of(part, case, spelling) for part in edit.both)
    span = (min(first.span[0], second.span[0]), max(first.span[1], second.span[1]))
    meant = spliced(spelling.text, span, edit.splices)
    sentence = f"{first.sentence.removesuffix('.')}; and {second.sentence}"
    return Correction(spelling.text[slice(*span)], meant, edit.what, span, first.where, sentence)


def _change(old: str, new: str) -> str:
    old, new = (" ".join(part.split()) for part in (old, new))
    return f"`{old}` should be `{new}`"


def _shown_part(edit: Edit, case: Case, spelling: Spelling) -> Span:
    """The term in which the change is; where that is long, the largest part of it that is not."""
    old = edit.changes[0][0]
    for root in (case.written, *case.statement.sides):
        if path := _path(root, old):
            break
    if len(edit.changes) > 1 or not path:
        return old.span
    inside = angle_nodes(path[-1])
    shown = old
    for part, whole in pairwise(path):
        shown = part
        if isinstance(whole, Sum | Matrix) and id(part) not in inside:
            break
        if len(spelling.source(whole)) > SHOWN:
            break
    else:
        shown = path[-1]
    return shown.span


def _path(root: Node, node: Node) -> list[Node]:
    """The part and all that holds it, up to the whole formula."""
    if root is node:
        return [node]
    for part in parts(root):
        if found := _path(part, node):
            return [*found, root]
    return []
