"""What is wrong with a log is found, named and measured; logs that are right give no alarm."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import leverarm as la
from leverarm.identification.logs.log import Log, Piece
from leverarm.identification.motions import Motion
from leverarm.identification.preflight import excitation, excitation_findings, preflight
from leverarm.identification.preflight.gravity import gravity_test
from leverarm.identification.preflight.lag import lag
from leverarm.identification.preflight.readings import Reading, gravity_columns, motion_read_so
from leverarm.identification.preflight.samples import (
    Thinned,
    dead_zone,
    left_over,
    residual_size,
    rest_shares,
    span,
    thinned,
)
from leverarm.identification.preflight.signals import noise, repeats, saturation_findings, torque_size
from leverarm.identification.preflight.signals import torque_size_findings as said_of_size
from leverarm.identification.preflight.signs import signs
from leverarm.identification.structure import structure, with_drives
from leverarm.model import bind
from tests.support.paths import DATA

needs_data = pytest.mark.skipif(not DATA.exists(), reason="the real logs are not on this machine")


@cache
def arm_named(name: str) -> la.Arm:
    return with_drives(la.load(name))


@cache
def structure_of(name: str):
    return structure(arm_named(name))


def states(t: np.ndarray, joints: int, speed: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Five harmonics of a period of 7 s per joint, of random phases; `speed` is about the root mean square [rad/s]."""
    rng = np.random.default_rng(7)
    w = 2 * np.pi * np.arange(1, 6)[:, None] / (7 + 0.6 * np.arange(joints))
    size, phase = rng.normal(1, 0.2, w.shape) * speed * 0.63 / w, rng.uniform(0, 2 * np.pi, w.shape)
    angle = w * t[:, None, None] + phase
    parts = size * np.sin(angle), size * w * np.cos(angle), -size * w**2 * np.sin(angle)
    q, qd, qdd = (part.sum(axis=1) for part in parts)
    return q, qd, qdd


def moved(
    name: str = "ur5",
    rate: float = 250.0,
    seconds: float = 16.0,
    late: float = 0.0,
    noise: float = 0.02,
    speed: float = 1.0,
    gravity: tuple[float, float, float] | None = None,
) -> Motion:
    """A motion of the arm with its torques, `late` by some seconds, with friction and noise (a share of each torque)."""
    arm = arm_named(name)
    t = np.arange(0, seconds, 1 / rate)
    driven = arm if gravity is None else replace(arm, gravity=la.types.Vec3(*gravity))
    q, qd, qdd = states(t - late, arm.dof, speed)
    tau = la.compile(driven, "inverse_dynamics").inverse_dynamics(q, qd, qdd)
    tau = tau + tau.std(axis=0) * (0.1 * qd + 0.15 * np.tanh(qd / 0.01))
    raw = tau + noise * tau.std(axis=0) * np.random.default_rng(1).normal(size=tau.shape)
    rows = np.arange(1, len(t) + 1)
    return Motion(t, *states(t, arm.dof, speed), raw, raw, np.zeros(len(t), dtype=np.int64), rows, rate)


def rows_of(motion: Motion, name: str = "ur5") -> Thinned:
    return thinned(arm_named(name), motion, structure_of(name), dead_zone(motion))


def log_of(motion: Motion, name: str = "ur5") -> Log:
    piece = Piece(motion.t, motion.q, motion.qd, motion.qdd, motion.raw, motion.rows)
    return Log("made.csv", arm_named(name).coordinates, motion.rate, (piece,))


def test_a_clean_log_gives_no_warning():
    motion = moved()
    result = preflight(log_of(motion), arm_named("ur5"), motion, structure_of("ur5"))
    assert [f for f in result.findings if f.level != "note"] == []
    assert not result.lag.significant and not result.signs.changes and result.gravity.judgement == "fits"
    assert result.gravity.arm is arm_named("ur5") and result.repeats is None
    assert 1 < result.condition < 100


@pytest.mark.slow
@pytest.mark.parametrize("rate", [125.0, 300.0, 1000.0])
@pytest.mark.parametrize("name", ["ur5", "panda"])
def test_time_lag(name, rate):
    for late in (0.008, 0.0, -0.005):
        motion = moved(name, rate, late=late, noise=0.05)
        rows = rows_of(motion, name)
        found = lag(rows, residual_size(rows))
        assert abs(found.seconds - late) < 1e-3
        assert abs(found.seconds - late) < 6 * found.standard_error
        assert found.significant == (late != 0)
        if late > 0:
            assert np.median(np.abs(found.per_joint - late)) < 1.5e-3


def test_time_lag_without_noise_is_exact():
    rows = rows_of(moved(noise=0.0, late=0.006, rate=500.0))
    assert abs(lag(rows, residual_size(rows)).seconds - 0.006) < 5e-5


READINGS = [
    Reading("torque turned", (0,)),
    Reading("torque turned", (1,)),
    Reading("joint turned", (2,)),
    Reading("position turned", (1,)),
    Reading("torques swapped", (1, 2)),
    Reading("torques swapped", (3, 4)),
    Reading("joints swapped", (0, 1)),
    Reading("joints swapped", (2, 3)),
    Reading("all torques turned", tuple(range(6))),
]


@pytest.mark.parametrize("reading", READINGS, ids=lambda r: f"{r.kind} {r.joints}")
def test_signs_and_order(reading):
    """Each of these changes is its own inverse, so the reading that mends the log is the one that spoiled it."""
    rows = rows_of(motion_read_so(moved(noise=0.05), reading))
    found = signs(rows, residual_size(rows))
    assert [change.reading for change in found.changes] == [reading]
    assert found.after.max() < 0.1 * found.before.max()


def test_two_joints_turned():
    spoiled = motion_read_so(motion_read_so(moved(), Reading("torque turned", (1,))), Reading("torque turned", (3,)))
    rows = rows_of(spoiled)
    found = signs(rows, residual_size(rows))
    assert {change.reading for change in found.changes} == {
        Reading("torque turned", (1,)),
        Reading("torque turned", (3,)),
    }


@pytest.mark.slow
@pytest.mark.parametrize(("joint", "shift"), [(1, np.pi / 2), (2, -np.pi / 2), (2, np.pi)])
def test_positions_counted_from_another_zero(joint, shift):
    made = moved()
    spoiled = replace(made, q=made.q - shift * (np.arange(6) == joint))
    rows = rows_of(spoiled)
    (change,) = signs(rows, residual_size(rows)).changes
    assert change.reading == Reading("zero elsewhere", (joint,), shift=shift)
    result = preflight(log_of(spoiled), arm_named("ur5"), spoiled, structure_of("ur5"))
    (error,) = [f for f in result.findings if f.level == "error"]
    assert f"{np.rad2deg(shift):+.0f} degrees" in error.message and arm_named("ur5").coordinates[joint] in error.where


@pytest.mark.parametrize(("factor", "words"), [(1000.0, "times as large"), (0.01, "times smaller")])
def test_torques_in_another_unit(factor, words):
    made = moved()
    spoiled = replace(made, tau=factor * made.tau, raw=factor * made.raw)
    assert torque_size(rows_of(made)) == pytest.approx(1, abs=0.05)
    assert torque_size(rows_of(spoiled)) == pytest.approx(factor, rel=0.05)
    (error,) = said_of_size(torque_size(rows_of(spoiled)))
    assert error.level == "error" and words in error.message
    assert not [*said_of_size(10.0), *said_of_size(0.1), *said_of_size(None)]


def test_torques_beyond_a_limit_are_not_called_clipped():
    log = log_of(moved())
    limit = max(float(np.abs(piece.tau[:, 1]).max()) for piece in log.pieces) / 2
    limits = [replace(body.joint.limits or la.Limits(), effort=limit) for body in arm_named("ur5").bodies]
    bodies = [
        replace(body, joint=replace(body.joint, limits=each))
        for body, each in zip(arm_named("ur5").bodies, limits, strict=True)
    ]
    found = saturation_findings(log, replace(arm_named("ur5"), bodies=tuple(bodies)))
    (beyond,) = [f for f in found if "shoulder_lift" in f.where]
    assert beyond.level == "note" and "beyond its limit" in beyond.message and "clipped" not in beyond.message


def test_a_sign_is_an_error_that_names_the_joint_and_is_said_once():
    motion = motion_read_so(moved(), Reading("torque turned", (1,)))
    result = preflight(log_of(motion), arm_named("ur5"), motion, structure_of("ur5"))
    errors = [f for f in result.findings if f.level != "note"]
    assert [f.level for f in errors] == ["error"]
    assert repr(arm_named("ur5").coordinates[1]) in errors[0].where and "opposite sign" in errors[0].message


@pytest.mark.parametrize("name", ["panda", "stanford", "torso", "scara", "elbow"])
def test_gravity_columns_are_the_regressor_at_rest(name):
    """W(q, 0, 0) is linear in gravity; joints that slide and joints that follow others included."""
    arm = la.load(name)
    q = np.random.default_rng(3).uniform(-2, 2, (5, arm.dof))
    W = la.compile(arm, "regressor").regressor(q, 0 * q, 0 * q, kinds=("inertial",))
    g = [float(part) for part in bind(arm).gravity]
    np.testing.assert_allclose(np.tensordot(g, gravity_columns(arm, q), 1), W, atol=1e-13)


@pytest.mark.parametrize("down", [(0, 0, 9.81), (9.81, 0, 0), (0, -9.81, 0)])
def test_gravity_along_another_axis(down):
    test = gravity_test(rows_of(moved(gravity=down)))
    assert test.judgement == "another axis"
    np.testing.assert_allclose(test.direction, down)
    np.testing.assert_allclose([float(part) for part in test.arm.gravity], down)
    assert min(test.errors.values()) < 0.3 * test.given_error


def test_gravity_of_a_tilted_base():
    down = 9.81 * np.array([0.3, -0.2, -np.sqrt(1 - 0.13)])
    test = gravity_test(rows_of(moved(gravity=tuple(down))))
    assert test.judgement == "tilted"
    np.testing.assert_allclose(test.direction, down, atol=0.1)


def test_gravity_already_subtracted():
    test = gravity_test(rows_of(moved(gravity=(0.0, 0.0, 0.0))))
    assert test.judgement == "none" and not test.direction.any()


def test_masses_decide_up_from_down_in_a_slow_motion():
    """Free parameters fit both signs alike when accelerations are a thousandth of gravity."""
    test = gravity_test(rows_of(moved(gravity=(0.0, 0.0, 9.81), speed=0.05)))
    assert test.opposite_error == pytest.approx(test.given_error, rel=0.1)
    assert test.judgement == "opposite"
    np.testing.assert_allclose(test.direction, [0, 0, 9.81])


def test_gravity_along_all_axes_of_a_scara_is_kept():
    """An offset takes the place of gravity on its only vertical joint, so nothing can object to either sign."""
    test = gravity_test(rows_of(moved("scara"), "scara"))
    assert test.judgement in ("fits", "unseen") and test.arm is arm_named("scara")


def test_wrong_gravity_is_not_taken_for_a_wrong_sign():
    motion = moved(gravity=(0.0, 0.0, 9.81))
    result = preflight(log_of(motion), arm_named("ur5"), motion, structure_of("ur5"))
    assert not result.signs.changes
    assert [f.where for f in result.findings if f.level != "note"] == ["gravity"]


def test_repeats():
    """The floor of white noise of size s is 100 s / rms(tau), whatever the number of repeats."""
    rng = np.random.default_rng(5)
    rate, period = 200.0, 3.0
    t = np.arange(0, 4 * period + 0.5, 1 / rate)
    phase = 2 * np.pi * t[:, None] / period
    q = np.concatenate([np.sin(phase), np.cos(2 * phase) + 0.3 * np.sin(phase)], axis=1)
    clean = np.concatenate([20 * np.sin(phase), 5 * np.cos(3 * phase)], axis=1)
    tau = clean + [1.0, 0.5] * rng.normal(size=clean.shape)
    log = Log("r", ("a", "b"), rate, (Piece(t, q, None, None, tau, np.arange(len(t))),))
    found = repeats(log)
    assert found is not None and found.count == 4
    assert found.period == pytest.approx(period, abs=1e-3)
    expected = 100 * np.array([1.0, 0.5]) / np.sqrt(np.mean(tau**2, axis=0))
    np.testing.assert_allclose(list(found.per_joint.values()), expected, rtol=0.08)
    assert found.floor == pytest.approx(100 * np.sqrt(1.25 / np.mean(np.sum(tau**2, axis=1))), rel=0.08)


def test_a_motion_that_does_not_repeat_has_no_period():
    assert repeats(log_of(moved())) is None


def test_clipped_torque():
    motion = moved()
    assert not list(saturation_findings(log_of(motion), arm_named("ur5")))
    top = np.quantile(np.abs(motion.raw[:, 2]), 0.95)
    clipped = motion.raw.copy()
    clipped[:, 2] = np.clip(clipped[:, 2], -top, top)
    (finding,) = saturation_findings(log_of(replace(motion, raw=clipped)), arm_named("ur5"))
    assert finding.where == f"joint {arm_named('ur5').coordinates[2]!r}" and "clipped" in finding.message


def test_noise_and_grid():
    motion = moved(noise=0.0)
    loud = motion.raw + [0.5, 0.1, 0.1, 0.1, 0.1, 0.1] * np.random.default_rng(2).normal(size=motion.raw.shape)
    found = noise(log_of(replace(motion, raw=loud)))
    np.testing.assert_allclose(found.tau, [0.5, 0.1, 0.1, 0.1, 0.1, 0.1], rtol=0.1)
    assert not found.tau_step.any()
    stepped = np.round(motion.raw / 0.25) * 0.25
    np.testing.assert_allclose(noise(log_of(replace(motion, raw=stepped))).tau_step, 0.25, rtol=1e-6)


def test_standstill():
    motion = moved(seconds=8.0)
    rest = 2 * len(motion)
    still = {x: np.repeat(getattr(motion, x)[-1:], rest, axis=0) for x in ("q", "tau", "raw")}
    still |= {x: 1e-4 * np.random.default_rng(0).normal(size=(rest, 6)) for x in ("qd", "qdd")}
    whole = replace(
        motion,
        t=np.arange(3 * len(motion)) / motion.rate,
        piece=np.zeros(3 * len(motion), dtype=np.int64),
        rows=np.arange(3 * len(motion)),
        **{x: np.concatenate([getattr(motion, x), part]) for x, part in still.items()},
    )
    zone = dead_zone(whole)
    np.testing.assert_array_less(5e-4, zone)
    np.testing.assert_array_less(zone, 0.1)
    assert np.abs(rest_shares(whole, zone) - 2 / 3).max() < 0.05
    result = preflight(log_of(whole), arm_named("ur5"), whole, structure_of("ur5"))
    (finding,) = [f for f in result.findings if f.where == "standstill"]
    assert finding.level == "warning" and "6" in finding.message


def test_excitation_names_what_the_data_hardly_move():
    good, names = rows_of(moved()), structure_of("ur5").base_names
    assert not list(excitation_findings(excitation(good, residual_size(good)), names))
    motion = moved()
    still = replace(motion, **{x: getattr(motion, x) * ([1] * 5 + [0]) for x in ("q", "qd", "qdd")})
    result = preflight(log_of(still), arm_named("ur5"), still, structure_of("ur5"))
    last = arm_named("ur5").coordinates[-1]
    assert result.excitation.rank < len(names)
    lost = {name for name, own in zip(names, result.excitation.own, strict=True) if own < 1e-6}
    assert {f"{last}.viscous", f"{last}.coulomb"} <= lost
    assert any(repr(last) in f.where and "never moves" in f.message for f in result.findings)
    assert any(f.where == "excitation" and "infinite" in f.message for f in result.findings)


def test_the_share_of_its_own_is_that_of_a_projection():
    """What a column shares with the others is what their span gives of it."""
    rows = rows_of(moved())
    size = residual_size(rows)
    own = excitation(rows, size).own
    columns = (rows.base * (rows.moves / size)[:, :, None]).reshape(-1, rows.base.shape[2])
    columns = columns / np.linalg.norm(columns, axis=0)
    for i in (0, 7, 30):
        rest = left_over(span(np.delete(columns, i, axis=1)), columns[:, i])
        assert own[i] == pytest.approx(float(np.linalg.norm(rest)), rel=1e-6)


def test_a_log_at_rest_and_a_short_log_are_no_reason_to_fail():
    motion = moved(seconds=0.2)
    result = preflight(log_of(motion), arm_named("ur5"), motion, structure_of("ur5"))
    assert not result.lag.significant and not result.signs.changes and result.gravity.judgement == "unseen"
    motion = moved(seconds=4.0)
    still = replace(motion, qd=0 * motion.qd, qdd=0 * motion.qdd, q=0 * motion.q + motion.q[0])
    result = preflight(log_of(still), arm_named("ur5"), still, structure_of("ur5"))
    assert result.excitation.rank < len(structure_of("ur5").base)
    assert any("never move " in f.message for f in result.findings)


def smoothed(arm: la.Arm, rate: float, q: np.ndarray, tau: np.ndarray, half: int, stride: int) -> tuple[Log, Motion]:
    """Straight means over 2 half + 1 samples, twice, of positions and torques; derivatives by central differences."""
    t = np.arange(len(q)) / rate
    log = Log("real.csv", arm.coordinates, rate, (Piece(t, q, None, None, tau, np.arange(1, len(t) + 1)),))
    window = np.convolve(np.ones(2 * half + 1), np.ones(2 * half + 1)) / (2 * half + 1) ** 2
    smooth = {
        name: np.stack([np.convolve(column, window, "valid") for column in x.T], axis=1)
        for name, x in (("q", q), ("tau", tau))
    }
    qd = np.gradient(smooth["q"], 1 / rate, axis=0)
    qdd = np.gradient(qd, 1 / rate, axis=0)
    inside = slice(2, len(qd) - 2, stride)
    rows = np.arange(len(t))[2 * half : len(t) - 2 * half][inside]
    states = (smooth["q"][inside], qd[inside], qdd[inside], smooth["tau"][inside], tau[rows])
    return log, Motion(t[rows], *states, np.zeros(len(rows), dtype=np.int64), rows, rate / stride)


def real(name: str) -> tuple[la.Arm, Log, Motion]:
    if name == "panda":
        x = np.genfromtxt(DATA / "panda_unisa" / "panda_exciting_trajectory.csv.gz", delimiter=",")
        arm = with_drives(la.load("panda"))
        return arm, *smoothed(arm, 30.0, x[:, 1:8], x[:, 15:22], 1, 1)
    if name == "ur10":
        x = np.genfromtxt(DATA / "ur10_unisa" / "ur10_exciting_trajectory.csv.gz", delimiter=",")
        arm = with_drives(la.load(str(DATA / "ur10_unisa" / "ur10_example-robot-data.urdf")))
        return arm, *smoothed(arm, 125.0, x[:, 1:7], x[:, 13:19], 4, 1)
    folder = DATA / "tx40_figaroh"
    motors, currents = (
        np.genfromtxt(folder / f"{file}.csv.gz", delimiter=",", skip_header=1)
        for file in ("pos_read_data", "curr_data")
    )
    R = np.diag([32.0, 32, 45, -48, 45, 32])
    R[5, 4] = 32
    arm = with_drives(la.load(str(folder / "tx40_mdh_modified.urdf")))
    q = motors @ np.linalg.inv(R).T + [0, -np.pi / 2, np.pi / 2, 0, 0, 0]
    return arm, *smoothed(arm, 5000.0, q, currents @ R, 100, 10)


@pytest.mark.slow
@needs_data
@pytest.mark.parametrize("name", ["panda", "ur10", "tx40"])
def test_real_logs_give_no_false_alarm(name):
    arm, log, motion = real(name)
    result = preflight(log, arm, motion, structure(arm))
    assert not result.signs.changes
    assert result.gravity.judgement == "fits"
    assert not result.lag.significant or abs(result.lag.seconds) < 0.02
    assert all(finding.level != "error" for finding in result.findings)
    assert result.condition < 200


@pytest.mark.slow
@needs_data
@pytest.mark.parametrize("name", ["panda", "ur10"])
def test_real_logs_with_a_joint_turned(name):
    arm, log, motion = real(name)
    for reading in (Reading("torque turned", (1,)), Reading("joint turned", (2,)), Reading("torques swapped", (1, 2))):
        result = preflight(log, arm, motion_read_so(motion, reading), structure(arm))
        assert [change.reading for change in result.signs.changes] == [reading]
