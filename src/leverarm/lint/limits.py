"""Joints whose range, speed or effort is not limited."""

from __future__ import annotations

from collections.abc import Iterator

from leverarm.lint.finding import Finding, listed
from leverarm.model.arm import Arm
from leverarm.model.mechanism import Mechanism
from leverarm.model.parts import JointKind


def missing_limits(arm: Arm, mechanism: Mechanism) -> Iterator[Finding]:
    """One finding for joints without a range (a continuous one needs none), one for joints without speed or effort."""
    free = [body.joint for body in arm.bodies if not body.joint.is_fixed and body.joint.coupling is None]
    without_range = [
        joint.name
        for joint in free
        if joint.kind is not JointKind.CONTINUOUS and None in (joint.limits.lower, joint.limits.upper)
    ]
    if without_range:
        yield Finding(
            "warning",
            listed("joint", without_range),
            "no lower and upper limit of the position.",
            "Give limits = { lower = ..., upper = ... }; if a joint turns without end, call it continuous.",
        )
    without_power = [joint.name for joint in free if None in (joint.limits.velocity, joint.limits.effort)]
    if without_power:
        yield Finding(
            "note",
            listed("joint", without_power),
            "no limit of velocity or effort.",
            "Give limits = { velocity = ..., effort = ... } where they are known.",
        )
