"""The worked arms of the sources, let go: accelerations in closed form at t = 0, and how fast they swing."""

from __future__ import annotations

import numpy as np
import pytest

import leverarm as la

G = 9.81


def elbow_accelerations(q, qd, tau, m1=1.0, m2=1.0, a1=1.0, a2=1.0):
    """Lewis, Dawson and Abdallah 2004, example 3.2-2, solved for the accelerations."""
    (t1, t2), (d1, d2) = q, qd
    c2, s2 = np.cos(t2), np.sin(t2)
    M = np.array(
        [
            [(m1 + m2) * a1**2 + m2 * a2**2 + 2 * m2 * a1 * a2 * c2, m2 * a2**2 + m2 * a1 * a2 * c2],
            [m2 * a2**2 + m2 * a1 * a2 * c2, m2 * a2**2],
        ]
    )
    V = np.array([-m2 * a1 * a2 * (2 * d1 * d2 + d2**2) * s2, m2 * a1 * a2 * d1**2 * s2])
    g = np.array([(m1 + m2) * G * a1 * np.cos(t1) + m2 * G * a2 * np.cos(t1 + t2), m2 * G * a2 * np.cos(t1 + t2)])
    return np.linalg.solve(M, np.asarray(tau) - V - g)


def polar_accelerations(q, qd, tau, m=1.0):
    """Lewis, Dawson and Abdallah 2004, example 3.2-1: m r^2 thdd + 2 m r rd thd + m g r cos th, m rdd - m r thd^2 + m g sin th."""
    (th, r), (thd, rd) = q, qd
    thdd = (tau[0] - 2 * m * r * rd * thd - m * G * r * np.cos(th)) / (m * r**2)
    rdd = (tau[1] + m * r * thd**2 - m * G * np.sin(th)) / m
    return np.array([thdd, rdd])


FORMULAS = {"elbow": elbow_accelerations, "polar": polar_accelerations}


@pytest.mark.parametrize("method", ["dormand-prince", "rk4", "euler", "midpoint"])
@pytest.mark.parametrize("tau", [(0.0, 0.0), (3.0, -1.5)], ids=["let go", "constant torque"])
@pytest.mark.parametrize("name", FORMULAS)
def test_the_first_acceleration_is_the_closed_form(name, tau, method):
    arm = la.load(name)
    for q in ([0.3, 0.8], [-1.2, 0.5], [2.0, 1.5]):
        for qd in ([0.0, 0.0], [0.7, -0.4]):
            step = None if method == "dormand-prince" else 1e-3
            run = la.simulate(arm, q, qd, until=0.01, torque=tau, method=method, step=step, bound=np.inf)
            expected = FORMULAS[name](q, qd, tau)
            assert np.allclose(run.qdd[0], expected, rtol=1e-12, atol=1e-12)
            # q(t) = q + qd t + qdd t^2 / 2 at the start: the Euler difference of the sources.
            t = run.t[1]
            assert np.allclose(
                run.q[1],
                q + np.array(qd) * t + expected * t**2 / 2,
                atol=20 * t**2 if method == "euler" else 200 * t**3,
            )


@pytest.mark.slow
def test_a_point_mass_falls_and_is_pushed_as_newton_says():
    arm = la.load("point-mass")
    rest = la.simulate(arm, until=0.5)
    fall = la.forward_dynamics(arm, [0.0] * arm.dof, [0.0] * arm.dof, [0.0] * arm.dof)
    assert np.allclose(rest.q, np.outer(rest.t**2 / 2, fall), atol=1e-12)
    force = np.arange(1.0, arm.dof + 1)
    pushed = la.simulate(arm, until=0.5, torque=force)
    m = arm.defaults["m"]
    assert np.allclose(pushed.q, np.outer(pushed.t**2 / 2, force / m + fall), atol=1e-12)
    assert pushed.energy.relative < 1e-12


def frequency(t, x):
    """The angular frequency of an oscillation about zero, from its first and last crossing upwards."""
    up = np.flatnonzero((x[:-1] < 0) & (x[1:] >= 0))
    crossings = t[up] - x[up] * (t[up + 1] - t[up]) / (x[up + 1] - x[up])
    return 2 * np.pi * (len(crossings) - 1) / (crossings[-1] - crossings[0])


def test_the_elbow_swings_at_the_frequencies_of_its_linear_modes():
    arm = la.load("elbow")
    hanging = np.array([-np.pi / 2, 0.0])
    M = np.array([[5.0, 2.0], [2.0, 1.0]])
    K = G * np.array([[3.0, 1.0], [1.0, 1.0]])
    squares, modes = np.linalg.eig(np.linalg.solve(M, K))
    for w, mode in zip(np.sqrt(squares), modes.T, strict=True):
        # The frequency falls with the square of the amplitude: 1e-4 rad shifts it by less than 1e-8.
        run = la.simulate(
            arm, hanging + 1e-4 * mode, until=40 * 2 * np.pi / w, rtol=1e-11, atol=1e-15, record=2 * np.pi / w / 100
        )
        x = (run.q - hanging) @ mode
        assert frequency(run.t, x) == pytest.approx(w, rel=1e-6)


def test_the_polar_arm_swings_and_bounces_on_a_spring_at_its_frequencies():
    arm, r, k = la.load("polar"), 0.8, 50.0
    rest = np.array([-np.pi / 2, r])
    spring = [la.control.pd(rest, kp=[0.0, k], kd=0.0), np.array([0.0, -G])]
    for offset, place, w in (([1e-4, 0.0], 0, np.sqrt(G / r)), ([0.0, 1e-4], 1, np.sqrt(k))):
        until = 40 * 2 * np.pi / w
        run = la.simulate(arm, rest + offset, until=until, torque=spring, rtol=1e-11, atol=1e-15, record=until / 4000)
        assert frequency(run.t, run.q[:, place] - rest[place]) == pytest.approx(w, rel=1e-6)
