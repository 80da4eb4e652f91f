"""Equations that do not hold as they stand: by another convention, with a name solved for, or wrong, and where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from leverarm.closed_form.formula import Formula, Formulas
from leverarm.errors import LeverarmError
from leverarm.reading.tree import Name, Statement
from leverarm.scalars import Scalar
from leverarm.verify.equations.case import Case, under
from leverarm.verify.equations.conventions import convention
from leverarm.verify.equations.coriolis_entries import note_on
from leverarm.verify.equations.corrections import corrections
from leverarm.verify.equations.descriptions import in_convention_of_document
from leverarm.verify.equations.free_motion import as_free_motion, in_free_motion
from leverarm.verify.equations.indices import written_out
from leverarm.verify.equations.own_numbers import with_own_numbers
from leverarm.verify.equations.readings import Read, free_names
from leverarm.verify.equations.rounded import to_written_digits
from leverarm.verify.equations.scope import Scope
from leverarm.verify.equations.settings import told
from leverarm.verify.equations.subject import about, is_quantity, subject_of
from leverarm.verify.equations.units import check_units
from leverarm.verify.equations.unknowns import solved
from leverarm.verify.equations.values import Table, Value, equal, is_zero, subtracted
from leverarm.verify.equations.verdict import Correction, Verdict, WrittenError, where_of
from leverarm.verify.equations.witness import witness
from leverarm.verify.equations.wording import unreadable, verdict

LARGE = ("a missing term", "an extra term")
"""Kinds of correction that a smaller one is preferred to, even one on the other side."""
READABLE_TERMS = 30
"""A difference of more terms than this is not printed."""


def verdict_on_fault(read: Read, whole: Statement, conditions: Mapping[str, Scalar]) -> Verdict:
    """The verdict on an equation that does not hold. `whole` is the statement as it stands in the text.

    Where the lines before it set coordinates, the equation is looked at there.
    """
    case = case_of(read)
    sides = (case.written, read.statement.sides[subject_of(read.statement)])
    unknown = [name for side in sides for name in free_names(side, case.scope)]
    if unknown:
        return _with_unknown(case, whole, unknown)
    words = _convention(case, read)
    if words:
        return verdict(whole, case.scope, "equal by convention", case.about, words, words)
    if not conditions:
        case, said = in_convention_of_document(case) or (case, "")
        case = as_free_motion(case) or case
        judged = f"Judged by the convention of the other equations: {said}." if said else ""
        notes = (note for note in (judged, note_on(case), _left_out(read)) if note)
        return _different(case, whole, _suggestion(case), "\n".join(notes))
    at = told(conditions, case.scope)
    wanted, value = under(case.wanted, conditions), under(case.value, conditions)
    there = replace(case, wanted=wanted, value=value, conditions=conditions)
    if equal(there.value, there.wanted) and not is_zero(there.wanted):
        words = f"equal at {at}, as the text sets them"
        return verdict(whole, case.scope, "equal by convention", case.about, words, words)
    return _different(there, whole, _suggestion(there), f"It is compared at {at}, as the text sets them.")


def _convention(case: Case, read: Read) -> str | None:
    """By which convention the equation holds; None too where a convention is too large to be tried."""
    try:
        return with_own_numbers(case) or to_written_digits(case) or _free(read) or convention(case)
    except LeverarmError:
        return None


def _free(read: Read) -> str | None:
    words = in_free_motion(read.statement, read.scope, read.sides)
    return None if words is None else f"equal {words}"


def case_of(read: Read) -> Case:
    """The first side that differs from the one that says what the equation is about."""
    statement, scope = read.statement, read.scope
    subject = subject_of(statement)
    i = next(i for i, value in enumerate(read.sides) if not equal(value, read.sides[subject]))
    formula = written_out(statement.sides[i], scope.values.n)
    return Case(statement, scope, formula, read.sides[subject], read.sides[i], about(statement.sides[subject], scope))


def _suggestion(case: Case) -> Correction | None:
    """The best correction: of the formula, else a small one of the side that says what it is of.

    A formula that is too large to be changed and tried is wrong all the same, without a suggestion.
    """
    try:
        return _best(case)
    except LeverarmError:
        return None


def _best(case: Case) -> Correction | None:
    found = corrections(case)
    left = case.statement.sides[subject_of(case.statement)]
    if (found and found[0].what not in LARGE) or isinstance(left, Name) or not is_quantity(left):
        return found[0] if found else None
    others = corrections(replace(case, written=left, wanted=case.value, value=case.wanted))
    small = [each for each in others if each.what not in LARGE]
    return (*small, *found, None)[0]


def _with_unknown(case: Case, whole: Statement, unknown: Sequence[Name]) -> Verdict:
    """The verdict where names occur that mean nothing: solved for, corrected, or told."""
    scope = case.scope
    problem = scope.nothing(unknown[0])
    meaning = solved(case, unknown)
    if meaning is not None and not meaning.is_letter:
        words = f"equal with {meaning.sentence}, which the text does not define"
        return verdict(whole, scope, "equal by convention", case.about, words, words)
    if meaning is not None and not meaning.is_same_letter:
        hint = f"The equation holds where {meaning.sentence}; if that is meant, say `map: {meaning.mapping}`."
        return unreadable(whole, problem.span[0], f"{problem.message} {hint}", scope.text)
    found = corrections(case) if len(unknown) == 1 else ()
    if found and (meaning is not None or found[0].what in ("an index", "a letter")):
        return _different(case, whole, found[0], problem.message)
    return unreadable(whole, problem.span[0], problem.message, scope.text)


def _different(case: Case, whole: Statement, suggestion: Correction | None, note: str) -> Verdict:
    scope = case.scope
    formula = _formula(subtracted(case.value, case.wanted), scope)
    seen = witness(case.value, case.wanted, scope.values)
    sentences = [
        suggestion.sentence if suggestion else "",
        note,
        _units(case),
        f"Written minus true is {formula.text()}." if formula.terms <= READABLE_TERMS else "",
        str(seen) if seen else "",
    ]
    told_so = verdict(whole, scope, "different", case.about, "\n".join(each for each in sentences if each))
    where = where_of(scope.text, case.written.span[0])
    return replace(told_so, difference=formula, suggestion=suggestion, witness=seen, where=where)


def _units(case: Case) -> str:
    """What is wrong with the units of what is written, if anything."""
    try:
        check_units(case.written, case.scope)
    except WrittenError as problem:
        return f"{where_of(case.scope.text, problem.span[0])}: {problem.message}"
    return ""


def _left_out(read: Read) -> str:
    """Of an equation with a side that cannot be compared: which."""
    if read.problem is None:
        return ""
    return f"{where_of(read.scope.text, read.problem.span[0])}: {read.problem.message}"


def _formula(value: Value, scope: Scope) -> Formula | Formulas:
    if isinstance(value, Table):
        return scope.equations.formulas([list(row) for row in value.rows])
    return scope.equations.formula(value)
