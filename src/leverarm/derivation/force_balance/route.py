"""The force-balance route: f = m a for point masses, chapter by chapter; for large arms, only the sizes of formulas."""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.derivation.chapters.arm import the_arm
from leverarm.derivation.chapters.equations_of_motion import agreement, losses, matrix_form_alone
from leverarm.derivation.force_balance.accelerations import accelerations
from leverarm.derivation.force_balance.forces import forces_of_joints, forces_on_masses, joint_balance
from leverarm.derivation.force_balance.masses import Mass, forces_by_balance, of, point_masses, share_letter
from leverarm.derivation.formulas import a_g, brief, plus, times
from leverarm.derivation.setting import LARGE, Setting, term_count
from leverarm.derivation.steps import chapter, step
from leverarm.documents.document import Section, Table
from leverarm.notation.tree import Indexed, Symbol, negated
from leverarm.scalars import Scalar

SETUP = """from leverarm.derivation.force_balance import forces_by_balance, point_masses

masses, links = point_masses(eq), eq.exact.mechanism.links
poses = la.mechanics.world_from_links(eq.exact.mechanism, eq.exact.q)[: len(links)]
axes = [pose.rotation @ link.axis for pose, link in zip(poses, links)]
origins = [pose.position for pose in poses]"""
"""What the cells of this route compute with."""


def force_balance(setting: Setting) -> tuple[Section, ...]:
    """Accelerations of the masses, f = m a, moments and forces at the joints, the equations of motion, and the proof.

    Raises InputError for an arm with more than point masses: rotational inertia, or rotors.
    """
    masses, forces = point_masses(setting.eq), forces_by_balance(setting.eq)
    parts: list[Section | None] = [the_arm(setting)]
    if setting.dof < LARGE:
        parts += [accelerations(setting, masses), forces_on_masses(setting, masses), forces_of_joints(setting, masses)]
        parts += [matrix_form_alone(setting)]
    else:
        parts += _structure(setting, masses, forces)
    code = "eq.formulas([a - b for a, b in zip(forces_by_balance(eq), eq.euler_lagrange.values)])"
    parts += [losses(setting), agreement(setting, "force balance", forces, code)]
    return tuple(part for part in parts if part is not None)


def _structure(setting: Setting, masses: list[Mass], forces: Sequence[Scalar]) -> list[Section]:
    """F_i = m_i (a_i - a_g), the balance at the joints, and two tables of sizes."""
    F, m, p = of(share_letter(setting), "i"), of("m", "i"), of("p", "i")
    acceleration = Indexed(Symbol("p", 2), "i")
    law = step(
        "Newton's law",
        ("The arm supplies the force that accelerates a mass, less its weight.",),
        (brief(F, times(m, plus(acceleration, negated(a_g)))),),
        code="together(eq, (masses[0].a - eq.exact.mechanism.gravity) * masses[0].m)",
    )
    rows = tuple((str(mass.number), *map(str, map(term_count, (mass.p, mass.v, mass.a)))) for mass in masses)
    force_rows = tuple((name, str(term_count([x]))) for name, x in zip(setting.forces, forces, strict=True))
    sizes = step(
        "Sizes",
        ("Written out, these formulas fill pages. This is the number of their terms when multiplied out.",),
        (),
        (
            Table(("mass", p, Indexed(Symbol("p", 1), "i"), acceleration), rows, "Number of terms, multiplied out."),
            Table(("force", "terms"), force_rows),
        ),
        code="of_masses = [[eq.formulas(list(x)).terms for x in (mass.p, mass.v, mass.a)] for mass in masses]\n"
        "of_masses, [eq.formula(x).terms for x in forces_by_balance(eq)]",
    )
    return [chapter("Forces on the masses", (law,)), chapter("Joint forces", (joint_balance(setting), sizes))]
