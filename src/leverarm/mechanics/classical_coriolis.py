"""The Coriolis matrix as a sum over mass points: C_ij is the integral of J_i . Jdot_j dm.

M is the integral of J^T J, so the Christoffel symbols are those of J_i . dJ_j/dq_k, and this C is the Christoffel one.
Joint j, which turns by u and slides by l (one of them may be zero), moves the mass at r from its link's origin by
J_j = u x r + l; as the link turns by w, that changes by w x J_j and, with the velocity v of the mass within the link,
by u x v. Velocities of origins are never needed. `coriolis.py` is an independent route.
"""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.mechanics.classical_motion import classical_motion
from leverarm.mechanics.composite_moments import composite_moments, momentum_of
from leverarm.mechanics.inner_motion import InnerMotion, inner_motion
from leverarm.mechanics.kinematics import still
from leverarm.mechanics.link_turns import link_turns
from leverarm.mechanics.matrices import Matrix, along_coordinates
from leverarm.model import Mechanism
from leverarm.scalars import Scalar
from leverarm.spatial import ORIGIN, Force, MassMoments, Matrix3, Motion, Pose, Vec3


def classical_coriolis_matrix(arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar]) -> Matrix:
    """C(q, qd), as `coriolis_matrix`: the Christoffel one, so that Mdot - 2 C is skew-symmetric. Ring, O(n depth)."""
    motion = classical_motion(arm, q, qd, still(arm), gravity=ORIGIN)
    X = [m.parent_from_link for m in motion[:-1]]
    turns = link_turns(arm, q, X)
    composite = composite_moments(arm, X, turns)
    inner = inner_motion(arm, qd, X, turns, composite)
    w = [m.w for m in motion]
    n, links, drift = len(arm.links), arm.links, drifts(arm, X, w, qd)
    C: Matrix = [[0] * n for _ in range(n)]
    for j in range(n):
        S = links[j].S
        momentum = momentum_of(composite[j], S)
        rate = momentum_rate(composite[j], inner[j], S, w[j], momentum)
        swept = swept_moment(composite[j], inner[j], S, w[j])
        C[j][j] = S @ rate
        i = j
        while links[i].parent >= 0:
            rate, momentum = X[i].force_into_parent(rate), X[i].force_into_parent(momentum)
            swept = X[i].rotation @ swept + drift[i].cross(momentum.force)
            i = links[i].parent
            S = links[i].S
            C[i][j] = S @ rate
            C[j][i] = S.angular @ swept + carried(w[i], S) @ momentum
    return along_coordinates(arm, C)


def drifts(arm: Mechanism, X: Sequence[Pose], w: Sequence[Vec3], qd: Sequence[Scalar]) -> list[Vec3]:
    """How fast each link's origin moves away from its parent's, in the parent's axes: w x position, and any sliding."""
    return [
        w[link.parent].cross(pose.position) + pose.rotation @ (link.S.linear * rate)
        for link, pose, rate in zip(arm.links, X, arm.joint_values(qd), strict=True)
    ]


def carried(w: Vec3, S: Motion) -> Motion:
    """The rate of a joint's two directions as its link turns by w: (w x u, w x l)."""
    return Motion(w.cross(S.angular), w.cross(S.linear))


def momentum_rate(body: MassMoments, inner: InnerMotion, S: Motion, w: Vec3, momentum: Force) -> Force:
    """The integral of Jdot, w x (momentum's force) + u x p, and its moment (E w) x u + (tr T - T^T) u + h x ldot."""
    u = S.angular
    moment = (body.E @ w).cross(u) + off_trace(inner.T.transposed(), u) + body.h.cross(w.cross(S.linear))
    return Force(moment, w.cross(momentum.force) + u.cross(inner.p))


def swept_moment(body: MassMoments, inner: InnerMotion, S: Motion, w: Vec3) -> Vec3:
    """The integral of rdot x J: E (w x u) + (tr T - T) u + (w x h + p) x l, with rdot = w x r + v."""
    u = S.angular
    return body.E @ w.cross(u) + off_trace(inner.T, u) + (w.cross(body.h) + inner.p).cross(S.linear)


def off_trace(T: Matrix3, u: Vec3) -> Vec3:
    """tr(T) u - T u."""
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = T.rows()
    return Vec3(
        (yy + zz) * u.x - xy * u.y - xz * u.z,
        (xx + zz) * u.y - yx * u.x - yz * u.z,
        (xx + yy) * u.z - zx * u.x - zy * u.y,
    )
