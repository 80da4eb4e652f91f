"""Arms whose joints follow each other, are locked or share motors."""

from __future__ import annotations

import leverarm as la
from leverarm.model import Body, Friction, Joint, JointKind, MassProperties, Motor, Placement, lock
from leverarm.spatial import Symmetric3, Vec3
from tests.support.made_logs import with_motor


def body(size: float) -> MassProperties:
    return MassProperties(2 * size, Vec3(0.15 * size, 0.02, 0.03), Symmetric3(0.02, 0.001, 0.03, 0.002, 0.001, 0.025))


def mimic_arm(follower_first: bool) -> la.Arm:
    """A joint with friction that follows another one by -2, a locked joint with a motor, and one more joint."""
    lead = Joint("lead", JointKind.REVOLUTE, Placement(Vec3(0.1, 0, 0)), Vec3(0, 1, 0))
    follow = Joint(
        "follow", JointKind.REVOLUTE, Placement(Vec3(0.3, 0, 0)), Vec3(0, 1, 0),
        coupling=(("lead", -2),), offset=0.3, friction=Friction(0.1, 0.2),
    )  # fmt: skip
    locked = Joint(
        "locked", JointKind.REVOLUTE, Placement(Vec3(0.2, 0, 0.1)), Vec3(1, 0, 0),
        locked=0.4, friction=Friction(0.1, 0.1), motor=Motor(0.1, 5),
    )  # fmt: skip
    end = Joint("end", JointKind.REVOLUTE, Placement(Vec3(0.2, 0, 0.1)), Vec3(0, 0, 1))
    first = Body("l", "base", lead, body(1.0))
    second = Body("f", "base" if follower_first else "l", follow, body(0.7))
    rest = Body("k", "f", locked, body(0.5)), Body("e", "k", end, body(0.4))
    return la.Arm("mimic", ((second, first) if follower_first else (first, second)) + rest)


ARMS = {
    "rr": lambda: la.load("rr"),
    "scara": lambda: la.load("scara"),
    "stanford": lambda: la.load("stanford"),
    "follower last": lambda: mimic_arm(follower_first=False),
    "follower first": lambda: mimic_arm(follower_first=True),
    "locked": lambda: lock(la.load("scara"), {la.load("scara").joint_names[1]: 0.5}),
    "coupled wrist": lambda: with_motor(la.load("planar3r"), "q3", inertia=0, gear=-30, also=(("q2", 15.0),)),
    "wrist of three": lambda: with_motor(
        la.load("planar3r"), "q3", inertia=0, gear=-30, also=(("q2", 15.0), ("q1", 7.5))
    ),
}
