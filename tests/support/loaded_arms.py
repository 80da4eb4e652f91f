"""Arms whose joints' friction grows with their load."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from leverarm.model import Arm, Friction


def under_load(arm: Arm, k=Fraction(1, 20), **more) -> Arm:
    """The arm with friction of k, 2 k, 3 k, ... times the load in its joints, besides what they have."""
    bodies = []
    for i, body in enumerate(arm.bodies, 1):
        friction = None if body.joint.is_fixed else replace(body.joint.friction or Friction(), load=i * k, **more)
        bodies.append(replace(body, joint=replace(body.joint, friction=friction)))
    return replace(arm, bodies=tuple(bodies))
