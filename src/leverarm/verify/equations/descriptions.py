"""The other descriptions of an arm under which a document may hold, tried one after another.

Where one slip of the pen explains a wrong equation as well, it is no evidence of a convention.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from leverarm.closed_form import equations
from leverarm.model import Arm
from leverarm.notation.reading import Statement
from leverarm.notation.tree import Call, Name, Node, parts
from leverarm.scalars.exact import Polynomial
from leverarm.verify.equations.algebra import entries, equal, every, negated, subtracted
from leverarm.verify.equations.alternatives import (
    WHOLE,
    Alternative,
    angle_alternatives,
    both,
    gravity_alternatives,
    inertia_alternatives,
    values_of,
)
from leverarm.verify.equations.claims import Claim, claim_of
from leverarm.verify.equations.corrections import marks
from leverarm.verify.equations.evaluation import value_of
from leverarm.verify.equations.indices import letters_of
from leverarm.verify.equations.readings import Case, subject_of
from leverarm.verify.equations.scope import Scope
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
    if alternative.about in ("friction", "springs", "rotors"):
        return False
    if sum(1 for _ in _places(case, alternative)) < 2:
        return True
    off = [x for x in entries(subtracted(case.value, case.wanted)) if x != 0]
    return sum(len(x) if isinstance(x, Polynomial) else 1 for x in off) < 2 or bool(marks(case))


def _places(case: Case, alternative: Alternative) -> Iterator[Node]:
    """The places of the written formula where something stands that the convention gives another meaning."""
    waiting = [case.written]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Name | Call):
            if _letters(case, node) & alternative.touches:
                yield node
        else:
            waiting += parts(node)


def _letters(case: Case, node: Node) -> set[str]:
    try:
        return letters_of(value_of(node, case.scope))
    except WrittenError:
        return set()


LARGEST = 3
"""The most coordinates of an arm for which two conventions at once are tried."""
OF_THIS_ARM = {"symbol", "cosine", "definition", "given", "number"}
"""Kinds of names that an equation about one arm has."""
WITH_OTHERS = ("gravity's sign", "no gravity", "inertia", "centres of mass", "friction", "springs", "rotors")
"""What conventions are about that go together with one about angles, or with each other."""


def described_otherwise(case: Case) -> str | None:
    """The words that follow "equal if", where the equation is exactly equal for another description of the arm.

    A law between quantities of any arm, C = sum c_ijk qd, says nothing of how this one is described.
    """
    return document_of(case.scope).convention_of(case) if _is_of_this_arm(case) else None


def _is_of_this_arm(case: Case) -> bool:
    """Whether an equation has symbols, sines or cosines in it, or names that the text gave to such."""
    if any(node.function in ("sin", "cos", "tan") for node in every(Call, case.statement)):
        return True
    return any({each.kind for each in case.scope.meanings(name)} & OF_THIS_ARM for name in every(Name, case.statement))


def fits_other_description(case: Case) -> bool:
    """Whether the equation is exactly equal by some convention, one at a time, be it by a slip of the pen."""
    document = document_of(case.scope)
    return any(document.agreeing(each, case) is not None for each in single_alternatives(case.scope.arm))


def in_convention_of_document(case: Case) -> tuple[Case, str] | None:
    """A wrong equation as it is to be judged in a document of another convention, and the words for that.

    None where the other equations that do not hold as they stand show no convention.
    """
    document = document_of(case.scope)
    alternative = document.shared(case)
    values = None if alternative is None else values_of(alternative, case.scope.arm)
    if alternative is None or values is None:
        return None
    scope = replace(case.scope, values=values, cache={})
    subject = case.statement.sides[subject_of(case.statement)]
    try:
        wanted, value = value_of(subject, scope), value_of(case.written, scope)
    except WrittenError:
        return None
    return replace(case, scope=scope, wanted=wanted, value=value), alternative.words


def document_of(scope: Scope) -> Document:
    """The document of a scope: kept with what is known of it, so that its equations are tried once."""
    document: Document = scope.once("document", lambda: Document(replace(scope, chosen={}, free=frozenset())))
    return document


class Document:
    """The equations of one document, and which descriptions of the arm each of them holds for."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.found: dict[Alternative, list[Statement]] = {}
        """Conventions of the equations before, which the next one probably shares, with these equations."""
        self._broken: set[Alternative] = set()
        self._claims: dict[int, tuple[Statement, Claim | None]] = {}
        self._scopes: dict[Alternative, Scope | None] = {}
        self._notes: dict[tuple[int, Alternative], str | None] = {}
        self._changed: dict[tuple[int, Alternative], bool] = {}

    def convention_of(self, case: Case) -> str | None:
        """The alternative that explains an equation, and most of the others that do not hold as they stand; in words.

        Where a slip of the pen explains it as well, another equation must hold for the alternative only.
        """
        best, most, could_be_slip = None, -1, False
        for alternative in self._tried(case):
            agreeing = self.agreeing(alternative, case)
            if agreeing is None:
                continue
            could_be_slip = could_be_slip or could_be_a_slip(case, alternative)
            if agreeing == 0 and could_be_slip:
                continue
            if agreeing > most:
                best, most = alternative, agreeing
            if alternative in self.found or agreeing == len(self._failing(case)):
                break
        if best is None:
            return None
        self.found.setdefault(best, []).append(case.statement)
        return f"{best.words}{self._note(case.statement, best)}"

    def agreeing(self, alternative: Alternative, case: Case) -> int | None:
        """How many other equations an alternative explains; None where it does not explain this one.

        No equation may fail for it that holds for the arm as it is, or was explained by an alternative before: a
        document has one convention.
        """
        if alternative in self._broken or self._note(case.statement, alternative) is None:
            return None
        agreeing = 0
        for other in self._others(case):
            claim = self._claim(other)
            if claim is not None and claim.holds and self._note(other, alternative) is None:
                self._broken.add(alternative)
                return None
            agreeing += claim is not None and not claim.holds and self._note(other, alternative) is not None
        explained = (each for statements in self.found.values() for each in statements)
        return agreeing if all(self._note(each, alternative) is not None for each in explained) else None

    def admits(self, alternative: Alternative, case: Case) -> bool:
        """Whether an alternative breaks none of the other equations, and is the one found before if there was one."""
        if self.found:
            return alternative in self.found
        holding = (claim for other in self._others(case) if (claim := self._claim(other)) is not None and claim.holds)
        return all(self._note(claim.statement, alternative) is not None for claim in holding)

    def shared(self, case: Case) -> Alternative | None:
        """The alternative that explains at least two of the other equations, and most of them."""
        wrong = self._failing(case)
        best, most = None, 1
        for alternative in dict.fromkeys((*self.found, *single_alternatives(self.scope.arm))):
            count = sum(1 for each in wrong if self._note(each, alternative) is not None)
            if count > most and self.admits(alternative, case):
                best, most = alternative, count
        return best

    def _tried(self, case: Case) -> Iterator[Alternative]:
        """The alternatives in the order in which they are tried: what was found before, single ones, then pairs.

        Both of a pair must change something that does not hold as it stands.
        """
        arm = self.scope.arm
        yield from dict.fromkeys((*self.found, *single_alternatives(arm)))
        if arm.dof > LARGEST:
            return
        wrong = [case.statement, *self._failing(case)]
        for (first, second), pair in paired_alternatives(arm).items():
            if pair not in self.found and self._change_some(wrong, first) and self._change_some(wrong, second):
                yield pair

    def _failing(self, case: Case) -> list[Statement]:
        """The other equations that do not hold for the arm as it is."""
        claims = (self._claim(other) for other in self._others(case))
        return [claim.statement for claim in claims if claim is not None and not claim.holds]

    def _others(self, case: Case) -> list[Statement]:
        here = case.statement.span
        return [each for each in self.scope.statements if each.span != here and len(each.sides) > 1]

    def _claim(self, statement: Statement) -> Claim | None:
        key = id(statement)
        if key not in self._claims:
            self._claims[key] = (statement, claim_of(statement, self.scope))  # held, so that its id stays its own
        return self._claims[key][1]

    def _scope(self, alternative: Alternative) -> Scope | None:
        """The document about the arm by another description; None where that has no closed form."""
        if alternative not in self._scopes:
            values = values_of(alternative, self.scope.arm)
            self._scopes[alternative] = None if values is None else replace(self.scope, values=values, cache={})
        return self._scopes[alternative]

    def _change_some(self, statements: list[Statement], alternative: Alternative) -> bool:
        return any(self._changes(alternative, each) for each in statements)

    def _changes(self, alternative: Alternative, statement: Statement) -> bool:
        """Whether an alternative gives a side of a statement another value."""
        key = (id(statement), alternative)
        if key not in self._changed:
            claim, scope = self._claim(statement), self._scope(alternative)
            self._changed[key] = claim is not None and scope is not None and claim.is_changed(scope)
        return self._changed[key]

    def _note(self, statement: Statement, alternative: Alternative) -> str | None:
        key = (id(statement), alternative)
        if key not in self._notes:
            claim, scope = self._claim(statement), self._scope(alternative)
            self._notes[key] = None if claim is None or scope is None else claim.holds_for(scope)
        return self._notes[key]


@lru_cache(maxsize=32)
def single_alternatives(arm: Arm) -> tuple[Alternative, ...]:
    """The other descriptions of an arm by one convention, the likeliest first."""
    gravity = tuple(gravity_alternatives(arm))
    first = [each for each in gravity if each.about == "gravity's sign"]
    rest = [each for each in gravity if each not in first]
    return (*first, *angle_alternatives(equations(arm)), *inertia_alternatives(arm), *rest)


@lru_cache(maxsize=32)
def paired_alternatives(arm: Arm) -> dict[tuple[Alternative, Alternative], Alternative]:
    """The other descriptions of an arm by two conventions at once."""
    alone = single_alternatives(arm)
    angles = [each for each in alone if each.about in WHOLE]
    others = [each for each in alone if each.about in WITH_OTHERS]
    pairs = [(angle, other) for angle in angles for other in others]
    pairs += [(a, b) for k, a in enumerate(others) for b in others[k + 1 :] if a.about != b.about]
    return {pair: both(*pair) for pair in pairs}
