"""An arm of two links that lift, with full inertias and limits."""

from __future__ import annotations

from leverarm.model import Arm, Body, Friction, Joint, JointKind, Limits, MassProperties, Placement
from leverarm.spatial import Symmetric3, Vec3

WHOLE = MassProperties(1.5, Vec3(0.3, 0.1, 0.05), Symmetric3(0.02, 0.001, 0.03, 0.002, -0.001, 0.04))


def two_links(**second) -> Arm:
    """A shoulder and an elbow that lift, with full inertias and limits."""
    shoulder = Joint(
        "a", JointKind.REVOLUTE, axis=Vec3(0, 1, 0), limits=Limits(-2, 1, 3, 40), friction=Friction(0.1, 0.2)
    )
    settings = {"limits": Limits(-1, 2.5, 4, 15)} | second
    elbow = Joint("b", JointKind.REVOLUTE, Placement(Vec3(0.7, 0, 0)), Vec3(0, 1, 0), **settings)
    return Arm("lifter", (Body("upper", "base", shoulder, WHOLE), Body("fore", "upper", elbow, WHOLE)))
