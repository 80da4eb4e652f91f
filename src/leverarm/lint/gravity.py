"""Gravity that is missing, of an odd size, or pointing somewhere the arm does not seem to expect."""

from __future__ import annotations

import math
from collections.abc import Iterator

from leverarm.lint.finding import Finding
from leverarm.mechanics.screw_form import home_pose
from leverarm.model.arm import Arm
from leverarm.model.mechanism import Mechanism
from leverarm.spatial import Vec3

EARTH = (9.76, 9.84)
"""Gravity on Earth lies between these everywhere [m/s^2]."""
ALIGNED = 1e-3
"""Sine of the angle below which two directions are the same."""
REMEDY = "Gravity is the free-fall acceleration in the world, such as [0, 0, -9.81] for an arm that stands with z up."


def odd_gravity(arm: Arm, mechanism: Mechanism) -> Iterator[Finding]:
    """At most one finding on the size of gravity and one on its direction."""
    g = Vec3(*(float(part) for part in mechanism.gravity))
    size = math.hypot(*g)
    if size == 0:
        yield Finding("warning", "gravity", "gravity is zero, so no torque holds the arm up.", REMEDY)
        return
    if not EARTH[0] <= size <= EARTH[1]:
        yield Finding("warning", "gravity", f"its size is {size:.6g} m/s^2; on Earth it is about 9.81.", REMEDY)
    yield from _direction(g * (1 / size), mechanism)


def _direction(down: Vec3, mechanism: Mechanism) -> Iterator[Finding]:
    largest = max(down, key=abs)
    axes = _joint_axes(mechanism)
    turning = [axis for axis, link in zip(axes, mechanism.links, strict=True) if link.turns]
    all_parallel = all(_parallel(turning[0], axis) for axis in turning)
    only_turn = all(link.turns and link.slide == 0 for link in mechanism.links)
    if 1 - abs(largest) > ALIGNED**2 / 2:
        text = ", ".join(f"{part:.4g}" for part in down)
        yield Finding("note", "gravity", f"it points along ({text}), along no axis of the world.", REMEDY)
    elif largest > 0:
        yield Finding("warning", "gravity", f"it points up, along +{'xyz'[list(down).index(largest)]}.", REMEDY)
    elif all_parallel and only_turn and _parallel(axes[0], down):
        yield Finding(
            "note",
            "gravity",
            "every joint turns about the vertical, so gravity loads none of them.",
            "For an arm in a vertical plane, put gravity into the plane, such as [0, -9.81, 0].",
        )
    elif mechanism.links[0].turns and _parallel(axes[0], Vec3(0, 0, 1)) and down.z == 0 and not all_parallel:
        yield Finding(
            "warning",
            "gravity",
            f"it points along -{'xyz'[list(down).index(largest)]}, but the first joint turns about z as on an arm that "
            "stands with z up.",
            REMEDY + " An arm on a wall is right as it is.",
        )


def _joint_axes(mechanism: Mechanism) -> list[Vec3]:
    """The axis of every joint in the world, with all joints at zero."""
    home = home_pose(mechanism)
    return [home[i].rotation @ link.axis for i, link in enumerate(mechanism.links)]


def _parallel(a: Vec3, b: Vec3) -> bool:
    return math.hypot(*a.cross(b)) < ALIGNED
