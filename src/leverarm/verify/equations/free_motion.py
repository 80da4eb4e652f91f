"""Equations of motion without torques: tau = 0, perhaps divided by a length, or solved for the accelerations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from leverarm.mechanics import adjugate, determinant
from leverarm.mechanics.matrices import apply
from leverarm.notation.reading.as_written import Name, Node, Number, Statement, walk
from leverarm.scalars import Scalar
from leverarm.scalars.exact import Polynomial, is_exactly_zero, numerator_and_denominator, partial, quotient, substitute
from leverarm.verify.equations.arm_values import ArmValues
from leverarm.verify.equations.case import Case
from leverarm.verify.equations.indices import depth_of
from leverarm.verify.equations.scope import ACCELERATIONS, LETTERS_OF_THE_ARM, Scope
from leverarm.verify.equations.values import Table, Value, divided, entries, size, subtracted
from leverarm.verify.equations.verdict import WrittenError

LARGEST = 4
"""The most joints of an arm whose accelerations are solved for."""
LETTERS = {*LETTERS_OF_THE_ARM, "number"}


def in_free_motion(statement: Statement, scope: Scope, sides: tuple[Value, ...]) -> str | None:
    """The words that follow "equal", where an equation holds for an arm that no torque acts on; None elsewhere.

    It must be one that can be meant so: with 0 on one side, with an acceleration alone on one, or in letters only.
    """
    if len(sides) != 2 or not _can_be_free(statement, scope):
        return None
    values = scope.values
    try:
        off = [numerator_and_denominator(x)[0] for x in entries(subtracted(*sides))]
    except WrittenError:
        return None
    off = [x for x in off if not is_exactly_zero(x)]
    if not off or not all(isinstance(x, Polynomial) and _is_linear(x, values) for x in off):
        return None
    if len(off) == 1 and (i := _joint(off[0], values)) is not None:
        what = "torque" if values.turns(i) else "force"
        return f"where no {what} acts on {values.printed(i)} (tau_{i + 1} = 0)"
    if values.n > LARGEST or not all(is_exactly_zero(_without_torques(x, values)) for x in off):
        return None
    return "where no torques act (tau = 0)"


def as_free_motion(case: Case) -> Case | None:
    """A wrong equation of free motion with what its formula should be: the multiple of tau_i that it is nearest to.

    None for equations that are none, or are like none.
    """
    statement, values = case.statement, case.scope.values
    if (
        len(statement.sides) != 2
        or isinstance(case.value, Table)
        or isinstance(case.wanted, Table)
        or not _can_be_free(statement, case.scope)
    ):
        return None
    other = next(side for side in statement.sides if side.span != case.written.span)
    if (i := _acceleration(other, case.scope)) is not None:
        if values.n > LARGEST or _has_accelerations(case.value, values):
            return None
        above, below = _free_accelerations(values)
        return replace(case, wanted=divided(above[i], below))
    off = case.value - case.wanted
    above, below = numerator_and_denominator(off)
    if not isinstance(above, Polynomial) or not _is_linear(above, values) or depth_of(below, values.exact.coordinates):
        return None
    near = [(size(off - tau), i, tau) for i, tau in _multiples(above, below, values)]
    if not near:
        return None
    least, i, tau = min(near, key=lambda each: each[0])
    if least >= size(off) and _has_accelerations(off - tau, values):
        return None
    return replace(case, wanted=case.wanted + tau, about=f"tau_{i + 1} = 0")


def _can_be_free(statement: Statement, scope: Scope) -> bool:
    first, second = statement.sides
    if any(isinstance(side, Number) and side.value == 0 for side in (first, second)):
        return True
    if any(_acceleration(side, scope) is not None or _is_all(side, scope) for side in (first, second)):
        return True
    if isinstance(first, Name) or isinstance(second, Name):
        return False
    names = [part for side in statement.sides for part in walk(side) if isinstance(part, Name)]
    try:
        return all(scope.meaning(name).kind in LETTERS for name in names)
    except WrittenError:
        return False


def _acceleration(node: Node, scope: Scope) -> int | None:
    """The joint whose acceleration a side is, and nothing else."""
    if not isinstance(node, Name):
        return None
    try:
        value = scope.value(node)
    except WrittenError:
        return None
    return next((i for i, letter in enumerate(scope.values.exact.qdd) if value == letter), None)


def _is_all(node: Node, scope: Scope) -> bool:
    """Whether a side is the vector of all accelerations."""
    return isinstance(node, Name) and node.dots == 2 and scope.meaning(node).kind == "coordinates"


def _is_linear(x: Polynomial, values: ArmValues) -> bool:
    """Whether an expression is linear in the accelerations, and has some."""
    slopes = [partial(x, f"{name}.dd") for name in values.exact.coordinates]
    if all(is_exactly_zero(slope) for slope in slopes):
        return False
    return not any(_has_accelerations(slope, values) for slope in slopes)


def _has_accelerations(x: Scalar, values: ArmValues) -> bool:
    return depth_of(x, values.exact.coordinates) == ACCELERATIONS


def _joint(x: Polynomial, values: ArmValues) -> int | None:
    """The joint whose torque the expression is a multiple of."""
    slopes = [partial(x, f"{name}.dd") for name in values.exact.coordinates]
    j = next(j for j, slope in enumerate(slopes) if not is_exactly_zero(slope))
    for i, tau in enumerate(values.eq.tau.values):
        inertia = values.eq.M.values[i][j]
        if not is_exactly_zero(inertia) and is_exactly_zero(x * inertia - slopes[j] * tau):
            return i
    return None


def _multiples(above: Polynomial, below: Scalar, values: ArmValues) -> Iterator[tuple[int, Scalar]]:
    """Multiples of the torques that have an inertia term of the expression, with the joint."""
    for i, tau in enumerate(values.eq.tau.values):
        for j, name in enumerate(values.exact.coordinates):
            inertia, slope = values.eq.M.values[i][j], partial(above, f"{name}.dd")
            if is_exactly_zero(inertia) or is_exactly_zero(slope):
                continue
            factor = quotient(slope, inertia)
            if not depth_of(factor, values.exact.coordinates):
                yield i, divided(factor * tau, below)


def _free_accelerations(values: ArmValues) -> tuple[list[Scalar], Scalar]:
    """-adj(M) (c + g + F) and det(M): the accelerations without torques, above and below the line."""
    M = values.eq.M.values
    return [-x for x in apply(adjugate(M), values.bias)], determinant(M)


def _without_torques(x: Polynomial, values: ArmValues) -> Scalar:
    """The expression, times det(M), with the accelerations that the arm has by itself."""
    above, below = _free_accelerations(values)
    names = [f"{name}.dd" for name in values.exact.coordinates]
    total: Scalar = substitute(x, dict.fromkeys(names, 0)) * below
    for name, acceleration in zip(names, above, strict=True):
        total = total + partial(x, name) * acceleration
    return total
