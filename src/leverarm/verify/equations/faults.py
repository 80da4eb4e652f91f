"""Verdicts on equations that do not hold as they stand: by another convention, with a name solved for, or wrong.

A wrong equation gets a correction, its exact difference, and a state in readable numbers at which both sides differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import cycle

from leverarm.errors import LeverarmError
from leverarm.notation.names import dotted
from leverarm.notation.reading import Statement, Unreadable
from leverarm.notation.tree import Name, Node, Number, Span
from leverarm.scalars import Scalar
from leverarm.scalars.exact import HALF
from leverarm.verify.equations import algebra, readings
from leverarm.verify.equations.algebra import Value
from leverarm.verify.equations.arm_values import ArmValues
from leverarm.verify.equations.consistency import (
    Accepted,
    convention,
    document_of,
    in_convention_of_document,
    notes_on,
    size_of,
)
from leverarm.verify.equations.corrections import corrections, hint, is_too_large
from leverarm.verify.equations.definitions import at_own_numbers
from leverarm.verify.equations.evaluation import value_of
from leverarm.verify.equations.indices import letters_of
from leverarm.verify.equations.mending.sampling import State
from leverarm.verify.equations.near_equalities import as_free_motion, digits_behind, solved, to_written_digits
from leverarm.verify.equations.readings import Case, Read
from leverarm.verify.equations.report import READABLE_TERMS, explanation, formula_of
from leverarm.verify.equations.scope import Scope
from leverarm.verify.equations.settings import conditions_text, special_case
from leverarm.verify.equations.units import check_units, check_written_units
from leverarm.verify.equations.verdict import Correction, Status, Verdict, Witness, WrittenError, pointed, where_of

VISIBLE = 0.01
"""The least difference that is shown, relative to the larger side."""
POSITIONS = ((0.5, 1.2, -0.8, 0.3), (0.3, 0.7, 1.1, -0.4), (1.0, -0.6, 0.4, 0.9), (-1.1, 2.0, 0.6, -1.7))
SPEEDS = ((0.8, 1.5, -1.0, 2.0), (1.0, -2.0, 0.5, 1.5), (2.0, 1.0, 3.0, -1.0), (-1.5, 0.7, 2.5, 1.0))
ACCELERATIONS = ((2.0, 1.0, 3.0, -1.0), (1.0, -3.0, 2.0, 4.0), (-2.0, 5.0, 1.0, 3.0), (4.0, -1.0, -2.0, 1.5))


def witness(written: Value, true: Value, values: ArmValues) -> Witness | None:
    """A state at which a written value and the true one differ visibly; None where no such state was found."""
    best: tuple[float, Witness] | None = None
    rows, columns = algebra.shape_of(true if algebra.is_table(true) else written)
    pairs = list(zip(_spread(written, rows * columns, true), _spread(true, rows * columns, written), strict=True))
    for k in range(2 * len(POSITIONS)):
        numbers = _numbers(values, k)
        others = sorted({name for pair in pairs for side in pair for name in letters_of(side)} - {*numbers})
        state = State("a state", {**numbers, **dict.fromkeys(others, 1.0)})
        for place, (ours, theirs) in enumerate(pairs):
            try:
                a, b = state.number(ours), state.number(theirs)
            except (ZeroDivisionError, OverflowError):
                continue
            gap = abs(a - b) / max(abs(a), abs(b), 1e-12)
            if min(abs(a), abs(b)) < 1e-9:
                gap *= 0.5  # a zero looks like a missing number
            if best is None or gap > best[0] * 1.5:
                entry = None if rows * columns == 1 else (place // columns + 1, place % columns + 1)
                best = (gap, Witness(_shown([ours, theirs], numbers, values), a, b, entry))
        if best is not None and best[0] > 10 * VISIBLE:
            break
    return best[1] if best is not None and best[0] > VISIBLE else None


def _spread(value: Value, count: int, other: Value) -> list[Scalar]:
    found = list(algebra.entries(algebra.aligned(value, other)))
    return found if len(found) == count else found * count


def _numbers(values: ArmValues, k: int) -> dict[str, float]:
    """The k-th state to try, by letters; symbols at their defaults, then at different numbers."""
    turn, defaults = k % len(POSITIONS), dict(values.eq.notation.defaults)
    state = defaults if k < len(POSITIONS) else {name: 1 + 0.5 * i for i, name in enumerate(defaults, 1)}
    for suffix, numbers in zip(("", ".d", ".dd"), (POSITIONS[turn], SPEEDS[turn], ACCELERATIONS[turn]), strict=True):
        state |= {f"{name}{suffix}": x for name, x in zip(values.exact.coordinates, cycle(numbers), strict=False)}
    return state | {f"{name}{HALF}": number / 2 for name, number in state.items()}


def _shown(sides: list[Scalar], state: Mapping[str, float], values: ArmValues) -> dict[str, float]:
    """The part of a state that the two sides depend on, by printed names."""
    used = {name for side in sides for name in letters_of(side)}
    marked = enumerate(("", ".d", ".dd"))
    letters = [(dots, i, f"{name}{s}") for dots, s in marked for i, name in enumerate(values.exact.coordinates)]
    shown = {dotted(values.printed(i), dots): state[letter] for dots, i, letter in letters if letter in used}
    rest = [name for name in values.eq.arm.defaults if name in used]
    return shown | {name: state[name] for name in rest} | dict.fromkeys(sorted(used - {*state}), 1.0)


def verdict(
    statement: Statement, scope: Scope, status: Status, about: str, message: str, convention: str | None = None
) -> Verdict:
    """A verdict on an equation as it stands in the text, with the repairs that the reader made."""
    repairs = "".join(f" Read {repair}." for repair in statement.repairs[:3])
    text = message[:1].upper() + message[1:]
    return Verdict(
        status=status,
        where=where_of(scope.text, statement.span[0]),
        text=scope.text[slice(*statement.span)],
        about=about,
        message=f"{text if text.endswith('.') else text + '.'}{repairs}",
        convention=convention,
        span=statement.span,
        readings=readings.readings_of(statement, scope),
        explain=partial(explanation, statement, scope, status),
    )


def in_right_units(found: Verdict, statement: Statement, scope: Scope) -> Verdict:
    """The verdict; but an equation with numbers in units of another quantity is wrong, whatever the numbers are."""
    if found.status not in ("equal", "equal by convention"):
        return found
    try:
        check_written_units(statement, scope)
    except WrittenError as problem:
        return verdict(statement, scope, "different", found.about, f"The numbers agree, the units do not: {problem}")
    return found


def unreadable(node: Node | Unreadable, at: int, why: str, text: str) -> Verdict:
    """The verdict on what has no meaning: the line, a caret under the place, and why."""
    return Verdict(
        status="unreadable",
        where=where_of(text, at),
        text=text[slice(*node.span)],
        about="",
        message=f"{pointed(text, at)}\n{why}",
        span=node.span,
    )


def verdict_on_fault(read: Read, whole: Statement, conditions: Mapping[str, Scalar]) -> Verdict:
    """The verdict on an equation that does not hold. `whole` is the statement as it stands in the text.

    Where the lines before it set coordinates, the equation is looked at there. It is accepted where each side is.
    """
    first, *others = readings.cases_of(read)
    found = _verdict_on_side(first, read, whole, conditions)
    for case in others if found.status == "equal by convention" else ():
        there = _verdict_on_side(case, read, whole, conditions)
        if there.status != "equal by convention":
            return there
    return found


def _verdict_on_side(case: Case, read: Read, whole: Statement, conditions: Mapping[str, Scalar]) -> Verdict:
    """The verdict on an equation in which this side is not what it should be."""
    sides = (case.written, read.statement.sides[readings.subject_of(read.statement)])
    unknown = [name for side in sides for name in readings.free_names(side, case.scope)]
    if unknown:
        return _with_unknown(case, whole, unknown)
    if (accepted := _convention(case)) is not None:
        message = _said_once(accepted, whole, case.scope)
        found = verdict(whole, case.scope, "equal by convention", case.about, message, accepted.words)
        return replace(found, is_open=accepted.is_open)
    described = in_convention_of_document(case)
    at = f"at {conditions_text(conditions, case.scope)}, as the text sets them" if conditions else ""
    for each, words in ((case, ""), *([described] if described else [])):
        if (held := _held(each, conditions, at)) is not None:
            words = f"{held}, by {words}" if words else held
            return verdict(whole, case.scope, "equal by convention", case.about, words, words)
    judged, words = described or (case, "")
    there, numbers = min(_in_numbers(_freely(judged, conditions)), key=lambda each: size_of(each[0]))
    others = ((_freely(other, conditions), "") for other in _in_other_readings(read))
    tried = ((each, more, _suggestion(each)) for each, more in ((there, numbers), *others))
    there, numbers, suggestion = next((each for each in tried if each[2] is not None), (there, numbers, None))
    said = (words and f"Judged by {words}.", at and f"Compared {at}.", numbers and f"Compared {numbers}.")
    notes = (*(() if conditions else notes_on(there)), *said, _placed(read.problem, read.scope))
    return _different(there, whole, suggestion, "\n".join(note for note in notes if note))


def _held(case: Case, conditions: Mapping[str, Scalar], at: str) -> str | None:
    """The words of an equation that holds at the state that the text sets, or to its digits with the arm's numbers."""
    in_letters = letters_of(case.value) & {*case.scope.arm.defaults}
    for there, numbers in _in_numbers(_at(case, conditions)):
        is_told = not algebra.is_zero(there.wanted) or not letters_of(case.value)
        exactly = "equal" if conditions and algebra.equal(there.value, there.wanted) and is_told else None
        held = exactly or (to_written_digits(there) if at or (numbers and not in_letters) else None)
        if held is not None:
            return ", ".join(part for part in (f"{held} {at}".rstrip(), numbers) if part)
    return None


def _freely(case: Case, conditions: Mapping[str, Scalar]) -> Case:
    """The case under the conditions; of a motion without torques, with what its formula should be."""
    return _at(as_free_motion(case) or case, conditions)


def _at(case: Case, conditions: Mapping[str, Scalar]) -> Case:
    """The case where coordinates are as the text sets them."""
    wanted, value = readings.under(case.wanted, conditions), readings.under(case.value, conditions)
    return replace(case, wanted=wanted, value=value, conditions=conditions)


def _in_numbers(case: Case) -> Iterator[tuple[Case, str]]:
    """The case, and the same with the arm's own numbers, where the line has decimals for symbols; with words for it.

    Where the text sets symbols, its own numbers are tried elsewhere.
    """
    yield case, ""
    has_decimals = any(digits_behind(node, case) for node in algebra.every(Number, case.written))
    for meant in at_own_numbers(case) if has_decimals and special_case(case.scope) is None else ():
        yield replace(case, wanted=meant.value), f"with {meant.words['numbers']}, the arm's own values"


def _in_other_readings(read: Read) -> Iterator[Case]:
    """A wrong equation with one letter read otherwise, where that makes sense and less of it is wrong."""
    scope, most = read.scope, size_of(readings.case_of(read))
    for family, name in {scope.family(name): name for name in algebra.every(Name, *read.statement.sides)}.items():
        for kind in dict.fromkeys(meaning.kind for meaning in scope.meanings(name)):
            there = replace(scope, chosen={**scope.chosen, family: kind})
            with suppress(WrittenError):
                sides = tuple(value_of(side, there) for side in read.statement.sides)
                case = readings.case_of(replace(read, scope=there, sides=sides))
                if algebra.fits(case.value, case.wanted) and 0 < size_of(case) < most:
                    yield case


def contradiction(found: Verdict, statement: Statement, scope: Scope) -> Verdict:
    """The verdict on an equation that holds; it is wrong in a document whose convention it breaks."""
    broken = document_of(scope).contradicted(statement)
    if broken is None:
        return found
    case, words = broken
    note = f"It holds for the arm as it is, but not by the convention of the other equations: {words}."
    return _different(case, statement, _suggestion(case), note)


def _said_once(accepted: Accepted, whole: Statement, scope: Scope) -> str:
    """What is said of a convention: in full where the document uses it first, briefly in later equations."""
    said: dict[str, Span] = scope.once("said", dict)
    words, level, constant = accepted.words.partition(", up to")
    if not accepted.is_open and said.setdefault(words, whole.span) != whole.span:
        return f"by the same convention{level}{constant}"
    return f"{accepted.words}{accepted.more}"


def _convention(case: Case) -> Accepted | None:
    """By which convention the equation holds; None too where a convention is too large to be tried."""
    if is_too_large(case):
        return None
    try:
        return convention(case)
    except LeverarmError:
        return None


def _suggestion(case: Case) -> Correction | None:
    """The best correction.

    A formula that is too large to be changed and tried is wrong all the same, without a suggestion.
    """
    try:
        return next(corrections(case), None)
    except LeverarmError:
        return None


def _with_unknown(case: Case, whole: Statement, unknown: Sequence[Name]) -> Verdict:
    """The verdict where names occur that mean nothing: solved for, corrected, or named."""
    scope = case.scope
    problem = scope.nothing(unknown[0])
    meaning = solved(case, unknown)
    if meaning is not None and not meaning.is_letter:
        words = f"equal with {meaning.sentence}, which the text does not define"
        return verdict(whole, scope, "equal by convention", case.about, words, words)
    if meaning is not None and not meaning.is_same_letter:
        hint = f"The equation holds where {meaning.sentence}; if that is meant, write `map: {meaning.mapping}`."
        return unreadable(whole, problem.span[0], f"{problem.message} {hint}", scope.text)
    found = _suggestion(case) if len(unknown) == 1 else None
    if found is not None and (meaning is not None or found.what in ("an index", "a letter")):
        return _different(case, whole, found, problem.message)
    return unreadable(whole, problem.span[0], problem.message, scope.text)


def _different(case: Case, whole: Statement, suggestion: Correction | None, note: str) -> Verdict:
    scope = case.scope
    formula = formula_of(algebra.subtracted(case.value, case.wanted), scope)
    seen = witness(case.value, case.wanted, scope.values)
    sentences = [
        suggestion.sentence if suggestion else "",
        hint(case, suggestion),
        note,
        _placed(_units(case), scope),
        f"Written minus true is {formula.text()}." if formula.terms <= READABLE_TERMS else "",
        str(seen) if seen else "",
    ]
    found = verdict(whole, scope, "different", case.about, "\n".join(each for each in sentences if each))
    where = where_of(scope.text, case.written.span[0])
    return replace(found, difference=formula, suggestion=suggestion, witness=seen, where=where)


def _units(case: Case) -> WrittenError | None:
    """What is wrong with the units of what is written, if anything."""
    try:
        check_units(case.written, case.scope)
    except WrittenError as problem:
        return problem
    return None


def _placed(problem: WrittenError | None, scope: Scope) -> str:
    """What is wrong with a part, with its place."""
    return f"{where_of(scope.text, problem.span[0])}: {problem.message}" if problem is not None else ""
