"""Joints whose friction grows with their load: they stick up to F_c + k |tau_l|, and every joule is booked."""

from __future__ import annotations

import numpy as np
import pytest

import leverarm as la
from leverarm.model import Arm, Body, Friction, Joint, JointKind, MassProperties
from leverarm.spatial import Vec3
from tests.support.loaded_arms import under_load

G = 9.81


def lift(friction, mass=2.0):
    """A mass on a vertical guide: the load of its joint is its weight."""
    joint = Joint("z", JointKind.PRISMATIC, friction=friction)
    return Arm("lift", (Body("cage", "base", joint, MassProperties(mass)),), gravity=Vec3(0, 0, -G))


@pytest.mark.parametrize(("coulomb", "k", "slides"), [(5.0, 0.5, True), (5.0, 0.8, False), (0.0, 1.01, False)])
def test_a_weight_slides_only_where_it_exceeds_the_limit_of_sticking(coulomb, k, slides):
    arm = lift(Friction(coulomb=coulomb, load=k))
    run = la.simulate(arm, [1.0], until=0.5)
    limit = coulomb + k * 2 * G
    assert (limit < 2 * G) == slides
    fall = 0.5 * max(0.0, G - limit / 2) * 0.5**2
    assert run.q[-1, 0] == pytest.approx(1.0 - fall, abs=1e-11)
    assert bool(run.held[-1, 0]) != slides


def test_a_pull_upward_takes_load_off_the_joint():
    """A wrench of half the weight leaves half the load, and half of the friction that goes with it."""
    arm = lift(Friction(load=0.25))
    for pull in (0.0, G, -3.0):
        run = la.simulate(arm, [1.0], [-1.0], until=0.2, wrench=[0, 0, 0, 0, 0, pull])
        load = 2 * G - pull
        a = (-load + 0.25 * load) / 2
        assert run.q[-1, 0] == pytest.approx(1.0 - 0.2 + a * 0.2**2 / 2, abs=1e-11)
        assert run.energy.relative < 1e-9


def test_a_mass_sent_upward_comes_to_rest_and_stays_where_its_own_weight_holds_it():
    """Self-locking: with k > 1 no weight can move the joint."""
    arm = lift(Friction(load=1.2))
    run = la.simulate(arm, [0.0], [2.0], until=1.0)
    slowing = G * 2.2
    assert [event.what for event in run.events] == ["sticks"]
    assert run.events[0].t == pytest.approx(2.0 / slowing, abs=1e-10)
    assert run.q[-1, 0] == pytest.approx(2.0**2 / 2 / slowing, abs=1e-10)


@pytest.mark.parametrize("more", [{"coulomb": 0.1}, {"coulomb": 0.1, "smoothing": 0.01}, {"viscous": 0.05}])
def test_the_books_of_an_arm_close(more):
    arm = under_load(la.load("elbow"), 0.1, **more)
    run = la.simulate(arm, [0.5, -0.3], until=3.0, wrench=[0, 0, 0.3, 1.0, 2.0, 0.0])
    assert run.energy.relative < 1e-9
    assert run.energy.works["friction"][-1] < -1.0
    assert np.diff(run.energy.works["friction"]).max() <= 1e-12
    assert "smoothing" in more or any(event.what == "sticks" for event in run.events)


def test_the_accelerations_are_those_of_forward_dynamics():
    arm = under_load(la.load("puma560"), 0.02, smoothing=0.05)
    w = [0.5, -1.0, 2.0, 3.0, -4.0, 5.0]
    tau = [5.0, -20.0, 10.0, 1.0, -1.0, 0.5]
    run = la.simulate(arm, [0.3, -0.4, 0.2, 0.5, -0.6, 0.1], [0.5, -0.6, 0.7, -0.8, 0.9, -1.0], torque=tau,
                      wrench={"tool": w}, until=0.1, record=0.05)  # fmt: skip
    for k in (0, -1):
        expected = la.forward_dynamics(arm, run.q[k], run.qd[k], tau, wrenches={"tool": w})
        assert run.qdd[k] == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_computed_torque_tracks_against_it():
    arm = under_load(la.load("elbow"), 0.1, coulomb=0.2)
    path = la.signals.quintic([[0.5, -0.3], [1.5, 0.4]], [0.0, 1.0])
    run = la.simulate(arm, [0.5, -0.3], until=1.0, torque=la.control.computed_torque(path, kp=100, kd=20))
    assert run.q[-1] == pytest.approx([1.5, 0.4], abs=2e-3)
