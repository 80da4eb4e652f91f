"""M, c and g from the Newton-Euler algorithm: one run for each column of M, one for c, one for g.

Each is compared with the same quantity from the kinetic energy K and the potential energy P alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.closed_form import Equations
from leverarm.derivation.formulas import K, M, P, a_g, brief, c, every_line, full, g, plus, times
from leverarm.derivation.newton_euler.screw_symbols import of_link, six
from leverarm.derivation.setting import LARGE, TIP_JACOBIAN, Setting, defined
from leverarm.derivation.steps import chapter, step
from leverarm.documents.document import Level, Section, Words, sentence
from leverarm.mechanics.kinematics import still
from leverarm.mechanics.matrices import apply, transposed
from leverarm.mechanics.rotors import rotor_forces
from leverarm.mechanics.screw_form import ScrewRecursion, screw_recursion
from leverarm.mechanics.springs import plus_springs
from leverarm.notation.tree import ZERO, Indexed, Node, Of, PartialDerivative, Symbol
from leverarm.scalars import Scalar
from leverarm.scalars.exact import is_exactly_zero, partial, substitute
from leverarm.spatial import ORIGIN, Vec3


def mass_matrix_of(eq: Equations) -> list[list[Scalar]]:
    """M_ij = d/dqd_i dK/dqd_j."""
    names = eq.exact.coordinates
    momenta = [partial(eq.K.value, f"{name}.d") for name in names]
    return [[partial(momentum, f"{name}.d") for momentum in momenta] for name in names]


def coriolis_torques_of(eq: Equations) -> list[Scalar]:
    """c: the left side of Lagrange's equations at zero acceleration, less dP/dq."""
    without = {f"{name}.dd": 0 for name in eq.exact.coordinates}
    moving = [substitute(x, without) for x in eq.euler_lagrange.values]
    return [a - b for a, b in zip(moving, gravity_of(eq), strict=True)]


def gravity_of(eq: Equations) -> list[Scalar]:
    """g = dP/dq."""
    return [partial(eq.P.value, name) for name in eq.exact.coordinates]


Vector = list[Scalar]


def tip_jacobian(setting: Setting) -> list[Vector]:
    """J_b: the Jacobian of the tool, 6 x n, in the tool's own axes."""
    back = transposed(setting.eq.rotation().values)
    J = setting.eq.jacobian().values
    columns = [[*apply(back, column[:3]), *apply(back, column[3:])] for column in transposed(J)]
    return transposed(columns)


def pushed(setting: Setting) -> Vector:
    """J_b^T F_{n+1}: what the wrench at the tip takes of the generalised forces; zeros where the tip is free."""
    if setting.tip == "free":
        return [0] * setting.dof
    return apply(transposed(tip_jacobian(setting)), setting.eq.wrench.values)


def reading_off(setting: Setting) -> Section:
    """Column j of M from the acceleration e_j; c from the velocities alone; g from gravity alone."""
    columns = [_all_columns(setting)] if setting.dof >= LARGE else [_one_column(setting, j) for j in range(setting.dof)]
    return chapter(
        "M, c and g from the recursion",
        (_question(setting), *columns, _velocity(setting), _gravity(setting), *_at_tip(setting)),
    )


def mass_matrix_read_off(setting: Setting) -> list[Vector]:
    """M, column by column, by the screw form at rest and without gravity, with the rotors added."""
    return transposed([_column(setting, j)[1] for j in range(setting.dof)])


def coriolis_torques_read_off(setting: Setting) -> Vector:
    """c: the screw form without accelerations and without gravity."""
    return _forces(setting, _run(setting, setting.eq.exact.qd, still(setting.mechanism), ORIGIN))


def gravity_read_off(setting: Setting) -> Vector:
    """g: the screw form at rest, with the springs added."""
    zero = still(setting.mechanism)
    held = _forces(setting, _run(setting, zero, zero, setting.mechanism.gravity))
    return plus_springs(setting.mechanism, setting.eq.exact.q, held)


def _run(setting: Setting, qd: Sequence[Scalar], qdd: Sequence[Scalar], gravity: Vec3) -> ScrewRecursion:
    exact = setting.eq.exact
    return screw_recursion(exact.mechanism, exact.q, qd, qdd, gravity=gravity)


def _forces(setting: Setting, run: ScrewRecursion) -> Vector:
    return setting.mechanism.generalised_forces(run.tau)


def _unit(setting: Setting, j: int) -> Vector:
    return [1 if k == j else 0 for k in range(setting.dof)]


def _column(setting: Setting, j: int) -> tuple[ScrewRecursion, Vector]:
    unit = _unit(setting, j)
    run = _run(setting, still(setting.mechanism), unit, ORIGIN)
    rotors = rotor_forces(setting.mechanism, unit)
    return run, [a + b for a, b in zip(_forces(setting, run), rotors, strict=True)]


def _tau(setting: Setting, qd: Node, qdd: Node, gravity: Node) -> Node:
    return Of(Symbol("tau"), (setting.all(), qd, qdd, gravity))


def _column_name(j: int | str) -> Node:
    """M e_j: column j of the mass matrix, j counted from 1."""
    return times(M, of_link("e", j))


def _question(setting: Setting) -> Section:
    qd, qdd, unit = setting.all(1), setting.all(2), Indexed(Symbol("e"), "j")
    columns = "*(tau(still, unit, ORIGIN) for unit in units)"
    weight, at_rest = _weight(setting)
    start = "Friction apart, the algorithm" if setting.mechanism.has_friction else "The algorithm"
    parts = weight if setting.dof >= LARGE else f"{columns}, tau(qd, still, ORIGIN), {weight}"
    return step(
        "Further runs of the algorithm",
        sentence(
            f"{start} is a function {{tau}} of position, velocity, acceleration and gravity. With some of its "
            "arguments set to zero, it returns one part of the equations of motion at a time. {column} is column {j} "
            "of the mass matrix; {unit} is unit acceleration of coordinate {j} alone. Each part is compared with the "
            "one that follows from the kinetic energy {K} and the potential energy {P}.",
            tau=_tau(setting, qd, qdd, a_g), column=_column_name("j"), j=Symbol("j"), unit=unit, K=K, P=P,
        ),
        (
            brief(_column_name("j"), _tau(setting, ZERO, unit, ZERO)),
            brief(c, _tau(setting, qd, ZERO, ZERO)),
            brief(g, at_rest),
        ),
        code=f"from leverarm.spatial import ORIGIN\n\ntogether(eq, {parts})",
    )  # fmt: skip


def _weight(setting: Setting) -> tuple[str, Node]:
    """g as Python and as a formula: a run at rest, and the springs, which are not part of the algorithm."""
    run, formula = "tau(still, still, mechanism.gravity)", _tau(setting, ZERO, ZERO, a_g)
    if not setting.springs:
        return run, formula
    return f"la.mechanics.plus_springs(mechanism, q, {run})", plus(formula, Symbol("tau_s"))


def _all_columns(setting: Setting) -> Section:
    """For arms whose columns would fill pages: only the result of the comparison."""
    words, proven = _compared(
        sentence("the second derivatives of {K} with respect to the velocities", K=K),
        mass_matrix_read_off(setting),
        mass_matrix_of(setting.eq),
    )
    return step(
        "The mass matrix",
        ("At rest and without gravity, one unit acceleration at a time.", *words),
        level=Level.FULL,
        code="from leverarm.derivation.newton_euler.reading_off import mass_matrix_of\n\n"
        "[tau(still, unit, ORIGIN) for unit in units] == mass_matrix_of(eq)",
        proven=proven,
    )


def _one_column(setting: Setting, j: int) -> Section:
    run, values = _column(setting, j)
    outward = [every_line(of_link("V", link.number, 1), six(setting, run.V_dot[link.i])) for link in setting.links]
    inward = [every_line(of_link("F", link.number), six(setting, run.F[link.i])) for link in reversed(setting.links)]
    momentum = PartialDerivative(K, setting.coordinates(1)[j])
    words, proven = _compared(
        sentence("the derivatives of {p} with respect to the velocities", p=momentum),
        [values],
        [[row[j] for row in mass_matrix_of(setting.eq)]],
    )
    speed = f"{setting.eq.exact.coordinates[j]}.d"
    return step(
        f"Column {j + 1} of the mass matrix",
        ("At rest and without gravity, with unit acceleration of ", setting.coordinates()[j], " alone.", *words),
        (
            *outward,
            *inward,
            *defined(
                setting, _column_name(j + 1), _tau(setting, ZERO, of_link("e", j + 1), ZERO), setting.column(values)
            ),
        ),
        level=Level.FULL,
        code=f"column = eq.formulas(tau(still, units[{j}], ORIGIN))\n"
        f"momentum = eq.K.diff({speed!r})\n"
        'assert list(column) == [momentum.diff(f"{name}.d") for name in eq.exact.coordinates]\n'
        "column",
        proven=proven,
    )


def _velocity(setting: Setting) -> Section:
    values, velocity = coriolis_torques_read_off(setting), _tau(setting, setting.all(1), ZERO, ZERO)
    slope = PartialDerivative(P, setting.all())
    words, proven = _compared(
        sentence("Lagrange's equations at zero joint acceleration, less {slope}", slope=slope),
        [values],
        [coriolis_torques_of(setting.eq)],
    )
    return step(
        "Coriolis and centrifugal terms",
        ("At zero joint acceleration and without gravity.", *words),
        () if setting.dof >= LARGE else tuple(defined(setting, c, velocity, setting.column(values))),
        level=Level.FULL,
        code=_checked(setting, "tau(qd, still, ORIGIN)", "coriolis_torques_of"),
        proven=proven,
    )


def _gravity(setting: Setting) -> Section:
    values = gravity_read_off(setting)
    words, proven = _compared((PartialDerivative(P, setting.all()),), [values], [gravity_of(setting.eq)])
    run, at_rest = _weight(setting)
    title, how = (
        ("Gravity and springs", "At rest, with the springs added.") if setting.springs else ("Gravity", "At rest.")
    )
    return step(
        title,
        (how, *words),
        () if setting.dof >= LARGE else tuple(defined(setting, g, at_rest, setting.column(values))),
        level=Level.FULL,
        code=_checked(setting, run, "gravity_of"),
        proven=proven,
    )


def _at_tip(setting: Setting) -> tuple[Section, ...]:
    """J_b^T F_{n+1}: the screw form at rest and without gravity, with the wrench at the tip alone."""
    if setting.tip == "free":
        return ()
    arm, zero = setting.mechanism, still(setting.mechanism)
    run = screw_recursion(arm, setting.eq.exact.q, zero, zero, setting.tip_wrench, ORIGIN)
    (product,) = setting.pushed
    words, proven = _compared((product,), [_forces(setting, run)], [pushed(setting)])
    jacobian = brief(TIP_JACOBIAN, setting.matrix(tip_jacobian(setting)))
    values = full(product, setting.column(pushed(setting)))
    found = step(
        "The wrench at the tip",
        sentence(
            "At rest and without gravity, only {F} is left. {J} is the Jacobian of the tip, in the tip's own frame.",
            F=of_link("F", len(setting.links) + 1), J=TIP_JACOBIAN,
        ) + words,
        () if setting.dof >= LARGE else (jacobian, values),
        code="from leverarm.spatial import ORIGIN\n\n"
        "pushed = la.mechanics.screw_inverse_dynamics(mechanism, q, still, still, tip, ORIGIN)\n"
        "eq.formulas(pushed)",
        proven=proven,
    )  # fmt: skip
    return (found,)


def _checked(setting: Setting, run: str, from_energies: str) -> str:
    """Python that compares a run with the energies, and shows it where it is short enough."""
    imported = f"from leverarm.derivation.newton_euler.reading_off import {from_energies}\n\n"
    if setting.dof >= LARGE:
        return f"{imported}{run} == {from_energies}(eq)"
    return f"{imported}forces = {run}\nassert forces == {from_energies}(eq)\neq.formulas(forces)"


def _compared(
    energies: Words, own: Sequence[Sequence[Scalar]], other: Sequence[Sequence[Scalar]]
) -> tuple[Words, Words]:
    """The verdict on a comparison with the same quantity from the energies: a warning, or what is proven."""
    pairs = zip(own, other, strict=True)
    if any(not is_exactly_zero(a - b) for mine, theirs in pairs for a, b in zip(mine, theirs, strict=True)):
        return (" It does NOT agree with ", *energies, "."), ()
    return (), ("Compared with ", *energies, ": the difference is identically zero.")
