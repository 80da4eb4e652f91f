"""The outward pass in the classical form: how links turn, and how their origins accelerate.

Luh, Walker and Paul 1980; Khalil and Dombre 2002, section 9.5. The acceleration of the point r of a link is a + A r
with the acceleration a of its origin and the matrix A = S(wd) + S(w) S(w), which is formed once per link; velocities of
points are never needed. (`kinematics.outward_motion` has spatial accelerations, a different quantity.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from leverarm.model import Link, Mechanism, coordinate_of
from leverarm.scalars import Scalar, is_zero
from leverarm.spatial import HERE, ORIGIN, Matrix3, Pose, Vec3


@dataclass(frozen=True, slots=True)
class RateMatrix:
    """A = S(wd) + S(w) S(w), and the differences (A_zz - A_yy, A_xx - A_zz, A_yy - A_xx), which squares of w give."""

    A: Matrix3
    spread: Vec3

    def __matmul__(self, r: Vec3) -> Vec3:
        return self.A @ r


STEADY = RateMatrix(Matrix3(ORIGIN, ORIGIN, ORIGIN), ORIGIN)


@dataclass(frozen=True, slots=True)
class ClassicalMotion:
    """A link's pose in its parent and, in its own axes, angular velocity w, wd, A, and its origin's acceleration a."""

    parent_from_link: Pose
    w: Vec3
    wd: Vec3
    A: RateMatrix
    a: Vec3


def classical_motion(
    arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar], qdd: Sequence[Scalar], gravity: Vec3 | None = None
) -> list[ClassicalMotion]:
    """How every link moves, base to tips; the world comes last and accelerates by -gravity.

    w_i = R^T w + z qd,  a_i = R^T (a + A p) + slide (z qdd + 2 w_i x z qd), where R and p are the link's pose in its
    parent and z its joint's axis. `gravity` replaces the arm's own. Ring, O(n).
    """
    g = arm.gravity if gravity is None else gravity
    motion = [ClassicalMotion(HERE, ORIGIN, ORIGIN, STEADY, -g)] * (len(arm.links) + 1)
    x, xd, xdd = arm.joint_values(q), arm.joint_values(qd), arm.joint_values(qdd)
    for i, link in enumerate(arm.links):
        parent, X = motion[link.parent], link.pose(x[i])
        w, wd, A = _turning(link, X.rotation, parent, xd[i], xdd[i])
        a = X.rotation.transpose_apply(parent.a + parent.A @ X.position)
        if not is_zero(link.slide):
            a = a + (link.axis * xdd[i] + w.cross(link.axis) * (2 * xd[i])) * link.slide
        motion[i] = ClassicalMotion(X, w, wd, A, a)
    return motion


def _turning(
    link: Link, R: Matrix3, parent: ClassicalMotion, rate: Scalar, acceleration: Scalar
) -> tuple[Vec3, Vec3, RateMatrix]:
    """w, wd and A of a link: w = R^T w_parent + z rate, wd = R^T wd_parent + R^T w_parent x z rate + z acceleration."""
    carried, carried_rate = R.transpose_apply(parent.w), R.transpose_apply(parent.wd)
    if not link.turns:
        return carried, carried_rate, rate_matrix(carried, carried_rate)
    z = link.axis
    w = carried + z * rate
    k, seen = coordinate_of(z), link.placement.rotation @ z  # R z, since turning about z leaves it
    if k is not None and coordinate_of(seen) is not None:
        column = R.transpose_apply(parent.A @ seen) * tuple(z)[k]
        return w, *_from_axis(k, w, column, carried_rate + z * acceleration)
    wd = carried_rate + carried.cross(z) * rate + z * acceleration
    return w, wd, rate_matrix(w, wd)


def rate_matrix(w: Vec3, wd: Vec3) -> RateMatrix:
    """S(wd) + S(w) S(w)."""
    xx, yy, zz = (part * part for part in w)
    xy, xz, yz = w.x * w.y, w.x * w.z, w.y * w.z
    A = Matrix3(
        Vec3(-(yy + zz), xy - wd.z, xz + wd.y),
        Vec3(xy + wd.z, -(xx + zz), yz - wd.x),
        Vec3(xz - wd.y, yz + wd.x, -(xx + yy)),
    )
    return RateMatrix(A, Vec3(zz - yy, xx - zz, yy - xx))


def _from_axis(k: int, w: Vec3, column: Vec3, along: Vec3) -> tuple[Vec3, RateMatrix]:
    """wd and A from their parts along the joint axis, which are the parent's: parent and link see the axis move alike.

    With i, j, k in cyclic order, A_ik = w_i w_k + wd_j and A_jk = w_j w_k - wd_i give wd_i and wd_j, and
    A_kk = -(w_i^2 + w_j^2) saves a square.
    """
    i, j = (k + 1) % 3, (k + 2) % 3
    u, c, wd = tuple(w), tuple(column), list(along)
    ik, jk, ij = u[i] * u[k], u[j] * u[k], u[i] * u[j]
    wd[i], wd[j] = jk - c[j], c[i] - ik
    ii, kk = u[i] * u[i], u[k] * u[k]
    A: list[list[Scalar]] = [[0] * 3 for _ in range(3)]
    A[i][k], A[j][k], A[k][k] = c[i], c[j], c[k]
    A[k][i], A[k][j] = ik - wd[j], jk + wd[i]
    A[i][j], A[j][i] = ij - wd[k], ij + wd[k]
    spread: list[Scalar] = [0] * 3
    spread[j] = ii - kk
    A[j][j] = -(ii + kk)
    A[i][i] = c[k] + spread[j]
    spread[i] = c[k] - A[j][j]
    spread[k] = A[j][j] - A[i][i]
    return Vec3(*wd), RateMatrix(Matrix3(*(Vec3(*row) for row in A)), Vec3(*spread))
