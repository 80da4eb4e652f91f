"""The Coriolis matrix by one recursion over the tree, without differentiating M.

Echeandia and Wensing 2021, "Numerical methods to compute the Coriolis matrix and Christoffel symbols for rigid-body
systems", Algorithm 1. Their body-level matrix

    B = (v x* I + (I v) xbar* - I v x) / 2

maps motions to forces. In 3 x 3 blocks it is [[T, 0], [-S(p), 0]]: it acts on the angular part of a motion alone, with
T = -S(w) E - S(h) S(v),  E = tr(I)/2 1 - I (the second moment of the mass),  p = m v + w x h (the linear momentum).
The form is the same in every frame, so a composite B is 12 numbers rather than 36.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from leverarm.mechanics.kinematics import outward_motion, still
from leverarm.mechanics.matrices import Matrix, along_coordinates
from leverarm.model import Mechanism
from leverarm.scalars import Scalar, half
from leverarm.spatial import NO_INERTIA, ORIGIN, Force, Inertia, Matrix3, Motion, Pose, Symmetric3, Vec3, skew


@dataclass(frozen=True, slots=True)
class CoriolisMap:
    """B = [[T, 0], [-S(p), 0]] of one body, or of several moving together."""

    T: Matrix3
    p: Vec3

    @staticmethod
    def of_body(body: Inertia, v: Motion) -> CoriolisMap:
        i = body.I
        half_trace = half(i.xx + i.yy + i.zz)
        E = Symmetric3(half_trace, 0, half_trace, 0, 0, half_trace) - i
        minus_T = skew(v.angular) * E.full() + skew(body.h) * skew(v.linear)
        return CoriolisMap(_NOTHING - minus_T, (body @ v).force)

    def __add__(self, other: CoriolisMap) -> CoriolisMap:
        return CoriolisMap(self.T + other.T, self.p + other.p)

    def __matmul__(self, m: Motion) -> Force:
        return Force(self.T @ m.angular, m.angular.cross(self.p))

    def transposed_apply(self, m: Motion) -> Force:
        """B^T m."""
        return Force(self.T.transpose_apply(m.angular) + self.p.cross(m.linear), ORIGIN)

    def into_parent(self, pose: Pose) -> CoriolisMap:
        """X^T B X."""
        R = pose.rotation
        p = R @ self.p
        return CoriolisMap(R * self.T * R.transposed() - skew(pose.position) * skew(p), p)


_NOTHING = Matrix3(ORIGIN, ORIGIN, ORIGIN)


def coriolis_matrix(arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar]) -> Matrix:
    """C(q, qd), the Christoffel one: Mdot - 2 C is skew-symmetric and C qd + g + M qdd are the rigid-body forces.

    For joint j with the composite I and B of all it carries: F1 = I Sdot_j + B S_j, F2 = I S_j, F3 = B^T S_j; going
    down the tree, C_ij = S_i^T F1 and C_ji = Sdot_i^T F2 + S_i^T F3, with Sdot = v x S. Ring, O(n depth).
    """
    n, links = len(arm.links), arm.links
    motion = outward_motion(arm, q, qd, still(arm), gravity=ORIGIN)
    X = [m.parent_from_link for m in motion]
    S = [link.S for link in links]
    S_dot = [m.v.cross(s) for m, s in zip(motion[:-1], S, strict=True)]
    I = [link.inertia for link in links] + [NO_INERTIA]  # noqa: E741
    B = [CoriolisMap.of_body(link.inertia, m.v) for link, m in zip(links, motion[:-1], strict=True)]
    B.append(CoriolisMap(_NOTHING, ORIGIN))
    C: Matrix = [[0] * n for _ in range(n)]
    for j in reversed(range(n)):
        F1 = I[j] @ S_dot[j] + B[j] @ S[j]
        F2, F3 = I[j] @ S[j], B[j].transposed_apply(S[j])
        C[j][j] = S[j] @ F1
        i = j
        while links[i].parent >= 0:
            F1, F2, F3 = (X[i].force_into_parent(f) for f in (F1, F2, F3))
            i = links[i].parent
            C[i][j] = S[i] @ F1
            C[j][i] = S_dot[i] @ F2 + S[i] @ F3
        parent = links[j].parent
        I[parent] = I[parent] + I[j].into_parent(X[j])
        B[parent] = B[parent] + B[j].into_parent(X[j])
    return along_coordinates(arm, C)
