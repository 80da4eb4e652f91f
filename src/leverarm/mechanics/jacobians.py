"""Geometric Jacobians of any point of any body, and how they change in time.

Columns are twists in world axes at the point itself: angular velocity of the body, velocity of the point. Angular
rows first, [w; v] = J qd; J_w and J_v are its two halves.
"""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.mechanics.kinematics import ancestors, forward_kinematics, world_from_links
from leverarm.mechanics.matrices import Matrix, dot, transposed
from leverarm.model import Attachment, Mechanism
from leverarm.scalars import Scalar, along, slope
from leverarm.spatial import AT_REST, ORIGIN, Motion, Pose, Vec3


def jacobian_columns(arm: Mechanism, poses: Sequence[Pose], link: int, point: Vec3) -> list[Motion]:
    """One twist per joint: joint i turns the body by z_i and moves the point by z_i x (point - o_i) (or along z_i)."""
    columns = [AT_REST] * len(arm.links)
    for i in ancestors(arm, link):
        R, o, S = poses[i].rotation, poses[i].position, arm.links[i].S
        angular = R @ S.angular
        columns[i] = Motion(angular, R @ S.linear + angular.cross(point - o))
    return columns


def point_jacobian(arm: Mechanism, q: Sequence[Scalar], at: Attachment) -> Matrix:
    """The 6 x n Jacobian of an attached frame's origin, in world axes. Ring, O(depth)."""
    poses = world_from_links(arm, q)
    point = (poses[at.link] * at.pose).position
    columns = jacobian_columns(arm, poses, at.link, point)
    return _rows(arm, columns)


def _rows(arm: Mechanism, columns: Sequence[Motion]) -> Matrix:
    """Six rows over the coordinates from one twist per joint."""
    per_joint = zip(*((*c.angular, *c.linear) for c in columns), strict=True)
    return [arm.generalised_forces(row) for row in per_joint]


def jacobian(arm: Mechanism, q: Sequence[Scalar], frame: str) -> Matrix:
    """The geometric Jacobian of a named frame: 6 x n, angular rows first, world axes, at the frame origin. Ring."""
    return point_jacobian(arm, q, arm.attachments[frame])


def split(J: Matrix) -> tuple[Matrix, Matrix]:
    """J_v and J_w: the rows of the point's velocity and of the body's angular velocity."""
    return J[3:], J[:3]


def jacobian_dot(arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar], frame: str) -> Matrix:
    """dJ/dt of a named frame along qd, in the same axes: the frame's acceleration is J qdd + Jdot qd. Ring."""
    return point_jacobian_dot(arm, q, qd, arm.attachments[frame])


def point_jacobian_dot(arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar], at: Attachment) -> Matrix:
    """dJ/dt along qd of an attached frame's origin.

    With axes z_i and lever arms r_i = p - o_i the columns change by zdot = w_i x z and d(z x r) = zdot x r + z x rdot.
    Ring, O(depth).
    """
    poses = world_from_links(arm, q)
    point = (poses[at.link] * at.pose).position
    path = ancestors(arm, at.link)
    rates = arm.joint_values(qd)
    omega, velocity_of_tip = _chain_velocities(arm, poses, rates, path, point)
    columns = [AT_REST] * len(arm.links)
    for i in path:
        R, o, S = poses[i].rotation, poses[i].position, arm.links[i].S
        z, slide = R @ S.angular, R @ S.linear
        w, o_dot = omega[i]
        z_dot = w.cross(z)
        linear = w.cross(slide) + z_dot.cross(point - o) + z.cross(velocity_of_tip - o_dot)
        columns[i] = Motion(z_dot, linear)
    return _rows(arm, columns)


def _chain_velocities(
    arm: Mechanism, poses: Sequence[Pose], rates: Sequence[Scalar], path: Sequence[int], point: Vec3
) -> tuple[dict[int, tuple[Vec3, Vec3]], Vec3]:
    """For each link of the path its angular velocity and its origin's velocity, and the velocity of the point."""
    w, v, o = ORIGIN, ORIGIN, ORIGIN
    seen = {}
    for i in reversed(path):
        position = poses[i].position
        v = v + w.cross(position - o)  # the point of the parent that is at this link's origin
        w = w + (poses[i].rotation @ arm.links[i].S.angular) * rates[i]
        v = v + (poses[i].rotation @ arm.links[i].S.linear) * rates[i]
        o = position
        seen[i] = (w, v)
    return seen, v + w.cross(point - o)


def jacobian_by_differentiation(arm: Mechanism, q: Sequence[Scalar], frame: str) -> Matrix:
    """J again, from d(pose)/dq: velocity columns are dp/dq_j, angular ones the S(w) of dR/dq_j R^T. Ring."""
    here = forward_kinematics(arm, q)[frame].rotation.rows()
    columns = []
    for j in range(arm.dof):
        moving = forward_kinematics(arm, along(q, [1 if k == j else 0 for k in range(arm.dof)]))[frame]
        dR = [[slope(entry) for entry in row] for row in moving.rotation.rows()]
        S = [[dot(dR[a], here[b]) for b in range(3)] for a in range(3)]
        columns.append([S[2][1], S[0][2], S[1][0], *(slope(part) for part in moving.position)])
    return transposed(columns)
