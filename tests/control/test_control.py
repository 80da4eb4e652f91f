"""Control laws: what each promises of the closed loop, through forward dynamics, exactly where numbers are rational."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import leverarm as la
from leverarm import mechanics as me
from leverarm.control import (
    LAWS,
    PD,
    ComputedTorque,
    Control,
    OperationalSpace,
    PDGravity,
    Saturated,
    SlotineLi,
    by_name,
    computed_torque,
    fitted,
    operational_space,
    pd,
    pd_gravity,
    slotine_li,
)
from leverarm.control.joint_space import rigid_forces
from leverarm.control.law import clipped, compensated_friction
from leverarm.control.operational_space import frame_acceleration, turn_error
from leverarm.control.signals import Moment, constant, cubic, quintic, table
from leverarm.errors import InputError
from leverarm.model import Friction, bind, regrouped
from leverarm.scalars import RATIONAL, TAPE, Tape, as_length, is_zero
from leverarm.scalars.tape import evaluated, live_nodes
from leverarm.spatial import Matrix3, Vec3, rotation_about
from tests.support.levels import at_level
from tests.support.random_arms import exact_state, random_arm, rational

TREES = range(at_level(6, 12, 12))


def fractions(rng, n, lowest=-3, highest=3):
    return [rational(rng, lowest, highest) for _ in range(n)]


def exact_case(seed):
    """An arm over the rationals, its state, a reference that moves the same way as the joints, and positive gains."""
    arm = random_arm(seed, 4)
    m = bind(arm, RATIONAL)
    q, qd, _ = exact_state(arm, seed)
    rng = random.Random(seed + 1000)
    rate = [x * rng.choice((Fraction(1, 2), 1, 2)) for x in qd]
    wanted = Moment(fractions(rng, arm.dof), rate, fractions(rng, arm.dof))
    return m, q, qd, wanted, [fractions(rng, arm.dof, 1) for _ in range(2)]


def errors(wanted, q, qd):
    e = [x - as_length(y) for x, y in zip(wanted.value, q, strict=True)]
    return e, [x - y for x, y in zip(wanted.rate, qd, strict=True)]


@pytest.mark.parametrize("seed", TREES)
def test_computed_torque_makes_the_error_linear(seed):
    """qdd = qdd_wanted + Kd ed + Kp e, tolerance zero, friction, rotors and couplings included."""
    m, q, qd, wanted, (kp, kd) = exact_case(seed)
    tau = ComputedTorque().torque(m, {"kp": kp, "kd": kd}, wanted, q, qd)
    qdd = me.forward_dynamics_by_mass_matrix(m, q, qd, tau)
    e, ed = errors(wanted, q, qd)
    assert qdd == [a + d * y + p * x for a, d, y, p, x in zip(wanted.acceleration, kd, ed, kp, e, strict=True)]


@pytest.mark.parametrize("seed", TREES)
def test_slotine_li_drains_its_energy(seed):
    """d/dt (s^T M s / 2) = -s^T K s, tolerance zero: only the Christoffel C makes Mdot - 2 C skew."""
    m, q, qd, wanted, (k, lam) = exact_case(seed)
    tau = SlotineLi().torque(m, {"k": k, "lam": lam}, wanted, q, qd)
    qdd = me.forward_dynamics_by_mass_matrix(m, q, qd, tau)
    e, ed = errors(wanted, q, qd)
    s = [-(y + x * z) for y, x, z in zip(ed, lam, e, strict=True)]
    s_dot = [a - (b + x * y) for a, b, x, y in zip(qdd, wanted.acceleration, lam, ed, strict=True)]
    M, M_dot = me.mass_matrix(m, q), me.mass_matrix_rate(m, q, qd)
    rate = sum(x * y for x, y in zip(s, me.apply(M, s_dot), strict=True))
    rate += Fraction(1, 2) * sum(x * y for x, y in zip(s, me.apply(M_dot, s), strict=True))
    assert rate == -sum(gain * x * x for gain, x in zip(k, s, strict=True))
    assert any(s) and rate < 0


@pytest.mark.parametrize("seed", TREES)
def test_forces_with_two_velocities_are_those_of_the_christoffel_matrix(seed):
    m, q, qd, _, (v, vd) = exact_case(seed)
    C, M = me.coriolis_matrix_from_christoffel(m, q, qd), me.mass_matrix(m, q)
    parts = me.apply(M, vd), me.apply(C, v), me.gravity_forces(m, q)
    assert rigid_forces(me.without_friction(m), q, qd, v, vd) == [sum(x) for x in zip(*parts, strict=True)]


def test_forces_with_two_velocities_cost_little_more_than_inverse_dynamics():
    """One Newton-Euler pass with two angular velocities: 1.2 times inverse dynamics, 0.4 times the way through C."""
    m = regrouped(bind(la.load("panda"), TAPE))

    def flops(run):
        tape = Tape()
        state = [[tape.input(f"{x}{i}") for i in range(m.dof)] for x in ("q", "qd", "v", "vd")]
        return sum(node.op.flops for node in live_nodes(run(*state)))

    ours = flops(lambda q, qd, v, vd: rigid_forces(m, q, qd, v, vd))
    assert ours <= 643
    assert ours < 1.2 * flops(lambda q, qd, v, vd: me.classical_inverse_dynamics(m, q, qd, vd))
    assert ours < 0.4 * flops(
        lambda q, qd, v, vd: [
            a + b
            for a, b in zip(
                me.classical_forces(m, q, [0] * m.dof, vd),
                me.apply(me.classical_coriolis_matrix(m, q, qd), v),
                strict=True,
            )
        ]
    )


@pytest.mark.parametrize("seed", TREES)
def test_pd_with_gravity_rests_at_its_target(seed):
    """At the target and at rest nothing accelerates; away from it, the force is Kp e + Kd ed + g."""
    m, q, qd, wanted, (kp, kd) = exact_case(seed)
    m, data = me.without_friction(m), {"kp": kp, "kd": kd}
    there = Moment([as_length(x) for x in q], [0] * m.dof, [0] * m.dof)
    tau = PDGravity().torque(m, data, there, q, [0] * m.dof)
    assert not any(me.forward_dynamics_by_mass_matrix(m, q, [0] * m.dof, tau))
    e, ed = errors(wanted, q, qd)
    springs = [p * x + d * y for p, x, d, y in zip(kp, e, kd, ed, strict=True)]
    assert PD().torque(m, data, wanted, q, qd) == springs
    total = PDGravity().torque(m, data, wanted, q, qd)
    assert total == [a + b for a, b in zip(springs, me.gravity_forces(m, q), strict=True)]


def test_dry_friction_is_compensated_along_the_reference():
    """Over a joint that moves backwards while its reference moves forwards, rests, or moves along."""
    arm = la.load("rr")
    terms = (Friction(0.3, 0.5, 0.4, 0.7, offset=0.1), Friction(0.3, 0.5, smoothing=0.2))
    bodies = tuple(
        replace(body, joint=replace(body.joint, friction=term)) for body, term in zip(arm.bodies, terms, strict=True)
    )
    m = bind(replace(arm, bodies=bodies))
    smooth = me.friction(m, [0.0, -2.0])[1]
    expected = {1.0: -2 * 0.3 + 0.5 + 0.1, 0.0: -2 * 0.35 + 0.1, -1.0: -2 * 0.4 - 0.7 + 0.1}
    for rate, force in expected.items():
        found = compensated_friction(m, [0.0, 0.0], [-2.0, -2.0], [rate, rate])
        assert found == pytest.approx([force, smooth], rel=1e-15)
    found = compensated_friction(m, [0.0, 0.0], [-2.0, -2.0], [-1.0, -1.0])
    assert found == pytest.approx(me.friction(m, [-2.0, -2.0]), rel=1e-15)


def _frame_target(arm, rng):
    """A reference and an orientation near where the tool is."""
    q = rng.uniform(0.2, 1.0, arm.dof)
    turn = rotation_about(Vec3(0.6, 0.0, 0.8), np.cos(0.4), np.sin(0.4)).rows()
    return q, np.array(turn) @ la.forward_kinematics(arm, q, arm.tool)[:3, :3]


TASKS = [
    ("elbow", ("x", "y")),
    ("puma560", ("x", "y", "z")),
    ("puma560", ("wx", "wy", "wz", "x", "y", "z")),
    ("panda", ("x", "y", "z")),
    ("panda", ("wx", "wy", "wz", "x", "y", "z")),
    ("panda", ("z", "wy", "x")),
    ("panda", ("wx", "wy", "wz")),
    ("scara", ("wz", "x", "y", "z")),
    ("stanford", ("x", "y", "z")),
    ("torso", ("x", "y", "z")),
]


@pytest.mark.parametrize(("name", "axes"), TASKS)
def test_operational_space_moves_the_frame_as_asked(name, axes):
    """xdd = xdd_wanted + Kd xd_e + Kp x_e through forward dynamics, whatever the joints do besides."""
    arm, rng = la.load(name), np.random.default_rng(7)
    bodies = [replace(b, joint=replace(b.joint, friction=Friction(0.4, offset=0.2))) for b in arm.bodies]
    arm = replace(arm, bodies=tuple(bodies))
    (q, R), qd = _frame_target(arm, rng), rng.uniform(-1, 1, arm.dof)
    linear = [axis for axis in axes if axis in "xyz"]
    ends = rng.uniform(-1, 1, (2, len(linear)))
    reference = cubic(ends, [0.0, 2.0]) if linear else None
    kp, kd = rng.uniform(5, 50, (2, len(axes)))
    orientation = R if len(linear) < len(axes) else None
    control = operational_space(reference, kp, kd, axes=axes, orientation=orientation)
    tau = control.torque_at(arm, 0.7, q, qd)
    qdd = la.forward_dynamics(arm, q, qd, tau)
    J, J_dot = la.jacobian(arm, q), la.jacobian_dot(arm, q, qd)
    velocity, acceleration = J @ qd, J @ qdd + J_dot @ qd
    pose = la.forward_kinematics(arm, q, arm.tool)
    turn = sum(np.cross(pose[:3, k], R[:, k]) for k in range(3)) / 2
    x, xd, xdd = (list(part) for part in reference.at(0.7)) if linear else ([], [], [])
    expected, found = [], []
    for axis, p, d in zip(axes, kp, kd, strict=True):
        r = me.ROWS.index(axis)
        if axis in linear:
            i = linear.index(axis)
            expected.append(xdd[i] + d * (xd[i] - velocity[r]) + p * (x[i] - pose[r - 3, 3]))
        else:
            expected.append(p * turn[r] - d * velocity[r])
        found.append(acceleration[r])
    rows = [me.ROWS.index(axis) for axis in axes]
    mobility = J[rows] @ np.linalg.solve(la.mass_matrix(arm, q), J[rows].T)
    rounding = 1e-13 * np.linalg.cond(mobility) * np.linalg.cond(la.mass_matrix(arm, q))
    scale = max(1.0, np.abs(expected).max())
    assert rounding < 1e-3
    assert np.abs(np.subtract(expected, found)).max() <= rounding * scale


def test_operational_space_is_khatibs_law():
    """tau = J^T (Lambda a + mu + p) + (1 - J^T Jbar^T) tau_0, tolerance zero, on redundant rational arms."""
    for seed in range(3):
        arm = random_arm(seed, 5, serial=True)
        m = me.without_friction(bind(arm, RATIONAL))
        q, qd, _ = exact_state(arm, seed)
        rng, axes = random.Random(seed), ("x", "z")
        rows = [me.ROWS.index(axis) for axis in axes]
        wanted = Moment(*(fractions(rng, 2) for _ in range(3)))
        d = Fraction(3, 2)
        data = {"kp": fractions(rng, 2, 1), "kd": fractions(rng, 2, 1), "null_damping": [d]}
        found = OperationalSpace(None, axes).torque(m, data, wanted, q, qd)
        J = [me.jacobian(m, q, m.tool)[r] for r in rows]
        position = me.forward_kinematics(m, q)[m.tool].position
        here = [tuple(position)[r - 3] for r in rows]
        speeds = me.apply(J, qd)
        a = [
            wanted.acceleration[i]
            + data["kd"][i] * (wanted.rate[i] - speeds[i])
            + data["kp"][i] * (wanted.value[i] - here[i])
            for i in range(2)
        ]
        Lambda = me.operational_inertia(m, q, m.tool, rows)
        mu, p = me.operational_bias(m, q, qd, m.tool, rows), me.operational_gravity(m, q, m.tool, rows)
        F = [x + y + z for x, y, z in zip(me.apply(Lambda, a), mu, p, strict=True)]
        own, M = me.bias(m, q, qd), me.mass_matrix(m, q)
        tau_0 = [x - d * y for x, y in zip(own, me.apply(M, qd), strict=True)]
        felt = me.apply(Lambda, me.Task.of(m, q, m.tool, rows).felt(tau_0))
        JT = me.transposed(J)
        null = [x - y for x, y in zip(tau_0, me.apply(JT, felt), strict=True)]
        assert found == [x + y for x, y in zip(me.apply(JT, F), null, strict=True)]
        assert any(null)


def test_null_damping_acts_where_the_tip_does_not_feel_it():
    """A redundant arm's tip accelerates alike whatever the damping; kinetic energy of the self-motion decays."""
    arm, rng = la.load("panda"), np.random.default_rng(3)
    q, _ = _frame_target(arm, rng)
    J = la.jacobian(arm, q)[3:]
    qd = np.linalg.svd(J)[2][-1]
    at = la.forward_kinematics(arm, q, arm.tool)[:3, 3]
    free, damped = (
        la.forward_dynamics(arm, q, qd, operational_space(at, 30.0, 8.0, null_damping=d).torque_at(arm, 0.0, q, qd))
        for d in (0.0, 5.0)
    )
    slowing = free - damped
    assert np.abs(J @ slowing).max() < 1e-10
    # The self-motion itself is in the null space of J here, so all of it decays at the rate d.
    assert np.abs(slowing - 5 * qd).max() < 1e-10


@pytest.mark.parametrize("seed", TREES)
def test_frame_acceleration_is_that_of_the_jacobian(seed):
    m, q, qd, _, (qdd, _) = exact_case(seed)
    J, J_dot = me.jacobian(m, q, m.tool), me.jacobian_dot(m, q, qd, m.tool)
    expected = [a + b for a, b in zip(me.apply(J, qdd), me.apply(J_dot, qd), strict=True)]
    assert frame_acceleration(m, q, qd, qdd, m.tool) == expected


def test_turn_error_points_along_the_missing_rotation():
    axis, start = Vec3(2 / 3, -1 / 3, 2 / 3), rotation_about(Vec3(0.6, 0.8, 0), np.cos(1.1), np.sin(1.1))
    wanted = rotation_about(axis, np.cos(0.3), np.sin(0.3)) * start
    error = turn_error(start, [x for row in wanted.rows() for x in row])
    assert list(error) == pytest.approx([np.sin(0.3) * part for part in axis], abs=1e-15)
    identity = [1, 0, 0, 0, 1, 0, 0, 0, 1]
    assert all(is_zero(part) for part in turn_error(Matrix3(Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)), identity))


@pytest.mark.parametrize("x", [0.1, -0.1, 1 / 3, 2.9999999999999996, 3.0, -3.0, 3.0000000000000004, 1e9, -1e300, 0.0])
def test_clipping_is_exact(x):
    expected = min(max(x, -3.0), 3.0)
    assert clipped(x, 3.0) == expected
    tape = Tape()
    node = clipped(tape.input("x"), tape.input("limit"))
    assert evaluated([node], {"x": x, "limit": 3.0}) == [expected]
    assert clipped(Fraction(x), Fraction(3)) == Fraction(expected)
    assert clipped(x, 0.0) == 0


def test_saturation_touches_only_what_is_beyond():
    arm = la.load("panda")
    q, target = np.zeros(7), np.full(7, 0.3)
    free = pd(target, [1000, 10, 1000, 10, 1000, 10, 10], 1.0).torque_at(arm, 0, q, q)
    limits = [87.0] * 4 + [12.0] * 3
    held = pd(target, [1000, 10, 1000, 10, 1000, 10, 10], 1.0, effort="limits").torque_at(arm, 0, q, q)
    assert (held == np.clip(free, -np.array(limits), limits)).all() and (held != free).sum() == 3
    assert (pd(target, 1000, 0, effort=5).torque_at(arm, 0, q, q) == 5).all()
    assert (pd(-target, 1000, 0, effort=limits).torque_at(arm, 0, q, q) == -np.array(limits)).all()


def test_a_law_knows_its_model():
    """With a wrong model gravity is not held; the law asks its model, not the arm."""
    arm = la.load("elbow")
    light = replace(arm, gravity=Vec3(*(part / 2 for part in arm.gravity)))
    q, rest = [0.3, 0.4], [0.0, 0.0]
    assert pd_gravity(q, 10, 1).torque_at(arm, 0, q, rest) == pytest.approx(la.gravity(arm, q))
    assert pd_gravity(q, 10, 1, light).torque_at(arm, 0, q, rest) == pytest.approx(la.gravity(arm, q) / 2)
    assert computed_torque(q, 10, 1, light).torque_at(arm, 0, q, rest) == pytest.approx(la.gravity(arm, q) / 2)
    assert slotine_li(q, 10, 1, light).torque_at(arm, 0, q, rest) == pytest.approx(la.gravity(arm, q) / 2)


def test_references_move():
    """Along a quintic, computed torque and Slotine-Li at zero error are inverse dynamics of the reference."""
    arm = la.load("panda")
    reference = quintic([[0.0] * 7, [0.5, -0.3, 0.2, -1.0, 0.4, 0.6, -0.2]], [0.0, 2.0])
    at = reference.at(0.8)
    expected = la.inverse_dynamics(arm, at.value, at.rate, at.acceleration)
    for control in (computed_torque(reference, 100, 20), slotine_li(reference, 20, 10)):
        assert control.torque_at(arm, 0.8, at.value, at.rate) == pytest.approx(expected, rel=1e-12, abs=1e-12)


def _target(name, arm):
    linear = [axis for axis in la.quantities.task_axes(arm) if axis in "xyz"]
    return [0.2] * (len(linear) if name == "operational-space" else arm.dof)


@pytest.mark.parametrize("arm", la.catalog_names(), ids=str)
@pytest.mark.parametrize("name", LAWS)
def test_laws_trace_on_every_arm(name, arm):
    """The traced law gives the numbers of the plain route, and its data are all that it asks for."""
    arm = la.load(arm)
    if name == "operational-space" and not _target(name, arm):
        pytest.skip("its tool only turns")
    control = by_name(name, arm, _target(name, arm), effort=1e4)
    rng, tape = np.random.default_rng(1), Tape()
    q, qd = rng.uniform(0.2, 1.2, (2, arm.dof))

    def inputs(what, values):
        return {f"{what}[{i}]": float(x) for i, x in enumerate(values)}

    arrays = control.law.arrays(arm)
    assert [a.name for a in arrays] == list(control.data)
    numbers = {"q": q, "qd": qd, **control.data, **control.reference.at(0.0)._asdict()}
    named = {what: inputs(what, values) for what, values in numbers.items()}
    nodes = {what: [tape.input(label) for label in labels] for what, labels in named.items()}
    wanted = Moment(*(nodes[part] for part in Moment._fields))
    tau = control.law.torque(regrouped(bind(arm, TAPE)), nodes, wanted, nodes["q"], nodes["qd"])
    found = evaluated(tau, {label: x for labels in named.values() for label, x in labels.items()})
    expected = control.torque_at(arm, 0.0, q, qd)
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-9 * np.abs(expected).max())


def test_gains_by_name_suit_the_arm():
    """Each joint alone is critically damped at the frequency: kp = M_ii w^2, kd = 2 M_ii w."""
    arm, target, w = la.load("panda"), np.linspace(-0.6, -0.1, 7), 2 * np.pi * 3
    M = np.diag(la.mass_matrix(arm, target))
    for name in ("pd", "pd+gravity"):
        control = by_name(name, arm, target, frequency=3)
        assert control.data["kp"] == pytest.approx(M * w**2) and control.data["kd"] == pytest.approx(2 * M * w)
    control = by_name("computed-torque", arm, target, frequency=3)
    assert control.data["kp"] == pytest.approx(w**2) and control.data["kd"] == pytest.approx(2 * w)
    control = by_name("slotine-li", arm, target, frequency=3)
    assert control.data["k"] == pytest.approx(M * w) and control.data["lam"] == pytest.approx(w)
    control = by_name("slotine-li", arm, target, kp=40, kd=10)
    assert control.data["k"] == pytest.approx(10) and control.data["lam"] == pytest.approx(4)
    control = by_name("pd", arm, target, kp=40, kd=[1, 2, 3, 4, 5, 6, 7])
    assert control.data["kp"].tolist() == [40] * 7 and control.data["kd"].tolist() == [1, 2, 3, 4, 5, 6, 7]
    assert isinstance(by_name("pd+gravity", arm, target, effort="limits").law, Saturated)
    late = table([5.0, 6.0], [target, target])
    assert by_name("pd", arm, late, frequency=3).data["kp"] == pytest.approx(M * w**2)
    assert by_name("operational-space", la.load("elbow"), [0.5, 0.5]).law.axes == ("x", "y")


def test_environments_have_gains_and_targets_of_their_own():
    arm = la.load("elbow")
    control = fitted(pd([[0.1, 0.2]] * 3, [[1, 2], [3, 4], [5, 6]], 1, effort=[[7], [8], [9]]), arm)
    assert {name: part.shape for name, part in control.data.items()} == {"kp": (3, 2), "kd": (2,), "effort": (3, 2)}
    assert control.data["effort"].tolist() == [[7, 7], [8, 8], [9, 9]]
    with pytest.raises(InputError, match="kp, effort: one row per environment was given"):
        control.torque_at(arm, 0, [0, 0], [0, 0])
    with pytest.raises(InputError, match="target: one row per environment"):
        pd([[0.1, 0.2]] * 3, 1, 1).torque_at(arm, 0, [0, 0], [0, 0])


def test_laws_are_structure_alone():
    """Equal laws hash and print alike whatever their numbers, so that compiled code is shared."""
    a, b = operational_space([1, 2, 3], 4, 5, effort=6), operational_space([3, 2, 1], 7, 8, effort=9)
    assert a.law == b.law and hash(a.law) == hash(b.law)
    assert [array.name for array in a.law.arrays(la.load("panda"))] == ["kp", "kd", "null_damping", "effort"]
    planar = operational_space([1, 2], 4, 5, axes="xy").law
    assert [array.name for array in planar.arrays(la.load("elbow"))] == ["kp", "kd"]
    assert repr(a.law) == "Saturated(law=OperationalSpace(frame=None, axes=('x', 'y', 'z')))"


R90 = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]

WRONG = [
    (lambda: pd([0, 0], -1, 1), "kp: -1 was given; every number must be zero or positive"),
    (lambda: pd([0, 0], 1, [1, 2, 3]), r"kd: an array of shape \(3,\) was given; it takes one number, or 2"),
    (lambda: pd([0, 0], "soft", 1), "kp: 'soft' was given; it must be a number or a list"),
    (lambda: pd([0, 0], float("nan"), 1), "kp: nan was given; every number must be finite"),
    (lambda: pd([0, float("inf")], 1, 1), "target: .* every number must be finite"),
    (lambda: pd([], 1, 1), "target: no number was given"),
    (lambda: pd("home", 1, 1), "target: 'home' was given"),
    (lambda: pd([0, 0], 1, 1, effort="arm"), "effort: 'arm' was given; it must be numbers, or \"limits\""),
    (lambda: pd([0, 0], 1, 1, effort=[1, -2]), "effort: -2 was given"),
    (lambda: pd([0, 0], 1, 1, effort=float("inf")), "effort: inf was given; every number must be finite"),
    (lambda: pd_gravity([0, 0], 1, 1, model="panda"), "model: 'panda' was given; it must be an arm"),
    (lambda: slotine_li([0, 0], 1, -2), "lam: -2 was given"),
    (lambda: operational_space([0, 0], 1, 1), "target: 2 numbers were given; the linear axes x, y, z take 3"),
    (lambda: operational_space(None, 1, 1), r"target: none was given; it takes 3 numbers \(x, y, z\)"),
    (lambda: operational_space([0], 1, 1, axes=("wx",), orientation=R90), "target: one was given, but .* only turn"),
    (lambda: operational_space([0], 1, 1, axes=("x", "wz")), "orientation: none was given, and the axes are x, wz"),
    (lambda: operational_space([0], 1, 1, axes="x", orientation=R90), "orientation: one was given, and the axes are x"),
    (lambda: operational_space([0] * 3, 1, 1, orientation=[1, 0, 0]), r"orientation: an array of shape \(3,\)"),
    (lambda: operational_space([0] * 3, 1, 1, orientation=np.diag([1, 1, -1])), "orientation: .* is no rotation"),
    (lambda: operational_space([0] * 3, 1, 1, orientation=2 * np.eye(3)), "orientation: .* is no rotation"),
    (lambda: operational_space([0], 1, 1, axes=("q",)), "there is no axis named 'q'"),
    (lambda: operational_space([0] * 3, 1, 1, null_damping=-1), "null_damping: -1 was given"),
]


@pytest.mark.parametrize(("make", "message"), WRONG)
def test_what_is_wrong_is_said(make, message):
    with pytest.raises(InputError, match=message):
        make()


WRONG_FOR_ELBOW = [
    (lambda: pd([0] * 3, 1, 1), r"target: 3 numbers were given; a target for arm 'elbow' takes 2 \(theta1, theta2\)"),
    (lambda: pd([0, 0], 1, 1, effort="limits"), "effort = \"limits\": arm 'elbow' has no limit of effort for theta1"),
    (lambda: pd([0, 0], 1, 1, effort=[1, 2, 3]), r"effort: an array of shape \(3,\) was given; for arm 'elbow'"),
    (
        lambda: pd_gravity([0, 0], 1, 1, la.load("polar")),
        "model: the law knows the coordinates .*, and arm 'elbow' has",
    ),
    (lambda: operational_space([0] * 3, 1, 1), "axes: arm 'elbow' with 2 coordinates cannot move .* among wz, x, y"),
    (lambda: operational_space([0] * 2, 1, 1, "hand", "xy"), "arm 'elbow': there is no frame named 'hand'"),
]


@pytest.mark.parametrize(("make", "message"), WRONG_FOR_ELBOW)
def test_what_does_not_fit_an_arm_is_said(make, message):
    with pytest.raises(InputError, match=message):
        fitted(make(), la.load("elbow"))


WRONG_NAMES = [
    ("pd+gravty", [0, 0], {}, r"control: there is no control law named 'pd\+gravty'; did you mean 'pd\+gravity'"),
    ("pd", [0, 0, 0], {}, "target: 3 numbers were given; a target for arm 'elbow' takes 2"),
    ("operational-space", [0, 0, 0], {}, "target: 3 numbers were given; the linear axes x, y take 2"),
    ("slotine-li", [0, 0], {"kp": 1, "kd": 0}, "kd: it is 0 for some coordinate, .* slotine-li takes Lambda"),
    ("computed-torque", [0, 0], {"kp": [1, 2, 3]}, r"kp: an array of shape \(3,\) was given"),
]


@pytest.mark.parametrize(("name", "target", "gains", "message"), WRONG_NAMES)
def test_what_is_wrong_with_a_name_is_said(name, target, gains, message):
    with pytest.raises(InputError, match=message):
        by_name(name, la.load("elbow"), target, **gains)


@pytest.mark.parametrize("frequency", [0, -1, [1, 2], float("inf")])
def test_a_frequency_is_positive(frequency):
    with pytest.raises(InputError, match="frequency: "):
        by_name("pd", la.load("elbow"), [0, 0], frequency=frequency)


def test_a_control_can_be_put_together_by_hand():
    control = Control(PD(), {"kp": np.array(3.0), "kd": np.array([1.0])}, constant([1.0, 2.0]))
    assert control.torque_at(la.load("elbow"), 0, [0.5, 0], [0, 1]).tolist() == [1.5, 5.0]
