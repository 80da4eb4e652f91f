"""The chapters of the Euler-Lagrange route, in order."""

from __future__ import annotations

from leverarm.derivation.chapters.agreement import agreement
from leverarm.derivation.chapters.arm import the_arm
from leverarm.derivation.chapters.endpoint import endpoint
from leverarm.derivation.chapters.losses import losses
from leverarm.derivation.chapters.parameters import parameters
from leverarm.derivation.chapters.properties import properties
from leverarm.derivation.chapters.robot_equation import robot_equation
from leverarm.derivation.chapters.structure import structure
from leverarm.derivation.document import Part
from leverarm.derivation.lagrange.energies import energies
from leverarm.derivation.lagrange.euler_lagrange import euler_lagrange, principle
from leverarm.derivation.lagrange.kinematics import kinematics
from leverarm.derivation.setting import LARGE, Setting


def lagrange(setting: Setting) -> tuple[Part, ...]:
    """Positions, energies, Lagrange's equation, the robot equation, its properties, and the proof."""
    proof = agreement(setting, "Lagrange", setting.eq.euler_lagrange.values)
    if setting.dof >= LARGE:
        large = (the_arm(setting), principle(setting), *structure(setting), parameters(setting), losses(setting), proof)
        return tuple(part for part in large if part is not None)
    parts = [
        the_arm(setting),
        kinematics(setting),
        energies(setting),
        euler_lagrange(setting),
        robot_equation(setting),
        losses(setting),
        properties(setting),
        parameters(setting),
        endpoint(setting),
        proof,
    ]
    return tuple(part for part in parts if part is not None)
