"""Newton-Euler in screw form: everything from the home pose.

Lynch and Park 2017, Modern Robotics, section 8.3. Constants: M_{0,i} the home pose of link i, A_i its joint's screw in
the link, S_i = Ad(M_{0,i}) A_i the same screw in the world at home, M_{i,i-1} = M_{0,i}^-1 M_{0,i-1}, G_i the link's
inertia. A route of its own: bodies move by the exponentials of their screws from the home poses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from leverarm.model import Mechanism
from leverarm.scalars import Scalar, as_length, cos_sin, is_zero
from leverarm.spatial import (
    AT_REST,
    HERE,
    IDENTITY,
    NO_FORCE,
    ORIGIN,
    Force,
    Inertia,
    Motion,
    Pose,
    Vec3,
    rotation_about,
)


@dataclass(frozen=True, slots=True)
class ScrewLink:
    """The constants of one link: parent, A_i, M_{i,parent}, G_i."""

    parent: int
    A: Motion
    M_from_parent: Pose
    G: Inertia


@dataclass(frozen=True, slots=True)
class ScrewChain:
    """Home poses M_{0,i}, space screws S_i, and the constants that follow."""

    home: tuple[Pose, ...]
    screws: tuple[Motion, ...]
    links: tuple[ScrewLink, ...]


def home_pose(arm: Mechanism) -> list[Pose]:
    """M_{0,i}: every link's pose in the world with all joints at zero; the world last."""
    poses = [HERE] * (len(arm.links) + 1)
    for i, link in enumerate(arm.links):
        poses[i] = poses[link.parent] * link.placement
    return poses


def screw_chain(arm: Mechanism) -> ScrewChain:
    """The constants of the screw form. Ring, O(n)."""
    home = home_pose(arm)
    screws = [home[i].motion_into_parent(link.S) for i, link in enumerate(arm.links)]
    links = []
    for i, link in enumerate(arm.links):
        links.append(ScrewLink(link.parent, link.S, home[i].inverse() * home[link.parent], link.inertia))
    return ScrewChain(tuple(home), tuple(screws), tuple(links))


def exponential(A: Motion, theta: Scalar) -> Pose:
    """e^[A] theta for a screw with a unit angular part, or with none (structural zeros).

    Position: theta (w.v) w + sin (v - (w.v) w) + (1 - cos) w x v; without rotation, theta v. Ring.
    """
    if all(is_zero(part) for part in A.angular):
        return Pose(IDENTITY, A.linear * as_length(theta))
    c, s = cos_sin(theta)
    w, v = A.angular, A.linear
    along = w * (w @ v)
    return Pose(rotation_about(w, c, s), along * as_length(theta) + (v - along) * s + w.cross(v) * (1 - c))


@dataclass(frozen=True, slots=True)
class ScrewRecursion:
    """What the algorithm finds on its way out and back, link by link; each in its own link's coordinates.

    T_{i,parent}, twists V_i and accelerations V_dot_i (gravity included), `net` G_i V_dot_i - ad(V_i)^T G_i V_i,
    wrenches F_i, and `tau` F_i^T A_i, the force of each joint.
    """

    chain: ScrewChain
    T: tuple[Pose, ...]
    V: tuple[Motion, ...]
    V_dot: tuple[Motion, ...]
    net: tuple[Force, ...]
    F: tuple[Force, ...]
    tau: tuple[Scalar, ...]


def screw_recursion(
    arm: Mechanism,
    q: Sequence[Scalar],
    qd: Sequence[Scalar],
    qdd: Sequence[Scalar],
    tip: tuple[str, Force] | None = None,
    gravity: Vec3 | None = None,
) -> ScrewRecursion:
    """Equations 8.50-8.54 of Modern Robotics with all that they compute on the way. Ring, O(n).

    `tip` is F_{n+1}: the name of a frame and the wrench the arm applies to its surroundings there, in that frame's own
    coordinates (the opposite of an outside wrench on the arm). `gravity` replaces the arm's own.
    """
    chain = screw_chain(arm)
    x, xd, xdd = arm.joint_values(q), arm.joint_values(qd), arm.joint_values(qdd)
    n = len(chain.links)
    T = [HERE] * n  # T_{i,parent}
    V = [AT_REST] * (n + 1)
    V_dot = [Motion(ORIGIN, -(arm.gravity if gravity is None else gravity))] * (n + 1)
    for i, link in enumerate(chain.links):
        T[i] = exponential(link.A, -x[i]) * link.M_from_parent
        V[i] = T[i].motion_into_parent(V[link.parent]) + link.A * xd[i]
        V_dot[i] = T[i].motion_into_parent(V_dot[link.parent]) + link.A * xdd[i] + V[i].cross(link.A * xd[i])
    net = [link.G @ V_dot[i] + V[i].cross_force(link.G @ V[i]) for i, link in enumerate(chain.links)]
    F = [*net, NO_FORCE]
    if tip is not None:
        at = arm.attachments[tip[0]]
        F[at.link] = F[at.link] + at.pose.force_into_parent(tip[1])  # Ad(T_{n+1,n})^T F_{n+1}
    tau: list[Scalar] = [0] * n
    for i in reversed(range(n)):
        link = chain.links[i]
        tau[i] = link.A @ F[i]
        F[link.parent] = F[link.parent] + T[i].inverse().force_into_parent(F[i])  # Ad(T_{i,parent})^T F_i
    return ScrewRecursion(chain, tuple(T), tuple(V[:n]), tuple(V_dot[:n]), tuple(net), tuple(F[:n]), tuple(tau))


def screw_inverse_dynamics(
    arm: Mechanism,
    q: Sequence[Scalar],
    qd: Sequence[Scalar],
    qdd: Sequence[Scalar],
    tip: tuple[str, Force] | None = None,
    gravity: Vec3 | None = None,
) -> list[Scalar]:
    """The rigid-body forces for a motion, by equations 8.50-8.54 of Modern Robotics.

    `tip` and `gravity` as in `screw_recursion`. Rotors and friction are not part of it. Ring, O(n).
    """
    return arm.generalised_forces(screw_recursion(arm, q, qd, qdd, tip, gravity).tau)
