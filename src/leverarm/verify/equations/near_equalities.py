"""Equations that hold with something understood: to the digits written, for one unknown name, or without torques."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction

from leverarm.mechanics import adjugate, determinant
from leverarm.mechanics.matrices import apply
from leverarm.notation.names import split_name
from leverarm.notation.reading import Statement
from leverarm.notation.tree import Matrix, Name, Node, Number, replaced
from leverarm.scalars import Scalar
from leverarm.scalars.exact import is_exactly_zero, numerator_and_denominator, partial, quotient, substitute
from leverarm.verify.equations import algebra
from leverarm.verify.equations.algebra import Value
from leverarm.verify.equations.arm_values import ArmValues
from leverarm.verify.equations.force_quantities import MASS_MATRIX
from leverarm.verify.equations.indices import depth_of
from leverarm.verify.equations.readings import Case
from leverarm.verify.equations.scope import ACCELERATIONS, LETTERS_OF_THE_ARM, Scope
from leverarm.verify.equations.settings import forces_set_to_zero, setting_of
from leverarm.verify.equations.verdict import WrittenError

MOST_NUMBERS = 200
"""Formulas with more numbers than this are taken at their word."""
ROUGHEST = Fraction(1, 20)
"""What rounding may change of a number at most, however few digits it has."""

_DECIMAL = re.compile(r"\s*\d+\.(\d*)(?:[eE]([-+]?\d+))?")
Monomial = tuple[tuple[str, int], ...]
Terms = dict[Monomial, float]


def to_written_digits(case: Case) -> str | None:
    """The words "equal to the digits that are written ...", where rounding of its decimals explains what is off.

    Every decimal may be off by half a unit of its last digit; terms smaller than that may be left out. None elsewhere.
    """
    known = _numbers_set(case)
    decimals = [
        node for node in algebra.every(Number, case.written) if node.value not in known and digits_behind(node, case)
    ]
    if not decimals or len(decimals) > MOST_NUMBERS or not algebra.fits(case.value, case.wanted):
        return None
    try:
        slack = _slack(case, decimals)
    except WrittenError:
        return None
    if slack is None:
        return None
    least = float(min(half_unit(node, case) for node in decimals))
    worst, is_short = 0.0, False
    pairs = zip(
        algebra.entries(case.value), algebra.entries(algebra.aligned(case.wanted, case.value)), slack, strict=True
    )
    for written, wanted, allowed in pairs:
        ours, theirs = coefficients(written), coefficients(wanted)
        if ours is None or theirs is None:
            return None
        for monomial in {*ours, *theirs}:
            off = abs(ours.get(monomial, 0.0) - theirs.get(monomial, 0.0))
            left_out = monomial not in ours and monomial not in allowed
            if off > (least if left_out else allowed.get(monomial, 0.0)) * (1 + 1e-9) + 1e-15:
                return None
            worst, is_short = max(worst, off), is_short or (left_out and off > 0)
    rest = "; smaller terms are omitted" if is_short else ""
    return f"equal to the digits written: no coefficient is off by more than {worst:.2g}{rest}"


def _numbers_set(case: Case) -> set[Fraction]:
    """The numbers that lines of the text give to a name: put into a formula, they are exact."""
    match case.written:
        case Number() | Matrix():
            return set()
    settings = [line.sides[-1] for line in case.scope.statements if setting_of(line, case.scope) is not None]
    return {number.value for number in algebra.every(Number, *settings)}


def half_unit(node: Number, case: Case) -> Fraction:
    """Half a unit of the last digit of a decimal, and never more than a small part of the number."""
    half = (node.step or Fraction(10) ** -digits_behind(node, case)) / 2
    return min(half, abs(node.value) * ROUGHEST) if node.value else half


def digits_behind(node: Number, case: Case) -> int:
    """The digits behind the point of a number as it is written, its power of ten included; 0 for whole numbers."""
    found = _DECIMAL.match(case.scope.text, *node.span)
    return len(found[1]) - int(found[2] or 0) if found else 0


def _slack(case: Case, decimals: Sequence[Number]) -> list[Terms] | None:
    """What rounding can change of each monomial of each entry."""
    total: list[Terms] = [{} for _ in algebra.entries(case.value)]
    for node in decimals:
        moved = replaced(case.written, node, Number(node.value + half_unit(node, case), span=node.span))
        for allowed, change in zip(total, changes(moved, case), strict=True):
            if change is None:
                return None
            for monomial, moved_by in change.items():
                allowed[monomial] = allowed.get(monomial, 0.0) + abs(moved_by)
    return total


def changes(moved: Node, case: Case) -> Iterator[Terms | None]:
    value: Value = case.worth(moved)
    if algebra.shape_of(value) != algebra.shape_of(case.value):
        raise WrittenError(moved.span, f"is {algebra.described(value)} with another number in it.")
    for new, old in zip(algebra.entries(value), algebra.entries(case.value), strict=True):
        yield coefficients(new - old)


def coefficients(x: Scalar) -> Terms | None:
    """The coefficients of a polynomial by its letters; roots and other constants are numbers. None of a quotient."""
    if not algebra.is_polynomial(x):
        return {(): float(x)} if numerator_and_denominator(x)[1] == 1 else None
    found: Terms = {}
    for letters, coefficient in x.terms():
        number, key = float(coefficient), []
        for generator, power in letters:
            if generator.value is None:
                key.append((generator.name, power))
            else:
                number *= generator.value**power
        found[tuple(key)] = found.get(tuple(key), 0.0) + number
    return found


@dataclass(frozen=True, slots=True)
class Solution:
    """The constant that an unknown name would have to be for its equation to hold."""

    name: Name
    text: str
    is_letter: bool
    is_same_letter: bool

    @property
    def sentence(self) -> str:
        return f"{algebra.shown(self.name)} = {self.text}"

    @property
    def mapping(self) -> str:
        return f"{algebra.spelled(self.name)} = {self.text}"


def solved(case: Case, unknown: Sequence[Name]) -> Solution | None:
    """What a single unknown name must be, where the equation is linear in it and it comes out as a constant."""
    if len(unknown) != 1:
        return None
    letter = algebra.spelled(unknown[0])
    values: list[Scalar] = []
    for entry in algebra.entries(algebra.subtracted(case.value, case.wanted)):
        x, _ = numerator_and_denominator(entry)
        if not is_exactly_zero(x):
            slope = partial(x, letter)
            if is_exactly_zero(slope) or not is_exactly_zero(partial(slope, letter)):
                return None
            values.append(quotient(-substitute(x, {letter: 0}), slope))
    found = values[0] if values and all(value == values[0] for value in values) else None
    if not algebra.is_polynomial(found) or depth_of(found, case.scope.values.exact.coordinates):
        return None
    only = algebra.letter_of(found)
    is_same = only is not None and split_name(only).stem == unknown[0].letter
    return Solution(unknown[0], case.scope.equations.formula(found).text(), only is not None, is_same)


LARGEST = 4
"""The most joints of an arm whose accelerations are solved for."""
LETTERS = {*LETTERS_OF_THE_ARM, "number"}


def in_free_motion(statement: Statement, scope: Scope, sides: tuple[Value, ...]) -> str | None:
    """The words that follow "equal", where an equation holds for an arm that no torque acts on; None elsewhere.

    Or where it holds if the joints that nothing drives have none.
    """
    values, free = scope.values, can_be_free(statement, scope)
    undriven = _undriven(values)
    if len(sides) != 2 or not (free or undriven):
        return None
    try:
        off = [numerator_and_denominator(x)[0] for x in algebra.entries(algebra.subtracted(*sides))]
    except (WrittenError, algebra.ShapeError):
        return None
    off = [x for x in off if not is_exactly_zero(x)]
    if not off or not all(_is_linear(x, values) for x in off):
        return None
    joints, written = {_joint(x, values) for x in off}, _torques_written(statement, scope)
    if len(off) == 1 and not joints & {None, *written} and (free or joints <= undriven):
        (i,) = joints
        assert i is not None
        what = "torque" if values.turns(i) else "force"
        return f"where no {what} acts on {values.printed(i)} (tau_{i + 1} = 0)"
    if not free or values.n > LARGEST or written:
        return None
    if not all(is_exactly_zero(_without_torques(x, values)) for x in off):
        return None
    return "where no torques act (tau = 0)"


def _undriven(values: ArmValues) -> set[int | None]:
    """The joints of an arm that have no force of a name, where others have one: the pivot of a pendulum on a cart."""
    named = {body.joint.name for body in values.eq.arm.bodies if body.joint.force}
    return {i for i, name in enumerate(values.exact.coordinates) if named and name not in named}


def _torques_written(statement: Statement, scope: Scope) -> set[int]:
    """The joints whose torques an equation has in it, which are then not zero."""
    found: set[int] = set()
    for name in algebra.every(Name, statement):
        try:
            entries = (*algebra.entries(scope.value(name)),)
        except WrittenError:
            continue
        torques = enumerate(scope.equations.tau.values)
        found |= {i for i, tau in torques if not is_exactly_zero(tau) and any(x == tau for x in entries)}
    return found


def as_free_motion(case: Case) -> Case | None:
    """A wrong equation of free motion with what its formula should be: the multiple of tau_i that it is nearest to.

    None for equations that are none, or are like none.
    """
    statement, values = case.statement, case.scope.values
    if algebra.is_table(case.value) or algebra.is_table(case.wanted) or not can_be_free(statement, case.scope):
        return None
    other = next(side for side in statement.sides if side.span != case.written.span)
    off = case.value - case.wanted
    if (i := _acceleration(other, case.scope)) is not None:
        ways = [*_as_accelerations(i, case)]
        sizes = [algebra.size(case.value - way) for way in ways]
        is_nearer = sizes and (min(sizes) < algebra.size(off) or not _has_accelerations(case.value, values))
        return replace(case, wanted=ways[sizes.index(min(sizes))]) if is_nearer else None
    total, divisor = numerator_and_denominator(off)
    if not _is_linear(total, values) or depth_of(divisor, values.exact.coordinates):
        return None
    near = [(algebra.size(off - tau), i, tau) for i, tau in _multiples(total, divisor, values)]
    if not near:
        return None
    least, i, tau = min(near, key=lambda each: each[0])
    if least >= algebra.size(off) and _has_accelerations(off - tau, values):
        return None
    return replace(case, wanted=case.wanted + tau, about=f"tau_{i + 1} = 0")


def can_be_free(statement: Statement, scope: Scope) -> bool:
    """Whether an equation can be meant for an arm that moves by itself.

    With 0 on one side, with an acceleration alone on one, in letters only; or with other quantities in a document that
    says tau = 0.
    """
    match statement.sides:
        case (Number(value=0), _) | (_, Number(value=0)):
            return True
        case sides if any(_acceleration(side, scope) is not None or _is_all(side, scope) for side in sides):
            return len(sides) == 2
        case (Name(), _) | (_, Name()):
            return False
    try:
        kinds = {scope.meaning(name).kind for name in algebra.every(Name, statement)}
    except WrittenError:
        return False
    return len(statement.sides) == 2 and (
        kinds <= {*LETTERS, MASS_MATRIX, "coordinates", "definition"} or _is_stated(scope)
    )


def _is_stated(scope: Scope) -> bool:
    """Whether a line of the document says that no torques act."""
    found: bool = scope.once("free motion", lambda: any(forces_set_to_zero(each, scope) for each in scope.statements))
    return found


def _acceleration(node: Node, scope: Scope) -> int | None:
    """The joint whose acceleration a side is, and nothing else."""
    match node:
        case Name() if {each.kind for each in scope.meanings(node)} & {*LETTERS, "definition"}:
            with suppress(WrittenError):
                value = scope.value(node)
                return next((i for i, letter in enumerate(scope.values.exact.qdd) if value == letter), None)
    return None


def _is_all(node: Node, scope: Scope) -> bool:
    """Whether a side is the vector of all accelerations."""
    match node:
        case Name(dots=2):
            return scope.meaning(node).kind == "coordinates"
    return False


def _is_linear(x: Scalar, values: ArmValues) -> bool:
    """Whether an expression is linear in the accelerations, and has some."""
    slopes = [partial(x, f"{name}.dd") for name in values.exact.coordinates]
    if all(is_exactly_zero(slope) for slope in slopes):
        return False
    return not any(_has_accelerations(slope, values) for slope in slopes)


def _has_accelerations(x: Scalar, values: ArmValues) -> bool:
    return depth_of(x, values.exact.coordinates) == ACCELERATIONS


def _joint(x: Scalar, values: ArmValues) -> int | None:
    """The joint whose torque the expression is a multiple of."""
    slopes = [partial(x, f"{name}.dd") for name in values.exact.coordinates]
    j = next(j for j, slope in enumerate(slopes) if not is_exactly_zero(slope))
    for i, tau in enumerate(values.eq.tau.values):
        inertia = values.eq.M.values[i][j]
        if not is_exactly_zero(inertia) and is_exactly_zero(x * inertia - slopes[j] * tau):
            return i
    return None


def _as_accelerations(i: int, case: Case) -> Iterator[Scalar]:
    """What the acceleration of a joint is without the torques that are not written: by all equations, or by one."""
    values, written = case.scope.values, list[Value]()
    for name in algebra.every(Name, case.written):
        with suppress(WrittenError):
            written.append(case.scope.value(name))
    tau, M, own = values.eq.tau.values, values.eq.M.values, values.exact.qdd[i]
    missing = [j for j, torque in enumerate(tau) if not any(algebra.equal(torque, value) for value in written)]
    if values.n <= LARGEST and missing and not is_exactly_zero(below := determinant(M)):
        row = adjugate(M)[i]
        yield own - algebra.divided(sum((row[j] * tau[j] for j in missing), start=0), below)
    if _has_accelerations(case.value, values):
        yield from (own - algebra.divided(tau[j], M[j][i]) for j in missing if not is_exactly_zero(M[j][i]))


def _multiples(above: Scalar, below: Scalar, values: ArmValues) -> Iterator[tuple[int, Scalar]]:
    """Multiples of the torques that have an inertia term of the expression, with the joint."""
    for i, tau in enumerate(values.eq.tau.values):
        for j, name in enumerate(values.exact.coordinates):
            inertia, slope = values.eq.M.values[i][j], partial(above, f"{name}.dd")
            if is_exactly_zero(inertia) or is_exactly_zero(slope):
                continue
            factor = quotient(slope, inertia)
            if not depth_of(factor, values.exact.coordinates):
                yield i, algebra.divided(factor * tau, below)


def _free_accelerations(values: ArmValues) -> tuple[list[Scalar], Scalar]:
    """-adj(M) (c + g + F) and det(M): the accelerations without torques, above and below the line."""
    M = values.eq.M.values
    return [-x for x in apply(adjugate(M), values.bias)], determinant(M)


def _without_torques(x: Scalar, values: ArmValues) -> Scalar:
    """The expression, times det(M), with the accelerations that the arm has by itself."""
    above, below = _free_accelerations(values)
    names = [f"{name}.dd" for name in values.exact.coordinates]
    total: Scalar = substitute(x, dict.fromkeys(names, 0)) * below
    for name, acceleration in zip(names, above, strict=True):
        total = total + partial(x, name) * acceleration
    return total
