"""How forces and accelerations change with the state, in closed form, as sums over mass points.

Inverse dynamics is tau_i = integral of J_i . a dm, where J_i = u x r + l is how joint i moves the mass at r and a is
its acceleration, less gravity. Moving joint j changes a by the second time derivative of J_j, and changes the J of
whichever joint is farther out by u x J with the u of the other. The rate qd_j changes a by 2 Jdot_j: dtau/dqd is 2 C.
The same sums as spatial vectors: Singh, Russell and Wensing 2022, "Efficient analytical derivatives of rigid-body
dynamics using spatial vector algebra". `OutsideForces` are the wrenches, whose points move with the arm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from leverarm.mechanics.classical_coriolis import carried, drifts, momentum_rate, off_trace, swept_moment
from leverarm.mechanics.classical_motion import ClassicalMotion, classical_motion
from leverarm.mechanics.classical_newton_euler import net_force
from leverarm.mechanics.composite_moments import composite_moments, momentum_of
from leverarm.mechanics.dissipation import friction_slopes, shaft_slopes
from leverarm.mechanics.forward_dynamics import classical_forward_dynamics
from leverarm.mechanics.inner_motion import InnerMotion, inner_motion
from leverarm.mechanics.kinematics import still
from leverarm.mechanics.ldlt import factorise
from leverarm.mechanics.link_turns import LinkTurn, link_turns
from leverarm.mechanics.matrices import Matrix, add, along_coordinates, dot, transposed
from leverarm.mechanics.newton_euler import Wrenches, forces_at_points, inward_sums, joint_loads
from leverarm.mechanics.rotors import rotor_mass_matrix
from leverarm.mechanics.springs import stiffnesses
from leverarm.model import Mechanism
from leverarm.scalars import Scalar, is_zero
from leverarm.spatial import NO_FORCE, ORIGIN, Force, MassMoments, Matrix3, Motion, Pose, Vec3, inertia_tensor, outer


@dataclass(frozen=True, slots=True)
class OutsideForces:
    """The free moments and the forces, summed, and the sum of r f^T over their points, in a link's frame."""

    wrench: Force
    W: Matrix3

    def __add__(self, other: OutsideForces) -> OutsideForces:
        return OutsideForces(self.wrench + other.wrench, self.W + other.W)

    def pushed(self, S: Motion) -> Vec3:
        """The sum of J x f, where J = u x r + l is how the joint moves the points: (W - tr W) u + l x f."""
        u, trace = S.angular, self.W.r0.x + self.W.r1.y + self.W.r2.z
        turned: Vec3 = u * trace
        return self.W @ u - turned + S.linear.cross(self.wrench.force)

    def turned(self, S: Motion) -> Vec3:
        """The same and u x (free moment): what a turn of the joint and all on it does to J . f + u . moment."""
        return self.pushed(S) + S.angular.cross(self.wrench.moment)


def outside_forces(
    arm: Mechanism, q: Sequence[Scalar], X: Sequence[Pose], turns: Sequence[LinkTurn], wrenches: Wrenches
) -> list[OutsideForces]:
    """The outside forces on each link and all it carries; X and turns are those of the links in their parents. Ring."""
    total = [OutsideForces(NO_FORCE, Matrix3(ORIGIN, ORIGIN, ORIGIN))] * (len(arm.links) + 1)
    for link, point, wrench in forces_at_points(arm, q, wrenches):
        total[link] = total[link] + OutsideForces(wrench, outer(point, wrench.force))
    for i in reversed(range(len(arm.links))):
        parent, here = arm.links[i].parent, total[i]
        wrench = Force(X[i].rotation @ here.wrench.moment, X[i].rotation @ here.wrench.force)
        W = turns[i].matrix(here.W) + outer(X[i].position, wrench.force)
        total[parent] = total[parent] + OutsideForces(wrench, W)
    return total[:-1]


def inverse_dynamics_derivatives(
    arm: Mechanism,
    q: Sequence[Scalar],
    qd: Sequence[Scalar],
    qdd: Sequence[Scalar],
    wrenches: Wrenches | None = None,
) -> tuple[Matrix, Matrix, Matrix]:
    """dtau/dq, dtau/dqd and dtau/dqdd = M, each n x n: the force's row, the coordinate's column.

    Friction (its sign counts as constant), springs, rotors and couplings are included; wrenches stay as they are in
    the world while their points move with the arm. Ring (and `tanh` where friction is smooth), O(n depth).
    """
    by_q, by_qd, M = _of_joints(arm, q, qd, qdd, wrenches)
    load = joint_loads(arm, q, qd, wrenches) if arm.loaded_joints else None
    by_speed, by_load = friction_slopes(arm, qd, load)
    for j, slope in enumerate(by_speed):
        by_qd[j][j] = by_qd[j][j] + slope
    if load is not None:
        load_by_q, load_by_qd, _ = _of_joints(arm, q, qd, still(arm), wrenches)
        by_q, by_qd = add(by_q, _scaled(by_load, load_by_q)), add(by_qd, _scaled(by_load, load_by_qd))
    by_q, by_qd, M = (along_coordinates(arm, matrix) for matrix in (by_q, by_qd, M))
    return by_q, add(by_qd, shaft_slopes(arm, qd)), add(M, rotor_mass_matrix(arm))


def _scaled(factors: Sequence[Scalar], A: Matrix) -> Matrix:
    return [[0 if is_zero(x) else x * entry for entry in row] for x, row in zip(factors, A, strict=True)]


def _of_joints(
    arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar], qdd: Sequence[Scalar], wrenches: Wrenches | None
) -> tuple[Matrix, Matrix, Matrix]:
    """The same at the joints, by the joints' own motions: of the links and springs, without friction and rotors."""
    n, links = len(arm.links), arm.links
    motion = classical_motion(arm, q, qd, qdd)
    X = [m.parent_from_link for m in motion[:-1]]
    turns = link_turns(arm, q, X)
    composite = composite_moments(arm, X, turns)
    net = inward_sums(
        arm, X, [net_force(MassMoments.of(link.inertia), m) for link, m in zip(links, motion[:-1], strict=True)]
    )
    outside = outside_forces(arm, q, X, turns, wrenches or {})
    # What is linear in the speeds only ever occurs doubled: 2 C, and the middle term of a second derivative.
    twice_qd, twice_w = [2 * rate for rate in qd], [m.w * 2 for m in motion]
    inner, drift = inner_motion(arm, twice_qd, X, turns, composite), drifts(arm, X, twice_w, twice_qd)
    by_q, by_qd, M = ([[0] * n for _ in range(n)] for _ in range(3))
    for j in range(n):
        S, m = links[j].S, motion[j]
        momentum = momentum_of(composite[j], S)
        rate = momentum_rate(composite[j], inner[j], S, twice_w[j], momentum)
        swept = swept_moment(composite[j], inner[j], S, twice_w[j])
        change = force_change(composite[j], inner[j], S, m, twice_w[j], net[j])
        change = Force(change.moment - outside[j].pushed(S), change.force)
        turned = outside[j].turned(S)
        by_q[j][j], by_qd[j][j], M[j][j] = S @ change, S @ rate, S @ momentum
        i = j
        while links[i].parent >= 0:
            momentum, rate, change = (X[i].force_into_parent(f) for f in (momentum, rate, change))
            swept = X[i].rotation @ swept + drift[i].cross(momentum.force)
            turned = X[i].rotation @ turned
            i = links[i].parent
            S, m = links[i].S, motion[i]
            by_q[i][j], by_qd[i][j] = S @ change, S @ rate
            M[i][j] = M[j][i] = S @ momentum
            by_qd[j][i] = S.angular @ swept + carried(twice_w[i], S) @ momentum
            felt = momentum.force.cross(m.a) - turned
            by_q[j][i] = accelerated(m, S) @ momentum + m.w.cross(S.angular) @ swept + S.angular @ felt
    for j, stiffness in enumerate(stiffnesses(arm)):
        by_q[j][j] = by_q[j][j] + stiffness
    return by_q, by_qd, M


def accelerated(m: ClassicalMotion, S: Motion) -> Motion:
    """The second derivative of a joint's two directions as its link moves: (A u, A l)."""
    return Motion(m.A @ S.angular, m.A @ S.linear)


def force_change(
    body: MassMoments, inner: InnerMotion, S: Motion, m: ClassicalMotion, twice_w: Vec3, net: Force
) -> Force:
    """The integrals of Jddot, and of r x Jddot + J x a: how net force and moment change as the joint moves on.

    Jddot = uddot x r + 2 udot x rdot + u x rddot + lddot. `inner` and `twice_w` are doubled; `net` is the force on the
    composite body and its moment, from which the terms with u x rddot and J x a follow by Jacobi's identity.
    """
    u, l, first, second = S.angular, S.linear, carried(m.w, S), accelerated(m, S)  # noqa: E741
    moment = inertia_tensor(body.E) @ second.angular + body.h.cross(m.a.cross(u) + second.linear)
    moment = moment + (body.E @ first.angular).cross(twice_w) + off_trace(inner.T.transposed(), first.angular)
    force = second.angular.cross(body.h) + first.angular.cross(twice_w.cross(body.h) + inner.p)
    force = force + u.cross(net.force - m.a * body.m) + second.linear * body.m
    return Force(moment + u.cross(net.moment) + l.cross(net.force), force)


def forward_dynamics_derivatives(
    arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar], tau: Sequence[Scalar], wrenches: Wrenches | None = None
) -> tuple[Matrix, Matrix, Matrix]:
    """dqdd/dq, dqdd/dqd and dqdd/dtau = M^-1, each n x n, at the acceleration that tau causes.

    tau = ID(q, qd, qdd) holds along the motion, so dqdd/dx = -M^-1 dID/dx. Field, O(n^3).
    """
    qdd = classical_forward_dynamics(arm, q, qd, tau, wrenches)
    by_q, by_qd, M = inverse_dynamics_derivatives(arm, q, qd, qdd, wrenches)
    mobility = factorise(M).inverse()
    minus = [[-entry for entry in row] for row in mobility]
    return _product(minus, by_q), _product(minus, by_qd), mobility


def _product(A: Matrix, B: Matrix) -> Matrix:
    columns = transposed(B)
    return [[dot(row, column) for column in columns] for row in A]
