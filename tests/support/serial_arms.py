"""Random chains whose neighbouring axes are skew, parallel, intersecting or collinear; the test that two are one."""

from __future__ import annotations

import math
import random

from leverarm import mechanics as me
from leverarm.model import (  # fmt: skip
    Arm,
    Body,
    Frame,
    Friction,
    Joint,
    JointKind,
    Limits,
    MassProperties,
    Motor,
    Placement,
    bind,
)
from leverarm.spatial import Symmetric3, Vec3, point_inertia

RELATIONS = ("skew", "parallel", "antiparallel", "intersecting", "collinear", "square")
DH_KINDS = (JointKind.REVOLUTE, JointKind.CONTINUOUS, JointKind.PRISMATIC)
SCREW_KINDS = (*DH_KINDS, JointKind.HELICAL)


def numbers(rng: random.Random, size: float = 1.0) -> Vec3:
    return Vec3(*(rng.uniform(-size, size) for _ in range(3)))


def step(rng: random.Random, relation: str) -> Placement:
    """The next joint frame in the last; all axes along z."""
    x, d = rng.uniform(0.2, 0.6) * rng.choice((-1, 1)), rng.uniform(-0.5, 0.5)
    yaw, tilt = rng.uniform(-3, 3), rng.choice((-1, 1)) * rng.uniform(0.3, 2.8)
    along_yaw = Vec3(x * math.cos(yaw), x * math.sin(yaw), d)
    return {
        "skew": Placement(numbers(rng), Vec3(tilt, rng.uniform(-0.5, 0.5), yaw)),
        "parallel": Placement(along_yaw, Vec3(0, 0, yaw)),
        "antiparallel": Placement(along_yaw, Vec3(math.pi, 0, yaw)),
        "intersecting": Placement(Vec3(0, 0, d), Vec3(tilt, 0, yaw)),
        "collinear": Placement(Vec3(0, 0, d), Vec3(0, 0, yaw)),
        "square": Placement(Vec3(x, d, 0), Vec3(rng.choice((-1, 1)) * math.pi / 2, 0, math.pi / 2)),
    }[relation]


def body_of(rng: random.Random) -> MassProperties:
    """A body of four point masses and a ball, about its centre of mass or the origin, in turned axes now and then."""
    points = [(numbers(rng, 0.3), rng.uniform(0.2, 2)) for _ in range(4)]
    mass = sum(m for _, m in points)
    com = Vec3(*(sum(getattr(p, axis) * m for p, m in points) / mass for axis in "xyz"))
    tensor = Symmetric3(0.01, 0, 0.02, 0, 0, 0.015)
    for p, m in points:
        tensor = tensor + point_inertia(p - com) * m
    if rng.random() < 0.3:
        return MassProperties(mass, com, tensor + point_inertia(com) * mass, "origin")
    return MassProperties(mass, com, tensor, "com", numbers(rng) if rng.random() < 0.5 else Vec3(0, 0, 0))


def serial_arm(seed: int, kinds: tuple[JointKind, ...] = DH_KINDS, n: int = 6) -> Arm:
    """A chain with full inertias, friction, motors, limits, fixed bodies, any axis directions and a placed base."""
    rng = random.Random(seed)
    names = [f"axis {i}" for i in range(n)]
    bodies, parent = [], "floor"
    for i, name in enumerate(names):
        kind = rng.choice(kinds)
        axis = rng.choice((Vec3(0, 0, 1), Vec3(0, 0, -1), Vec3(0, 0, 1), numbers(rng)))
        friction = Friction(0.3, 0.2, 0.5, 0.0, rng.choice((None, 0.1)), 0.05) if rng.random() < 0.5 else None
        also = ((rng.choice([other for other in names if other != name]), 0.25),) if rng.random() < 0.4 else ()
        joint = Joint(
            name,
            kind,
            step(rng, rng.choice(RELATIONS)),
            axis,
            pitch=rng.uniform(0.01, 0.1) if kind is JointKind.HELICAL else 0,
            limits=Limits(-2.0, 0, None, 50.0),
            friction=friction,
            motor=Motor(1e-3, rng.uniform(-50, 50), also, 2e-4 if also else 0, 1e-3) if rng.random() < 0.6 else None,
            force=f"tau{i}",
        )
        bodies.append(Body(f"arm {i}", parent, joint, body_of(rng)))
        parent = bodies[-1].name
        if rng.random() < 0.3:
            fixed = Joint(f"weld {i}", JointKind.FIXED, Placement(numbers(rng, 0.2), numbers(rng)))
            bodies.append(Body(f"cover {i}", parent, fixed, body_of(rng)))
    frames = (
        Frame("tool", parent, Placement(numbers(rng, 0.3), numbers(rng, 3))),
        Frame("camera", "arm 1", Placement(numbers(rng, 0.3), numbers(rng, 3))),
        Frame("socket", "floor", Placement(numbers(rng, 0.3), numbers(rng, 3))),
    )
    return Arm(
        f"chain {seed}", tuple(bodies), numbers(rng, 9), "floor", Placement(numbers(rng), numbers(rng, 3)), frames,
        title="a chain, 'quoted'",
    )  # fmt: skip


def assert_same_arm(a: Arm, b: Arm, frames: tuple[str, ...] = ("tool",), tolerance: float = 1e-12) -> None:
    """Equal coordinates, poses of frames, M, C, g and tau at three states, relative to the largest entry of each."""
    assert a.coordinates == b.coordinates
    first, second, rng = bind(a), bind(b), random.Random(7)
    for _ in range(3):
        q, qd, qdd = ([rng.uniform(-2, 2) for _ in range(a.dof)] for _ in range(3))
        for name, x, y in zip(
            ("poses", "M", "C", "g", "tau"),
            quantities(first, q, qd, qdd, frames),
            quantities(second, q, qd, qdd, frames),
            strict=False,
        ):
            scale = max(map(abs, x)) or 1
            worst = max(abs(p - r) for p, r in zip(x, y, strict=True))
            assert worst <= tolerance * scale, f"{name} of {a.name!r} differs by {worst / scale:.2e}"


def quantities(m, q, qd, qdd, frames):
    poses = me.forward_kinematics(m, q)
    yield [x for name in frames for row in (*poses[name].rotation.rows(), poses[name].position) for x in row]
    yield [x for row in me.mass_matrix(m, q) for x in row]
    yield [x for row in me.coriolis_matrix(m, q, qd) for x in row]
    yield me.gravity_forces(m, q)
    yield me.inverse_dynamics(m, q, qd, qdd)
