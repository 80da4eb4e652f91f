"""Torques along a motion, limits of joints, and time: each against laws of mechanics or closed forms."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import leverarm as la
from leverarm.control.signals import constant, cubic, fourier, quintic, scaled_in_time, table, trapezoid
from leverarm.errors import InputError
from leverarm.model import Arm, Body, Friction, Joint, JointKind, Limits, MassProperties
from leverarm.simulation.trajectories import time_scaling
from leverarm.simulation.trajectories.limits import check_limits
from leverarm.simulation.trajectories.minimum_time import fastest_along
from leverarm.simulation.trajectories.records import Records
from leverarm.simulation.trajectories.time_scaling import fit_to_limits, largest_within
from leverarm.simulation.trajectories.torques import torques_along
from leverarm.simulation.trajectories.trajectory import Trajectory
from leverarm.spatial import Symmetric3, Vec3
from tests.support.random_arms import random_arm

PUMA_EFFORTS = (97.6, 186.4, 89.4, 24.2, 20.1, 21.3)
"""Armstrong, Khatib and Burdick 1986, The explicit dynamic model and inertial parameters of the PUMA 560 arm, Table 7 [N m]."""


def with_joints(arm: Arm, **each) -> Arm:
    """The arm with other parts in its joints, one value per body."""
    bodies = tuple(
        replace(body, joint=replace(body.joint, **{name: values[i] for name, values in each.items()}))
        for i, body in enumerate(arm.bodies)
    )
    return replace(arm, bodies=bodies)


def puma() -> Arm:
    arm = la.load("puma560")
    return with_joints(
        arm, limits=[replace(b.joint.limits, effort=e) for b, e in zip(arm.bodies, PUMA_EFFORTS, strict=True)]
    )


def slider(effort=10.0, velocity=None, gravity=0.0, friction=None, mass=2.0) -> Arm:
    """A mass on a rail along z."""
    rail = Joint("x", JointKind.PRISMATIC, limits=Limits(-1, 4, velocity, effort), friction=friction)
    return Arm("slider", (Body("cart", "base", rail, MassProperties(mass)),), gravity=Vec3(0, 0, -gravity))


def two_links(coupling=None) -> Arm:
    body = MassProperties(1.5, Vec3(0.4, 0.1, 0.05), Symmetric3(0.02, 0.001, 0.03, 0, 0, 0.04))
    shoulder = Joint("a", JointKind.REVOLUTE, axis=Vec3(0, 1, 0), limits=Limits(-2, 2, 3, 40))
    elbow = Joint(
        "b",
        JointKind.REVOLUTE,
        la.Placement(Vec3(0.7, 0, 0)),
        Vec3(0, 1, 0),
        limits=Limits(-1, 2.5, 4, 15),
        **(coupling or {}),
    )
    names = {name for name, _ in coupling["coupling"]} | {"a"} if coupling else {"a", "b"}
    return Arm(
        "two",
        (Body("upper", "base", shoulder, body), Body("fore", "upper", elbow, body)),
        coordinates=tuple(sorted(names)),
    )


def fourier_motion(arm: Arm, seed: int = 0, size: float = 0.3):
    rng = np.random.default_rng(seed)
    return fourier(
        0.4, rng.uniform(-1, 1, arm.dof), size * rng.normal(size=(2, arm.dof)), size * rng.normal(size=(2, arm.dof))
    )


PANDA_WAY = [[0, -0.5, 0, -2, 0, 1.5, 0], [1, 0.3, -0.5, -1, 0.5, 2, 1]]
PUMA_WAY = [[0, 0.3, -1.2, 0, 0, 0], [1.2, 1.2, -0.4, 1.5, 1.0, -1]]
MOVES = {"panda": (la.load("panda"), PANDA_WAY), "puma": (puma(), PUMA_WAY)}


# --- torques along a motion


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 3])
def test_torques_are_those_of_inverse_dynamics_and_their_work_explains_the_energy(seed):
    arm = random_arm(seed, joints=4)
    motion = fourier_motion(arm, seed)
    push, disturbance = fourier(0.3, [1, -2, 3, -4, 5, -6], np.ones((1, 6)), np.ones((1, 6))), np.arange(arm.dof) - 1.5
    run = torques_along(arm, motion, wrench=push, disturbance=disturbance, rate=200)
    moment = motion.at(run.t)
    assert np.array_equal(run.qdd, moment.acceleration)
    w = push.at(run.t).value
    for row in (0, 17, len(run) - 1):
        tau = la.inverse_dynamics(
            arm, run.q[row], run.qd[row], run.qdd[row], wrenches={"tool": w[row]}, disturbance=disturbance
        )
        np.testing.assert_allclose(run.tau[row], tau, rtol=1e-12, atol=1e-12 * np.abs(tau).max())
    assert {"torque", "wrench", "disturbance"} <= set(run.energy.works)
    assert np.ptp(run.energy.works["wrench"]) > 0.1
    assert run.energy.relative < 1e-9  # Gauss's error, (5 ms)^6 against a period of 1.2 s
    if any(b.joint.friction for b in arm.bodies):
        assert run.energy.works["friction"][-1] < 0


def test_missing_derivatives_come_from_a_spline_of_second_order_and_it_says_so():
    arm = la.load("panda")
    motion = fourier_motion(arm, size=0.1)
    errors = []
    for rate in (100, 200):
        exact = torques_along(arm, motion, rate=rate)
        run = torques_along(arm, (exact.t, exact.q))
        assert run.about["derivatives"] == "qd and qdd by a cubic spline of q"
        errors.append([np.abs(run.qdd - exact.qdd).max(), np.abs(run.tau - exact.tau).max()])
    assert (np.array(errors[0]) / errors[1] > 3.5).all(), "halving the step quarters the error, at the ends too"
    half = torques_along(arm, (exact.t, exact.q, exact.qd))
    assert half.about["derivatives"] == "qdd by a cubic spline of qd"
    assert np.abs(half.qdd - exact.qdd).max() < errors[1][0]


def test_a_recorded_motion_keeps_its_rows_and_rows_that_disagree_show_in_the_ledger():
    arm = la.load("elbow")
    t = np.linspace(0, 1, 101)
    q, qd, qdd = quintic([[0, 0], [1, -2]], [0, 1]).at(t)
    run = torques_along(arm, (t, q, qd, qdd))
    again = torques_along(arm, run)
    assert np.array_equal(again.tau, run.tau) and np.array_equal(again.t, t)
    assert run.energy.relative < 1e-5  # of fourth order: (2 pi / 100 rows)^4 is 1.6e-5
    wrong = torques_along(arm, (t, q, qd, 1.1 * qdd))
    assert wrong.energy.relative > 1e-3
    at = torques_along(arm, run, times=[0.25, 0.5])
    np.testing.assert_allclose(at.tau[1], run.tau[50], atol=1e-9)


def test_acceleration_jumps_do_not_spoil_the_work():
    arm = la.load("puma560")
    run = torques_along(arm, trapezoid(np.zeros(6), np.ones(6), velocity=1.0, acceleration=3.0), rate=37)
    assert run.energy.relative < 1e-12
    assert run.energy.works["friction"][-1] < -10


# --- limits


def hand_made(arm: Arm, t, q, qd, tau) -> Trajectory:
    q, qd, tau = (np.array(x, dtype=float).reshape(len(t), -1) for x in (q, qd, tau))
    none = np.zeros(len(t))
    return Trajectory(
        arm, Records(np.array(t), q, qd, np.zeros_like(q), tau, none, none, {}, np.zeros(q.shape, bool)), {}
    )


def test_the_report_names_worst_value_time_limit_and_first_time_beyond():
    arm = slider(effort=10, velocity=2)
    run = hand_made(arm, [0.0, 0.1, 0.2, 0.3], [0, 1, 3.5, 4.5], [0, -2.5, -3, 1], [9, -10, 4, -2])
    report = check_limits(arm, run)
    position, velocity, effort, power = report.uses
    assert (position.value, position.limit, position.t, position.exceeded_at) == (4.5, 4, 0.3, 0.3)
    assert position.ratio == pytest.approx((4.5 - 1.5) / 2.5)
    assert (velocity.value, velocity.ratio, velocity.t, velocity.exceeded_at) == (-3, 1.5, 0.2, 0.1)
    assert (effort.value, effort.ratio, effort.exceeded_at) == (-10, 1, None)
    assert (power.quantity, power.value, power.t, power.limit) == ("power", 25, 0.1, None)
    assert not report.ok and report.violations == (position, velocity)
    assert report.tightest is velocity
    text = str(report)
    assert "slider, 4 rows from 0 to 0.3 s: 2 limits exceeded" in text
    assert "exceeded from 0.1 s" in text and "150.0 %" in text


def test_what_has_no_limit_is_said():
    arm = slider(effort=None)
    report = check_limits(arm, hand_made(arm, [0.0, 1.0], [0, 1], [9, -20], [1e9, 1]))
    assert report.ok
    assert [use.quantity for use in report.unlimited] == ["velocity", "effort"]
    bare = la.load("elbow")
    assert "the arm has no limits to check" in str(
        check_limits(bare, torques_along(bare, quintic([[0, 0], [1, 1]], [0, 1])))
    )
    with pytest.raises(InputError, match="'elbow' with 2 coordinates; arm 'slider' has 1"):
        check_limits(arm, torques_along(bare, quintic([[0, 0], [1, 1]], [0, 1])))


def test_one_sided_ranges():
    rail = Joint("x", JointKind.PRISMATIC, limits=Limits(lower=-1))
    arm = Arm("s", (Body("c", "base", rail, MassProperties(1)),))
    use = check_limits(arm, hand_made(arm, [0.0, 1.0], [5, -1.2], [0, 0], [0, 0])).uses[0]
    assert (use.value, use.limit, use.ratio, use.exceeded_at) == (-1.2, -1, None, 1)


@pytest.mark.slow
def test_coupled_joints_are_checked_at_the_joints():
    """Coordinates a and b: absolute angles, joint b at b - a + 0.5. The same motion as that of the uncoupled arm."""
    plain = two_links()
    absolute = two_links({"coupling": (("b", 1), ("a", -1)), "offset": 0.5})
    motion = fourier_motion(plain, 3)
    run = torques_along(plain, motion, rate=50)
    q = run.q @ [[1, 1], [0, 1]] - [0, 0.5]
    coupled = torques_along(absolute, (run.t, q, run.qd @ [[1, 1], [0, 1]], run.qdd @ [[1, 1], [0, 1]]))
    for use, same in zip(check_limits(plain, run).uses, check_limits(absolute, coupled).uses, strict=True):
        assert (use.joint, use.quantity, use.limit) == (same.joint, same.quantity, same.limit)
        assert same.value == pytest.approx(use.value, rel=1e-12)
        assert (same.ratio or 0) == pytest.approx(use.ratio or 0, rel=1e-12)


def test_a_joint_that_is_pulled_along_has_a_position_and_a_velocity_but_no_effort():
    arm = two_links({"coupling": (("a", -2),)})
    run = torques_along(arm, cubic([[0], [1]], [0, 1]))
    report = check_limits(arm, run)
    assert [(u.joint, u.quantity) for u in report.uses if u.joint == "b"] == [("b", "position"), ("b", "velocity")]
    assert next(u for u in report.uses if (u.joint, u.quantity) == ("b", "velocity")).value == pytest.approx(-3)
    shoulder = next(u for u in report.uses if (u.joint, u.quantity) == ("a", "effort"))
    assert shoulder.value == run.tau[np.abs(run.tau).argmax(), 0]


# --- the same path faster or slower


def test_largest_within_against_a_search():
    rng = np.random.default_rng(5)
    s = np.linspace(0, 4, 20_001)[1:]
    kept = 0
    for case in range(200):
        a, b, c = rng.normal(size=(3, 3)) * rng.choice([0, 1, 1], size=(3, 3))
        bound = rng.uniform(0.3, 2, 3)
        is_kept = (np.abs(a[:, None] + b[:, None] * s + c[:, None] * s**2) <= bound[:, None]).all(axis=0)
        best = s[is_kept].max() if is_kept.any() else 0.0
        assert largest_within(a, b, c, bound, 4.0) == pytest.approx(best, abs=5e-4), case
        kept += 0 < best < 4
    assert kept > 50


@pytest.mark.slow
@pytest.mark.parametrize("name", MOVES)
@pytest.mark.parametrize("duration", [0.3, 5.0])
def test_a_motion_that_was_fitted_is_at_a_limit_and_one_per_cent_faster_is_beyond(name, duration):
    arm, way = MOVES[name]
    motion = quintic(way, [1, 1 + duration])
    fitted, speed = fit_to_limits(arm, motion)
    fine = torques_along(arm, fitted, rate=20_000)
    report = check_limits(arm, fine)
    assert report.ok
    assert report.tightest.ratio == pytest.approx(1, abs=1e-6)  # the peak lies between two rows
    assert fitted.begins[1] == pytest.approx(1) and fitted.begins[-1] - 1 == pytest.approx(duration / speed)
    faster = torques_along(arm, scaled_in_time(fitted, 1 / 1.01))
    assert not check_limits(arm, faster).ok
    moved = torques_along(arm, motion)
    rows, factor = fit_to_limits(arm, moved)
    assert factor == pytest.approx(speed, rel=1e-4)
    assert max(u.ratio for u in check_limits(arm, rows).uses if u.ratio and u.quantity != "position") == pytest.approx(
        1, abs=1e-9
    )
    np.testing.assert_allclose(rows.q, moved.q)


def test_scaled_torques_are_those_of_inverse_dynamics():
    """tau(s) = g + F(s qd) + s^2 (M qdd + C qd), with loads that stay at their places of the path."""
    arm = puma()
    t = np.linspace(0, 2, 41)
    q, qd, qdd = fourier_motion(arm).at(t)
    load = np.outer(1 + t, [1.0, 2, 3, -4, 5, 6])
    rows, speed = fit_to_limits(arm, (t, q, qd, qdd), margin=0.9, wrench=load)
    s = speed
    for k in (0, 13, 40):
        rigid = la.inverse_dynamics(arm, q[k], qd[k], qdd[k]) - la.gravity(arm, q[k]) - la.friction(arm, qd[k])
        fixed = la.static_torque(arm, q[k], {"tool": load[k]})
        np.testing.assert_allclose(
            rows.tau[k], fixed + la.friction(arm, s * qd[k]) + s**2 * rigid, rtol=1e-11, atol=1e-11
        )
    assert check_limits(arm, rows).tightest is not None
    used = np.abs(rows.tau / PUMA_EFFORTS).max()
    assert used == pytest.approx(0.9, abs=1e-10)
    assert rows.energy.works["wrench"].shape == t.shape


@pytest.mark.slow
@pytest.mark.parametrize("smoothing", [0.01, 0.5, 3.0])
def test_smooth_friction_is_fitted_too(smoothing, monkeypatch):
    arm = slider(effort=30, mass=2, friction=Friction(1.5, 9, smoothing=smoothing))
    run, speed = fit_to_limits(arm, torques_along(arm, quintic([[0], [1]], [0, 1])))
    assert check_limits(arm, run).uses[2].ratio == pytest.approx(1, abs=1e-9)
    assert speed > 1
    monkeypatch.setattr(time_scaling, "MOST_ROUNDS", 1)  # as if tangents had not settled
    assert fit_to_limits(arm, run).speed == pytest.approx(1, abs=1e-9)


def test_the_greatest_speed_of_a_slider_in_closed_form():
    """Constant acceleration a = 4 d / T^2 up and down again: effort m a + f v + F, greatest at the switch."""
    arm = slider(effort=20, mass=2, friction=Friction(0.5, 3))
    motion = trapezoid([0], [1], velocity=100, acceleration=4)  # 1 s, 2 m/s at most
    s = max(np.roots([2 * 4, 0.5 * 2, 3 - 20]))
    fitted, speed = fit_to_limits(arm, motion)
    assert speed == pytest.approx(s, rel=1e-12)
    assert fitted.begins[-1] == pytest.approx(1 / s)


def test_a_margin_is_kept_of_velocities_and_of_efforts():
    """2 m/s of 3 at most, or 8 N of 40: what bounds the speed is used to half."""
    motion = trapezoid([0], [1], velocity=100, acceleration=4)
    fast = fit_to_limits(slider(effort=1e6, velocity=3.0), motion, margin=0.5)
    assert fast.speed == pytest.approx(0.5 * 3 / 2, rel=1e-12)
    strong = fit_to_limits(slider(effort=40, velocity=1e6), motion, margin=0.5)
    assert strong.speed == pytest.approx(np.sqrt(0.5 * 40 / 8), rel=1e-12)


def test_loads_no_speed_can_help_and_motions_nothing_bounds():
    arm = la.load("panda")
    motion = quintic(PANDA_WAY, [0, 2])
    with pytest.raises(
        InputError,
        match=r"no speed keeps the limits of arm 'panda': at t = 2 s the load on joint 'joint2' is -30.0\d N m .* may bear 17.4 N m",
    ):
        fit_to_limits(arm, motion, margin=0.2)
    with pytest.raises(InputError, match="no limit of velocity or effort of arm 'puma560' bounds the speed"):
        fit_to_limits(la.load("puma560"), quintic(PUMA_WAY, [0, 2]))
    with pytest.raises(InputError, match="margin = -1"):
        fit_to_limits(arm, motion, margin=-1)


# --- the fastest motion along a path


@pytest.mark.parametrize(
    "path",
    [[[0.0], [1.0]], quintic([[0], [1.0]], [3, 8]), cubic([[0], [1.0]], [0, 1])],
    ids=["points", "quintic", "cubic"],
)
def test_a_slider_is_fastest_with_full_force_there_and_back(path):
    """Bang-bang: half of the way at a = F / m, half at -a, in 2 sqrt(d / a)."""
    motion = fastest_along(slider(effort=10, mass=2), path)
    assert motion.begins[-1] == pytest.approx(2 * np.sqrt(1 / 5), rel=1e-9)
    assert motion.at(motion.begins[-1]).value == pytest.approx([1.0])
    assert motion.at(motion.begins[-1] / 2).rate == pytest.approx([np.sqrt(5)], rel=1e-6)


def test_a_slider_against_gravity_brakes_harder_than_it_speeds_up():
    g = 10.0
    motion = fastest_along(slider(effort=40, mass=2, gravity=g), [[0.0], [1.0]])  # a = g up, 3 g down: switch at 3/4
    v = np.sqrt(2 * g * 0.75)
    assert motion.begins[-1] == pytest.approx(v / g + v / (3 * g), rel=1e-9)


def test_velocity_and_acceleration_limits_make_a_trapezoid():
    motion = fastest_along(slider(effort=None, velocity=1.5, mass=2), [[0.0], [1.0]], acceleration=5)
    assert motion.begins[-1] == pytest.approx(
        trapezoid([0], [1], 1.5, 5).begins[-1], rel=1e-4
    )  # the switch lies within a step
    acceleration = motion.at(np.linspace(0, motion.begins[-1], 999)).acceleration
    assert np.abs(acceleration).max() <= 5 * (1 + 1e-9)


@pytest.mark.parametrize("name", MOVES)
def test_some_joint_is_always_at_a_limit_and_none_beyond(name):
    arm, way = MOVES[name]
    middle = np.mean(way, axis=0) + 0.2
    motion = fastest_along(arm, [way[0], middle, way[1]])
    run = torques_along(arm, motion)
    report = check_limits(arm, run)
    assert report.ok
    effort = np.abs(run.tau) / [b.joint.limits.effort for b in arm.bodies]
    speed = np.abs(run.qd) / [b.joint.limits.velocity or np.inf for b in arm.bodies]
    assert np.mean(np.maximum(effort, speed).max(axis=1) > 0.98) > 0.95
    uniform, _ = fit_to_limits(arm, quintic([way[0], middle, way[1]], [0, 1, 2]))
    assert motion.begins[-1] < 0.9 * uniform.begins[-1]
    through = np.linalg.norm(run.q - middle, axis=1).min()
    assert through < 2 * np.abs(run.qd).max() * 1e-3


def test_few_steps_give_the_same_path_and_nearly_the_same_time():
    arm, way = MOVES["puma"]
    waypoints = [way[0], np.mean(way, axis=0) + 0.2, np.add(way[1], 0.3), way[1]]
    motion, finer = fastest_along(arm, waypoints, steps=100), fastest_along(arm, waypoints)
    assert motion.begins[-1] == pytest.approx(
        finer.begins[-1], rel=0.03
    )  # of first order, reversals of joints with friction included
    before, after = motion.at(np.nextafter(motion.begins[1:], 0)), motion.at(motion.begins[1:])
    np.testing.assert_allclose(before.value, after.value, atol=1e-12)
    np.testing.assert_allclose(before.rate, after.rate, atol=1e-9)


@pytest.mark.parametrize(
    "path, message",
    [
        ([[0, 0, 0]], r"shape \(1, 3\) was given. It takes a signal, or two or more waypoints of 1"),
        ([[0.0], [0.0], [1.0]], "waypoints 0 and 1 are the same"),
        (constant([1.0]), "a signal of one piece"),
        (table([0, 1, 2], [[0.0], [1.0], [0.0]]), "has a corner at t = 1 s"),
        (table([0, 1], [[1.0], [1.0]]), "does not move"),
    ],
)
def test_paths_that_are_none(path, message):
    with pytest.raises(InputError, match=message):
        fastest_along(slider(), path)


def test_paths_an_arm_cannot_follow():
    with pytest.raises(
        InputError, match=r"cannot follow the path: .* the load on joint 'x' is 20 N, and it may bear 10 N"
    ):
        fastest_along(slider(effort=10, mass=2, gravity=10.0), [[0.0], [1.0]])
    with pytest.raises(InputError, match="no joint of arm 'slider' has a limit of effort"):
        fastest_along(slider(effort=None), [[0.0], [1.0]])
    with pytest.raises(InputError, match="one positive number, or one for each of the 1 joints"):
        fastest_along(slider(), [[0.0], [1.0]], acceleration=[1, 2])


# --- what is wrong with a motion


@pytest.mark.parametrize(
    "motion, options, message",
    [
        (constant([1.0]), {}, "one piece.*Give the times"),
        (constant([1.0, 2.0]), {}, "2 coordinates; it takes 1"),
        (([0, 1],), {}, "Trajectory, a Signal, or arrays"),
        (([0, 1], [[1, 2], [3, 4]]), {}, r"q of arm 'slider' has shape \(2, 2\)"),
        (([0, 1], [[1], [np.nan]]), {}, "row 1 at t = 1 s"),
        (([0, 0, 1], [[1], [2], [3]]), {}, "rows 0 and 1 are both at t = 0 s"),
        (([1, 0], [[1], [2]]), {}, "sorted times"),
        (cubic([[0], [1]], [0, 1]), {"rate": 0}, "rate = 0"),
        (cubic([[0], [1]], [0, 1]), {"wrench": [1, 2]}, "wrench: an array of shape"),
        (cubic([[0], [1]], [0, 1]), {"frame": "tol"}, "no frame named 'tol'"),
    ],
)
def test_motions_that_are_none(motion, options, message):
    with pytest.raises(InputError, match=message):
        torques_along(slider(), motion, **options)
