"""The end-effector: where it is, how it moves, and the mass that is felt there."""

from __future__ import annotations

from leverarm import mechanics as me
from leverarm.closed_form import Formulas
from leverarm.derivation.document import Level, Part, Shown, Step
from leverarm.derivation.setting import AXES, Setting, equation
from leverarm.derivation.widths import defined
from leverarm.errors import SingularError
from leverarm.notation.tree import ZERO, Call, Inverse, Node, Of, Product, Symbol, Transposed
from leverarm.scalars import Scalar, Turn
from leverarm.scalars.exact import Polynomial, is_exactly_zero, limit_at_infinity, quotient, substitute

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
    if cases := _limits(setting, felt, rows):
        steps.append(
            Step("Limit cases", ("What the mass at the tip becomes.",), tuple(cases), code="eq.operational_inertia()")
        )
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
        (f"Of frame {setting.eq.arm.tool!r}; the Jacobian's rows are its velocity along {axes}.",),
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
    where = "It is infinite where " if square else "It is infinite where the tip cannot move in some direction."
    singular: tuple[str | Node, ...] = (where, equation(Call("det", J), ZERO), ".") if square else (where,)
    return Step(
        "Mass felt at the tip",
        ("The force at the tip per acceleration of it. ", *singular),
        tuple(defined(setting, Lambda, _definition(setting, rows), felt.tree)),
        level=Level.FULL,
        code="eq.operational_inertia()",
    )


def _limits(setting: Setting, felt: Formulas, rows: list[int]) -> list[Shown]:
    """With the first angle at zero, and with each sliding coordinate far out."""
    exact, shown = setting.eq.exact, []
    values: list[list[Scalar]] = felt.values
    first = exact.coordinates[0]
    arguments: list[Node] = list(setting.coordinates())
    if isinstance(exact.q[0], Turn):
        values = [[substitute(x, {first: Turn(1, 0)}) for x in row] for row in values]
        arguments[0] = ZERO
        shown.append(Shown(equation(Of(Symbol("Lambda"), tuple(arguments)), setting.matrix(values))))
    for i, name in enumerate(exact.coordinates):
        if isinstance(exact.q[i], Polynomial):
            limits = [[limit_at_infinity(x, name) for x in row] for row in values]
            if all(x is not None for row in limits for x in row):
                far = [*arguments[:i], Symbol("infinity"), *arguments[i + 1 :]]
                shown.append(Shown(equation(Of(Symbol("Lambda"), tuple(far)), setting.matrix(limits))))
    return shown
