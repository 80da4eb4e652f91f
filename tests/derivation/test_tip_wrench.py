"""Newton-Euler with a wrench at the tip: tau + J^T F exactly, shown in the steps, and computed again by the cells."""

from __future__ import annotations

import pytest

import leverarm as la
from leverarm import mechanics as me
from leverarm.derivation.newton_euler.reading_off import pushed, tip_jacobian
from leverarm.derivation.setting import Setting
from leverarm.errors import InputError
from leverarm.mechanics.screw_form import screw_inverse_dynamics
from leverarm.model import bind
from leverarm.notation.text import to_text
from leverarm.scalars import RATIONAL
from leverarm.spatial import Force, Vec3
from tests.support.levels import at_level
from tests.support.random_arms import exact_state, random_arm

ARMS = ("rp", "elbow", "polar")


@pytest.mark.parametrize("name", [*ARMS, "spherical", "scara"])
def test_the_wrench_adds_its_projection_by_the_jacobian(name):
    """In letters: the recursion with F_{n+1}, against that without and J_b^T F from the geometric Jacobian."""
    setting = Setting(la.equations(la.load(name)), "wrench")
    exact = setting.eq.exact
    state = exact.mechanism, exact.q, exact.qd, exact.qdd
    free, loaded = screw_inverse_dynamics(*state), screw_inverse_dynamics(*state, setting.tip_wrench)
    assert [a + b for a, b in zip(free, pushed(setting), strict=True)] == loaded
    assert setting.eq.formulas(tip_jacobian(setting)).shape == (6, len(exact.q))


@pytest.mark.parametrize("seed", range(at_level(4, 40, 400)))
def test_it_is_the_opposite_of_an_outside_wrench_on_the_tool(seed):
    """On random trees over the rationals: the recursion in screws against Newton-Euler in spatial vectors."""
    arm = random_arm(seed)
    mechanism, (q, qd, qdd) = bind(arm, RATIONAL), exact_state(arm, seed)
    applied = Force(Vec3(1, -2, 3), Vec3(4, 5, -6))
    turn = me.forward_kinematics(mechanism, q)[arm.tool].rotation
    outside = {arm.tool: Force(-(turn @ applied.moment), -(turn @ applied.force))}
    loaded = screw_inverse_dynamics(mechanism, q, qd, qdd, (arm.tool, applied))
    assert loaded == me.rigid_body_forces(mechanism, q, qd, qdd, wrenches=outside)


def test_the_steps_of_the_sliding_arm_are_those_on_paper():
    derivation = la.derive(la.load("rp"), "newton-euler", tip="wrench")
    lines = [to_text(shown.equation, derivation.document.writing) for step in derivation for shown in step.equations]
    assert "F3 = [[n_x], [n_y], [n_z], [f_x], [f_y], [f_z]]" in lines
    assert "J_b^T F3 = [[f_y theta2 + n_z], [f_x]]" in lines
    assert "tau2 = F2^T A2 = m2 thetadd2 - m2 theta2 thetad1^2 + m2 g s1 + f_x" in lines
    assert "M(theta) thetadd + c(theta, thetad) + g(theta) + J_b^T F3 = tau" in lines
    (step,) = (step for step in derivation if step.title == "The wrench at the tip")
    assert "the difference is identically zero" in str(step.blocks)


@pytest.mark.parametrize("name", [*ARMS, "stanford"])
def test_every_cell_computes_with_the_wrench(name):
    derivation, names = la.derive(la.load(name), "newton-euler", tip="wrench"), {}
    exec(derivation.document.code, names)
    for step in derivation:
        exec(step.code, names)
    letters = {entry.text() for entry in names["eq"].wrench}
    assert letters == {"n_x", "n_y", "n_z", "f_x", "f_y", "f_z"}
    assert any("n_x" in names["eq"].formula(x).text() for x in names["run"].F[-1].moment)


def test_a_wrench_belongs_to_newton_euler():
    with pytest.raises(InputError, match=r"a wrench at the tip .* the route is 'lagrange'"):
        la.derive(la.load("elbow"), tip="wrench")
    with pytest.raises(InputError, match=r"no tip named 'loose'.*free, wrench"):
        la.derive(la.load("elbow"), "newton-euler", tip="loose")
