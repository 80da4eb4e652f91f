"""Friction on a motor's own shaft: N^T (viscous s + coulomb sgn(s)) at the speed s = N qd, in every room that knows friction."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import leverarm as la
from leverarm import mechanics as me
from leverarm.closed_form.arm_letters import exact_arm
from leverarm.closed_form.base_parameters import base_parameters
from leverarm.control.law import compensated_friction
from leverarm.errors import ArmError, InputError
from leverarm.formats.native import arm_from_toml, toml_from_arm
from leverarm.model import (
    Arm,
    Body,
    Friction,
    Joint,
    JointKind,
    MassProperties,
    Motor,
    Placement,
    bind,
    has_friction,
    symbol,
    without_friction,
)
from leverarm.scalars import FLOAT, RATIONAL, SYSTEMS, along, sign, slope, tanh
from leverarm.simulation.trajectories.torques import Loads, friction_along
from leverarm.spatial import Symmetric3, Vec3
from leverarm.verify.equations.dimensions import TIME, units_of
from leverarm.verify.table.friction_bounds import friction_bounds
from leverarm.verify.table.velocity_terms import dissipation_of
from tests.support.random_arms import exact_state, random_arm

ROD = MassProperties(2, Vec3(0.3, 0.1, 0.05), Symmetric3(0.1, 0.01, 0.2, 0.02, -0.01, 0.15))
GEARED = Motor(0.01, -32, (("a", 5),), viscous=0.003, coulomb=0.02)
"""It turns with both joints, s = 5 a - 32 b."""
N = np.array([5.0, -32.0])


def two_links(of_a=None, of_b=GEARED, friction=None, **more):
    first = Joint("a", JointKind.REVOLUTE, motor=of_a, friction=friction)
    second = Joint("b", JointKind.REVOLUTE, Placement(Vec3(1, 0, 0), Vec3(0.4, 0, 0)), motor=of_b, friction=friction)
    return Arm("wrist", (Body("one", "base", first, ROD), Body("two", "one", second, ROD)), **more)


@pytest.mark.parametrize("qd", [(0.7, -0.2), (-1.0, 0.5), (0.0, 0.0), (3.2, 0.5)])
def test_the_force_at_the_shaft_is_felt_through_the_gears(qd):
    s = N @ qd
    assert la.friction(two_links(), qd) == pytest.approx(N * (0.003 * s + 0.02 * np.sign(s)), rel=1e-14)


@pytest.mark.parametrize("gear", [50, -50])
def test_a_shaft_of_one_joint_is_friction_of_the_joint(gear):
    """gear^2 of the viscous and |gear| of the Coulomb coefficient; smooth to the same speed of the joint."""
    for smoothing in (None, 0.3):
        own = Friction(0.4, 0.1, 0.6, 0.2, smoothing, 0.05)
        at_shaft = two_links(of_b=Motor(0.01, gear, viscous=0.002, coulomb=0.03), friction=own)
        at_joint = two_links(of_b=Motor(0.01, gear), friction=own)
        more = Friction(0.4 + 0.002 * 2500, 0.1 + 1.5, 0.6 + 0.002 * 2500, 0.2 + 1.5, smoothing, 0.05)
        second = at_joint.bodies[1]
        second = replace(second, joint=replace(second.joint, friction=more))
        at_joint = replace(at_joint, bodies=(at_joint.bodies[0], second))
        for qd in ([0.2, 0.1], [0.3, -0.4], [-0.1, 0.0]):
            assert la.friction(at_shaft, qd) == pytest.approx(la.friction(at_joint, qd), rel=1e-14)
        moved = me.with_shafts_at_joints(bind(at_shaft))
        assert not any(rotor.has_friction for rotor in moved.rotors)
        assert me.friction(moved, [0.3, -0.4]) == pytest.approx(me.friction(bind(at_joint), [0.3, -0.4]), rel=1e-14)


def test_smooth_friction_of_a_geared_motor_takes_the_smoothing_of_its_joint():
    qd = [0.4, -0.02]
    s = N @ qd
    wanted = N * (0.003 * s + 0.02 * math.tanh(s / (32 * 0.25)))
    assert la.friction(two_links(friction=Friction(smoothing=0.25)), qd) == pytest.approx(wanted, rel=1e-14)


@pytest.mark.parametrize("smoothing", [None, 0.4])
def test_slopes_are_those_of_dual_numbers(smoothing):
    arm = bind(
        two_links(of_a=Motor(0.01, 7, viscous=0.1, coulomb=0.2), friction=Friction(0.1, 0.2, smoothing=smoothing))
    )
    q, qd, qdd = [0.3, -0.7], [0.05, 0.4], [1.0, 2.0]
    _, by_qd, _ = me.inverse_dynamics_derivatives(arm, q, qd, qdd)
    for j, unit in enumerate(np.eye(2)):
        column = [slope(x) for x in me.inverse_dynamics(arm, q, along(qd, list(unit)), qdd)]
        assert [row[j] for row in by_qd] == pytest.approx(column, rel=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_parameters_and_columns_exactly(seed):
    """W phi = F with tolerance zero for the two kinds alone, and friction takes power."""
    arm = random_arm(seed)
    m = bind(arm, RATIONAL)
    _, qd, _ = exact_state(arm, seed)
    still = [0] * m.dof
    kinds = ("viscous", "coulomb", "offset")
    W = me.regressor(m, [0] * m.dof, qd, still, kinds)
    assert me.apply(W, [p.value for p in me.parameters(m, kinds)]) == me.friction(m, qd)
    alone = replace(m, frictions=(None,) * len(m.links))
    power = sum(f * v for f, v in zip(me.friction(alone, qd), qd, strict=True))
    speeds = [me.rotor_speed(r, qd) for r in m.rotors if r.has_friction]
    assert power == sum(s * s / 300 + abs(s) / 70 for s in speeds)
    names = [p.name for p in me.parameters(m, ["coulomb"])]
    assert len(set(names)) == len(names)
    told = [r.joint for r in m.rotors if r.has_friction or len(r.gears) > 1]
    assert [name for name in names if "motor" in name] == [f"{joint}.motor_coulomb" for joint in told]


def test_a_coupled_motor_without_friction_has_parameters_for_it_all_the_same():
    """So that what a log says of it can be told; an arm without such a motor has none."""
    bare = Motor(0.01, 32, (("a", 5),))
    names = [p.name for p in me.parameters(bind(two_links(of_b=bare)), ("viscous", "coulomb"))]
    assert names == ["a.viscous", "b.viscous", "b.motor_viscous", "a.coulomb", "b.coulomb", "b.motor_coulomb"]
    W = np.array(me.regressor(bind(two_links(of_b=bare)), [0, 0], [2.0, 1.0], [0, 0], ("viscous", "coulomb")), float)
    assert W[:, 2] == pytest.approx([5 * 42, 32 * 42])
    assert W[:, 5] == pytest.approx([5, 32])
    assert me.kinds_of(bind(two_links(of_b=bare))) == ("inertial", "rotor")
    alone = me.parameters(bind(two_links(of_b=Motor(0.01, 32))), ("viscous",))
    assert [p.name for p in alone] == ["a.viscous", "b.viscous"]


def test_the_column_of_a_smooth_coupled_shaft_is_smooth_before_it_has_friction():
    bare = two_links(of_b=Motor(0.01, -32, (("a", 5),)), friction=Friction(smoothing=0.25))
    (*_, column) = zip(*me.regressor(bind(bare), [0, 0], [0.4, -0.02], [0, 0], ("coulomb",)), strict=True)
    assert column == pytest.approx(N * math.tanh(N @ [0.4, -0.02] / 8), rel=1e-14)


@pytest.mark.parametrize("system", [name for name in SYSTEMS if name != "float"])
def test_every_number_system_gives_the_same_numbers(system):
    other = SYSTEMS[system]
    for smoothing in (None,) if system in ("rational", "exact") else (None, Fraction(1, 4)):
        arm = two_links(of_a=Motor(0.01, 7, viscous=0.1, coulomb=0.2), friction=Friction(0.1, 0.2, smoothing=smoothing))
        plain, bound = bind(arm), bind(arm, other)
        angles = [Fraction(1, 3), Fraction(-1, 2)]
        rates = [Fraction(1, 4), Fraction(2, 5)], [Fraction(1, 2), Fraction(-3)]
        ours, theirs = ([s.angle(x) for x in angles] for s in (FLOAT, other))
        for algorithm in (me.inverse_dynamics, me.classical_inverse_dynamics, me.regressor):
            wanted = np.array(algorithm(plain, ours, *([float(x) for x in v] for v in rates)), float)
            found = algorithm(bound, theirs, *([other.lift(x) for x in v] for v in rates))
            found = np.vectorize(other.approximate, otypes=[float])(np.array(found, object))
            assert found == pytest.approx(wanted, rel=1e-12, abs=1e-12), algorithm


def test_base_parameters_count_a_shaft_once():
    """A coupled shaft adds one of each kind; one that turns with its joint alone is seen as the joint's."""
    of_both = exact_arm(two_links())
    kinds = ("viscous", "coulomb")
    assert len(base_parameters(of_both, kinds)) == 6
    single = base_parameters(exact_arm(two_links(of_b=Motor(0.01, -32, viscous=0.1, coulomb=0.2))), kinds)
    assert {entry.name: entry.regrouping for entry in single.entries if len(entry.regrouping) > 1} == {
        "b.viscous": ((1, "b.viscous"), (1024, "b.motor_viscous")),
        "b.coulomb": ((1, "b.coulomb"), (32, "b.motor_coulomb")),
    }
    assert len(single) == 4


def test_closed_forms_with_letters():
    geared = Motor(0.01, 32, (("a", 5),), viscous=symbol("f_v"), coulomb=symbol("f_c"))
    eq = la.equations(two_links(of_b=geared, symbols=(("f_v", 0.003), ("f_c", 0.02))))
    W, phi = eq.regressor.values, [p.value for p in eq.parameters.values()]
    assert all(x == y for x, y in zip(me.apply(W, phi), eq.tau.values, strict=True))
    assert eq.friction[0].text() == "5 (f_v (5 qd1 + 32 qd2) + f_c sgn(5 qd1 + 32 qd2))"
    units = units_of(eq.arm).letters
    assert units["f_v"] / units["f_c"] == TIME
    named = la.symbolic(two_links(), "friction")
    assert named.defaults == {"Fvm2": 0.003, "Fcm2": 0.02}
    assert la.friction(named, [0.3, 0.1]) == pytest.approx(la.friction(two_links(), [0.3, 0.1]))


def test_signs_of_multiples_are_one_letter():
    qd = exact_arm(two_links()).qd[0]
    assert sign(-3 * qd) == -sign(qd)
    assert sign(Fraction(1, 2) * qd) == sign(qd)
    assert tanh(-2 * qd) == -tanh(2 * qd)
    assert tanh(2 * qd) != tanh(qd)


def test_compiled_forces_and_inputs():
    """Machine code gives what floats give; the coefficients can be inputs, labelled like the parameters."""
    arm = two_links(of_a=Motor(0.01, 7, viscous=0.1, coulomb=0.2), friction=Friction(0.1, 0.3))
    compiled = la.compile(arm, inputs=["friction"])
    q, qd, qdd = np.random.default_rng(1).uniform(-2, 2, (3, 20, 2))
    wanted = [la.inverse_dynamics(arm, *state) for state in zip(q, qd, qdd, strict=True)]
    assert compiled.inverse_dynamics(q, qd, qdd) == pytest.approx(np.array(wanted), rel=1e-12)
    viscous, coulomb = [0.1, 0.1, 0.5, 0.6], [0.3, 0.3, 0.7, 0.8]
    other = two_links(
        Motor(0.01, 7, viscous=0.5, coulomb=0.7), replace(GEARED, viscous=0.6, coulomb=0.8), Friction(0.1, 0.3)
    )
    wanted = [la.inverse_dynamics(other, *state) for state in zip(q, qd, qdd, strict=True)]
    found = compiled.inverse_dynamics(q, qd, qdd, viscous=viscous, coulomb=coulomb)
    assert found == pytest.approx(np.array(wanted), rel=1e-12)


def test_toml_keeps_it():
    arm = two_links(of_a=Motor(0.01, 7, coulomb=symbol("c")), symbols=(("c", 0.2),))
    text = toml_from_arm(arm)
    assert arm_from_toml(text) == arm
    assert "also = { a = 5 }, viscous = 0.003, coulomb = 0.02 }" in text


def test_coefficients_are_magnitudes():
    for field, words in (("viscous", "viscous"), ("coulomb", "Coulomb")):
        with pytest.raises(ArmError, match=f"joint 'b': its motor's {words} friction is -1; it is zero or positive"):
            two_links(of_b=Motor(0.01, 3, **{field: -1}))


# simulation, control, properties, plans


def test_viscous_friction_of_a_geared_motor_is_on_the_books():
    arm = two_links(of_b=replace(GEARED, coulomb=0), gravity=Vec3(0, -9.81, 0))
    run = la.simulate(arm, [0.5, -0.4], [1.0, 2.0], until=1.0)
    assert run.energy.relative < 1e-6
    assert run.energy.works["friction"][-1] < -1.0
    power = np.array([la.friction(arm, v) @ v for v in run.qd])
    assert run.energy.works["friction"][-1] == pytest.approx(-np.trapezoid(power, run.t), rel=1e-3)


@pytest.mark.slow
def test_dry_friction_of_one_joints_motor_sticks_like_the_joints():
    """The same motion as with the friction at the joint, held in the end."""
    at_shaft = two_links(of_a=Motor(0.01, -20, coulomb=2.0), of_b=Motor(0.01, 10, coulomb=4.0), gravity=Vec3(0, 0, 0))
    at_joint = two_links(of_a=Motor(0.01, -20), of_b=Motor(0.01, 10), friction=Friction(0, 40), gravity=Vec3(0, 0, 0))
    runs = [la.simulate(arm, [0.1, 0.2], [3.0, -2.0], until=1.0) for arm in (at_shaft, at_joint)]
    assert np.abs(runs[0].q - runs[1].q).max() < 1e-12
    assert np.all(runs[0].qd[-1] == 0)
    assert runs[0].energy.relative < 1e-6


def test_dry_friction_of_a_motor_elsewhere_that_turns_with_one_joint_is_that_joints():
    """A motor on a body that is welded to the arm."""
    bare = two_links(of_b=None)
    weld = Joint("weld", JointKind.FIXED, motor=Motor(0.01, 99, (("b", -10),), viscous=0.2, coulomb=0.4))
    arm = replace(bare, bodies=(*bare.bodies, Body("pack", "two", weld)))
    moved = me.with_shafts_at_joints(bind(arm))
    assert (moved.frictions[1]["viscous"].forward, moved.frictions[1]["coulomb"].forward) == pytest.approx((20, 4))
    assert me.friction(moved, [0.1, 0.3]) == pytest.approx(la.friction(arm, [0.1, 0.3]))
    assert la.simulate(arm, until=0.01).energy.relative < 1e-6


def test_dry_friction_of_a_geared_motor_is_refused_unless_it_is_smooth():
    with pytest.raises(
        InputError, match=r"motor of joint 'b' .* not turn with that joint alone; .* Give .* a `smoothing`"
    ):
        la.simulate(two_links(), until=0.1)
    smooth = two_links(friction=Friction(smoothing=0.05), gravity=Vec3(0, -9.81, 0))
    run = la.simulate(smooth, [0.5, -0.4], until=0.5)
    assert run.energy.relative < 1e-6
    assert run.energy.works["friction"][-1] < 0


def test_control_compensates_it_in_the_direction_that_is_wanted():
    model = bind(two_links())
    measured, wanted = [0.3, 0.1], [1.0, 0.0]
    force = np.array(compensated_friction(model, [0.0, 0.0], measured, wanted), float)
    assert force == pytest.approx(N * (0.003 * (N @ measured) + 0.02 * np.sign(N @ wanted)), rel=1e-14)
    assert np.sign(N @ measured) != np.sign(N @ wanted)
    assert compensated_friction(model, [0.0, 0.0], measured, measured) == pytest.approx(me.friction(model, measured))


def test_bounds_of_friction_hold():
    """||F|| <= v ||qd|| + k, and near equality for the geared motor, whose F is along N."""
    arm = two_links()
    bounds = friction_bounds(arm)
    assert bounds.v[1] == pytest.approx(0.003 * N @ N)
    assert bounds.k[1] == pytest.approx(0.02 * np.linalg.norm(N))
    for qd in np.random.default_rng(3).uniform(-1, 1, (50, 2)):
        assert np.linalg.norm(la.friction(arm, qd)) <= bounds.v[1] * np.linalg.norm(qd) + bounds.k[1]
    single = two_links(of_b=Motor(0.01, -10, viscous=0.02, coulomb=0.3))
    assert friction_bounds(single).v == pytest.approx((2.0, 2.0))
    assert friction_bounds(single).k == pytest.approx((3.0, 3.0))
    assert friction_bounds(two_links(of_b=Motor(0.01, 3))) is None


def test_the_motors_friction_may_outweigh_an_offset():
    """An offset of 2 N m drives the joint against its own 1 N m, but not against the motor's 3 N m besides."""
    driven = two_links(of_b=None, friction=Friction(0, 1, offset=2))
    assert dissipation_of(driven).driving == ("a", "b")
    held = two_links(Motor(0, 10, coulomb=0.3), Motor(0, 10, coulomb=0.3), Friction(0, 1, offset=2))
    assert dissipation_of(held).driving == ()
    assert dissipation_of(two_links()).is_declared


def test_torques_along_a_motion_and_the_arm_without_friction():
    arm, qd = two_links(), np.array([[0.3, 0.1], [-1.0, 0.2]])
    along = friction_along(arm, np.zeros(2), (qd, qd), Loads("tool", None, None))
    assert along == pytest.approx(np.array([la.friction(arm, v) for v in qd]), rel=1e-9)
    assert has_friction(arm)
    free = without_friction(arm)
    assert not has_friction(free)
    assert free.bodies[1].joint.motor == Motor(0.01, -32, (("a", 5),))
    assert without_friction(free) is free
