"""A statement as it was read, and whether it holds when the arm, or the quantity on its left, is defined otherwise.

Definitions of one quantity: the level of zero potential energy, the sign of a torque, what the vector of velocity
torques includes, the rows of a Jacobian. What concerns angles, gravity or masses is another description of the arm.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from leverarm.closed_form import Equations
from leverarm.mechanics import ROWS
from leverarm.notation.reading import Statement
from leverarm.notation.tree import Name, Node
from leverarm.scalars import Scalar
from leverarm.scalars.exact import is_exactly_zero
from leverarm.verify.equations.algebra import (
    Table,
    Value,
    added,
    column,
    entries,
    equal,
    every,
    is_zero,
    negated,
    shape_of,
    table,
)
from leverarm.verify.equations.arm_names import name_of
from leverarm.verify.equations.arm_values import ArmValues
from leverarm.verify.equations.evaluation import value_of
from leverarm.verify.equations.indices import depth_of
from leverarm.verify.equations.near_equalities import in_free_motion
from leverarm.verify.equations.readings import Read, read_statement
from leverarm.verify.equations.scope import LETTERS_OF_THE_ARM, Scope
from leverarm.verify.equations.verdict import WrittenError


def defined_otherwise(eq: Equations, wanted: Value, value: Value) -> str | None:
    """The words that follow "equal", where the value is the wanted quantity by another definition of it."""
    return other_level(eq, wanted, value) or _other_sign(eq, wanted, value) or _other_terms(eq, wanted, value)


def other_level(eq: Equations, wanted: Value, value: Value) -> str | None:
    """Energies that differ by a constant: heights are measured from another level."""
    if isinstance(wanted, Table) or isinstance(value, Table):
        return None
    energies = [eq.P.value, eq.L.value, eq.H.value, *eq.link_potential_energies.values]
    difference, coordinates = value - wanted, eq.exact.coordinates
    if depth_of(difference, coordinates) or not depth_of(value, coordinates):
        return None
    if not any(wanted == energy for energy in energies):
        return None
    return f"up to the constant {eq.formula(difference).text()}: potential energy is zero at another height"


def _other_sign(eq: Equations, wanted: Value, value: Value) -> str | None:
    if is_zero(wanted) or not equal(value, negated(wanted)):
        return None
    if _is_one_of(wanted, eq.tau.values) or _is_one_of(wanted, eq.euler_lagrange.values):
        return "if tau is the torque of the arm on its drives (action = reaction), with the opposite sign"
    return None


def _other_terms(eq: Equations, wanted: Value, value: Value) -> str | None:
    """What some call V, N or h: Coriolis and centripetal forces together with gravity or friction."""
    c, g, F = (column(forces.values) for forces in (eq.c, eq.g, eq.friction))
    for words, more in (("gravity", g), ("friction", F), ("gravity and friction", added(g, F))):
        if is_zero(more):
            continue
        for part, whole in zip(_parts(c), _parts(added(c, more)), strict=True):
            if not equal(part, whole) and equal(wanted, part) and equal(value, whole):
                return f"if the vector of Coriolis and centrifugal torques includes {words}"
            if not equal(part, whole) and equal(wanted, whole) and equal(value, part):
                return f"if this vector does not include {words}"
    return None


def _parts(vector: Value) -> list[Value]:
    """A vector and each of its entries."""
    return [vector, *entries(vector)]


def _is_one_of(wanted: Value, forces: list[Scalar]) -> bool:
    return any(equal(wanted, part) for part in _parts(column(forces)))


def jacobian_otherwise(eq: Equations, wanted: Value, value: Value) -> str | None:
    """The words that follow "equal", where both are Jacobians of the arm: other rows, another order, another point."""
    if shape_of(value)[1] != len(eq.exact.qd) or not isinstance(wanted, Table):
        return None
    if not any(equal(wanted, J) for _, J in _jacobians(eq)):
        return None
    return next((words for words, J in _jacobians(eq) if equal(value, J)), None)


def _jacobians(eq: Equations) -> Iterator[tuple[str, Value]]:
    """Every Jacobian of the arm that a page may print, with the words for it; that of the tool comes first."""
    points = {f"of frame {name}": eq.jacobian(name).values for name in (eq.arm.tool, *eq.arm.frames[1:])}
    values = ArmValues(eq)
    points |= {
        f"of the centre of mass of {link.name}": values.jacobian("com", i)
        for i, link in enumerate(eq.exact.mechanism.links)
        if values.centre(i) is not None
    }
    for point, J in points.items():
        angular, linear = J[:3], J[3:]
        moving = [row for row in linear if any(not is_exactly_zero(x) for x in row)]
        turning = [row for row in angular if any(not is_exactly_zero(x) for x in row)]
        yield f"as the Jacobian {point}, angular rows first", table(J)
        yield f"as the Jacobian {point} with its linear rows first", table([*linear, *angular])
        yield f"as the linear rows of the Jacobian {point}", table(linear)
        yield f"as the angular rows of the Jacobian {point}", table(angular)
        for rows, words in ((moving, "linear"), (turning, "angular"), (moving + turning, ""), (turning + moving, "")):
            if rows:
                yield (
                    f"as the nonzero {words} rows of the Jacobian {point}".replace("  ", " "),
                    table(rows),
                )
        for rows in (moving[::-1], [linear[0], linear[2]], [linear[2], linear[0]]):
            if rows:
                names = ", ".join(ROWS[3 + next(k for k in range(3) if linear[k] is row)] for row in rows)
                yield f"as the rows {names} of the Jacobian {point}", table(rows)


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

    def holds_for(self, other: Scope) -> str | None:
        """Whether it is equal for another description of the arm: None if not, else what is to be added in words."""
        notes = (self._note(replace(other, chosen=scope.chosen, free=scope.free)) for scope in self._scopes())
        return next((note for note in notes if note is not None), None)

    def is_changed(self, other: Scope) -> bool:
        """Whether another description changes the value of a side."""
        scope = replace(other, chosen=self.scope.chosen, free=self.scope.free)
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
        name = name_of(self.statement.sides[0])
        if name is None or not self.scope.meanings(name):
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
        kinds = {read.scope.meaning(name).kind for name in every(Name, side)}
    except WrittenError:  # the index of a sum
        return False
    return kinds <= {*LETTERS_OF_THE_ARM, "number"}
