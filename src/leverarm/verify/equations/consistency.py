"""By which convention an equation holds, such that the whole document keeps to it.

A document describes its arm in one way: the alternative that explains most of the equations that do not hold as they
stand, and breaks none that do. Where one slip of the pen explains a wrong equation as well, it is no evidence of a
convention; other equations are, and words of the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, wraps
from typing import Any, ParamSpec, TypeVar

from leverarm.notation.reading import Statement
from leverarm.notation.tree import Call, Name, Node, Number
from leverarm.verify.equations.algebra import Value, equal, every, fits, is_table, size, subtracted
from leverarm.verify.equations.alternatives import Alternative, values_of
from leverarm.verify.equations.arm_names import name_of
from leverarm.verify.equations.conventions import (
    AFTER,
    ANGLES,
    DEFINITIONS,
    paired_alternatives,
    said_in,
    single_alternatives,
)
from leverarm.verify.equations.corrections import slip_of
from leverarm.verify.equations.definitions import coriolis_entry, other_level
from leverarm.verify.equations.document import is_definition
from leverarm.verify.equations.evaluation import value_of
from leverarm.verify.equations.evidence import (
    OF_THIS_ARM,
    could_be_a_slip,
    is_equation_of_motion,
    is_plumb,
    turned_energy,
)
from leverarm.verify.equations.near_equalities import in_free_motion
from leverarm.verify.equations.readings import Case, Read, case_of, read_statement, subject_of
from leverarm.verify.equations.scope import LETTERS_OF_THE_ARM, Scope
from leverarm.verify.equations.settings import setting_of
from leverarm.verify.equations.verdict import WrittenError

P = ParamSpec("P")
T = TypeVar("T")
LARGEST = 3
"""The most coordinates of an arm for which any two conventions at once are tried."""
OVERRULING = 3
"""Equations that count for more than words of the text against their convention, or than one that breaks it."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """An equation that holds by a convention: what is said of it, and what else it could be.

    It `is_open` where a slip of the pen explains the equation as well.
    """

    words: str
    more: str = ""
    is_open: bool = False


def convention(case: Case) -> Accepted | None:
    """By which convention an equation holds; None where it is wrong by all that are known.

    A convention is proven exactly, like an equation that is equal. It must hold for the whole equation, must not break
    another equation of the document, and must not be mistaken for a slip.
    """
    for is_last in (False, True):
        for each in DEFINITIONS:
            if (each.cost >= AFTER) is is_last and each.pattern(case):
                for meant in each.change(case):
                    if _holds(case, meant.value) and (meant.described is None or _admits(case, meant.described)):
                        return Accepted(each.sentence.format(**meant.words))
        if not is_last and _is_of_this_arm(case) and (found := document_of(case.scope).convention_of(case)):
            return found
    return None


def _holds(case: Case, value: Value) -> bool:
    return is_table(case.value) == is_table(value) and equal(case.value, value)


def _admits(case: Case, alternative: Alternative) -> bool:
    return not could_be_a_slip(case, alternative) and document_of(case.scope).admits(alternative, case)


def _is_of_this_arm(case: Case) -> bool:
    """Whether an equation has symbols, sines or cosines in it, or names that the text gave to such.

    A law between quantities of any arm, C = sum c_ijk qd, says nothing of how this one is described.
    """
    if any(node.function in ("sin", "cos", "tan") for node in every(Call, case.statement)):
        return True
    return any({each.kind for each in case.scope.meanings(name)} & OF_THIS_ARM for name in every(Name, case.statement))


def fits_other_description(case: Case) -> bool:
    """Whether the equation is exactly equal by some convention, one at a time, be it by a slip of the pen."""
    document = document_of(case.scope)
    return any(document.explains(each, case.statement) for each in single_alternatives(case.scope.arm))


def in_convention_of_document(case: Case) -> tuple[Case, str] | None:
    """A wrong equation as it is to be judged in a document of another convention, and the words for that.

    None where the other equations that do not hold as they stand show no convention.
    """
    document = document_of(case.scope)
    if (alternative := document.shared(case)) is not None:
        there = described_by(alternative, case)
        words = f"the convention of the other equations: {alternative.words}"
        return None if there is None or equal(there.value, there.wanted) else (there, words)
    cases = ((described_by(each, case), f"the words of the text: {each.words}") for each in document.said)
    near = [
        (there, words)
        for there, words in cases
        if there is not None and 0 < size_of(there) <= size_of(case) and not equal(there.wanted, case.wanted)
    ]
    return min(near, key=lambda each: size_of(each[0]), default=None)


def size_of(case: Case) -> int:
    """The terms by which a formula differs from what it should be."""
    return size(subtracted(case.value, case.wanted))


def described_by(alternative: Alternative, case: Case) -> Case | None:
    """An equation about the arm by another description, in the reading that is nearest to it."""
    values = values_of(alternative, case.scope.arm)
    if values is None:
        return None
    subject, near = case.statement.sides[subject_of(case.statement)], []
    for reading in in_cosines(case.statement, case.scope):
        scope = replace(case.scope, values=values, chosen=reading.chosen, cache={})
        try:
            wanted, value = value_of(subject, scope), value_of(case.written, scope)
        except WrittenError:
            continue
        if fits(value, wanted):
            near.append(replace(case, scope=scope, wanted=wanted, value=value))
    return min(near, key=lambda each: size(subtracted(each.value, each.wanted)), default=None)


def in_cosines(statement: Statement, scope: Scope) -> Iterator[Scope]:
    """A reading, and that in which c_123 is a cosine where it is a quantity in the first."""
    yield scope
    names = every(Name, *statement.sides)
    kinds = {scope.family(each): [meaning.kind for meaning in scope.meanings(each)] for each in names}
    cosines = {family: "cosine" for family, found in kinds.items() if "cosine" in found and len(found) > 1}
    if any(scope.chosen.get(family, "cosine") != "cosine" for family in cosines):
        yield replace(scope, chosen={**scope.chosen, **cosines})


def notes_on(case: Case) -> Iterator[str]:
    """What else is to be said of an equation that is wrong by all conventions."""
    if (kind := turned_energy(case)) is not None:
        yield kind
    elif _is_of_this_arm(case) and (alternative := document_of(case.scope).untold(case)) is not None:
        yield f"If {alternative.words.partition(' (')[0]}, say so in the text."
    if (place := coriolis_entry(case)) is not None:
        yield (
            "Compared with the Christoffel matrix, for which Mdot - 2 C is skew-symmetric. Another factorisation "
            f"may have this entry: give all of row {place[0]}, and C qd = c is checked instead."
        )


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement in its likeliest reading, which may `hold` for the arm as it is.

    `settled` are the values of its sides that are the same however the arm is described, and None for the others.
    """

    read: Read
    settled: tuple[Value | None, ...]
    holds: bool

    def holds_for(self, other: Scope) -> str | None:
        """Whether it is equal for another description of the arm: None if not, else what is to be added in words."""
        notes = (self._note(replace(other, chosen=scope.chosen, free=scope.free)) for scope in self._scopes())
        return next((note for note in notes if note is not None), None)

    def is_changed(self, other: Scope) -> bool:
        """Whether another description changes the value of a side."""
        scope = replace(other, chosen=self.read.scope.chosen, free=self.read.scope.free)
        try:
            return not all(equal(self._side(i, scope), value) for i, value in enumerate(self.read.sides))
        except WrittenError:
            return False

    def _note(self, scope: Scope) -> str | None:
        try:
            first, *others = (self._side(i, scope) for i in range(len(self.settled)))
        except WrittenError:
            return None
        notes = ["" if equal(first, value) else other_level(scope.equations, first, value) for value in others]
        if None in notes and (words := in_free_motion(self.read.statement, scope, (first, *others))) is not None:
            return f", {words}"
        return None if None in notes else next((f", {note}" for note in notes if note), "")

    def _side(self, i: int, scope: Scope) -> Value:
        known = self.settled[i]
        return value_of(self.read.statement.sides[i], scope) if known is None else known

    def _scopes(self) -> Iterator[Scope]:
        """The reading itself, and those in which the quantity on the left is another: x_2 of a link's end."""
        scope, name = self.read.scope, name_of(self.read.statement.sides[0])
        yield from in_cosines(self.read.statement, scope)
        if name is None or not scope.meanings(name):
            return
        for kind in dict.fromkeys(meaning.kind for meaning in scope.meanings(name)):
            if kind not in (scope.meaning(name).kind, *LETTERS_OF_THE_ARM):
                yield replace(scope, chosen={**scope.chosen, scope.family(name): kind})


def claim_of(statement: Statement, scope: Scope) -> Claim | None:
    """What a statement claims of the arm; None where it makes no sense."""
    try:
        read = read_statement(statement, scope, scope.chosen)
    except WrittenError:
        return None
    sides = zip(statement.sides, read.sides, strict=True)
    settled = tuple(value if _is_settled(side, read) else None for side, value in sides)
    holds = read.holds or in_free_motion(statement, read.scope, read.sides) is not None
    return Claim(read, settled, holds)


def _is_settled(side: Node, read: Read) -> bool:
    """Whether a side is a formula in letters only, none of which is a quantity of the arm."""
    try:
        kinds = {read.scope.meaning(name).kind for name in every(Name, side)}
    except WrittenError:  # the index of a sum
        return False
    return kinds <= {*LETTERS_OF_THE_ARM, "number"}


def document_of(scope: Scope) -> Document:
    """The document of a scope: kept with what is known of it, so that its equations are tried once."""
    document: Document = scope.once("document", lambda: Document(replace(scope, chosen={}, free=frozenset())))
    return document


def prose_of(scope: Scope) -> str:
    """The words of a text outside its equations, in small letters."""
    text = str(scope.text)
    for statement in scope.statements:
        start, end = statement.span
        text = f"{text[:start]}{' ' * (end - start) if len(statement.sides) > 1 else text[start:end]}{text[end:]}"
    return " ".join(re.sub(r"[$\\{}*]", " ", text).lower().split())


@dataclass(frozen=True, slots=True)
class Fit:
    """An alternative, and the statements that hold for it, but not for the arm as it is."""

    alternative: Alternative
    explained: tuple[Statement, ...]
    is_said: bool


def known(find: Callable[P, T]) -> Callable[P, T]:
    """A question to a document that is answered once. What it is asked of is held, so that all ids stay theirs.

    Of a case only its statement counts.
    """

    @wraps(find)
    def asked(*args: P.args, **kwargs: P.kwargs) -> T:
        document, *subjects = args
        key = find.__name__, *(id(getattr(each, "statement", each)) for each in subjects)
        answers: dict[object, tuple[T, object]] = document._known  # type: ignore[attr-defined]
        if key not in answers:
            answers[key] = (find(*args, **kwargs), subjects)
        return answers[key][0]

    return asked


class Document:
    """The equations of one document, and which descriptions of the arm each of them holds for."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.prose = prose_of(scope)
        own = [scope.definitions[word] for word in scope.coordinates]
        self.has_own_zero = any(every(Number, *own)) or any(name.letter == "pi" for name in every(Name, *own))
        self._known: dict[object, tuple[Any, object]] = {}

    def convention_of(self, case: Case) -> Accepted | None:
        """The alternative that explains an equation, and most of the others that do not hold as they stand."""
        settled = self._settled(case)
        if not settled:
            return self._open(case)
        best = settled[0].alternative
        if case.statement not in settled[0].explained:
            return None
        alike = [each.alternative for each in settled[1:] if bool(each.alternative.parts) == bool(best.parts)]
        others = [each for each in alike if not each.about.endswith("one link")]
        more = f"; or if {others[0].words}" if others and not self._is_same(best, others[0]) else ""
        return Accepted(f"equal if {best.words}{self._note(case.statement, best)}", more)

    def _is_same(self, one: Alternative, other: Alternative) -> bool:
        """Whether the angles of two descriptions differ, as by their sense, but no torque and no energy does."""
        here, there = (values_of(each, self.scope.arm) for each in (one, other))
        if here is None or there is None or not {one.about, other.about} <= {*ANGLES}:
            return False
        return bool(here.eq.tau.values == there.eq.tau.values and here.eq.H.value == there.eq.H.value)

    def _open(self, case: Case) -> Accepted | None:
        """An equation of motion with an angle from the vertical, or with a slip: nothing decides which."""
        for fit in self._fits(case) if is_equation_of_motion(case) else ():
            if case.statement in fit.explained and is_plumb(fit.alternative) and (slip := slip_of(case)) is not None:
                angle = fit.alternative.words.partition(" ")[0]
                return Accepted(
                    f"equal if {fit.alternative.words}{self._note(case.statement, fit.alternative)}",
                    f"; with {angle} as in the arm, `{slip.written}` should be `{slip.meant}`",
                    is_open=True,
                )
        return None

    def untold(self, case: Case) -> Alternative | None:
        """An angle from the vertical that would explain a wrong equation, if the text said so."""
        fits = () if self._settled(case) else self._fits(case)
        here = (fit.alternative for fit in fits if case.statement in fit.explained and is_plumb(fit.alternative))
        return next(here, None)

    def explains(self, alternative: Alternative, statement: Statement) -> bool:
        """Whether a statement holds for an alternative, which breaks none that holds for the arm as it is."""
        return self._note(statement, alternative) is not None and not self._broken(alternative)

    def admits(self, alternative: Alternative, case: Case) -> bool:
        """Whether an alternative breaks none of the other equations, and is the document's own where it has one."""
        own = [fit.alternative for fit in self._settled(case)]
        return alternative in own if own else not self._broken(alternative)

    def contradicted(self, statement: Statement) -> tuple[Case, str] | None:
        """An equation that holds for the arm as it is, by the convention of the others, which it breaks; in words."""
        claims = [claim for each in self.lines if (claim := self._claim(each)) is not None]
        cases = [case_of(claim.read) for claim in claims if not claim.holds]
        settled = self._settled(cases[0]) if cases else []
        here = next((claim for claim in claims if claim.read.statement.span == statement.span), None)
        if not settled or here is None or statement not in self._broken(settled[0].alternative):
            return None
        there = described_by(settled[0].alternative, case_of(here.read))
        return None if there is None else (there, settled[0].alternative.words)

    def shared(self, case: Case) -> Alternative | None:
        """The alternative that explains most of the other equations, two at least or one and the words of the text."""
        settled = self._settled(case)
        others = [each for each in settled[0].explained if each.span != case.statement.span] if settled else []
        return settled[0].alternative if others and (len(others) > 1 or settled[0].is_said) else None

    @cached_property
    def said(self) -> list[Alternative]:
        """The alternatives that the words of the text speak for, with all of their parts.

        Where it defines angles of its own, the words are about these.
        """
        if self.scope.coordinates:
            return []
        every_one = (*single_alternatives(self.scope.arm), *paired_alternatives(self.scope.arm))
        parts = ((each, each.parts or (each,)) for each in every_one)
        return [each for each, of in parts if all(said_in(self.prose, part, self.scope.arm) for part in of)]

    @known
    def _settled(self, case: Case) -> list[Fit]:
        """The alternatives between which the document does not decide, the likeliest first; none if it shows none."""
        fits = self._fits(case)
        best = next((fit for fit in fits if self._is_shown(fit, fits, case)), None)
        if best is None:
            return []
        alike = (fit for fit in fits if fit.explained == best.explained and fit.is_said == best.is_said)
        return [best, *(fit for fit in alike if fit is not best)]

    @known
    def _fits(self, case: Case) -> list[Fit]:
        """The alternatives that explain something and break nothing: those that explain most come first.

        Single ones are tried first. Both of a pair must change something that does not hold as it stands.
        """
        arm, failing = self.scope.arm, self._failing(case)
        found = [fit for each in single_alternatives(arm) if (fit := self._fit(each, failing, 1)) is not None]
        most = max((len(fit.explained) for fit in found), default=0)
        is_shown = any(self._is_shown(fit, found, case) for fit in found)
        if most < len(failing) or not is_shown:
            alone = {fit.alternative for fit in found}
            for pair in paired_alternatives(arm):
                is_tried = arm.dof <= LARGEST or alone >= {*pair.parts}
                if is_tried and all(any(self._changes(part, each) for each in failing) for part in pair.parts):
                    fit = self._fit(pair, failing, max(1, most + is_shown))
                    found += [] if fit is None else [fit]
        return sorted(found, key=lambda fit: (-len(fit.explained), not fit.is_said, fit.alternative.cost))

    def _fit(self, alternative: Alternative, failing: Sequence[Statement], least: int) -> Fit | None:
        """What an alternative explains, where these are so many at least, and it breaks nothing."""
        explained, missed = [], 0
        for statement in failing:
            if self._note(statement, alternative) is not None:
                explained.append(statement)
            elif (missed := missed + 1) > len(failing) - least:
                return None
        if self.has_own_zero and alternative.about in ANGLES:
            return None
        said = said_in(self.prose, alternative, self.scope.arm)
        if not explained or len(self._broken(alternative)) * (1 if said else OVERRULING) >= len(explained):
            return None
        return None if said is False and len(explained) < OVERRULING else Fit(alternative, tuple(explained), bool(said))

    def _is_shown(self, fit: Fit, fits: Sequence[Fit], case: Case) -> bool:
        """Whether the document shows a convention: by words, by two equations, or by one that is no slip.

        So must each part of a pair, by equations that the other part does not explain. K + P for the Lagrangian shows
        nothing by itself.
        """
        for part in fit.alternative.parts or (fit.alternative,):
            rest = next((each for each in fit.alternative.parts if each is not part), None)
            needing = [each for each in fit.explained if rest is None or self._note(each, rest) is None]
            cases = [there for each in needing if (there := self._case(each, case, rest)) is not None]
            firm = [each for each in cases if turned_energy(each) is None]
            is_said = needing and said_in(self.prose, part, self.scope.arm)
            if not is_said and (not firm or (len(needing) < 2 and could_be_a_slip(firm[0], part))):
                return False
        return fit.is_said or not self._is_slip_by_likelier(fit, fits, case)

    def _is_slip_by_likelier(self, fit: Fit, fits: Sequence[Fit], case: Case) -> bool:
        """Whether a likelier convention, which explains the same one equation, could be a slip."""
        if len(fit.explained) > 1 or (here := self._case(fit.explained[0], case, None)) is None:
            return False
        likelier = (each for each in fits if each.explained == fit.explained and not each.alternative.parts)
        likelier = (each for each in likelier if each.alternative.cost < fit.alternative.cost)
        return any(could_be_a_slip(here, each.alternative) for each in likelier)

    def _case(self, statement: Statement, case: Case, rest: Alternative | None) -> Case | None:
        """A wrong equation of the document as it is compared, by a part of a pair."""
        if statement.span != case.statement.span and (claim := self._claim(statement)) is not None:
            case = case_of(claim.read)
        return case if rest is None else described_by(rest, case)

    def _failing(self, case: Case) -> list[Statement]:
        """The equations that do not hold for the arm as it is, in the order of the text."""
        here = case.statement
        lines = [here if each.span == here.span else each for each in self.lines]
        claims = [(each, self._claim(each)) for each in lines]
        return [each for each, claim in claims if each is here or (claim is not None and not claim.holds)]

    @cached_property
    def lines(self) -> list[Statement]:
        """The equations that claim something: no definitions and no settings."""
        told = (each for each in self.scope.statements if len(each.sides) > 1 and not is_definition(each, self.scope))
        return [each for each in told if setting_of(each, self.scope) is None]

    @known
    def _broken(self, alternative: Alternative) -> list[Statement]:
        """The equations that fail for an alternative and hold for the arm as it is."""
        claims = ((each, self._claim(each)) for each in self.lines)
        holding = (each for each, claim in claims if claim is not None and claim.holds)
        return [each for each in holding if self._note(each, alternative) is None]

    @known
    def _changes(self, alternative: Alternative, statement: Statement) -> bool:
        """Whether an alternative gives a side of a statement another value."""
        claim, scope = self._claim(statement), self._scope(alternative)
        return claim is not None and scope is not None and claim.is_changed(scope)

    @known
    def _claim(self, statement: Statement) -> Claim | None:
        return claim_of(statement, self.scope)

    @known
    def _scope(self, alternative: Alternative) -> Scope | None:
        """The document about the arm by another description; None where that has no closed form."""
        values = values_of(alternative, self.scope.arm)
        return None if values is None else replace(self.scope, values=values, cache={})

    @known
    def _note(self, statement: Statement, alternative: Alternative) -> str | None:
        """What is to be added in words where a statement holds for an alternative; None where it does not."""
        claim, scope = self._claim(statement), self._scope(alternative)
        return None if claim is None or scope is None else claim.holds_for(scope)
