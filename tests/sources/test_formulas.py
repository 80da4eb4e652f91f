"""The lectures' formulas against the mechanics, exactly, at random rational states of each arm (1000 in a thorough run).

Each worked arm is taken from the catalog with its symbols as free rational numbers. Where a page is misprinted the printed
form is shown to differ and the corrected one to hold; docs/sources.md lists these places.
"""

from __future__ import annotations

import random
from fractions import Fraction as Q

import pytest

import leverarm as la
from leverarm import mechanics as me
from leverarm.model import bind
from leverarm.scalars import RATIONAL, Turn, along, slope
from tests.support.levels import at_level

STATES = at_level(8, 40, 1000)


def rational(rng: random.Random) -> Q:
    return Q(rng.randint(1, 40), rng.randint(1, 9)) * rng.choice((1, -1))


def states(name: str, seed: int = 1):
    """The arm over the rationals with random values of its symbols, and a random state."""
    rng = random.Random(f"{name}{seed}")
    arm = la.load(name)
    for _ in range(STATES):
        symbols = {s: abs(rational(rng)) for s in arm.defaults}
        q = [
            rational(rng) if body.joint.kind == "prismatic" else Turn.from_half_tangent(rational(rng))
            for body in arm.bodies
        ]
        qd, qdd = ([rational(rng) for _ in q] for _ in range(2))
        yield bind(arm, RATIONAL, symbols), symbols, q, qd, qdd


def trig(q):
    """c1, s1, c2, s2, c12, s12 of a 2R arm."""
    both = q[0] + q[1]
    return q[0].cos, q[0].sin, q[1].cos, q[1].sin, both.cos, both.sin


def parts(arm, q, qd):
    """M, c, g, K, P as the mechanics give them, each by two routes that agree exactly."""
    M = me.mass_matrix(arm, q)
    assert me.mass_matrix_by_jacobians(arm, q) == M
    c = me.coriolis_torques(arm, q, qd)
    C = me.coriolis_matrix(arm, q, qd)
    assert c == [sum(a * b for a, b in zip(row, qd, strict=True)) for row in C]
    return M, c, me.gravity_forces(arm, q), me.kinetic_energy(arm, q, qd), me.potential_energy(arm, q)


def test_point_mass_on_a_vertical_line():
    """Lecture 14: L = m xd^2/2 - m g x, f = m xdd + m g."""
    for arm, s, q, qd, qdd in states("point-mass"):
        m, g = s["m"], s["g"]
        assert me.lagrangian(arm, q, qd) == Q(1, 2) * m * qd[0] ** 2 - m * g * q[0]
        assert me.inverse_dynamics(arm, q, qd, qdd) == [m * qdd[0] + m * g]


def test_elbow_arm_of_example_3_2_2():
    for arm, s, q, qd, qdd in states("elbow"):
        m1, m2, a1, a2, g = (s[k] for k in ("m1", "m2", "a1", "a2", "g"))
        c1, s1, c2, s2, c12, s12 = trig(q)
        (d1, d2), (dd1, dd2) = qd, qdd
        M, c, G, K, P = parts(arm, q, qd)
        off = m2 * a2**2 + m2 * a1 * a2 * c2
        assert [[(m1 + m2) * a1**2 + m2 * a2**2 + 2 * m2 * a1 * a2 * c2, off], [off, m2 * a2**2]] == M  # (16)
        assert c == [-m2 * a1 * a2 * (2 * d1 * d2 + d2**2) * s2, m2 * a1 * a2 * d1**2 * s2]  # (15)
        assert [(m1 + m2) * g * a1 * c1 + m2 * g * a2 * c12, m2 * g * a2 * c12] == G
        K1 = Q(1, 2) * m1 * a1**2 * d1**2  # (3)
        K2 = (Q(1, 2) * m2 * a1**2 * d1**2 + Q(1, 2) * m2 * a2**2 * (d1 + d2) ** 2
              + m2 * a1 * a2 * (d1**2 + d1 * d2) * c2)  # (10)  # fmt: skip
        assert me.link_kinetic_energies(arm, q, qd) == [K1, K2]
        assert me.link_potential_energies(arm, q) == [m1 * g * a1 * s1, m2 * g * (a1 * s1 + a2 * s12)]  # (4), (11)
        assert K == K1 + K2
        L = (Q(1, 2) * (m1 + m2) * a1**2 * d1**2 + Q(1, 2) * m2 * a2**2 * (d1 + d2) ** 2
             + m2 * a1 * a2 * (d1**2 + d1 * d2) * c2 - (m1 + m2) * g * a1 * s1 - m2 * g * a2 * s12)  # (12)  # fmt: skip
        assert me.lagrangian(arm, q, qd) == L == K - P
        tau1 = (((m1 + m2) * a1**2 + m2 * a2**2 + 2 * m2 * a1 * a2 * c2) * dd1 + (m2 * a2**2 + m2 * a1 * a2 * c2) * dd2
                - m2 * a1 * a2 * (2 * d1 * d2 + d2**2) * s2 + (m1 + m2) * g * a1 * c1 + m2 * g * a2 * c12)  # (13)  # fmt: skip
        tau2 = ((m2 * a2**2 + m2 * a1 * a2 * c2) * dd1 + m2 * a2**2 * dd2 + m2 * a1 * a2 * d1**2 * s2
                + m2 * g * a2 * c12)  # (14)  # fmt: skip
        assert me.inverse_dynamics(arm, q, qd, qdd) == [tau1, tau2]


def test_elbow_arm_partial_derivatives():
    """Example 3.2-2 b: the page prints (2 dd1 + d2) cos in d/dt dL/dtheta1'; with dd2 it holds."""
    differs = 0
    for arm, s, q, qd, qdd in states("elbow", seed=2):
        m1, m2, a1, a2, g = (s[k] for k in ("m1", "m2", "a1", "a2", "g"))
        c1, _, c2, s2, c12, _ = trig(q)
        (d1, d2), (dd1, dd2) = qd, qdd
        dL_dqd = [slope(me.lagrangian(arm, q, along(qd, e))) for e in ([1, 0], [0, 1])]
        dL_dq = [slope(me.lagrangian(arm, along(q, e), qd)) for e in ([1, 0], [0, 1])]
        p1 = (m1 + m2) * a1**2 * d1 + m2 * a2**2 * (d1 + d2) + m2 * a1 * a2 * (2 * d1 + d2) * c2
        p2 = m2 * a2**2 * (d1 + d2) + m2 * a1 * a2 * d1 * c2
        assert dL_dqd == [p1, p2]
        assert dL_dq == [
            -(m1 + m2) * g * a1 * c1 - m2 * g * a2 * c12,
            -m2 * a1 * a2 * (d1**2 + d1 * d2) * s2 - m2 * g * a2 * c12,
        ]
        M, M_dot = me.mass_matrix(arm, q), me.mass_matrix_rate(arm, q, qd)
        rate = [sum(M[i][j] * qdd[j] + M_dot[i][j] * qd[j] for j in range(2)) for i in range(2)]
        common = (m1 + m2) * a1**2 * dd1 + m2 * a2**2 * (dd1 + dd2) - m2 * a1 * a2 * (2 * d1 * d2 + d2**2) * s2
        assert rate[0] == common + m2 * a1 * a2 * (2 * dd1 + dd2) * c2
        differs += rate[0] != common + m2 * a1 * a2 * (2 * dd1 + d2) * c2
        assert rate[1] == m2 * a2**2 * (dd1 + dd2) + m2 * a1 * a2 * dd1 * c2 - m2 * a1 * a2 * d1 * d2 * s2
    assert differs > STATES // 2


def test_elbow_arm_force_balance_and_accelerations():
    """Lecture 14: f_i = m_i a_i, and the acceleration of mass 2 at (0, pi/2) split into centripetal and Coriolis."""
    for arm, s, q, qd, qdd in states("elbow", seed=3):
        L1, L2 = s["a1"], s["a2"]
        c1, s1, _, _, c12, s12 = trig(q)
        (d1, d2), (dd1, dd2) = qd, qdd
        tool = me.acceleration(arm, q, qd, qdd, "tool").total[3:]
        assert tool == [
            -L1 * d1**2 * c1 - L2 * (d1 + d2) ** 2 * c12 - L1 * dd1 * s1 - L2 * (dd1 + dd2) * s12,
            -L1 * d1**2 * s1 - L2 * (d1 + d2) ** 2 * s12 + L1 * dd1 * c1 + L2 * (dd1 + dd2) * c12,
            0,
        ]
        elbow = me.acceleration(arm, q, qd, qdd, "link2").total[3:]  # the origin of link 2 carries mass 1
        assert elbow == [-L1 * d1**2 * c1 - L1 * dd1 * s1, -L1 * d1**2 * s1 + L1 * dd1 * c1, 0]
        bent = [Turn(Q(1), Q(0)), Turn(Q(0), Q(1))]
        split = me.acceleration(arm, bent, qd, [0, 0], "tool")
        assert split.centripetal[3:5] == [-L1 * d1**2, -L2 * d1**2 - L2 * d2**2]
        assert split.coriolis[3:5] == [0, -2 * L2 * d1 * d2]


def test_rr_arm_with_inertias():
    """Lecture 10: Jacobians at the centres of mass, D(q), P; with lc = l it is the arm of the energy lecture."""
    for arm, s, q, qd, _ in states("rr"):
        m1, m2, l1, lc1, lc2, I1, I2, g = (s[k] for k in ("m1", "m2", "l1", "lc1", "lc2", "I1", "I2", "g"))
        c1, s1, _, s2, c12, s12 = trig(q)
        d1, d2 = qd
        J1 = [[-lc1 * s1, 0], [lc1 * c1, 0], [0, 0]]
        J2 = [[-l1 * s1 - lc2 * s12, -lc2 * s12], [l1 * c1 + lc2 * c12, lc2 * c12], [0, 0]]

        def squared(J):
            return [[sum(J[r][i] * J[r][j] for r in range(3)) for j in range(2)] for i in range(2)]

        D1, D2, spin = squared(J1), squared(J2), [[I1 + I2, I2], [I2, I2]]
        D = [[m1 * D1[i][j] + m2 * D2[i][j] + spin[i][j] for j in range(2)] for i in range(2)]
        M, c, G, K, P = parts(arm, q, qd)
        assert M == D
        assert (m1 * lc1 + m2 * l1) * g * s1 + m2 * lc2 * g * s12 == P
        assert Q(1, 2) * sum(D[i][j] * qd[i] * qd[j] for i in range(2) for j in range(2)) == K
        h = -m2 * l1 * lc2 * s2
        assert c == [h * (2 * d1 * d2 + d2**2), -h * d1**2]
        assert [(m1 * lc1 + m2 * l1) * g * c1 + m2 * lc2 * g * c12, m2 * lc2 * g * c12] == G


def test_rr_arm_of_the_energy_lecture():
    """Masses at the link ends and inertias: M_1 and M_2 from the Jacobians, their sum, R_i, J_w."""
    for arm, s, q, _, _ in states("rr", seed=2):
        symbols = s | {"lc1": s["l1"], "lc2": s["l2"]}
        arm = bind(la.load("rr"), RATIONAL, symbols)
        m1, m2, L1, L2, I1, I2 = (symbols[k] for k in ("m1", "m2", "l1", "l2", "I1", "I2"))
        c1, s1, c2, _, c12, s12 = trig(q)
        assert me.link_mass_matrix(arm, q, 0) == [[m1 * L1**2 + I1, 0], [0, 0]]
        off = m2 * (L2**2 + L1 * L2 * c2) + I2
        second = [[m2 * (L1**2 + L2**2 + 2 * L1 * L2 * c2) + I2, off], [off, m2 * L2**2 + I2]]
        assert me.link_mass_matrix(arm, q, 1) == second
        first = m1 * L1**2 + m2 * (L1**2 + L2**2 + 2 * L1 * L2 * c2) + I1 + I2
        assert me.mass_matrix(arm, q) == [[first, off], [off, m2 * L2**2 + I2]]
        Jv, Jw = me.split(me.jacobian(arm, q, "tool"))
        assert Jw == [[0, 0], [0, 0], [1, 1]]
        assert Jv == [[-L2 * s12 - L1 * s1, -L2 * s12], [L2 * c12 + L1 * c1, L2 * c12], [0, 0]]
        pose = me.forward_kinematics(arm, q)["tool"]
        assert pose.rotation.rows() == ((c12, -s12, 0), (s12, c12, 0), (0, 0, 1))
        screws = me.screw_chain(arm).screws
        assert [tuple(x.angular) + tuple(x.linear) for x in screws] == [(0, 0, 1, 0, 0, 0), (0, 0, 1, 0, -L1, 0)]


@pytest.mark.slow
def test_polar_arm_of_example_3_2_1():
    """The page prints r r in the Coriolis term where r rdot is meant."""
    differs = 0
    for arm, s, q, qd, qdd in states("polar"):
        m, g = s["m"], s["g"]
        (turn, r), (dt, dr), (ddt, ddr) = q, qd, qdd
        M, c, G, K, P = parts(arm, q, qd)
        assert [[m * r**2, 0], [0, m]] == M
        assert c == [2 * m * r * dr * dt, -m * r * dt**2]
        assert [m * g * r * turn.cos, m * g * turn.sin] == G
        assert Q(1, 2) * m * r**2 * dt**2 + Q(1, 2) * m * dr**2 == K
        assert m * g * r * turn.sin == P
        n = m * r**2 * ddt + 2 * m * r * dr * dt + m * g * r * turn.cos  # (9), corrected
        f = m * ddr - m * r * dt**2 + m * g * turn.sin  # (10)
        assert me.inverse_dynamics(arm, q, qd, qdd) == [n, f]
        differs += c[0] != 2 * m * r * r * dt
        assert [slope(me.lagrangian(arm, q, along(qd, e))) for e in ([1, 0], [0, 1])] == [m * r**2 * dt, m * dr]
        dL_dq = [slope(me.lagrangian(arm, along(q, e), qd)) for e in ([1, 0], [0, 1])]
        assert dL_dq == [-m * g * r * turn.cos, m * r * dt**2 - m * g * turn.sin]
    assert differs > STATES // 2


@pytest.mark.slow
def test_rp_arm_of_the_tutorial():
    """M, tau, g, Lambda hold as printed; the printed c has theta2'^2 in its second entry where theta1'^2 is meant."""
    differs = 0
    for arm, s, q, qd, qdd in states("rp"):
        m1, m2, L1, I1, I2, g = (s[k] for k in ("m1", "m2", "L1", "I1", "I2", "g"))
        (turn, r), (d1, d2), (dd1, dd2) = q, qd, qdd
        c1, s1 = turn.cos, turn.sin
        M, c, G, K, P = parts(arm, q, qd)
        M1 = m1 * L1**2 + m2 * r**2 + I1 + I2
        assert [[M1, 0], [0, m2]] == M
        assert c == [2 * m2 * r * d1 * d2, -m2 * r * d1**2]
        differs += c[1] != -m2 * r * d2**2
        assert [(m1 * L1 + m2 * r) * g * c1, m2 * g * s1] == G
        assert Q(1, 2) * m2 * d2**2 + Q(1, 2) * M1 * d1**2 == K
        assert (m1 * L1 + m2 * r) * g * s1 == P
        assert me.hamiltonian(arm, q, qd) == K + P
        tau = [
            M1 * dd1 + 2 * m2 * r * d1 * d2 + (m1 * L1 + m2 * r) * g * c1,
            m2 * dd2 - m2 * r * d1**2 + m2 * g * s1,
        ]
        assert me.inverse_dynamics(arm, q, qd, qdd) == tau == me.screw_inverse_dynamics(arm, q, qd, qdd)
        assert me.split(me.jacobian(arm, q, "tool"))[0][:2] == [[-r * s1, c1], [r * c1, s1]]
        off = (m2 - M1 / r**2) * s1 * c1
        Lambda = [[M1 * s1**2 / r**2 + m2 * c1**2, off], [off, M1 * c1**2 / r**2 + m2 * s1**2]]
        assert me.operational_inertia(arm, q, "tool", [3, 4]) == Lambda
        assert me.operational_inertia_by_inverse_jacobian(arm, q, "tool", [3, 4]) == Lambda
        straight = [Turn(Q(1), Q(0)), r]
        I_eq = m1 * L1**2 + I1 + I2
        assert me.operational_inertia(arm, straight, "tool", [3, 4]) == [[m2, 0], [0, I_eq / r**2 + m2]]
    assert differs > STATES // 2


@pytest.mark.slow
@pytest.mark.parametrize("name", ["elbow", "rr", "polar", "rp", "planar3r"])
def test_newton_euler_recovers_the_parts(name):
    """M from unit accelerations, c without gravity, g at rest: all from Newton-Euler calls, equal to Lagrange's."""
    for k, (arm, _, q, qd, qdd) in enumerate(states(name, seed=4)):
        if k == 50:
            break
        M = me.mass_matrix_by_unit_accelerations(arm, q)
        assert me.mass_matrix_by_jacobians(arm, q) == M
        gamma, n = me.christoffel(arm, q), range(arm.dof)
        c = [sum(gamma[i][j][k] * qd[j] * qd[k] for j in n for k in n) for i in n]
        assert me.coriolis_torques(arm, q, qd) == c
        g = [slope(me.potential_energy(arm, along(q, [int(i == j) for j in n]))) for i in n]
        assert me.gravity_forces(arm, q) == g
        tau = [sum(M[i][j] * qdd[j] for j in n) + c[i] + g[i] for i in n]
        assert me.inverse_dynamics(arm, q, qd, qdd) == tau
