"""The arms of the comparison: rigid, without motors and friction, which most rivals do not have."""

from __future__ import annotations

import random
from dataclasses import replace
from math import pi

import leverarm as la

TITLES = {"elbow": "planar 2R", "ur5": "UR5", "panda": "Panda", "tree30": "30-joint tree"}

LIMITS = la.Limits(lower=-10.0, upper=10.0, velocity=10.0, effort=1000.0)
"""Without limits, a URDF joint is continuous, and Pinocchio takes the sine and cosine of its angle for coordinates."""


def arm_named(name: str) -> la.Arm:
    """An arm of the comparison."""
    if name == "tree30":
        return tree()
    arm = la.load(name)
    bodies = tuple(
        replace(b, joint=replace(b.joint, motor=None, friction=None, limits=LIMITS)) for b in arm.bodies
    )  # fmt: skip
    if name == "elbow":  # MuJoCo refuses point masses
        bodies = tuple(replace(b, mass_properties=_round(b.mass_properties)) for b in bodies)
    return replace(arm, bodies=bodies)


def tree(limbs: int = 4, limb_joints: int = 7, trunk_joints: int = 2) -> la.Arm:
    """A trunk with limbs: quarter turns between the axes, offsets along all of them, every link a full inertia.

    Depth first and named in order, so that all rivals number the joints alike.
    """
    rng = random.Random(30)
    bodies: list[la.Body] = []

    def add(parent: str) -> str:
        k = len(bodies)
        xyz = la.types.Vec3(*(rng.uniform(-0.2, 0.2) for _ in range(3)))
        rpy = la.types.Vec3((pi / 2, -pi / 2, 0)[k % 3], (0, 0, pi / 2)[k % 3], 0)
        joint = la.Joint(
            f"j{k:02}", la.JointKind.REVOLUTE, la.Placement(xyz, rpy), la.types.Vec3(0, 0, 1), limits=LIMITS
        )
        bodies.append(la.Body(f"b{k:02}", parent, joint, _full(rng)))
        return bodies[-1].name

    def chain(parent: str, joints: int) -> str:
        for _ in range(joints):
            parent = add(parent)
        return parent

    chest = chain("base", trunk_joints)
    for _ in range(limbs):
        chain(chest, limb_joints)
    return la.Arm("tree30", tuple(bodies))


def _round(point: la.MassProperties) -> la.MassProperties:
    """A ball about the point: the same moment about every axis."""
    return replace(point, inertia=la.types.Symmetric3(xx=0.01, xy=0, yy=0.01, xz=0, yz=0, zz=0.01))


def _full(rng: random.Random) -> la.MassProperties:
    """Six masses in general position: all ten numbers differ from zero, and there is a body that has them."""
    points = [(rng.uniform(0.1, 1.0), [rng.uniform(-0.15, 0.15) for _ in range(3)]) for _ in range(6)]
    mass = sum(m for m, _ in points)
    com = [sum(m * p[axis] for m, p in points) / mass for axis in range(3)]
    second = [
        [sum(m * (p[i] - com[i]) * (p[j] - com[j]) for m, p in points) for j in range(3)] for i in range(3)
    ]  # fmt: skip
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = second
    return la.MassProperties(
        mass,
        la.types.Vec3(*com),
        la.types.Symmetric3(xx=yy + zz, xy=-xy, yy=xx + zz, xz=-xz, yz=-yz, zz=xx + yy),
        "com",
    )
