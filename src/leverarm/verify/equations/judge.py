"""Checking a text of equations against an arm: one verdict for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from leverarm.closed_form import equations
from leverarm.errors import InputError
from leverarm.model import Arm
from leverarm.notation.reading import Expanded, Found, Statement, Unreadable, expanded
from leverarm.notation.tree import Name, Of
from leverarm.scalars import Scalar
from leverarm.verify.equations import readings, settings
from leverarm.verify.equations.algebra import Family, every, shown, spelled
from leverarm.verify.equations.definitions import regressor_product
from leverarm.verify.equations.document import defined_name, is_definition, lines_in, name_given, pieces_of, scope_of
from leverarm.verify.equations.evaluation import under_root
from leverarm.verify.equations.faults import contradiction, in_right_units, unreadable, verdict, verdict_on_fault
from leverarm.verify.equations.indices import is_index_note
from leverarm.verify.equations.letters import better, rivals, with_fitting_letters, with_own_names
from leverarm.verify.equations.near_equalities import solved
from leverarm.verify.equations.readings import Read
from leverarm.verify.equations.scope import Scope, base, one_of
from leverarm.verify.equations.sentences import Before
from leverarm.verify.equations.verdict import DEFINED, Verdict, Verdicts, WrittenError

PROVEN = ("equal", "equal by convention")


def check(arm: Arm, text: str, names: Mapping[str, str] | None = None) -> Verdicts:
    """Whether the equations of a text hold for an arm: exactly, by another convention, or not, and then what is wrong.

    The text is LaTeX, Markdown or plain. `names` says what the text's letters mean, {"L1": "a1"}, where that is not
    clear; lines "map: L1 = a1" in the text do too. Every verdict is proven with exact polynomials.

    >>> import leverarm as la
    >>> check(la.load("elbow"), "tau2 = m2*a2^2*(qdd1 + qdd2) + m2*a1*a2*(cos(q2)*qdd1 + sin(q2)*qd1^2) "
    ...       "+ m2*g*a2*cos(q1 + q2)").status
    'equal'
    """
    if not isinstance(text, str):
        raise InputError(f"check: {type(text).__name__} was given as the text. Give a str.")
    whole = expanded(text)
    pieces = pieces_of(whole)
    scope = with_fitting_letters(scope_of(equations(arm), whole, pieces, names), pieces)
    pieces = lines_in(pieces, scope)
    verdicts = tuple(_placed(each, whole) for each in _with_use(_verdicts(pieces, scope), scope))
    if not verdicts:
        raise InputError(
            "check: no equation was found in the text. Write equations with '=', as LaTeX ($...$, \\[...\\], align), "
            "Markdown or plain text."
        )
    return Verdicts(arm.name, verdicts)


def _placed(found: Verdict, text: Expanded) -> Verdict:
    """A verdict with its places in the text as it was written, before its macros were put in."""
    change = found.suggestion
    placed = None if change is None else replace(change, span=text.origin(change.span))
    return replace(found, span=text.origin(found.span), suggestion=placed)


def _verdicts(pieces: tuple[Found, ...], scope: Scope) -> list[Verdict]:
    """One verdict for each equation, in the order of the text, with what the lines before it set."""
    preferred: dict[Family, str] = {}
    read: dict[tuple[str, str], None] = {}
    found: list[Verdict] = []
    before = Before()
    for piece in pieces:
        before = before.reaching(piece, scope)
        match piece:
            case Unreadable():
                found.append(unreadable(piece, piece.at, piece.why, scope.text))
            case Statement(sides=(_, _, *_)) if not is_index_note(piece):
                if (words := settings.setting_of(piece, scope)) is not None:
                    before = before.setting(piece, scope)
                    message = "taken as a setting; equations that do not hold in general are also checked with it."
                    found.append(verdict(piece, settings.as_setting(piece, scope), DEFINED, words, message))
                else:
                    found.append(_judged_there(piece, scope, preferred, before))
                    before = replace(before, is_used=True)
                    read |= dict.fromkeys((one_of(letter), base(kind)) for (letter, *_), kind in preferred.items())
    lines = {each.span: each for each in scope.statements}
    proven = [lines[each.span] for each in found if each.status == "equal"]
    for letter, pair in rivals([*read], scope):
        return _verdicts(pieces, better(letter, pair, proven, scope))
    own = with_own_names([lines[each.span] for each in found if each.status == "different"], scope)
    if own is not scope:
        return _verdicts(pieces, own)
    if not any(each.status == "equal by convention" for each in found):
        return found
    return [contradiction(each, lines[each.span], scope) if each.status == "equal" else each for each in found]


def _judged_there(statement: Statement, scope: Scope, preferred: dict[Family, str], before: Before) -> Verdict:
    """The verdict on an equation at a state; a formula in it that depends on the state must hold in general."""
    try:
        return _at_state(statement, scope, preferred, before)
    except ZeroDivisionError:
        return unreadable(statement, statement.span[0], SINGULAR, scope.text)


SINGULAR = "the equation divides by zero at the state that the text sets, a singular pose of the arm"


def _at_state(statement: Statement, scope: Scope, preferred: dict[Family, str], before: Before) -> Verdict:
    conditions, unsaid = before.conditions_for(statement, scope), before.unsaid_for(statement, scope)
    if conditions and (general := settings.of_any_state(statement, scope)) is not None:
        resting = {letter: x for letter, x in conditions.items() if ".d" in letter and x == 0}
        found = _judged(general, scope, dict(preferred), resting)
        if found.status not in PROVEN:
            return found
    found = _judged(statement, scope, preferred, conditions)
    if found.status in PROVEN or not unsaid:
        return found
    found = _judged(statement, scope, preferred, {**conditions, **unsaid})
    return replace(found, message=f"{found.message} {settings.unsaid_text(unsaid)}")


def _judged(
    statement: Statement, scope: Scope, preferred: dict[Family, str], conditions: Mapping[str, Scalar]
) -> Verdict:
    """The verdict on an equation. One with an index that the arm lacks is wrong where a correction is found."""
    lacking = [name for name in readings.unknown_names(statement, scope) if scope.lacking(name) is not None]
    is_of_none = {*lacking} & {*statement.sides}
    found = None if is_of_none else in_right_units(_found(statement, scope, preferred, conditions), statement, scope)
    if not lacking or (found is not None and found.status == "different" and found.suggestion is not None):
        assert found is not None
        return found
    problem = scope.nothing(lacking[0])
    return unreadable(statement, problem.span[0], problem.message, scope.text)


def _found(
    statement: Statement, scope: Scope, preferred: dict[Family, str], conditions: Mapping[str, Scalar]
) -> Verdict:
    try:
        reads = [_read(each, scope, preferred) for each in readings.instances(statement, scope)]
    except WrittenError as problem:
        if (defined := name_given(statement, scope)) is not None and under_root(statement.sides[1], scope):
            return _only_defined(statement, scope, defined)
        return unreadable(statement, problem.span[0], problem.message, scope.text)
    wrong = [each for each in reads if not each.holds]
    if wrong:
        if (name := _named_only(statement, scope)) is not None:
            return _only_defined(statement, scope, name)
        return _on_fault(statement, wrong, scope, preferred, conditions)
    for each in reads:
        preferred |= each.scope.chosen
    first = reads[0]
    if is_definition(statement, scope):
        if unknown := readings.unknown_names(statement, scope):
            return unreadable(statement, unknown[0].span[0], scope.nothing(unknown[0]).message, scope.text)
        return _definition(statement, first)
    subject = readings.about(statement.sides[readings.subject_of(statement)], first.scope)
    message = "proven exactly" + (f" for all {len(reads)} values of its indices." if len(reads) > 1 else ".")
    return verdict(statement, first.scope, "equal", subject, message)


def _only_defined(statement: Statement, scope: Scope, name: Name) -> Verdict:
    """The verdict on a line that gives a name of its own to something: there is nothing to compare it with."""
    message = "nothing in the arm has this name, so it is taken as a definition; it is checked where it is used."
    return verdict(statement, scope, DEFINED, f"definition of {shown(name)}", message)


def _gives_name(statement: Statement, scope: Scope) -> Name | None:
    """The name that a line gives to a formula, where it is one that sets no symbol of the arm."""
    given = name_given(statement, scope) or defined_name(statement)
    return given if settings.setting_of(statement, scope) is None else None


def _with_use(verdicts: Sequence[Verdict], scope: Scope) -> tuple[Verdict, ...]:
    """The verdicts, with a mark on definitions that nothing proven rests on, by itself or through another one."""
    lines = {each.span: each for each in scope.statements}
    rests_on = {span: {spelled(name) for name in every(Name, line)} for span, line in lines.items()}
    names = {name for each in verdicts if each.status in PROVEN for name in rests_on[each.span]}
    defined = [lines[each.span] for each in verdicts if each.status == DEFINED]
    waiting = {each.span: spelled(name) for each in defined if (name := _gives_name(each, scope)) is not None}
    while found := [span for span, name in waiting.items() if name in names]:
        for span in found:
            del waiting[span]
            names |= rests_on[span]
    return tuple(replace(each, is_open=each.is_open or each.span in waiting) for each in verdicts)


def _on_fault(
    statement: Statement,
    wrong: Sequence[Read],
    scope: Scope,
    preferred: dict[Family, str],
    conditions: Mapping[str, Scalar],
) -> Verdict:
    """The verdict on an equation that does not hold in general; where the text sets symbols, for these as well."""
    verdicts = (verdict_on_fault(_freed(each, scope, preferred), statement, conditions) for each in wrong)
    found = _to_first_order(statement, wrong, scope) or _shared(verdicts)
    special = settings.special_case(scope)
    if found.status == "equal by convention" or special is None:
        return found
    if special.shared and not scope.once("shared", lambda: _is_shared(special)):
        return found
    words = f"where {special.words}, as the text sets them"
    there = _judged(statement, special.scope, {}, conditions)
    if there.status == "equal":
        words = f"equal {words}"
        return verdict(statement, special.scope, "equal by convention", there.about, words, words)
    if there.convention is not None:
        words = f"{there.convention}, {words}"
        return verdict(statement, special.scope, "equal by convention", there.about, words, words)
    if not _is_nearer(there, found, statement):
        return found
    return replace(there, message=f"{there.message}\nCompared {words}.")


def _is_shared(special: settings.SpecialCase) -> bool:
    """Whether some equation of the arm holds with the letters that seem to stand for all symbols of a kind."""
    scope = special.scope
    lines = [line for line in scope.statements if {spelled(name) for name in every(Name, line)} & special.shared]
    told = [line for line in lines if settings.setting_of(line, scope) is None and not is_definition(line, scope)]
    return any(defined_name(line) is not None and readings.holds(line, scope) for line in told)


def _to_first_order(statement: Statement, wrong: Sequence[Read], scope: Scope) -> Verdict | None:
    """The verdict on an equation that the text says to be linearised, and that is of first order; None on others."""
    about_state = settings.first_order(statement, scope)
    if about_state is None or any(read.scope.free or read.problem for read in wrong):
        return None
    ours = [
        read
        for read in wrong
        if all(settings.is_of_first_order(side, read.scope, about_state) for side in statement.sides)
    ]
    if len(ours) < len(wrong):
        return None
    words = f"to first order about {about_state.words} (small angles, as the text says)"
    subject = readings.about(statement.sides[readings.subject_of(statement)], wrong[0].scope)
    try:
        notes = [settings.holds_to_first_order(read.statement, read.scope, read.sides, about_state) for read in wrong]
        if None not in notes:
            words = f"equal {words}{notes[0]}"
            return verdict(statement, wrong[0].scope, "equal by convention", subject, words, words)
        read = wrong[notes.index(None)]
        sides = tuple(about_state.of(side, read.scope.values) for side in read.sides)
    except ZeroDivisionError:
        return None
    found = verdict_on_fault(replace(read, sides=sides), statement, {})
    return found if found.status != "different" else replace(found, message=f"{found.message}\nCompared {words}.")


def _shared(verdicts: Iterator[Verdict]) -> Verdict:
    """The verdict on an equation with open indices: by convention only if all of it is so; else that on what is not."""
    first = next(verdicts)
    if first.convention is None:
        return first
    return next((each for each in verdicts if each.convention != first.convention), first)


def _is_nearer(there: Verdict, found: Verdict, statement: Statement) -> bool:
    """Whether less is wrong by one verdict, or as much and something else, and it corrects more sides."""
    if there.difference is None or found.difference is None:
        return there.difference is not None
    if there.difference.terms != found.difference.terms:
        return there.difference.terms < found.difference.terms
    is_other = there.difference.text() != found.difference.text()
    return is_other and _corrected(there, statement) > _corrected(found, statement)


def _corrected(found: Verdict, statement: Statement) -> int:
    """How many sides of an equation a correction changes."""
    start, end = found.suggestion.span if found.suggestion else (0, 0)
    return sum(side.span[0] <= end and start <= side.span[1] for side in statement.sides) if end else 0


def _definition(statement: Statement, read: Read) -> Verdict:
    """The verdict on a line that defines a name: it is taken; a regressor is checked with its parameters."""
    name = name_given(statement, read.scope)
    assert name is not None
    made = regressor_product(statement, read.scope)
    if made is None:
        return _only_defined(statement, read.scope, name)
    is_entry = name.lower.isdigit()
    subject = f"{shown(name)}, an entry of a regressor" if is_entry else f"{shown(name)}, a regressor"
    if made.holds:
        return verdict(
            statement, read.scope, "equal", subject, "times the parameters that the text gives, it equals tau."
        )
    return replace(
        verdict_on_fault(made, statement, {}),
        about=subject if is_entry else f"{subject}: times its parameters it does not equal tau",
    )


def _read(statement: Statement, scope: Scope, preferred: Mapping[Family, str]) -> Read:
    """The reading of an equation; names that mean nothing are letters of their own.

    So are names of which only loose readings are known, where the equation makes no sense with these.
    """
    unknown = readings.unknown_names(statement, scope)
    free = replace(scope, free=frozenset(spelled(name) for name in unknown))
    try:
        read = readings.read_sides(statement, free, preferred)
        if read.problem is not None and unknown:
            raise scope.nothing(unknown[0])
        return read
    except WrittenError:
        loose = readings.loose_names(statement, scope)
        if not loose:
            raise
        return readings.read_sides(
            statement, replace(scope, free=free.free | {spelled(name) for name in loose}), preferred
        )


def _freed(read: Read, scope: Scope, preferred: Mapping[Family, str]) -> Read:
    """A wrong equation with its one loosely read name as a letter of its own, where it holds for a constant then."""
    loose = list(dict.fromkeys(spelled(name) for name in readings.loose_names(read.statement, scope)))
    if len(loose) != 1 or read.scope.free:
        return read
    try:
        freed = readings.read_statement(read.statement, replace(scope, free=frozenset(loose)), preferred)
    except WrittenError:
        return read
    if freed.holds:
        return read
    case = readings.case_of(freed)
    unknown = readings.free_names(case.written, case.scope)
    return freed if unknown and solved(case, unknown) is not None else read


def _named_only(statement: Statement, scope: Scope) -> Name | None:
    """The name that an equation only gives to something: qdd = f(q, qd), where f is no letter of the arm for sure."""
    match statement.sides:
        case (_, Of(head=Name() as name)):
            is_loose = all(each.is_loose for each in scope.meanings(name))
            return name if is_loose and scope.uses.get(name.span, "part") != "part" else None
    return None
