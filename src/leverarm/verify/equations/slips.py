"""Whether one slip of the pen explains a wrong equation as well as another convention does."""

from __future__ import annotations

from collections.abc import Iterator

from leverarm.notation.reading.as_written import Function, Name, Node, parts
from leverarm.scalars.exact import Polynomial
from leverarm.verify.equations.alternative import Alternative
from leverarm.verify.equations.case import Case
from leverarm.verify.equations.evaluation import value_of
from leverarm.verify.equations.indices import letters_of
from leverarm.verify.equations.mending.edits import sign_edits
from leverarm.verify.equations.mending.name_edits import function_edits
from leverarm.verify.equations.mending.proving import agreeing, proven, sampled
from leverarm.verify.equations.mending.spelling import Spelling
from leverarm.verify.equations.values import entries, equal, negated, subtracted
from leverarm.verify.equations.verdict import WrittenError


def could_be_a_slip(case: Case, alternative: Alternative) -> bool:
    """Whether a single mistake gives the same equation: then it is no evidence of a convention.

    So it is where what the convention changes is written only once, or where a single term is off. An equation of
    gravity alone with the other sign is one by convention: gravity, or g on the other side of the equation.
    """
    if equal(case.value, negated(case.wanted)):
        return alternative.about != "gravity's sign"
    if "no gravity" in alternative.about:
        return True  # what is left out may have been forgotten
    if alternative.about in ("friction", "rotors"):
        return False
    if sum(1 for _ in _places(case, alternative)) < 2:
        return True
    off = [x for x in entries(subtracted(case.value, case.wanted)) if x != 0]
    return sum(len(x) if isinstance(x, Polynomial) else 1 for x in off) < 2 or _is_one_mark(case)


def _is_one_mark(case: Case) -> bool:
    """Whether one sign, or a sine for a cosine, at one place makes the equation right."""
    spelling = Spelling(case.scope, case.statement)
    edits = [*sign_edits(case.written, spelling), *function_edits(case.written, spelling)]
    marks = [edit for edit in edits if edit.what in ("a sign", "sine for cosine")]
    return bool(proven(agreeing(marks, sampled(case)), case))


def _places(case: Case, alternative: Alternative) -> Iterator[Node]:
    """The places of the written formula where something stands that the convention gives another meaning."""
    waiting = [case.written]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Name | Function):
            if _letters(case, node) & alternative.touches:
                yield node
        else:
            waiting += parts(node)


def _letters(case: Case, node: Node) -> set[str]:
    try:
        return letters_of(value_of(node, case.scope))
    except WrittenError:
        return set()
