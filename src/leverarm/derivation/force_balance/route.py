"""The chapters of the force-balance route, in order.

Large arms of point masses: the formulas in symbols and how many terms each quantity has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from leverarm.derivation.chapters.arm import the_arm
from leverarm.derivation.chapters.equations_of_motion import agreement, losses, robot_equation
from leverarm.derivation.document import Part, Shown, Step, Table
from leverarm.derivation.force_balance.accelerations import accelerations
from leverarm.derivation.force_balance.forces import forces_of_joints, forces_on_masses, joint_balance
from leverarm.derivation.force_balance.masses import GRAVITY, Mass, forces_by_balance, of, point_masses, share_letter
from leverarm.derivation.setting import LARGE, Setting, equation, term_count
from leverarm.notation.tree import Indexed, Product, Sum, Symbol, negated
from leverarm.scalars import Scalar


def structure(setting: Setting, masses: list[Mass], forces: Sequence[Scalar]) -> list[Part]:
    """F_i = m_i (a_i - a_g), the balance at the joints, and two tables of sizes."""
    F, m, p = of(share_letter(setting), "i"), of("m", "i"), of("p", "i")
    acceleration = Indexed(Symbol("p", 2), "i")
    law = Step(
        "Newton's law",
        ("The arm supplies what a mass needs for its acceleration, less its weight.",),
        (Shown(equation(F, Product((m, Sum((acceleration, negated(GRAVITY))))))),),
        code="from leverarm.derivation.force_balance import forces_by_balance, point_masses\n"
        "from leverarm.derivation import together\n\n"
        "masses = point_masses(eq)\n"
        "together(eq, (masses[0].a - eq.exact.mechanism.gravity) * masses[0].m)",
    )
    rows = tuple((str(mass.number), *map(str, map(term_count, (mass.p, mass.v, mass.a)))) for mass in masses)
    sizes = Step(
        "Sizes",
        ("Written out, these formulas fill pages. This is how many terms they have when expanded.",),
        (),
        (
            Table(("mass", p, Indexed(Symbol("p", 1), "i"), acceleration), rows, "Number of terms, expanded."),
            Table(
                ("force", "terms"),
                tuple((name, str(term_count([x]))) for name, x in zip(setting.forces, forces, strict=True)),
            ),
        ),
        code="of_masses = [[eq.formulas(list(x)).terms for x in (mass.p, mass.v, mass.a)] for mass in masses]\n"
        "of_masses, [eq.formula(x).terms for x in forces_by_balance(eq)]",
    )
    return [Part("Forces on the masses", (law,)), Part("Forces of the joints", (joint_balance(setting), sizes))]


def force_balance(setting: Setting) -> tuple[Part, ...]:
    """Accelerations of the masses, f = m a, moments and forces at the joints, the robot equation, and the proof.

    InputError for an arm that has more than point masses: rotational inertias, or rotors.
    """
    masses, forces = point_masses(setting.eq), forces_by_balance(setting.eq)
    parts: list[Part | None] = [the_arm(setting)]
    if setting.dof < LARGE:
        parts += [accelerations(setting, masses), forces_on_masses(setting, masses), forces_of_joints(setting, masses)]
        parts += [_matrix_form(setting)]
    else:
        parts += structure(setting, masses, forces)
    parts += [losses(setting), _proof(setting, forces)]
    return tuple(part for part in parts if part is not None)


def _proof(setting: Setting, forces: Sequence[Scalar]) -> Part:
    """The chapter that all routes end with; its cell compares the forces of this route with Lagrange's."""
    whole = agreement(setting, "force balance", forces)
    code = "eq.formulas([a - b for a, b in zip(forces_by_balance(eq), eq.euler_lagrange.values)])"
    return Part(whole.title, tuple(replace(step, code=code) for step in whole.steps))


def _matrix_form(setting: Setting) -> Part:
    """The robot equation without the Christoffel symbols, which this route does not need."""
    whole = robot_equation(setting)
    return Part(whole.title, whole.steps[:1])
