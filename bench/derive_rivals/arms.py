"""The arms of the comparison: rigid, every number a symbol, moments about the centre of mass unless said otherwise."""

from __future__ import annotations

from dataclasses import replace
from math import pi

import leverarm as la

PUBLISHED_PUMA = (
    (0, 0, 0),
    (-pi / 2, 0, 0.2435),
    (0, 0.4318, -0.0934),
    (pi / 2, -0.0203, 0.4331),
    (-pi / 2, 0, 0),
    (pi / 2, 0, 0),
)
"""alpha, a, d of the Puma 560 (modified DH) that SymPyBotics published generated code for."""


def arm_named(name: str) -> la.Arm:
    """An arm of the comparison."""
    if name == "puma560-published":
        rows = [{"alpha": alpha, "a": a, "d": d, "mass": 1} for alpha, a, d in PUBLISHED_PUMA]
        return la.symbolic(la.from_dh(rows, convention="modified", gravity=(0, 0, -9.8)), "inertia")
    arm = _rigid(la.load(name))
    return la.symbolic(arm, "inertia", "geometry", "gravity", about="com") if name == "puma560" else arm


def _rigid(arm: la.Arm) -> la.Arm:
    """The arm without motors and friction, which the rivals do not have."""
    bodies = (replace(body, joint=replace(body.joint, motor=None, friction=None)) for body in arm.bodies)
    return replace(arm, bodies=tuple(bodies))
