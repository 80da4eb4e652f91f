"""What programs other than leverarm do not see of an arm that is written as URDF."""

from __future__ import annotations

from collections.abc import Callable

from leverarm.formats.urdf.extension import format_numbers, has_standard_gravity
from leverarm.model import Arm, Joint, free_joints


def unseen_by_others(arm: Arm) -> tuple[str, ...]:
    """What stands in <leverarm> elements and acts on the motion, in words; empty where URDF has words for all of it."""
    found = []
    if not has_standard_gravity(arm):
        found.append(f"gravity ({format_numbers(arm.gravity, arm.defaults).replace(' ', ', ')}) m/s^2")
    found += _of_joints(arm, "the rotor inertia at", _has_rotor)
    found += _of_joints(arm, "friction on the motor's shaft at", _has_shaft_friction)
    found += _of_joints(arm, "friction that is constant, smooth or differs by direction at", _is_more_than_dynamics)
    if arm.coordinates != free_joints(arm.bodies):
        found.append(f"the order {', '.join(arm.coordinates)} of the coordinates")
    return tuple(found)


def _of_joints(arm: Arm, what: str, has_it: Callable[[Joint], bool]) -> list[str]:
    names = [body.joint.name for body in arm.bodies if has_it(body.joint)]
    return [f"{what} {', '.join(names)}"] if names else []


def _has_rotor(joint: Joint) -> bool:
    return joint.motor is not None and joint.motor.inertia != 0


def _has_shaft_friction(joint: Joint) -> bool:
    return joint.motor is not None and joint.motor.has_friction


def _is_more_than_dynamics(joint: Joint) -> bool:
    """Whether friction goes beyond the damping and the friction of <dynamics>."""
    f = joint.friction
    if f is None or joint.is_fixed:
        return False
    return f.offset != 0 or any(x is not None for x in (f.viscous_negative, f.coulomb_negative, f.smoothing))
