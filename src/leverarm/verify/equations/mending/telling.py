"""A change of the text in words: what is written, what is meant, and where."""

from __future__ import annotations

from itertools import pairwise

from leverarm.reading.tree import Matrix, Node, Span, Sum, parts
from leverarm.verify.equations.case import Case
from leverarm.verify.equations.mending.edits import Edit, angle_nodes
from leverarm.verify.equations.mending.spelling import Spelling
from leverarm.verify.equations.mending.splicing import covering, spliced
from leverarm.verify.equations.verdict import Correction, where_of

SHOWN = 60
"""Characters of a term beyond which only the changed factor of it is shown."""


def told(edit: Edit, case: Case, spelling: Spelling) -> Correction:
    """The change in words, with the part of the text that changes before and after."""
    text = spelling.text
    if edit.both:
        return _told_both(edit, case, spelling)
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


def _told_both(edit: Edit, case: Case, spelling: Spelling) -> Correction:
    """Two changes: one stretch of text that holds them both, and a sentence for each."""
    first, second = (told(part, case, spelling) for part in edit.both)
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
