"""The chapters of the Newton-Euler route, in order."""

from __future__ import annotations

from leverarm import mechanics as me
from leverarm.derivation.chapters.agreement import agreement
from leverarm.derivation.chapters.arm import the_arm
from leverarm.derivation.chapters.losses import losses
from leverarm.derivation.chapters.robot_equation import robot_equation
from leverarm.derivation.document import Part
from leverarm.derivation.newton_euler.constants import constants
from leverarm.derivation.newton_euler.inward import inward
from leverarm.derivation.newton_euler.outward import outward
from leverarm.derivation.newton_euler.reading_off import reading_off
from leverarm.derivation.newton_euler.structure import structure
from leverarm.derivation.setting import LARGE, Setting
from leverarm.mechanics.screw_form import screw_recursion


def newton_euler(setting: Setting) -> tuple[Part, ...]:
    """Constants, motion outward, wrenches inward, M, c and g read off, the robot equation, and the proof."""
    exact = setting.eq.exact
    run = screw_recursion(exact.mechanism, exact.q, exact.qd, exact.qdd)
    rotors = me.rotor_forces(exact.mechanism, exact.qdd)
    forces = [a + b for a, b in zip(exact.mechanism.generalised_forces(run.tau), rotors, strict=True)]
    parts: list[Part | None] = [the_arm(setting), constants(setting)]
    if setting.dof < LARGE:
        parts += [outward(setting, run), inward(setting, run, forces), reading_off(setting), _matrix_form(setting)]
    else:
        parts += [*structure(setting, run), reading_off(setting)]
    parts += [losses(setting), agreement(setting, "Newton-Euler in screw form", forces)]
    return tuple(part for part in parts if part is not None)


def _matrix_form(setting: Setting) -> Part:
    """The robot equation without the Christoffel symbols, which this route does not need."""
    whole = robot_equation(setting)
    return Part(whole.title, whole.steps[:1])
