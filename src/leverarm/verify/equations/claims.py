"""A statement as it was read, and whether it holds when the arm is described otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from leverarm.reading.tree import Applied, Name, Node, Statement, walk
from leverarm.verify.equations.arm_values import ArmValues
from leverarm.verify.equations.convention_quantities import other_level
from leverarm.verify.equations.evaluation import value_of
from leverarm.verify.equations.free_motion import in_free_motion
from leverarm.verify.equations.readings import Read, read_statement
from leverarm.verify.equations.scope import LETTERS_OF_THE_ARM, Scope
from leverarm.verify.equations.values import Value, equal
from leverarm.verify.equations.verdict import WrittenError


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement in its likeliest reading, which may `hold` for the arm as it is.

    `sides` are the values of its sides; `settled` those of them that are the same however the arm is described, and
    None for the others.
    """

    statement: Statement
    scope: Scope
    sides: tuple[Value, ...]
    settled: tuple[Value | None, ...]
    holds: bool

    def holds_for(self, values: ArmValues, known: dict[Any, Any]) -> str | None:
        """Whether it is equal for another description of the arm: None if not, else what is to be added in words.

        `known` is what was found out about the document's names for this description.
        """
        notes = (self._note(replace(scope, values=values, known=known)) for scope in self._scopes())
        return next((note for note in notes if note is not None), None)

    def is_changed(self, values: ArmValues, known: dict[Any, Any]) -> bool:
        """Whether another description changes the value of a side."""
        scope = replace(self.scope, values=values, known=known)
        try:
            return not all(equal(self._side(i, scope), value) for i, value in enumerate(self.sides))
        except WrittenError:
            return False

    def _note(self, scope: Scope) -> str | None:
        try:
            first, *others = (self._side(i, scope) for i in range(len(self.settled)))
        except WrittenError:
            return None
        notes = ["" if equal(first, value) else other_level(scope.equations, first, value) for value in others]
        if None in notes and (words := in_free_motion(self.statement, scope, (first, *others))) is not None:
            return f", {words}"
        return None if None in notes else next((f", {note}" for note in notes if note), "")

    def _side(self, i: int, scope: Scope) -> Value:
        known = self.settled[i]
        return value_of(self.statement.sides[i], scope) if known is None else known

    def _scopes(self) -> Iterator[Scope]:
        """The reading itself, and those in which the quantity on the left is another: x_2 of a link's end."""
        yield self.scope
        name = _head(self.statement.sides[0])
        if name is None:
            return
        if not self.scope.meanings(name):
            return
        family, taken = self.scope.family(name), self.scope.meaning(name).kind
        for kind in dict.fromkeys(meaning.kind for meaning in self.scope.meanings(name)):
            if kind not in (taken, *LETTERS_OF_THE_ARM):
                yield replace(self.scope, chosen={**self.scope.chosen, family: kind})


def claim_of(statement: Statement, scope: Scope) -> Claim | None:
    """What a statement claims of the arm; None where it makes no sense."""
    try:
        read = read_statement(statement, scope, scope.chosen)
    except WrittenError:
        return None
    sides = zip(statement.sides, read.sides, strict=True)
    settled = tuple(value if _is_settled(side, read) else None for side, value in sides)
    holds = read.holds or in_free_motion(statement, read.scope, read.sides) is not None
    return Claim(statement, read.scope, read.sides, settled, holds)


def _is_settled(side: Node, read: Read) -> bool:
    """Whether a side is a formula in letters only, none of which is a quantity of the arm."""
    try:
        kinds = {read.scope.meaning(part).kind for part in walk(side) if isinstance(part, Name)}
    except WrittenError:  # the index of a sum
        return False
    return kinds <= {*LETTERS_OF_THE_ARM, "number"}


def _head(node: Node) -> Name | None:
    if isinstance(node, Applied):
        node = node.head
    return node if isinstance(node, Name) else None
