"""Friction that grows with the load: k |tau_l| sgn(qd), tau_l what a joint transmits without acceleration."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import leverarm as la
from leverarm import mechanics as me
from leverarm.closed_form.arm_letters import exact_arm
from leverarm.control.law import compensated_friction
from leverarm.errors import ArmError, InputError
from leverarm.mechanics.matrices import apply, dot
from leverarm.model import bind, regrouped, without_friction
from leverarm.scalars import RATIONAL
from leverarm.scalars.exact import is_exactly_zero
from leverarm.simulation.trajectories.torques import Loads, friction_along
from leverarm.verify.table.exact_states import uncoupled
from tests.mechanics.test_lean import EXACT_WRENCH, derivative
from tests.support.loaded_arms import under_load
from tests.support.random_arms import exact_state, random_arm

TREES = range(10)


def sgn(x):
    return (x > 0) - (x < 0)


@pytest.mark.parametrize("seed", TREES)
def test_the_force_is_k_times_the_magnitude_of_weight_coriolis_and_wrench(seed):
    """Exactly, joint by joint: what the joints take beyond the arm's other friction, with g, c and J^T w apart."""
    tree = replace(random_arm(seed), coordinates=())
    arm, rest = bind(under_load(tree), RATIONAL), bind(tree, RATIONAL)
    q, qd, qdd = exact_state(tree, seed)
    push = {arm.tool: EXACT_WRENCH}
    joints = uncoupled(me.without_friction(arm))
    at, rate = arm.joint_values(q), arm.joint_values(qd)
    pulled = apply(me.transposed(me.jacobian(joints, at, arm.tool)), [*EXACT_WRENCH.moment, *EXACT_WRENCH.force])
    parts = me.gravity_forces(joints, at), me.coriolis_torques(joints, at, rate), pulled
    load = [g + c - w for g, c, w in zip(*parts, strict=True)]
    assert me.joint_loads(arm, q, qd, push) == load
    coefficients = [0 if term is None else term["load"].forward for term in arm.frictions]
    forces = [k * abs(x) * sgn(v) for k, x, v in zip(coefficients, load, rate, strict=True)]
    wanted = [
        a + b for a, b in zip(me.inverse_dynamics(rest, q, qd, qdd, push), arm.generalised_forces(forces), strict=True)
    ]
    assert me.inverse_dynamics(arm, q, qd, qdd, push) == wanted
    assert any(forces)


@pytest.mark.parametrize("seed", TREES)
def test_all_routes_agree_exactly_and_invert_each_other(seed):
    tree = under_load(random_arm(seed, joints=2 + seed % 4))
    original = bind(tree, RATIONAL)
    q, qd, qdd = exact_state(tree, seed)
    push = {original.tool: EXACT_WRENCH}
    tau = me.inverse_dynamics(original, q, qd, qdd, push)
    slopes = derivative(lambda *at: me.inverse_dynamics(original, *at, wrenches=push), original.dof, q, qd, qdd)
    for arm in (original, regrouped(original)):
        assert me.classical_inverse_dynamics(arm, q, qd, qdd, push) == tau
        assert me.classical_joint_loads(arm, q, qd, push) == me.joint_loads(original, q, qd, push)
        assert me.forward_dynamics(arm, q, qd, tau, push) == qdd
        assert me.classical_forward_dynamics(arm, q, qd, tau, push) == qdd
        assert me.forward_dynamics_from_rest(arm, q, qd, tau, push) == qdd
        assert me.forward_dynamics_by_mass_matrix(arm, q, qd, tau, push) == qdd
        assert list(me.inverse_dynamics_derivatives(arm, q, qd, qdd, push)) == slopes


@pytest.mark.parametrize("seed", TREES)
def test_it_does_not_depend_on_the_acceleration(seed):
    tree = under_load(random_arm(seed))
    arm = bind(tree, RATIONAL)
    q, qd, qdd = exact_state(tree, seed)
    inertial = apply(me.mass_matrix(arm, q), qdd)
    still = me.bias(arm, q, qd)
    assert me.inverse_dynamics(arm, q, qd, qdd) == [a + b for a, b in zip(inertial, still, strict=True)]


@pytest.mark.parametrize("seed", TREES)
def test_at_a_given_load_the_torques_are_linear_in_all_parameters(seed):
    """tau - W phi = 0 with tolerance zero, over the rationals."""
    tree = under_load(random_arm(seed))
    arm = bind(tree, RATIONAL)
    q, qd, qdd = exact_state(tree, seed)
    load = me.joint_loads(arm, q, qd)
    W, phi = me.regressor(arm, q, qd, qdd, load=load), [p.value for p in me.parameters(arm)]
    assert apply(W, phi) == me.inverse_dynamics(arm, q, qd, qdd)
    assert f"{arm.links[0].joint}.load" in [p.name for p in me.parameters(arm)]
    assert me.kinds_of(bind(random_arm(seed), RATIONAL)).count("load") == 0


@pytest.mark.parametrize("name", ["elbow", "scara"])
def test_at_a_given_load_they_are_linear_whatever_the_symbols_are(name):
    """tau - W phi = 0 over the exact ring."""
    exact = exact_arm(under_load(la.load(name)))
    arm, state = exact.mechanism, (exact.q, exact.qd, exact.qdd)
    W, phi = me.regressor(arm, *state, load=exact.load), [p.value for p in me.parameters(arm)]
    assert all(is_exactly_zero(a - b) for a, b in zip(apply(W, phi), me.inverse_dynamics(arm, *state), strict=True))


def test_what_needs_a_load_says_so():
    arm = under_load(la.load("elbow"))
    says = (
        r"arm 'elbow': the friction of joint 'theta1' depends on its load\. Give `load`, .* la\.quantities\.joint_loads"
    )
    q, qd, qdd = [0.3, 0.4], [1.0, -2.0], [0.5, 0.2]
    for call in (lambda: la.friction(arm, qd), lambda: la.regressor(arm, q, qd, qdd)):
        with pytest.raises(InputError, match=says):
            call()
    with pytest.raises(InputError, match=r"load: 1 numbers were given; it takes 2"):
        la.friction(arm, qd, load=[1.0])
    assert la.regressor(arm, q, qd, qdd, kinds=["inertial", "viscous"]).shape == (2, 22)
    load = la.quantities.joint_loads(arm, q, qd)
    free = without_friction(arm)
    assert load == pytest.approx(la.coriolis_torques(free, q, qd) + la.gravity(free, q), rel=1e-14)
    assert la.friction(arm, qd, load=load) == pytest.approx([0.05 * abs(load[0]), -0.1 * abs(load[1])], rel=1e-14)
    W = la.regressor(arm, q, qd, qdd, load=load)
    assert W @ la.parameters(arm) == pytest.approx(la.inverse_dynamics(arm, q, qd, qdd), rel=1e-14)
    with pytest.raises(ArmError, match=r"load friction is -0\.1; it is a magnitude"):
        under_load(la.load("elbow"), -0.1)


@pytest.mark.parametrize("seed", range(6))
def test_it_takes_energy_at_every_speed(seed):
    tree = under_load(without_friction(random_arm(seed)), Fraction(3, 4))
    arm = bind(tree, RATIONAL)
    for other in range(5):
        q, qd, _ = exact_state(tree, 100 * seed + other)
        force = me.friction(arm, qd, load=me.joint_loads(arm, q, qd))
        assert dot(force, qd) >= 0


def test_a_spring_takes_load_off_its_joint():
    """tau_l = g + c with the springs in g, and every route and slope knows it."""
    bodies = [
        replace(b, joint=replace(b.joint, spring=la.Spring(Fraction(3, 2), Fraction(1, 5))))
        for b in la.load("elbow").bodies
    ]
    sprung = replace(la.load("elbow"), bodies=tuple(bodies))
    arm, free = bind(under_load(sprung)), bind(sprung)
    q, qd, qdd = [0.3, 0.4], [1.0, -0.7], [0.5, 0.2]
    load = np.array(me.gravity_forces(free, q)) + me.coriolis_torques(free, q, qd)
    assert me.joint_loads(arm, q, qd) == pytest.approx(load, rel=1e-14)
    assert me.classical_joint_loads(arm, q, qd) == pytest.approx(load, rel=1e-14)
    tau = me.inverse_dynamics(arm, q, qd, qdd)
    for route in (me.forward_dynamics, me.classical_forward_dynamics, me.forward_dynamics_from_rest):
        assert route(arm, q, qd, tau) == pytest.approx(qdd, rel=1e-12)
    slopes = derivative(lambda *at: me.inverse_dynamics(arm, *at), 2, q, qd, qdd)
    for found, wanted in zip(me.inverse_dynamics_derivatives(arm, q, qd, qdd), slopes, strict=True):
        assert np.array(found) == pytest.approx(np.array(wanted), rel=1e-12, abs=1e-12)


def test_smoothing_holds_for_the_load_too():
    arm = under_load(la.load("elbow"), smoothing=0.2)
    q, qd = [0.3, 0.4], [0.1, -0.05]
    load = la.quantities.joint_loads(arm, q, qd)
    expected = np.array([0.05, 0.1]) * np.abs(load) * np.tanh(np.array(qd) / 0.2)
    assert la.friction(arm, qd, load=load) == pytest.approx(expected, rel=1e-14)
    m = bind(arm)
    slopes = derivative(lambda *at: me.inverse_dynamics(m, *at), 2, q, qd, [0.4, -0.1])
    for found, wanted in zip(me.inverse_dynamics_derivatives(m, q, qd, [0.4, -0.1]), slopes, strict=True):
        assert np.array(found) == pytest.approx(np.array(wanted), rel=1e-12, abs=1e-12)


def test_control_compensates_it_and_motions_need_it():
    arm = under_load(la.load("elbow"))
    model, q, qd = bind(arm), [0.3, 0.4], [1.0, -0.7]
    load = me.joint_loads(model, q, qd)
    assert compensated_friction(model, q, qd, qd) == pytest.approx(me.friction(model, qd, load=load))
    assert compensated_friction(model, q, qd, [-1.0, 0.0]) == pytest.approx([-0.05 * abs(load[0]), 0])
    w = np.array([0.1, 0.2, 0.3, 4.0, -5.0, 6.0])
    states = np.array([q]), np.array([qd])
    for pull, wrenches in ((None, {}), (lambda t: w[None], {"tool": w})):
        along = friction_along(arm, np.zeros(1), states, Loads("tool", pull, None))[0]
        load = la.quantities.joint_loads(arm, q, qd, wrenches=wrenches)
        assert along == pytest.approx(la.friction(arm, qd, load=load), rel=1e-12)


def test_a_payload_and_a_wrench_are_loads():
    """A body welded to the tool, and the wrench that its weight is, load the joints alike at rest."""
    arm = la.load("panda")
    q, still = np.linspace(-0.5, 0.5, 7), np.zeros(7)
    carried = la.compile(arm, "joint_loads", inputs="payload").joint_loads(q, still, payload=[2.0, *[0.0] * 9])
    pulled = la.quantities.joint_loads(
        arm, q, still, wrenches={arm.tool: [0, 0, 0, *(2.0 * np.array([*arm.gravity], float))]}
    )
    assert carried == pytest.approx(pulled, rel=1e-12)
