"""Checking a text of equations against an arm: one verdict for each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import permutations, product

from leverarm.closed_form import equations
from leverarm.closed_form.formula import Formula, Formulas
from leverarm.errors import InputError
from leverarm.model import Arm
from leverarm.notation.reading import Expanded, Found, Statement, Unreadable, expanded
from leverarm.notation.tree import Name, Number, Of
from leverarm.notation.vocabulary import Role
from leverarm.scalars import Scalar
from leverarm.verify.equations.algebra import Family, column, every, letter_of, shown, spelled
from leverarm.verify.equations.arm_names import DISTANCES, INERTIAS, MASSES
from leverarm.verify.equations.definitions import regressor_product
from leverarm.verify.equations.document import defined_name, is_definition, lines_in, name_given, pieces_of, scope_of
from leverarm.verify.equations.evaluation import under_root, value_of
from leverarm.verify.equations.faults import contradiction, in_right_units, unreadable, verdict, verdict_on_fault
from leverarm.verify.equations.indices import free_indices, indexed, is_index_note, letters_of
from leverarm.verify.equations.near_equalities import solved
from leverarm.verify.equations.readings import (
    Read,
    about,
    case_of,
    free_names,
    is_quantity,
    loose_names,
    read_sides,
    read_statement,
    subject_of,
    unknown_names,
)
from leverarm.verify.equations.scope import LETTERS_OF_THE_ARM, RIVALS, Scope, base, one_of
from leverarm.verify.equations.settings import (
    SpecialCase,
    as_setting,
    at_rest,
    conditions_of,
    first_order,
    gives_number,
    holds_to_first_order,
    is_of_first_order,
    of_any_state,
    setting_of,
    special_case,
)
from leverarm.verify.equations.verdict import DEFINED, Verdict, Verdicts, WrittenError

PROVEN = ("equal", "equal by convention")
NEAR = 60
"""Characters between a line that sets coordinates and an equation that it is meant for, at most."""
_LOCKED = re.compile(r"(?i)\b(?:locked|braked|clamped|blocked|held fixed)\b")
"""Words that say of the coordinates which their sentence sets that they stay there."""
_AT_REST = re.compile(r"(?i)\b(?:at rest|in rest|still|stationary|static(?:ally)?|to hold|holding|no acceleration)\b")
"""Words that set all speeds and accelerations to zero for the equations of their sentence."""
_ENDS = re.compile(r"\.\s|\n\s*\n")
"""Where a sentence ends, and with it what was set for the equations in it."""
MAX_FITTED = 4
"""The most unknown letters for which the arm's are looked for."""
LETTERS_OF_ROLES = {Role.MASS: MASSES, Role.LENGTH: DISTANCES, Role.INERTIA: INERTIAS}
MAX_INSTANCES = 64
"""The most numbers that the open indices of one equation are tried with."""


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


def holds(statement: Statement, scope: Scope) -> bool:
    """Whether an equation is exactly true for the arm of the scope."""
    try:
        reads = [read_statement(each, scope, {}) for each in _instances(statement, scope)]
    except WrittenError:
        return False
    return all(each.problem is None and each.holds for each in reads)


def with_fitting_letters(scope: Scope, pieces: tuple[Found, ...]) -> Scope:
    """The scope in which unknown masses, lengths and moments of inertia are those of the arm that the text leaves out.

    They are where there are as many, and in one order of them more equations hold than in any other.
    """
    names = [*every(Name, *scope.statements)]
    unknown = {spelled(name): name for name in names if _is_unknown(name, scope)}
    roles = scope.equations.notation.vocabulary.roles
    left = [each for each in scope.arm.defaults if each not in {_symbol_meant(name, scope) for name in names}]
    ways: list[dict[str, str]] = [{}]
    for role, letters in LETTERS_OF_ROLES.items():
        words = [word for word, name in unknown.items() if name.letter in letters]
        symbols = [each for each in left if roles.get(each) is role]
        if 0 < len(words) < len(symbols):
            used = letters_of(column(scope.equations.tau.values))
            symbols = [each for each in symbols if each in used]
        if len(words) == len(symbols):
            ways = [way | dict(zip(words, each, strict=True)) for way in ways for each in permutations(symbols)]
    if not 0 < len(ways[0]) <= MAX_FITTED:
        return scope
    scopes = [_fitted(scope, pieces, way) for way in ways]
    counts = [sum(_is_claim_of(line, {*ways[0]}, each) for line in each.statements) for each in scopes]
    most = max(counts)
    return scopes[counts.index(most)] if most and counts.count(most) == 1 else scope


def _fitted(scope: Scope, pieces: tuple[Found, ...], way: Mapping[str, str]) -> Scope:
    fitted = scope_of(scope.equations, scope.text, pieces, {**scope.names, **way})
    return replace(fitted, fitted=frozenset(way), cache={})


def _is_unknown(name: Name, scope: Scope) -> bool:
    """Whether a name means nothing, or is only given a number."""
    match scope.definitions.get(spelled(name)):
        case Number():
            return not name.dots
    is_free = all(each.is_loose and each.kind not in LETTERS_OF_THE_ARM for each in scope.meanings(name))
    return is_free and not name.dots and scope.lacking(name) is None


def _symbol_meant(name: Name, scope: Scope) -> str | None:
    """The symbol of the arm that a name surely is."""
    meanings = scope.meanings(name)
    if not meanings or any(each.kind != "symbol" and not each.is_loose for each in meanings):
        return None
    return letter_of(meanings[0].find()) if meanings[0].kind == "symbol" else None


def _is_claim_of(line: Statement, words: set[str], scope: Scope) -> bool:
    """Whether an equation with one of these names holds, and is no definition or setting."""
    if len(line.sides) < 2 or words.isdisjoint(map(spelled, every(Name, *line.sides))):
        return False
    return setting_of(line, scope) is None and not is_definition(line, scope) and holds(line, scope)


def _verdicts(pieces: tuple[Found, ...], scope: Scope) -> list[Verdict]:
    """One verdict for each equation. What lines right before equations set is remembered for these, in one sentence."""
    preferred: dict[Family, str] = {}
    read: dict[tuple[str, str], None] = {}
    found: list[Verdict] = []
    conditions: dict[str, Scalar] = {}
    resting: dict[str, Scalar] = {}
    pose: dict[str, Scalar] = {}
    end, is_used = 0, False
    for piece in pieces:
        between = scope.text[end : piece.span[0]]
        if len(between) > NEAR or (is_used and _ENDS.search(between)):
            conditions, resting = {}, {}
        if _AT_REST.search(_ENDS.split(between)[-1]):
            resting = at_rest(scope)
        end = piece.span[1]
        match piece:
            case Unreadable():
                found.append(unreadable(piece, piece.at, piece.why, scope.text))
            case Statement(sides=(_, _, *_)) if not is_index_note(piece):
                if (words := setting_of(piece, scope)) is not None:
                    new = conditions_of(piece, scope)
                    pose |= new
                    if _LOCKED.search(between):
                        resting = resting | at_rest(scope, new)
                    conditions = new if is_used and new else conditions | new
                    is_used = is_used and not new
                    message = "taken as a setting; equations that do not hold in general are also checked with it."
                    found.append(verdict(piece, as_setting(piece, scope), DEFINED, words, message))
                else:
                    there = _unless_written(resting, piece, scope) | conditions
                    there = pose | there if gives_number(piece) else there
                    found.append(_judged_there(piece, scope, preferred, there))
                    is_used = True
                    read |= dict.fromkeys((one_of(letter), base(kind)) for (letter, *_), kind in preferred.items())
    for letter, pair in _rivals([*read], scope):
        return _verdicts(pieces, _better(letter, pair, found, scope))
    if not any(each.status == "equal by convention" for each in found):
        return found
    lines = {each.span: each for each in scope.statements}
    return [contradiction(each, lines[each.span], scope) if each.status == "equal" else each for each in found]


def _unless_written(resting: dict[str, Scalar], statement: Statement, scope: Scope) -> dict[str, Scalar]:
    """What words set to zero, for an equation that leaves it out; a slip in a full equation is not excused by words."""
    try:
        formulas = [side for side in statement.sides if not is_quantity(side)]
        written = {letter for side in formulas for letter in letters_of(value_of(side, scope))}
    except WrittenError:
        return {}
    return {} if written & {*resting} else resting


def _rivals(read: Sequence[tuple[str, str]], scope: Scope) -> Iterator[tuple[str, list[str]]]:
    """The letters that were read in two ways of which a text has one only, the way that came first in front."""
    for letter, pair in product(dict.fromkeys(letter for letter, _ in read), RIVALS):
        ways = [kind for other, kind in read if other == letter and kind in pair]
        if len(ways) > 1 and not {(letter, kind) for kind in pair} & scope.ruled_out:
            yield letter, ways


def _better(letter: str, pair: Sequence[str], found: Sequence[Verdict], scope: Scope) -> Scope:
    """The scope that reads a letter in that of two ways in which more of the proven equations hold."""
    spans = {each.span for each in found if each.status == "equal"}
    proven = [line for line in scope.statements if line.span in spans]
    ways = [replace(scope, ruled_out=scope.ruled_out | {(letter, kind)}, cache={}) for kind in reversed(pair)]
    return max(ways, key=lambda way: sum(holds(line, way) for line in proven))


def _judged_there(
    statement: Statement, scope: Scope, preferred: dict[Family, str], conditions: Mapping[str, Scalar]
) -> Verdict:
    """The verdict on an equation at a state; a formula in it that depends on the state must hold in general."""
    if conditions and (general := of_any_state(statement, scope)) is not None:
        resting = {letter: x for letter, x in conditions.items() if ".d" in letter and x == 0}
        found = _judged(general, scope, dict(preferred), resting)
        if found.status not in PROVEN:
            return found
    return _judged(statement, scope, preferred, conditions)


def _judged(
    statement: Statement, scope: Scope, preferred: dict[Family, str], conditions: Mapping[str, Scalar]
) -> Verdict:
    """The verdict on an equation. One with an index that the arm lacks is wrong where a correction is found."""
    lacking = [name for name in unknown_names(statement, scope) if scope.lacking(name) is not None]
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
        reads = [_read(each, scope, preferred) for each in _instances(statement, scope)]
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
        if unknown := unknown_names(statement, scope):
            return unreadable(statement, unknown[0].span[0], scope.nothing(unknown[0]).message, scope.text)
        return _definition(statement, first)
    subject = about(statement.sides[subject_of(statement)], first.scope)
    message = "proven exactly" + (f" for all {len(reads)} values of its indices." if len(reads) > 1 else ".")
    return verdict(statement, first.scope, "equal", subject, message)


def _only_defined(statement: Statement, scope: Scope, name: Name) -> Verdict:
    """The verdict on a line that gives a name of its own to something: there is nothing to compare it with."""
    message = "nothing in the arm has this name, so it is taken as a definition; it is checked where it is used."
    return verdict(statement, scope, DEFINED, f"definition of {shown(name)}", message)


def _gives_name(statement: Statement, scope: Scope) -> Name | None:
    """The name that a line gives to a formula, where it is one that sets no symbol of the arm."""
    given = name_given(statement, scope) or defined_name(statement)
    return given if setting_of(statement, scope) is None else None


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
    if (found := _to_first_order(statement, wrong, scope)) is not None:
        return found
    verdicts = (verdict_on_fault(_freed(each, scope, preferred), statement, conditions) for each in wrong)
    found = _shared(verdicts)
    special = special_case(scope)
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
    if there.difference is None or (
        found.difference is not None and not _is_nearer(there.difference, found.difference)
    ):
        return found
    return replace(there, message=f"{there.message}\nCompared {words}.")


def _is_shared(special: SpecialCase) -> bool:
    """Whether some equation of the arm holds with the letters that seem to stand for all symbols of a kind."""
    scope = special.scope
    lines = [line for line in scope.statements if {spelled(name) for name in every(Name, line)} & special.shared]
    told = [line for line in lines if setting_of(line, scope) is None and not is_definition(line, scope)]
    return any(defined_name(line) is not None and holds(line, scope) for line in told)


def _to_first_order(statement: Statement, wrong: Sequence[Read], scope: Scope) -> Verdict | None:
    """The verdict on an equation that the text says to be linearised, and that is of first order; None on others."""
    about_state = first_order(statement, scope)
    if about_state is None or any(read.scope.free or read.problem for read in wrong):
        return None
    ours = [read for read in wrong if all(is_of_first_order(side, read.scope, about_state) for side in statement.sides)]
    if len(ours) < len(wrong):
        return None
    words = f"to first order about {about_state.words} (small angles, as the text says)"
    subject = about(statement.sides[subject_of(statement)], wrong[0].scope)
    notes = [holds_to_first_order(read.statement, read.scope, read.sides, about_state) for read in wrong]
    if None not in notes:
        words = f"equal {words}{notes[0]}"
        return verdict(statement, wrong[0].scope, "equal by convention", subject, words, words)
    read = wrong[notes.index(None)]
    sides = tuple(about_state.of(side, read.scope.values) for side in read.sides)
    found = verdict_on_fault(replace(read, sides=sides), statement, {})
    return found if found.status != "different" else replace(found, message=f"{found.message}\nCompared {words}.")


def _shared(verdicts: Iterator[Verdict]) -> Verdict:
    """The verdict on an equation with open indices: by convention only if all of it is so; else that on what is not."""
    first = next(verdicts)
    if first.convention is None:
        return first
    return next((each for each in verdicts if each.convention != first.convention), first)


def _is_nearer(difference: Formula | Formulas, other: Formula | Formulas) -> bool:
    if difference.terms != other.terms:
        return difference.terms < other.terms
    return difference.text() != other.text()


def _definition(statement: Statement, read: Read) -> Verdict:
    """The verdict on a line that defines a name: it is taken; a regressor is checked with its parameters."""
    name = name_given(statement, read.scope)
    assert name is not None
    made = regressor_product(statement, read.scope)
    if made is None:
        return _only_defined(statement, read.scope, name)
    subject = f"{shown(name)}, a regressor"
    if made.holds:
        return verdict(
            statement, read.scope, "equal", subject, "times the parameters that the text gives, it equals tau."
        )
    return replace(
        verdict_on_fault(made, statement, {}), about=f"{subject}: times its parameters it does not equal tau"
    )


def _read(statement: Statement, scope: Scope, preferred: Mapping[Family, str]) -> Read:
    """The reading of an equation; names that mean nothing are letters of their own.

    So are names of which only loose readings are known, where the equation makes no sense with these.
    """
    unknown = unknown_names(statement, scope)
    free = replace(scope, free=frozenset(spelled(name) for name in unknown))
    try:
        read = read_sides(statement, free, preferred)
        if read.problem is not None and unknown:
            raise scope.nothing(unknown[0])
        return read
    except WrittenError:
        loose = loose_names(statement, scope)
        if not loose:
            raise
        return read_sides(statement, replace(scope, free=free.free | {spelled(name) for name in loose}), preferred)


def _freed(read: Read, scope: Scope, preferred: Mapping[Family, str]) -> Read:
    """A wrong equation with its one loosely read name as a letter of its own, where it holds for a constant then."""
    loose = list(dict.fromkeys(spelled(name) for name in loose_names(read.statement, scope)))
    if len(loose) != 1 or read.scope.free:
        return read
    try:
        freed = read_statement(read.statement, replace(scope, free=frozenset(loose)), preferred)
    except WrittenError:
        return read
    if freed.holds:
        return read
    case = case_of(freed)
    unknown = free_names(case.written, case.scope)
    return freed if unknown and solved(case, unknown) is not None else read


def _named_only(statement: Statement, scope: Scope) -> Name | None:
    """The name that an equation only gives to something: qdd = f(q, qd), where f is no letter of the arm for sure."""
    match statement.sides:
        case (_, Of(head=Name() as name)):
            is_loose = all(each.is_loose for each in scope.meanings(name))
            return name if is_loose and scope.uses.get(name.span, "part") != "part" else None
    return None


def _instances(statement: Statement, scope: Scope) -> Iterator[Statement]:
    """The equation for all numbers that its open indices stand for."""
    letters = free_indices(statement, lambda name: bool(scope.meanings(name)))
    n = scope.values.n
    if not letters or n ** len(letters) > MAX_INSTANCES:
        yield statement
        return
    for numbers in product(range(1, n + 1), repeat=len(letters)):
        yield indexed(statement, dict(zip(letters, numbers, strict=True)))
