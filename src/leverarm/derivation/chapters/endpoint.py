"""The end-effector: its position, its Jacobian, and the inertia felt there."""

from __future__ import annotations

from leverarm import mechanics as me
from leverarm.closed_form import Formulas
from leverarm.derivation.formulas import J, M, brief, equation, full
from leverarm.derivation.setting import AXES, Setting, defined
from leverarm.derivation.steps import chapter, step
from leverarm.documents.document import Level, Section, Shown, Words, sentence
from leverarm.errors import SingularError
from leverarm.notation.tree import ZERO, Call, Equation, Inverse, Node, Of, Product, Symbol, Transposed
from leverarm.scalars import Scalar, Turn
from leverarm.scalars.exact import Polynomial, is_exactly_zero, limit_at_infinity, partial, quotient, substitute

TITLE = "Operational-space inertia"
MEANING = "The inertia felt at the end-effector: the force there per unit of its acceleration."
SMALL = 40
"""Entries of Lambda are written when their numerators have at most this many terms."""


def endpoint(setting: Setting) -> Section | None:
    """Position and Jacobian; where they stay short, the inertia felt at the end-effector and its limit cases."""
    rows = [a for a in range(3) if _moves(setting, a)][: setting.dof]
    if not rows:
        return None
    steps = [_kinematics(setting, rows)]
    felt = _felt(setting, rows)
    if felt is None:
        return chapter("The end-effector", tuple(steps))
    if any(entry.terms > SMALL for entry in felt):
        return chapter("The end-effector", (*steps, _size_of_mass(setting, felt, rows)))
    steps.append(_mass(setting, felt, rows))
    steps += _limits(setting, felt)
    return chapter("The end-effector", tuple(steps))


def _felt(setting: Setting, rows: list[int]) -> Formulas | None:
    """Lambda; None where it is too large to be worth computing, or singular in every configuration."""
    if setting.dof > 3:
        return None
    try:
        return setting.eq.operational_inertia(rows=[AXES[a] for a in rows])
    except SingularError:
        return None


def _moves(setting: Setting, axis: int) -> bool:
    return any(not is_exactly_zero(x) for x in setting.eq.jacobian().values[3 + axis])


def _rows(setting: Setting, rows: list[int]) -> list[list[Scalar]]:
    values = setting.eq.jacobian().values
    return [values[3 + a] for a in rows]


def _kinematics(setting: Setting, rows: list[int]) -> Section:
    position = setting.eq.position()
    values = _rows(setting, rows)
    shown = [brief(Symbol(AXES[a]), position[a].tree) for a in rows]
    shown.append(brief(J, setting.matrix(values)))
    if len(rows) == setting.dof:
        d = me.determinant(values)
        shown.append(brief(Call("det", J), setting.tree(d)))
        if not is_exactly_zero(d):
            inverse = [[quotient(x, d) for x in row] for row in me.adjugate(values)]
            shown.append(full(Inverse(J), setting.matrix(inverse)))
    return step(
        "Position and Jacobian",
        sentence(
            "The position of the frame {tool}, and its Jacobian {J}, whose rows give the velocity along {axes}.",
            tool=repr(setting.eq.arm.tool),
            J=J,
            axes=", ".join(AXES[a] for a in rows),
        ),
        tuple(shown),
        code="eq.jacobian()",
    )


def _definition(setting: Setting, rows: list[int]) -> Node:
    if len(rows) == setting.dof:
        return Product((Transposed(Inverse(J)), M, Inverse(J)))
    return Inverse(Product((J, Inverse(M), Transposed(J))))


def _size_of_mass(setting: Setting, felt: Formulas, rows: list[int]) -> Section:
    largest = max(entry.terms for entry in felt)
    return step(
        TITLE,
        (f"{MEANING} Its entries have up to {largest} terms, too many to read.",),
        (brief(Of(Symbol("Lambda"), (setting.all(),)), _definition(setting, rows)),),
        level=Level.FULL,
        code="eq.operational_inertia()",
    )


def _mass(setting: Setting, felt: Formulas, rows: list[int]) -> Section:
    Lambda = Of(Symbol("Lambda"), (setting.all(),))
    is_square = len(rows) == setting.dof
    words: list[str | Node] = [MEANING]
    if not is_square or is_moving(setting, me.determinant(_rows(setting, rows))):
        words += [" Where ", equation(Call("det", J), ZERO), ","] if is_square else [" In singular configurations"]
        words.append(" the end-effector cannot move in some direction, and the inertia felt there is unbounded.")
    return step(
        TITLE,
        tuple(words),
        tuple(defined(setting, Lambda, _definition(setting, rows), felt.tree)),
        level=Level.FULL,
        code="eq.operational_inertia()",
    )


def is_moving(setting: Setting, value: Scalar) -> bool:
    """Whether a value depends on the configuration."""
    return any(not is_exactly_zero(partial(value, name)) for name in setting.eq.exact.coordinates)


def _limits(setting: Setting, felt: Formulas) -> list[Section]:
    """With the first angle at zero, and with each prismatic coordinate far out."""
    exact = setting.eq.exact
    steps: list[Section] = []
    words: Words
    values, again = felt.values, "felt = eq.operational_inertia().values\n"
    arguments: list[Node] = list(setting.coordinates())
    first, symbol = exact.coordinates[0], setting.coordinates()[0]
    if isinstance(exact.q[0], Turn) and not felt.diff(first).is_zero:
        try:
            values = [[substitute(x, {first: Turn(1, 0)}) for x in row] for row in values]
        except ZeroDivisionError:  # this arm is singular at the first angle zero
            return steps
        arguments[0] = ZERO
        words = sentence("At {zero}; turning the whole arm only rotates this inertia.", zero=equation(symbol, ZERO))
        at = f"[substitute(x, {{{first!r}: Turn(1, 0)}}) for x in row]"
        again = "from leverarm.scalars import Turn\nfrom leverarm.scalars.exact import substitute\n\n"
        again += f"felt = [{at} for row in eq.operational_inertia().values]\n"
        code = f"{again}eq.formulas(felt)"
        steps.append(_case("First joint at zero", words, _felt_at(arguments), setting.matrix(values), "=", code))
    for i, name in enumerate(exact.coordinates):
        is_there = any(not is_exactly_zero(partial(x, name)) for row in values for x in row)
        if is_there and isinstance(exact.q[i], Polynomial):
            limits = [[limit_at_infinity(x, name) for x in row] for row in values]
            if all(x is not None for row in limits for x in row):
                words = sentence("The limit as {r} grows without bound.", r=setting.coordinates()[i])
                code = f"from leverarm.scalars.exact import limit_at_infinity\n\n{again}"
                code += f"eq.formulas([[limit_at_infinity(x, {name!r}) for x in row] for row in felt])"
                title = f"Far out along {name}"
                steps.append(_case(title, words, _felt_at(arguments), setting.matrix(limits), "->", code))
    return steps


def _felt_at(arguments: list[Node]) -> Node:
    return Of(Symbol("Lambda"), tuple(arguments))


def _case(title: str, words: Words, left: Node, right: Node, relation: str, code: str) -> Section:
    return step(title, words, (Shown(Equation((left, right), relation)),), level=Level.FULL, code=code)
