"""The chapters of the force-balance route, in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from leverarm.derivation.chapters.agreement import agreement
from leverarm.derivation.chapters.arm import the_arm
from leverarm.derivation.chapters.losses import losses
from leverarm.derivation.chapters.robot_equation import robot_equation
from leverarm.derivation.document import Part
from leverarm.derivation.force_balance.accelerations import accelerations
from leverarm.derivation.force_balance.balance import forces_by_balance
from leverarm.derivation.force_balance.forces import forces_on_masses
from leverarm.derivation.force_balance.joints import forces_of_joints
from leverarm.derivation.force_balance.masses import point_masses
from leverarm.derivation.force_balance.structure import structure
from leverarm.derivation.setting import LARGE, Setting
from leverarm.scalars import Scalar


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
