"""Random trees with full inertias and every joint kind: the arms on which identities are tested.

Geometry is rational (angles with rational half-angle tangents, exact unit axes), so the same arm runs over floats and over
exact numbers.
"""

from __future__ import annotations

import math
import random
from fractions import Fraction

from leverarm.model import Arm, Body, Frame, Friction, Joint, JointKind, MassProperties, Motor, Placement  # fmt: skip
from leverarm.scalars import Turn
from leverarm.spatial import Symmetric3, Vec3

KINDS = (JointKind.REVOLUTE, JointKind.CONTINUOUS, JointKind.PRISMATIC, JointKind.HELICAL)
UNIT_AXES = [
    (0, 0, 1), (0, 1, 0), (1, 0, 0), (0, 0, -1),
    (Fraction(2, 3), Fraction(1, 3), Fraction(2, 3)), (Fraction(3, 5), 0, Fraction(-4, 5)), (Fraction(-2, 7), Fraction(3, 7), Fraction(6, 7)),
]  # fmt: skip


def rational(rng: random.Random, lowest: int = -4, highest: int = 4, over: int = 4) -> Fraction:
    return Fraction(rng.randint(lowest * over, highest * over), over)


def vector(rng: random.Random, size: int = 1) -> Vec3:
    return Vec3(*(rational(rng, -size, size) for _ in range(3)))


def angles(rng: random.Random) -> Vec3:
    """Roll, pitch, yaw: quarter turns and others."""
    choices = (0.0, math.pi / 2, -math.pi / 2, math.pi, 0.3, -1.1, 2 * math.atan(0.5), 2 * math.atan(1 / 3))
    return Vec3(*(rng.choice(choices) for _ in range(3)))


def mass_properties(rng: random.Random) -> MassProperties:
    """A physical body: a few point masses in general position."""
    points = [(vector(rng), rational(rng, 1, 3)) for _ in range(4)]
    mass = sum(m for _, m in points)
    com = Vec3(*(sum(getattr(p, axis) * m for p, m in points) / mass for axis in "xyz"))
    second = Symmetric3(Fraction(1, 5), 0, Fraction(1, 7), 0, 0, Fraction(1, 6))  # keeps it positive definite
    for p, m in points:
        d = p - com
        second = second + Symmetric3(
            d.y * d.y + d.z * d.z, -(d.x * d.y), d.x * d.x + d.z * d.z, -(d.x * d.z), -(d.y * d.z), d.x * d.x + d.y * d.y
        ) * m  # fmt: skip
    return MassProperties(mass, com, second, "com")


def random_arm(seed: int, joints: int | None = None, kinds: tuple[JointKind, ...] = KINDS, serial: bool = False) -> Arm:
    """A tree of 2 to 12 joints, with friction, rotors and a coupled joint now and then, on a placed base."""
    rng = random.Random(seed)
    n = joints or rng.randint(2, 12)
    bodies: list[Body] = []
    for i in range(n):
        parents = ["base", *(b.name for b in bodies)]
        parent = parents[-1] if serial or rng.random() < 0.6 else rng.choice(parents)
        kind = rng.choice(kinds)
        free = [b.joint.name for b in bodies if b.joint.coupling is None and not b.joint.is_fixed]
        leader = rng.choice(free) if free and rng.random() < 0.15 else None
        joint = Joint(
            f"j{i}",
            kind,
            Placement(vector(rng), angles(rng)),
            Vec3(*rng.choice(UNIT_AXES)),
            pitch=rational(rng, -1, 1) if kind is JointKind.HELICAL else 0,
            friction=_friction(rng),
            motor=_motor(rng, [b.joint.name for b in bodies]),
            coupling=None if leader is None else ((leader, rng.choice((1, -1, 2, -2))),),
            offset=0 if leader is None else rng.choice((0, math.pi / 2, 0.25)),
        )
        bodies.append(Body(f"b{i}", parent, joint, mass_properties(rng)))
        if rng.random() < 0.15:
            fixed = Joint(f"f{i}", JointKind.FIXED, Placement(vector(rng), angles(rng)))
            bodies.append(Body(f"w{i}", f"b{i}", fixed, mass_properties(rng)))
    return Arm(
        f"tree{seed}",
        tuple(bodies),
        gravity=Vec3(rational(rng), rational(rng), Fraction(-981, 100)),
        base_placement=Placement(vector(rng), angles(rng)),
        named_frames=(Frame("tool", bodies[-1].name, Placement(vector(rng), angles(rng))),),
    )


def _friction(rng: random.Random) -> Friction | None:
    if rng.random() < 0.6:
        return None
    if rng.random() < 0.5:
        return Friction(Fraction(1, 3), Fraction(2, 5), offset=Fraction(1, 9))
    return Friction(Fraction(1, 3), Fraction(2, 5), Fraction(1, 2), Fraction(3, 5))


def _motor(rng: random.Random, others: list[str]) -> Motor | None:
    if rng.random() < 0.6:
        return None
    also = ((rng.choice(others), Fraction(5)),) if others and rng.random() < 0.3 else ()
    gear = Fraction(rng.choice((-7, 9, 20)))
    if gear == 20 and not also:
        return Motor(Fraction(1, 100), gear)
    return Motor(Fraction(1, 100), gear, also, viscous=Fraction(1, 300), coulomb=Fraction(1, 70))


def exact_state(arm: Arm, seed: int) -> tuple[list, list, list]:
    """q, qd, qdd over the rationals; a coordinate is a Turn where some joint turns by it."""
    rng = random.Random(seed)
    turning = set()
    for body in arm.bodies:
        if body.joint.kind.turns and not body.joint.is_fixed:
            turning.update(
                [body.joint.name] if body.joint.coupling is None else [name for name, _ in body.joint.coupling]
            )
    halves = (Fraction(1, 2), Fraction(-1, 3), Fraction(2), Fraction(3, 4), Fraction(-5))
    q = [
        Turn.from_half_tangent(rng.choice(halves), rational(rng)) if name in turning else rational(rng)
        for name in arm.joint_names
    ]
    return q, [rational(rng) for _ in q], [rational(rng) for _ in q]


def float_state(arm: Arm, seed: int) -> tuple[list[float], list[float], list[float]]:
    rng = random.Random(seed)
    return tuple([rng.uniform(-2, 2) for _ in arm.joint_names] for _ in range(3))  # type: ignore[return-value]
