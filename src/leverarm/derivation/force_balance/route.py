"""The chapters of the force-balance route, in order."""

from __future__ import annotations

from leverarm.derivation.chapters.agreement import agreement
from leverarm.derivation.chapters.arm import the_arm
from leverarm.derivation.chapters.losses import losses
from leverarm.derivation.chapters.robot_equation import robot_equation
from leverarm.derivation.document import Part
from leverarm.derivation.force_balance.accelerations import accelerations
from leverarm.derivation.force_balance.forces import forces_of_joints, forces_on_masses, joint_values
from leverarm.derivation.force_balance.masses import point_masses
from leverarm.derivation.force_balance.structure import structure
from leverarm.derivation.setting import LARGE, Setting


def force_balance(setting: Setting) -> tuple[Part, ...]:
    """Accelerations of the masses, f = m a, moments and forces at the joints, the robot equation, and the proof.

    InputError for an arm that has more than point masses: rotational inertias, or rotors.
    """
    masses = point_masses(setting)
    forces = setting.mechanism.generalised_forces(joint_values(setting, masses))
    parts: list[Part | None] = [the_arm(setting)]
    if setting.dof < LARGE:
        parts += [accelerations(setting, masses), forces_on_masses(setting, masses), forces_of_joints(setting, masses)]
        parts += [_matrix_form(setting)]
    else:
        parts += structure(setting, masses, forces)
    parts += [losses(setting), agreement(setting, "force balance", forces)]
    return tuple(part for part in parts if part is not None)


def _matrix_form(setting: Setting) -> Part:
    """The robot equation without the Christoffel symbols, which this route does not need."""
    whole = robot_equation(setting)
    return Part(whole.title, whole.steps[:1])
