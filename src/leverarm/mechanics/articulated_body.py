"""Forward dynamics by articulated bodies: the acceleration of a tree of free joints, in one pass.

Featherstone 2008, Table 7.1, with the rotors' inertia added along the joint axes: D = S^T U + J N^2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from leverarm.mechanics.classical_newton_euler import classical_bias
from leverarm.mechanics.dissipation import friction, without_friction
from leverarm.mechanics.kinematics import outward_motion, still
from leverarm.mechanics.link_turns import LinkTurn, link_turns
from leverarm.mechanics.newton_euler import Wrenches, forces_on_links, joint_loads
from leverarm.mechanics.springs import spring_forces, without_springs
from leverarm.model import Link, Mechanism, coordinate_of
from leverarm.scalars import Scalar, divide, is_zero
from leverarm.spatial import (
    NO_FORCE,
    NO_SYMMETRIC3,
    ORIGIN,
    Force,
    Inertia,
    Matrix3,
    Motion,
    Symmetric3,
    Vec3,
    outer,
    skew,
)


@dataclass(frozen=True, slots=True)
class ArticulatedInertia:
    """[[J, H], [H^T, M]]: a symmetric map from motions to forces, 21 numbers."""

    J: Symmetric3
    H: Matrix3
    M: Symmetric3

    @staticmethod
    def of_body(body: Inertia) -> ArticulatedInertia:
        return ArticulatedInertia(body.I, skew(body.h), Symmetric3(body.m, 0, body.m, 0, 0, body.m))

    def __add__(self, other: ArticulatedInertia) -> ArticulatedInertia:
        return ArticulatedInertia(self.J + other.J, self.H + other.H, self.M + other.M)

    def __matmul__(self, m: Motion) -> Force:
        return Force(self.J @ m.angular + self.H @ m.linear, self.H.transpose_apply(m.angular) + self.M @ m.linear)

    def without(self, U: Force, D: Scalar) -> ArticulatedInertia:
        """I - U U^T / D: what is left when one direction is free to move."""
        n, f = U.moment, U.force
        n_D, f_D = (Vec3(*(divide(part, D) for part in v)) for v in (n, f))
        return ArticulatedInertia(
            self.J - _symmetric_outer(n, n_D), self.H - outer(n_D, f), self.M - _symmetric_outer(f, f_D)
        )

    def yielding(self, link: Link) -> ArticulatedInertia:
        """What vanishes along the joint of a link that is free to move, written as the zeros that it is: I S = 0.

        For joints that turn about a coordinate, or slide along one; J, H lose a row, or H, M a column.
        """
        k = coordinate_of(link.axis)
        if k is None or (link.turns and not is_zero(link.slide)):
            return self
        if link.turns:
            return ArticulatedInertia(_cleared(self.J, k), _with_zero_row(self.H, k), self.M)
        H = _with_zero_row(self.H.transposed(), k).transposed()
        return ArticulatedInertia(self.J, H, _cleared(self.M, k))

    def into_parent(self, turn: LinkTurn, position: Vec3) -> ArticulatedInertia:
        """X^T I X."""
        P = skew(position)
        M, H = turn.symmetric(self.M), turn.matrix(self.H)
        H_moved = H + P * M.full()
        moved = P * H.transposed() - H_moved * P  # P H^T + (H + P M) P^T, whose sum with J is symmetric
        J = turn.symmetric(self.J) + Symmetric3(moved.r0.x, moved.r0.y, moved.r1.y, moved.r0.z, moved.r1.z, moved.r2.z)
        return ArticulatedInertia(J, H_moved, M)


def _symmetric_outer(u: Vec3, v: Vec3) -> Symmetric3:
    """u v^T where v is a multiple of u."""
    return Symmetric3(u.x * v.x, u.x * v.y, u.y * v.y, u.x * v.z, u.y * v.z, u.z * v.z)


def _cleared(A: Symmetric3, k: int) -> Symmetric3:
    """A with row and column k zero."""
    return replace(A, **{name: 0 for name in Symmetric3.__slots__ if "xyz"[k] in name})


def _with_zero_row(A: Matrix3, k: int) -> Matrix3:
    return replace(A, **{f"r{k}": ORIGIN})


_NOTHING = ArticulatedInertia(NO_SYMMETRIC3, Matrix3(ORIGIN, ORIGIN, ORIGIN), NO_SYMMETRIC3)


def articulated_body(
    arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar], tau: Sequence[Scalar], wrenches: Wrenches | None = None
) -> list[Scalar]:
    """qdd for the given forces, friction, springs and rotors included. Field, O(n).

    Holds for arms whose joints are their own coordinates and whose rotors turn with one joint each (`is_separable`).
    """
    n, links = len(arm.links), arm.links
    motion = outward_motion(arm, q, qd, still(arm), gravity=ORIGIN)
    X = [m.parent_from_link for m in motion]
    turns = link_turns(arm, q, X[:-1])
    S = [link.S for link in links]
    c = [m.v.cross(s * rate) for m, rate, s in zip(motion[:-1], qd, S, strict=True)]
    IA = [ArticulatedInertia.of_body(link.inertia) for link in links] + [_NOTHING]
    pA = [m.v.cross_force(link.inertia @ m.v) for link, m in zip(links, motion[:-1], strict=True)] + [NO_FORCE]
    for i, force in forces_on_links(arm, q, wrenches or {}).items():
        pA[i] = pA[i] - force
    load = joint_loads(arm, q, qd, wrenches) if arm.loaded_joints else None
    friction_forces = friction(arm, qd, load=load)
    applied = [t - f - s for t, f, s in zip(tau, friction_forces, spring_forces(arm, q), strict=True)]
    rotor = _rotor_inertias(arm)
    U = [NO_FORCE] * n
    D: list[Scalar] = [0] * n
    u: list[Scalar] = [0] * n
    for i in reversed(range(n)):
        U[i] = IA[i] @ S[i]
        D[i] = S[i] @ U[i] + rotor[i]
        u[i] = applied[i] - S[i] @ pA[i]
        parent = links[i].parent
        if parent >= 0:
            Ia = IA[i].without(U[i], D[i])
            if is_zero(rotor[i]):
                Ia = Ia.yielding(links[i])
            pa = pA[i] + Ia @ c[i] + U[i] * divide(u[i], D[i])
            IA[parent] = IA[parent] + Ia.into_parent(turns[i], X[i].position)
            pA[parent] = pA[parent] + X[i].force_into_parent(pa)
    a = [Motion(ORIGIN, -arm.gravity)] * (n + 1)
    qdd: list[Scalar] = [0] * n
    for i, link in enumerate(links):
        a_free = X[i].motion_into_child(a[link.parent]) + c[i]
        qdd[i] = divide(u[i] - a_free @ U[i], D[i])
        a[i] = a_free + S[i] * qdd[i]
    return qdd


def classical_articulated_body(
    arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar], tau: Sequence[Scalar], wrenches: Wrenches | None = None
) -> list[Scalar]:
    """The same, with all forces that are there without acceleration taken off tau first. Field, O(n).

    What is left moves the arm as if from rest in weightlessness, where half of the sweeps are zero: the fewest
    operations for arms of many joints. For separable arms, too.
    """
    left = [t - n for t, n in zip(tau, classical_bias(arm, q, qd, wrenches), strict=True)]
    weightless = replace(without_springs(without_friction(arm)), gravity=ORIGIN)
    return articulated_body(weightless, q, still(arm), left)


def is_separable(arm: Mechanism) -> bool:
    """Whether every joint is a coordinate of its own and every rotor turns with one joint alone."""
    return not arm.is_coupled and all(len(rotor.gears) == 1 for rotor in arm.rotors)


def _rotor_inertias(arm: Mechanism) -> list[Scalar]:
    """The inertia each joint feels from its rotors, J N^2."""
    felt: list[Scalar] = [0] * arm.dof
    for rotor in arm.rotors:
        for j, gear in rotor.gears:
            felt[j] = felt[j] + gear * gear * rotor.inertia
    return felt
