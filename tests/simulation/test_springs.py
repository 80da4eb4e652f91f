"""Arms with springs in motion: an oscillator in closed form, energy that is accounted for, springs against friction."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import leverarm as la
from leverarm.model import Arm, Body, Friction, Joint, JointKind, MassProperties, Spring
from leverarm.spatial import Vec3
from tests.support.levels import at_level
from tests.support.random_arms import random_arm
from tests.support.springs import sprung

METHODS = ("euler", "semi-implicit", "heun", "rk4", "midpoint", "gauss4", "gauss6")


def oscillator(stiffness: float, rest: float = 0.0, friction: Friction | None = None) -> Arm:
    """A mass of 2 kg that slides level on a spring."""
    joint = Joint("x", JointKind.PRISMATIC, axis=Vec3(1, 0, 0), spring=Spring(stiffness, rest), friction=friction)
    return Arm("oscillator", (Body("block", "base", joint, MassProperties(2.0)),), gravity=Vec3(0, 0, -9.81))


def motors_smoothed(arm: Arm) -> Arm:
    """The arm with smooth friction where a motor is: joints that a motor's dry friction sticks together are refused."""
    bodies = []
    for body in arm.bodies:
        joint = body.joint
        if joint.motor is not None:
            joint = replace(joint, friction=replace(joint.friction or Friction(), smoothing=Fraction(1, 10)))
        bodies.append(replace(body, joint=joint))
    return replace(arm, bodies=tuple(bodies))


def test_an_oscillator_in_closed_form():
    """x = x0 + (x(0) - x0) cos(w t) with w^2 = k/m."""
    run = la.simulate(oscillator(18.0, 0.3), [0.8], until=4.0, rtol=1e-11, atol=1e-12)
    assert np.abs(run.q[:, 0] - (0.3 + 0.5 * np.cos(3 * run.t))).max() < 1e-8
    assert run.energy.potential[0] == pytest.approx(9.0 * 0.5**2) and run.energy.relative < 1e-9


@pytest.mark.parametrize("method", METHODS)
def test_every_method_knows_the_spring(method):
    """From rest, half a period brings the mass to the other side: to the order of the method."""
    run = la.simulate(oscillator(18.0), [0.5], until=np.pi / 3, step=1e-4, method=method)
    assert run.q[-1, 0] == pytest.approx(-0.5, abs=2e-3 if method == "euler" else 1e-4)


def test_a_spring_that_is_stiff_for_the_step():
    """The implicit methods converge at a radian a step, the midpoint at a hundred; energy that is square they keep."""
    for method, stiffness in (("midpoint", 2e8), ("gauss4", 2e4), ("gauss6", 2e4)):
        run = la.simulate(oscillator(stiffness), [0.5], until=0.05, step=1e-2, method=method)
        assert run.energy.relative < 1e-12, method


@pytest.mark.parametrize("seed", range(at_level(1, 3, 12)))
def test_the_energy_of_trees_is_accounted_for(seed):
    """With friction, motors, couplings and springs, to 1e-9 of what was exchanged."""
    arm = motors_smoothed(sprung(random_arm(seed, joints=3), seed))
    run = la.simulate(arm, [0.3] * arm.dof, [0.2] * arm.dof, until=0.5, rtol=1e-11, atol=1e-12)
    assert run.energy.relative < 1e-9


def test_dry_friction_holds_a_spring_up_to_its_limit():
    """Released at 0.5 m with 9 N to the rest position, 2 N of friction: it comes to rest within 2/18 m and stays."""
    friction = Friction(coulomb=2.0)
    held = la.simulate(oscillator(18.0, friction=friction), [0.1], until=0.5)
    assert np.ptp(held.q) == 0 and held.held[-1, 0]
    freed = la.simulate(oscillator(18.0, friction=friction), [0.5], until=6.0)
    assert freed.held[-1, 0] and abs(freed.q[-1, 0]) <= 2 / 18
    turns = 0.5 - 2 * 2 / 18 * np.arange(5)  # the amplitude falls by 2 fc/k each half period
    assert abs(freed.q[-1, 0]) == pytest.approx(min(a for a in turns if a > -2 / 18 and abs(a) <= 2 / 18), abs=1e-6)
    assert freed.energy.relative < 1e-9


def test_control_laws_count_the_springs():
    arm = sprung(la.load("elbow"), 2)
    target = [0.4, -0.3]
    laws = (la.control.pd_gravity(target, 40, 12), la.control.computed_torque(target, 40, 12))
    for law in (*laws, la.control.slotine_li(target, 12, 4)):
        run = la.simulate(arm, [0, 0], until=12.0, torque=law)
        assert run.q[-1] == pytest.approx(target, abs=1e-5)


def test_stiffness_may_be_a_parameter():
    """Of a compiled function, and of each environment of a rollout."""
    arm = oscillator(18.0, 0.3)
    gravity = la.compile(arm, "gravity", inputs=["spring"]).gravity
    assert gravity([0.8], spring=[4.0])[0] == pytest.approx(2.0) and gravity([0.8])[0] == pytest.approx(9.0)
    other = la.compile(replace(arm, bodies=(replace(arm.bodies[0], joint=replace(arm.bodies[0].joint, spring=None)),)))
    assert other.gravity([0.8])[0] == 0
