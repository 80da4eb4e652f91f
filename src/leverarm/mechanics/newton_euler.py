"""Inverse dynamics: the forces that a motion needs, by Newton's and Euler's laws, body by body.

Featherstone 2008, Table 5.1. Velocities and accelerations go outward, forces come back inward.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from leverarm.mechanics.dissipation import friction
from leverarm.mechanics.kinematics import ancestors, outward_motion, still
from leverarm.mechanics.matrices import transposed
from leverarm.mechanics.rotors import rotor_forces
from leverarm.mechanics.springs import plus_springs, spring_forces, with_joint_springs
from leverarm.model import Mechanism
from leverarm.scalars import Scalar
from leverarm.spatial import IDENTITY, NO_FORCE, ORIGIN, Force, Pose, Vec3

Wrenches = Mapping[str, Force]
"""Outside forces by frame name: moment and force in world axes, at the frame's origin."""


def inverse_dynamics(
    arm: Mechanism,
    q: Sequence[Scalar],
    qd: Sequence[Scalar],
    qdd: Sequence[Scalar],
    wrenches: Wrenches | None = None,
    disturbance: Sequence[Scalar] | None = None,
) -> list[Scalar]:
    """Generalised forces for a motion: tau = M qdd + C qd + F(qd) + g + tau_d - J^T w [N m or N].

    Rotor inertias are part of M, friction of F, springs of g. Cost O(n). Ring (and `sign` or `tanh` where the arm has
    dry friction).
    """
    load = joint_loads(arm, q, qd, wrenches) if arm.loaded_joints else None
    forces = rigid_body_forces(arm, q, qd, qdd, wrenches=wrenches)
    return with_joint_forces(arm, forces, q, qd, qdd, disturbance, load)


def with_joint_forces(
    arm: Mechanism,
    tau: Sequence[Scalar],
    q: Sequence[Scalar],
    qd: Sequence[Scalar],
    qdd: Sequence[Scalar],
    disturbance: Sequence[Scalar] | None,
    load: Sequence[Scalar] | None,
) -> list[Scalar]:
    """The links' forces tau, and what the joints take besides: rotors, friction, springs, disturbances."""
    terms = [tau, rotor_forces(arm, qdd), friction(arm, qd, load=load), spring_forces(arm, q)]
    if disturbance is not None:
        terms.append(disturbance)
    return [sum(parts) for parts in zip(*terms, strict=True)]


def rigid_body_forces(
    arm: Mechanism,
    q: Sequence[Scalar],
    qd: Sequence[Scalar],
    qdd: Sequence[Scalar],
    gravity: Vec3 | None = None,
    wrenches: Wrenches | None = None,
) -> list[Scalar]:
    """The part of the forces that the links' own inertia needs, without rotors, friction or springs.

    `gravity` replaces the arm's own.
    """
    return arm.generalised_forces(_joint_forces(arm, q, qd, qdd, gravity, wrenches))


def joint_loads(
    arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar], wrenches: Wrenches | None = None
) -> list[Scalar]:
    """What each joint transmits along its axis without acceleration [N m or N]: weight, its spring, c and -J^T w.

    One per joint that moves, before the couplings; rotors, friction and tau_d have no part in it. It does not depend
    on qdd, so that friction that grows with it leaves forward dynamics explicit. Ring, O(n).
    """
    return with_joint_springs(arm, q, _joint_forces(arm, q, qd, still(arm), None, wrenches))


def _joint_forces(
    arm: Mechanism,
    q: Sequence[Scalar],
    qd: Sequence[Scalar],
    qdd: Sequence[Scalar],
    gravity: Vec3 | None,
    wrenches: Wrenches | None,
) -> list[Scalar]:
    motion = outward_motion(arm, q, qd, qdd, gravity)
    net = [link.inertia.newton_euler(m.v, m.a) for link, m in zip(arm.links, motion[:-1], strict=True)]
    return inward_projection(arm, [m.parent_from_link for m in motion], net, forces_on_links(arm, q, wrenches or {}))


def inward_projection(
    arm: Mechanism, poses: Sequence[Pose], net: Sequence[Force], outside: Mapping[int, Force]
) -> list[Scalar]:
    """Forces summed from the tips to the base and projected on the joint axes: S^T f_i of each joint.

    The joints bring up what each link needs, `net`, less what comes from outside, by number of the link.
    """
    needed = [force - outside[i] if i in outside else force for i, force in enumerate(net)]
    sums = inward_sums(arm, poses, needed)
    return [link.S @ f for link, f in zip(arm.links, sums, strict=True)]


def inward_sums(arm: Mechanism, poses: Sequence[Pose], net: Sequence[Force]) -> list[Force]:
    """The forces on each link and all it carries, f_parent += X^T f_i; `poses` are the links' in their parents."""
    f = [*net, NO_FORCE]
    for i in reversed(range(len(arm.links))):
        parent = arm.links[i].parent
        f[parent] = f[parent] + poses[i].force_into_parent(f[i])
    return f[:-1]


def forces_on_links(arm: Mechanism, q: Sequence[Scalar], wrenches: Wrenches) -> dict[int, Force]:
    """The outside forces on each link, about its origin and in its coordinates; forces on the world do nothing."""
    total: dict[int, Force] = {}
    for link, point, wrench in forces_at_points(arm, q, wrenches):
        at_origin = Pose(IDENTITY, point).force_into_parent(wrench)
        total[link] = total[link] + at_origin if link in total else at_origin
    return total


def forces_at_points(arm: Mechanism, q: Sequence[Scalar], wrenches: Wrenches) -> list[tuple[int, Vec3, Force]]:
    """The outside forces that act on links: which link, where on it, and the wrench there, both in its coordinates."""
    x, found = arm.joint_values(q), []
    for name, wrench in wrenches.items():
        at = arm.attachments[name]
        if at.link >= 0:
            for i in reversed(ancestors(arm, at.link)):
                wrench = Pose(arm.links[i].pose(x[i]).rotation, ORIGIN).force_into_child(wrench)
            found.append((at.link, at.pose.position, wrench))
    return found


def gravity_forces(arm: Mechanism, q: Sequence[Scalar]) -> list[Scalar]:
    """g(q) = dP/dq: the forces that hold the arm still against its weight and its springs. Ring, O(n)."""
    return static_forces(arm, q, {})


def coriolis_torques(arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar]) -> list[Scalar]:
    """c(q, qd) = C(q, qd) qd: Coriolis and centrifugal torques. Newton-Euler without gravity or acceleration. Ring."""
    return rigid_body_forces(arm, q, qd, still(arm), gravity=ORIGIN)


def bias(arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar], wrenches: Wrenches | None = None) -> list[Scalar]:
    """N(q, qd) = C qd + F(qd) + g: all of tau that is there without acceleration. Ring, O(n)."""
    return inverse_dynamics(arm, q, qd, still(arm), wrenches)


def mass_matrix_by_unit_accelerations(arm: Mechanism, q: Sequence[Scalar]) -> list[list[Scalar]]:
    """M(q) read off Newton-Euler: column j is the force for qdd = e_j at rest without gravity. Ring, O(n^2)."""
    columns = []
    for j in range(arm.dof):
        unit = [1 if k == j else 0 for k in range(arm.dof)]
        forces = rigid_body_forces(arm, q, still(arm), unit, gravity=ORIGIN)
        columns.append([a + b for a, b in zip(forces, rotor_forces(arm, unit), strict=True)])
    return transposed(columns)


def static_forces(arm: Mechanism, q: Sequence[Scalar], wrenches: Wrenches) -> list[Scalar]:
    """The forces that hold the arm still against weight, springs and outside wrenches: g - J^T w. Ring, O(n).

    Newton-Euler at rest, and the springs.
    """
    return plus_springs(arm, q, rigid_body_forces(arm, q, still(arm), still(arm), wrenches=wrenches))
