"""The end-effector: its position, its Jacobian, and the inertia felt there."""

from __future__ import annotations

from leverarm import mechanics as me
from leverarm.closed_form import Formulas
from leverarm.derivation.formulas import J, M, brief, c, equation, full, g, plus, tau, times
from leverarm.derivation.setting import AXES, Setting, defined, mass_matrix_in_letters
from leverarm.derivation.steps import chapter, step
from leverarm.documents.document import Level, Section, Shown, Words, sentence
from leverarm.errors import SingularError
from leverarm.notation.tree import (
    ZERO,
    Call,
    Equation,
    Indexed,
    Inverse,
    Node,
    Of,
    Product,
    Symbol,
    Transposed,
    negated,
)
from leverarm.scalars import Scalar, Turn
from leverarm.scalars.exact import (
    Polynomial,
    Quotient,
    is_exactly_zero,
    limit_at_infinity,
    numerator_and_denominator,
    partial,
    quotient,
    substitute,
)

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
    if len(rows) == setting.dof:
        steps += [_products(setting, rows), _forces(setting, felt, rows)]
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
            inverse = _inverse(setting, rows)
            shown.append(full(Inverse(J), setting.matrix(inverse)))
            shown.append(full(Transposed(Inverse(J)), setting.matrix(me.transposed(inverse))))
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


def _inverse(setting: Setting, rows: list[int]) -> list[list[Scalar]]:
    """J^-1 of a square J that is not singular at every pose: the adjugate over the determinant."""
    values = _rows(setting, rows)
    d = me.determinant(values)
    return [[quotient(x, d) for x in row] for row in me.adjugate(values)]


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
    is_bounded = not any(isinstance(value, Quotient) for row in felt.values for value in row)
    if not is_bounded and (not is_square or is_moving(setting, me.determinant(_rows(setting, rows)))):
        words += [" Where ", equation(Call("det", J), ZERO), ","] if is_square else [" In singular configurations"]
        words.append(" the end-effector cannot move in some direction, and the inertia felt there is unbounded.")
    return step(
        TITLE,
        tuple(words),
        tuple(defined(setting, Lambda, _definition(setting, rows), felt.tree)),
        level=Level.FULL,
        code="eq.operational_inertia()",
    )


def _products(setting: Setting, rows: list[int]) -> Section:
    """(J^-1)^T M and (J^-1)^T M J^-1 with a letter for each entry of M, one product at a time."""
    inverse, letters = _inverse(setting, rows), mass_matrix_in_letters(setting)
    pushed = _product(me.transposed(inverse), letters)
    whole, back = setting.matrix(_product(pushed, inverse)), Transposed(Inverse(J))
    return step(
        "The products",
        sentence("With a letter for each entry of {M} that is not zero.", M=M),
        (
            full(M, setting.matrix(letters)),
            *defined(setting, times(back, M), times(setting.matrix(me.transposed(inverse)), M), setting.matrix(pushed)),
            *defined(setting, Symbol("Lambda"), times(back, M, Inverse(J)), whole),
        ),
        level=Level.EVERY_LINE,
    )


def _product(A: list[list[Scalar]], B: list[list[Scalar]]) -> list[list[Scalar]]:
    columns = me.transposed(B)
    return [[sum((a * b for a, b in zip(row, column, strict=True)), start=0) for column in columns] for row in A]


def bias_at_tool(setting: Setting, felt: Formulas, rows: list[int]) -> list[Scalar]:
    """(J^-1)^T (c + g) - Lambda Jd qd: the forces at the end-effector that are there without acceleration of it."""
    eq = setting.eq
    held = me.apply(
        me.transposed(_inverse(setting, rows)), [a + b for a, b in zip(eq.c.values, eq.g.values, strict=True)]
    )
    rates = [eq.jacobian_dot().values[3 + a] for a in rows]
    return [a - b for a, b in zip(held, me.apply(felt.values, me.apply(rates, eq.exact.qd)), strict=True)]


def _forces(setting: Setting, felt: Formulas, rows: list[int]) -> Section:
    """f = Lambda xdd + h_x: the equations of motion of the end-effector."""
    h, x, f, back = Symbol("h_x"), Symbol("x", 2), Symbol("f"), Transposed(Inverse(J))
    values = [setting.eq.formula(value) for value in bias_at_tool(setting, felt, rows)]
    drift = negated(times(Symbol("Lambda"), Symbol("J", 1), setting.all(1)))
    shown = [
        brief(f, times(back, tau)),
        brief(f, plus(times(Symbol("Lambda"), x), h)),
        full(h, plus(times(back, plus(c, g)), drift)),
    ]
    words = "In place of the joints' forces, the force at the end-effector that has the same effect."
    if setting.mechanism.has_friction:
        words += " Friction is left out."
    if all(value.terms <= SMALL for value in values):
        shown.append(full(h, setting.column([value.value for value in values])))
    else:
        words += f" Its entries have up to {max(value.terms for value in values)} terms."
    return step("The equations of motion at the end-effector", (words,), tuple(shown), level=Level.FULL)


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
    steps += _towards_singularities(setting, values, again)
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


def _towards_singularities(setting: Setting, values: list[list[Scalar]], again: str) -> list[Section]:
    """Where entries of Lambda grow without bound: a coordinate at zero, and an angle at a half turn too."""
    exact, steps = setting.eq.exact, []
    for name, q, coordinate in zip(exact.coordinates, exact.q, setting.coordinates(), strict=True):
        places: list[tuple[str, Node, Scalar, str]] = [("0", ZERO, 0, "0")]
        if isinstance(q, Turn):
            places = [("0", ZERO, Turn(1, 0), "Turn(1, 0)"), ("pi", Symbol("pi"), Turn(-1, 0), "Turn(-1, 0)")]
        for title, node, place, code in places:
            found = _limit_at(values, {name: place})
            if found is None or all(x is not None for row in found for x in row):
                continue
            cells = [(i, j) for i in range(len(found)) for j in range(i, len(found))]
            entry = {at: Indexed(Symbol("Lambda"), f"{at[0] + 1}{at[1] + 1}") for at in cells}
            unbounded: list[Node] = [entry[i, j] for i, j in cells if found[i][j] is None]
            finite = [
                Shown(Equation((entry[i, j], setting.tree(found[i][j])), "->"))
                for i, j in cells
                if found[i][j] is not None
            ]
            words = [*sentence("As {at}, unbounded: ", at=Equation((coordinate, node), "->")), unbounded[0]]
            words += [part for each in unbounded[1:] for part in (", ", each)]
            words.append(". The others have limits." if finite else ".")
            imports = "from leverarm.scalars import Turn\nfrom leverarm.scalars.exact import substitute\n\n"
            below = f"substitute(getattr(x, 'denominator', 1), {{{name!r}: {code}}})"
            again_here = f"{imports}{again.rpartition(chr(10) * 2)[2]}[[{below} for x in row] for row in felt]"
            steps.append(
                step(f"Towards {name} = {title}", tuple(words), tuple(finite), level=Level.FULL, code=again_here)
            )
    return steps


def _limit_at(values: list[list[Scalar]], place: dict[str, Scalar]) -> list[list[Scalar | None]] | None:
    """The entries at a place, None for those that are unbounded there; None where neither is plain to see."""
    found: list[list[Scalar | None]] = []
    for row in values:
        found.append([])
        for x in row:
            above, below = (substitute(part, place) for part in numerator_and_denominator(x))
            if is_exactly_zero(below) and is_exactly_zero(above):
                return None
            found[-1].append(None if is_exactly_zero(below) else quotient(above, below))
    return found


def _felt_at(arguments: list[Node]) -> Node:
    return Of(Symbol("Lambda"), tuple(arguments))


def _case(title: str, words: Words, left: Node, right: Node, relation: str, code: str) -> Section:
    return step(title, words, (Shown(Equation((left, right), relation)),), level=Level.FULL, code=code)
