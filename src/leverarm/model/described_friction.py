"""Friction in the description of an arm: whether there is some, and the same arm without."""

from __future__ import annotations

from dataclasses import replace

from leverarm.model.arm import Arm
from leverarm.model.parts import Joint


def has_friction(arm: Arm) -> bool:
    """Whether friction is described for some joint or some motor's shaft, be it of size zero."""
    return any(_rubs(body.joint) for body in arm.bodies)


def without_friction(arm: Arm) -> Arm:
    """The arm with joints and motors that move freely; itself where they do."""
    if not has_friction(arm):
        return arm
    return replace(arm, bodies=tuple(replace(body, joint=_freed(body.joint)) for body in arm.bodies))


def _rubs(joint: Joint) -> bool:
    return joint.friction is not None or (joint.motor is not None and joint.motor.has_friction)


def _freed(joint: Joint) -> Joint:
    motor = joint.motor and replace(joint.motor, viscous=0, coulomb=0)
    return replace(joint, friction=None, motor=motor)
