"""Where the bodies are and how they move: the outward pass on which everything else is built."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from leverarm.model import Mechanism
from leverarm.scalars import Scalar
from leverarm.spatial import AT_REST, HERE, ORIGIN, Motion, Pose, Vec3


@dataclass(frozen=True, slots=True)
class LinkMotion:
    """A link's pose in its parent, its velocity and acceleration, in its own coordinates."""

    parent_from_link: Pose
    v: Motion
    a: Motion


def outward_motion(
    arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar], qdd: Sequence[Scalar], gravity: Vec3 | None = None
) -> list[LinkMotion]:
    """Velocity and acceleration of every link, base to tips; the world comes last and accelerates by -gravity.

    v_i = X v_parent + S qd,  a_i = X a_parent + S qdd + v_i x S qd (Featherstone 2008, Table 5.1, lines 1-7). Adding
    -gravity to the world's acceleration makes every body's weight part of its acceleration. `gravity` replaces the
    arm's own. Link coordinates, spatial accelerations. Cost O(n). Ring.
    """
    g = arm.gravity if gravity is None else gravity
    world = LinkMotion(HERE, AT_REST, Motion(ORIGIN, -g))
    motion: list[LinkMotion] = [world] * (len(arm.links) + 1)
    x, xd, xdd = arm.joint_values(q), arm.joint_values(qd), arm.joint_values(qdd)
    for i, link in enumerate(arm.links):
        X, S = link.pose(x[i]), link.S
        parent = motion[link.parent]
        v_joint = S * xd[i]
        v = X.motion_into_child(parent.v) + v_joint
        a = X.motion_into_child(parent.a) + S * xdd[i] + v.cross(v_joint)
        motion[i] = LinkMotion(X, v, a)
    return motion


def still(arm: Mechanism) -> list[Scalar]:
    """Structural zeros for velocities or accelerations that are not there."""
    return [0] * arm.dof


def world_from_links(arm: Mechanism, q: Sequence[Scalar]) -> list[Pose]:
    """The pose of every link in the world; the world itself comes last. Ring, O(n)."""
    poses = [HERE] * (len(arm.links) + 1)
    for i, (link, x) in enumerate(zip(arm.links, arm.joint_values(q), strict=True)):
        poses[i] = poses[link.parent] * link.pose(x)
    return poses


def forward_kinematics(arm: Mechanism, q: Sequence[Scalar]) -> dict[str, Pose]:
    """The pose in the world of the base, of every body and of every named frame: world_from_frame. Ring, O(n)."""
    poses = world_from_links(arm, q)
    return {name: poses[at.link] * at.pose for name, at in arm.attachments.items()}


def ancestors(arm: Mechanism, link: int) -> list[int]:
    """The link itself and the links that carry it, towards the base."""
    path = []
    while link >= 0:
        path.append(link)
        link = arm.links[link].parent
    return path


def angular_velocities(arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar]) -> list[Vec3]:
    """Angular velocity of every link in world axes, added up along the chain (the world last).

    w_n = w_1 + R_1 w_2^1 + ... + R_{n-1} w_n^{n-1}: each joint adds its own rate about its axis, turned into the
    world. The rotation then changes by Rdot = S(w) R. Ring, O(n).
    """
    poses, rates = world_from_links(arm, q), arm.joint_values(qd)
    omega = [ORIGIN] * (len(arm.links) + 1)
    for i, link in enumerate(arm.links):
        omega[i] = omega[link.parent] + poses[i].rotation @ (link.S.angular * rates[i])
    return omega
