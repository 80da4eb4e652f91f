"""The end-effector: where it is, how it moves, and the mass that is felt there."""

from __future__ import annotations

from leverarm import mechanics as me
from leverarm.closed_form import Formulas
from leverarm.derivation.document import Level, Part, Shown, Step, Words
from leverarm.derivation.setting import AXES, Setting, equation
from leverarm.derivation.widths import defined
from leverarm.errors import SingularError
from leverarm.notation.tree import ZERO, Call, Equation, Inverse, Node, Of, Product, Symbol, Transposed
from leverarm.scalars import Scalar, Turn
from leverarm.scalars.exact import Polynomial, is_exactly_zero, limit_at_infinity, partial, quotient, substitute

SMALL = 40
"""Entries of Lambda are written when their numerators have at most this many terms."""


def endpoint(setting: Setting) -> Part | None:
    """Tip position and Jacobian; where they stay small, the mass matrix at the tip and its limit cases."""
    rows = [a for a in range(3) if _moves(setting, a)][: setting.dof]
    if not rows:
        return None
    steps = [_kinematics(setting, rows)]
    felt = _felt(setting, rows)
    if felt is None:
        return Part("The end-effector", tuple(steps))
    if any(entry.terms > SMALL for entry in felt):
        return Part("The end-effector", (*steps, _size_of_mass(setting, felt, rows)))
    steps.append(_mass(setting, felt, rows))
    steps += _limits(setting, felt)
    return Part("The end-effector", tuple(steps))


def _felt(setting: Setting, rows: list[int]) -> Formulas | None:
    """Lambda; None where it is too large to be worth computing, or singular at every pose."""
    if setting.dof > 3:
        return None
    try:
        return setting.eq.operational_inertia(rows=[AXES[a] for a in rows])
    except SingularError:
        return None


def _moves(setting: Setting, axis: int) -> bool:
    return any(not is_exactly_zero(x) for x in setting.eq.jacobian().values[3 + axis])


def _rows(setting: Setting, rows: list[int]) -> list[list[Scalar]]:
    J = setting.eq.jacobian().values
    return [J[3 + a] for a in rows]


def _kinematics(setting: Setting, rows: list[int]) -> Step:
    position = setting.eq.position()
    J, axes = _rows(setting, rows), ", ".join(AXES[a] for a in rows)
    shown = [Shown(equation(Symbol(AXES[a]), position[a].tree)) for a in rows]
    shown.append(Shown(equation(Symbol("J"), setting.matrix(J))))
    if len(rows) == setting.dof:
        d = me.determinant(J)
        shown.append(Shown(equation(Call("det", Symbol("J")), setting.tree(d))))
        if not is_exactly_zero(d):
            inverse = [[quotient(x, d) for x in row] for row in me.adjugate(J)]
            shown.append(Shown(equation(Inverse(Symbol("J")), setting.matrix(inverse)), Level.FULL))
    return Step(
        "Position and Jacobian",
        (f"Of the frame {setting.eq.arm.tool!r}; the rows of ", Symbol("J"), f" give its velocity along {axes}."),
        tuple(shown),
        code="eq.jacobian()",
    )


def _definition(setting: Setting, rows: list[int]) -> Node:
    J, M = Symbol("J"), Symbol("M")
    if len(rows) == setting.dof:
        return Product((Transposed(Inverse(J)), M, Inverse(J)))
    return Inverse(Product((J, Inverse(M), Transposed(J))))


def _size_of_mass(setting: Setting, felt: Formulas, rows: list[int]) -> Step:
    largest = max(entry.terms for entry in felt)
    return Step(
        "Mass felt at the tip",
        (f"The force at the tip per acceleration of it. Its entries have up to {largest} terms: too many to read.",),
        (Shown(equation(Of(Symbol("Lambda"), (setting.all(),)), _definition(setting, rows))),),
        level=Level.FULL,
        code="eq.operational_inertia()",
    )


def _mass(setting: Setting, felt: Formulas, rows: list[int]) -> Step:
    J, Lambda = Symbol("J"), Of(Symbol("Lambda"), (setting.all(),))
    square = len(rows) == setting.dof
    words: list[str | Node] = ["The force at the tip per acceleration of it."]
    if not square or is_moving(setting, me.determinant(_rows(setting, rows))):
        words += [" Where ", equation(Call("det", J), ZERO)] if square else [" At singular poses"]
        words.append(" the tip cannot move in some direction, and there the mass felt is unbounded.")
    return Step(
        "Mass felt at the tip",
        tuple(words),
        tuple(defined(setting, Lambda, _definition(setting, rows), felt.tree)),
        level=Level.FULL,
        code="eq.operational_inertia()",
    )


def is_moving(setting: Setting, value: Scalar) -> bool:
    """Whether a value depends on the pose."""
    return any(not is_exactly_zero(partial(value, name)) for name in setting.eq.exact.coordinates)


def _limits(setting: Setting, felt: Formulas) -> list[Step]:
    """With the first angle at zero, and with each sliding coordinate far out."""
    exact = setting.eq.exact
    steps: list[Step] = []
    words: Words
    values = felt.values
    arguments: list[Node] = list(setting.coordinates())
    first, symbol = exact.coordinates[0], setting.coordinates()[0]
    if isinstance(exact.q[0], Turn) and not felt.diff(first).is_zero:
        try:
            values = [[substitute(x, {first: Turn(1, 0)}) for x in row] for row in values]
        except ZeroDivisionError:  # straight is a singular pose of this arm
            return steps
        arguments[0] = ZERO
        words = ("With ", equation(symbol, ZERO), ": turning the whole arm only turns the mass felt.")
        at = f"[substitute(x, {{{first!r}: Turn(1, 0)}}) for x in row]"
        code = "from leverarm.scalars import Turn\nfrom leverarm.scalars.exact import substitute\n\n"
        code += f"felt = [{at} for row in eq.operational_inertia().values]\neq.formulas(felt)"
        steps.append(_case("The arm in one direction", words, _felt_at(arguments), setting.matrix(values), "=", code))
    for i, name in enumerate(exact.coordinates):
        is_there = any(not is_exactly_zero(partial(x, name)) for row in values for x in row)
        if is_there and isinstance(exact.q[i], Polynomial):
            limits = [[limit_at_infinity(x, name) for x in row] for row in values]
            if all(x is not None for row in limits for x in row):
                words = ("What is felt when ", setting.coordinates()[i], " grows without bound.")
                code = "from leverarm.scalars.exact import limit_at_infinity\n\n"
                felt_here = "felt" if steps else "eq.operational_inertia().values"
                code += f"eq.formulas([[limit_at_infinity(x, {name!r}) for x in row] for row in {felt_here}])"
                title = f"Far out along {name}"
                steps.append(_case(title, words, _felt_at(arguments), setting.matrix(limits), "->", code))
    return steps


def _felt_at(arguments: list[Node]) -> Node:
    return Of(Symbol("Lambda"), tuple(arguments))


def _case(title: str, words: Words, left: Node, right: Node, relation: str, code: str) -> Step:
    return Step(title, words, (Shown(Equation((left, right), relation)),), level=Level.FULL, code=code)
