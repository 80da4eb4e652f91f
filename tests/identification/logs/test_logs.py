"""Logs made of known motions, spoiled in one way each: read_log gives the motion back and says what it did."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from leverarm.errors import FormatError, InputError
from leverarm.formats import load
from leverarm.identification.logs import Log, read_log
from leverarm.identification.logs.clock import interpolated
from leverarm.identification.logs.motor_side import unlogged_joints
from leverarm.identification.logs.names import meaning
from leverarm.model import Limits
from tests.support.paths import DATA

ARM = load("puma560")
RATE, ROWS, JOINTS = 250.0, 2000, 6
DEGREES = 180 / np.pi
WRIST = np.diag([32.0, 32, 45, -48, 45, 32])
WRIST[5, 4] = 32


def motion(rows=ROWS, rate=RATE, joints=JOINTS):
    """Sums of two sines, each joint its own, inside the limits of the Puma; torques of a mass, friction and gravity."""
    t = np.arange(rows) / rate
    scale = np.linspace(0.5, 0.2, joints)
    first = 2 * np.pi * (0.2 + 0.05 * np.arange(joints))
    q = qd = qdd = 0.0
    for w, a in ((first, scale), (2.3 * first, 0.4 * scale)):
        angle = t[:, None] * w + np.arange(joints)
        q, qd, qdd = q + a * np.sin(angle), qd + a * w * np.cos(angle), qdd - a * w * w * np.sin(angle)
    noise = np.random.default_rng(1).normal(size=q.shape)
    return t, q, qd, qdd, 10 * qdd + 3 * np.tanh(qd / 0.05) + 20 * np.cos(q) + 0.2 * noise


T, Q, QD, QDD, TAU = motion()


def whole(log: Log):
    assert len(log.pieces) == 1
    return log.pieces[0]


def told(log: Log, level: str, *words: str) -> bool:
    """Whether one finding of this level has all these words."""
    return any(finding.level == level and all(word in str(finding) for word in words) for finding in log.findings)


def columns(**patterns):
    """Columns by name, # standing for the number: columns(**{"q#": (Q, 1)}) counts from 1."""
    made = {"time": T}
    for pattern, (values, start) in patterns.items():
        made |= {pattern.replace("#", str(start + joint)): values[:, joint] for joint in range(values.shape[1])}
    return made


def test_clean_arrays_come_through_bit_for_bit():
    log = read_log({"t": T, "q": Q, "qd": QD, "qdd": QDD, "tau": TAU}, ARM)
    piece = whole(log)
    assert log.findings == () and log.rate == RATE and log.joints == ARM.coordinates
    for ours, given in ((piece.q, Q), (piece.qd, QD), (piece.qdd, QDD), (piece.tau, TAU)):
        assert np.array_equal(ours, given)
    assert np.max(np.abs(piece.t - T)) < 1e-9 * T[-1]
    assert np.array_equal(piece.rows, np.arange(1, ROWS + 1))
    assert read_log(log, ARM) is log


def test_positions_and_torques_suffice_with_a_rate():
    log = read_log({"q": Q, "tau": TAU}, ARM, rate=RATE)
    assert whole(log).qd is None and whole(log).qdd is None and log.rate == RATE
    assert log.duration == pytest.approx(ROWS / RATE)


@pytest.mark.parametrize(
    "names",
    [
        {"q#": (Q, 1), "tau#": (TAU, 1)},
        {
            "q_#": (Q, 0),
            "dq_#": (QD, 0),
            "tau_J_#": (TAU, 0),
            "tau_J_d_#": (Q, 0),
            "q_d_#": (TAU, 0),
            "dtau_J_#": (Q, 0),
        },
        {"q[#]": (Q, 0), "qd[#]": (QD, 0), "tau[#]": (TAU, 0)},
        {"joint#_position": (Q, 1), "joint#_velocity": (QD, 1), "joint#_effort": (TAU, 1)},
        {"position.panda_joint#": (Q, 1), "effort.panda_joint#": (TAU, 1)},
        {"target_q_#": (TAU, 0), "actual_q_#": (Q, 0), "actual_TCP_pose_#": (TAU, 0), "torque_#": (TAU, 0)},
        {"q# [deg]": (Q * DEGREES, 1), "qd# [deg/s]": (QD * DEGREES, 1), "tau# [mNm]": (TAU * 1e3, 1)},
        {"q_se_deg#": (TAU, 1), "q_mot_deg#": (Q * DEGREES, 1), "q_ref_deg#": (TAU, 1), "tau_motor_nm#": (TAU, 1)},
        {"theta#": (Q, 1), "theta#_dot": (QD, 1), "theta#_ddot": (QDD, 1), "torque#": (TAU, 1)},
        {"JointPosition#": (Q, 1), "JointTorque#": (TAU, 1), "CommandedPosition#": (TAU, 1)},
        {"robot1/j#/pos": (Q, 1), "robot1/j#/trq": (TAU, 1), "robot1/j#/temperature": (Q, 1)},
        {"q#_rad": (Q, 1), "qd#_rad_s": (QD, 1), "qdd#_rad_s2": (QDD, 1), "tau#_Nm": (TAU, 1)},
    ],
    ids=lambda names: " ".join(names),
)
def test_columns_are_found_by_name(names):
    log = read_log(columns(**names), ARM)
    piece = whole(log)
    assert np.allclose(piece.q, Q, rtol=1e-14, atol=1e-14)
    assert np.allclose(piece.tau, TAU, rtol=1e-14, atol=1e-14)
    assert not any(finding.level != "note" for finding in log.findings)
    if piece.qd is not None:
        assert np.allclose(piece.qd, QD, rtol=1e-14, atol=1e-14)


def test_what_was_left_aside_is_said():
    log = read_log(columns(**{"q_mot#": (Q, 1), "q_ref#": (Q, 1), "tau#": (TAU, 1)}), ARM)
    assert told(log, "note", "q_mot1 ... q_mot6", "not used: q_ref1 ... q_ref6")
    bare = read_log(columns(**{"Joint_#": (Q, 1), "tau#": (TAU, 1)}), ARM)
    assert told(bare, "note", "Joint_1 ... Joint_6", "positions") and np.array_equal(whole(bare).q, Q)
    only_wanted = read_log(columns(**{"q_ref#": (Q, 1), "tau#": (TAU, 1)}), ARM)
    assert told(only_wanted, "warning", "q_ref1", "commanded")


def test_joints_by_their_names_come_in_the_order_of_the_arm():
    arm = load("ur10")
    shuffled = sorted(arm.coordinates)
    assert shuffled != list(arm.coordinates)
    made = {"t": T}
    for name in shuffled:
        joint = arm.coordinates.index(name)
        made |= {f"position.{name}": Q[:, joint], f"effort.{name}": TAU[:, joint]}
    piece = whole(read_log(made, arm))
    assert np.array_equal(piece.q, Q) and np.array_equal(piece.tau, TAU)
    # an arm whose joints have numbers only: the names of a body, from the base on
    renamed = {name.replace("_joint", ""): values for name, values in made.items()}
    piece = whole(read_log(renamed, ARM))
    assert np.array_equal(piece.q, Q) and np.array_equal(piece.tau, TAU)
    unknown = {f"{role}_{'abcdef'[j]}x": x[:, j] for role, x in (("pos", Q), ("torque", TAU)) for j in range(JOINTS)}
    log = read_log({"t": T, **unknown}, ARM)
    assert told(log, "warning", "order of the file") and np.array_equal(whole(log).q, Q)


def test_one_letter_says_desired_or_derivative_by_what_else_there_is():
    alone = read_log(columns(**{"q#": (Q, 1), "q_d#": (QD, 1), "tau#": (TAU, 1)}), ARM)
    assert np.array_equal(whole(alone).qd, QD)
    desired = read_log(columns(**{"q#": (Q, 1), "q_d#": (Q, 1), "tau#": (TAU, 1)}), ARM)
    assert whole(desired).qd is None and told(desired, "warning", "correlation")


def test_names_say_units_and_roles():
    joints = ("j1", "j2")
    assert meaning("actual_TCP_force_0", joints) is None
    assert meaning("current_position_1", joints).role == "q"
    assert meaning("current_1 [A]", joints).unit == "A"
    assert meaning("timestamp_ns", joints).unit == "ns"
    assert meaning("vel.j2", joints).joint == 1
    assert meaning("tau_J_d_0", joints).source == "commanded"
    assert meaning("dtau_J_0", joints) is None


def test_declared_columns_by_name_number_range_and_beginning():
    made = columns(**{"a#": (Q, 1), "b#": (TAU, 1), "qd#": (-TAU, 1)})
    wanted = {"t": "time", "qd": []}
    for q, tau in (("a", "b"), ("2-7", "8-13"), ([f"a{i}" for i in range(1, 7)], list(range(8, 14)))):
        piece = whole(read_log(made, ARM, columns={**wanted, "q": q, "tau": tau}))
        assert np.array_equal(piece.q, Q) and np.array_equal(piece.tau, TAU) and piece.qd is None
    with pytest.raises(InputError, match="no column named 'a_1'; did you mean 'a1'"):
        read_log(made, ARM, columns={"q": ["a_1", "a2", "a3", "a4", "a5", "a6"], "tau": "b"})
    with pytest.raises(InputError, match=r"2 columns .* needs 6"):
        read_log(made, ARM, columns={"q": ["a1", "a2"], "tau": "b"})
    with pytest.raises(InputError, match="from 1 to 19"):
        read_log(made, ARM, columns={"q": "15-20", "tau": "b"})
    with pytest.raises(InputError, match="no quantity named 'torque'"):
        read_log(made, ARM, columns={"torque": "b"})


@pytest.mark.parametrize(("given", "size"), [("deg", DEGREES), ("mrad", 1e3), ("rev", 1 / (2 * np.pi)), ("rad", 1.0)])
def test_declared_units(given, size):
    log = read_log(
        {"t": T * 1e3, "q": Q * size, "tau": TAU / 10}, ARM, units={"q": given, "tau": "A", "t": "ms"}, gains=10
    )
    assert np.allclose(whole(log).q, Q, rtol=1e-14, atol=0)
    assert np.allclose(whole(log).tau, TAU, rtol=1e-14, atol=0)
    assert log.findings == () and log.rate == pytest.approx(RATE)


def test_units_of_sliding_joints():
    arm = load("scara")
    t, q, _, _, tau = motion(joints=4)
    q[:, 2] *= 0.1
    mixed = q * [DEGREES, DEGREES, 1e3, DEGREES]
    log = read_log({"t": t, "q": mixed, "tau": tau}, arm, units={"q": ["deg", "deg", "mm", "deg"]})
    assert np.allclose(whole(log).q, q, rtol=1e-14, atol=0)
    with pytest.raises(InputError, match="no unit named 'furlong'"):
        read_log({"t": t, "q": mixed, "tau": tau}, arm, units={"q": "furlong"})


def test_degrees_are_guessed_and_said():
    log = read_log({"t": T, "q": Q * DEGREES, "qd": QD * DEGREES, "qdd": QDD * DEGREES, "tau": TAU}, ARM)
    assert told(log, "note", "degrees") and told(log, "note", "deg/s")
    piece = whole(log)
    for ours, true in ((piece.q, Q), (piece.qd, QD), (piece.qdd, QDD)):
        assert np.allclose(ours, true, rtol=1e-13, atol=1e-15)
    # too small to be seen in the positions alone, but the velocities are in radians
    log = read_log({"t": T, "q": Q * 0.03 * DEGREES, "qd": QD * 0.03, "tau": TAU}, ARM)
    assert told(log, "note", "degrees") and np.allclose(whole(log).q, 0.03 * Q, rtol=1e-13)


@pytest.mark.parametrize(("factor", "unit"), [(DEGREES, "deg/s"), (60 / (2 * np.pi), "rpm")])
def test_the_unit_of_velocities_follows_from_the_positions(factor, unit):
    log = read_log({"t": T, "q": Q, "qd": QD * factor, "tau": TAU}, ARM)
    assert told(log, "note", unit) and np.allclose(whole(log).qd, QD, rtol=1e-13)


@pytest.mark.parametrize(("per_second", "unit"), [(1e3, "ms"), (1e6, "us"), (1e9, "ns")])
@pytest.mark.parametrize("start", [0.0, 1.7e9])
def test_the_unit_of_time_is_guessed_and_said(per_second, unit, start):
    stamps = np.round((T + start) * per_second)
    for more in ({}, {"qd": QD}, {"qd": QD * DEGREES}):
        log = read_log({"t": stamps, "q": Q, "tau": TAU, **more}, ARM)
        assert told(log, "note", f"in {unit}") and log.rate == pytest.approx(RATE, rel=1e-6)


def test_seconds_and_nanoseconds_in_two_columns():
    made = columns(**{"q#": (Q, 1), "tau#": (TAU, 1)})
    since = made.pop("time") + 0.3
    made |= {"header.stamp.sec": 1.7e9 + np.floor(since), "header.stamp.nanosec": np.round((since % 1) * 1e9)}
    assert read_log(made, ARM).rate == pytest.approx(RATE, rel=1e-9)


def test_a_rate_beside_stamps_that_count_rows():
    log = read_log({"t": np.arange(ROWS), "q": Q, "tau": TAU}, ARM, rate=RATE)
    assert log.rate == pytest.approx(RATE) and told(log, "note", "the rate given was used")


def test_velocities_in_another_order_or_sign_are_found():
    shuffled = [0, 2, 1, 5, 4, 3]
    log = read_log({"t": T, "q": Q, "qd": QD[:, shuffled], "tau": TAU}, ARM)
    assert told(log, "warning", "another order", "joint2", "joint3") and np.array_equal(whole(log).qd, QD)
    log = read_log({"t": T, "q": Q, "qd": QD * [1, 1, -1, 1, 1, 1], "tau": TAU}, ARM)
    assert told(log, "warning", "joint 'joint3'", "opposite sign") and np.array_equal(whole(log).qd, QD)


def test_velocities_that_are_none_are_not_used():
    dead = QD.copy()
    dead[:, 2] = 0
    log = read_log({"t": T, "q": Q, "qd": dead, "tau": TAU}, ARM)
    assert whole(log).qd is None and told(log, "warning", "joint 'joint3'", "constant")
    log = read_log({"t": T, "q": Q, "qd": QD * [100, 120, 100, 80, 80, 50], "tau": TAU}, ARM)
    assert whole(log).qd is None and told(log, "warning", "100, 120, 100, 80, 80, 50")
    still = Q.copy()
    still[:, 2] = np.round(1e-4 * np.random.default_rng(0).normal(size=ROWS), 4)
    log = read_log({"t": T, "q": still, "qd": dead, "tau": TAU}, ARM)
    assert whole(log).qd is not None, "a joint that stands still may have no velocity"


def test_a_dead_torque_and_positions_outside_the_limits_are_warned_of():
    dead = TAU.copy()
    dead[:, 2] = 0
    assert told(read_log({"t": T, "q": Q, "tau": dead}, ARM), "warning", "joint 'joint3'", "torque is the same")
    log = read_log({"t": T, "q": Q, "tau": TAU}, ARM, zero=[0, 0, 0, 0, 3, 0])
    assert told(log, "warning", "joint 'joint5'", "limits") and np.array_equal(whole(log).q[:, 4], Q[:, 4] + 3)


def test_currents_without_gains():
    named = columns(**{"q#": (Q, 1), "current_#": (TAU, 1)})
    assert told(read_log(named, ARM), "warning", "currents")
    assert told(read_log(named, ARM, units={"tau": "mA"}), "error", "gains")
    piece = whole(read_log(named, ARM, units={"tau": "mA"}, gains=np.arange(1, 7)))
    assert np.allclose(piece.tau, TAU * 1e-3 * np.arange(1, 7), rtol=1e-14)


def test_from_motors_to_joints_the_power_is_the_same():
    motor_q, motor_qd, motor_tau = Q @ WRIST.T, QD @ WRIST.T, TAU @ np.linalg.inv(WRIST)
    piece = whole(read_log({"t": T, "q": motor_q, "qd": motor_qd, "tau": motor_tau}, ARM, ratio=WRIST))
    assert np.allclose(piece.q, Q, atol=1e-13) and np.allclose(piece.qd, QD, atol=1e-13)
    assert np.allclose(piece.tau, TAU, atol=1e-11)
    power = np.sum(motor_tau * motor_qd, axis=1)
    assert np.allclose(np.sum(piece.tau * piece.qd, axis=1), power, atol=1e-11 * np.max(np.abs(power)))
    # some signals are of the joints already
    gears = np.diag(WRIST)
    piece = whole(read_log({"t": T, "q": Q, "tau": TAU / gears}, ARM, ratio=gears, motor_side=("tau",)))
    assert np.array_equal(piece.q, Q) and np.allclose(piece.tau, TAU, rtol=1e-14)
    for wrong, message in ((np.ones((6, 6)), "singular"), (np.ones(5), "shape"), ("x", "numbers")):
        with pytest.raises(InputError, match=message):
            read_log({"t": T, "q": Q, "tau": TAU}, ARM, ratio=wrong)
    with pytest.raises(InputError, match="motor_side"):
        read_log({"t": T, "q": Q, "tau": TAU}, ARM, ratio=gears, motor_side=("torque",))


def test_repeated_stamps_keep_the_first_row():
    t = T.copy()
    t[[100, 500]] = t[[99, 499]]
    log = read_log({"t": t, "q": Q, "tau": TAU}, ARM)
    assert told(log, "warning", "rows 101, 501", "row before") and told(log, "note", "filled in")
    piece = whole(log)
    kept = np.delete(np.arange(ROWS), [100, 500])
    assert np.array_equal(piece.q[kept], Q[kept]) and np.max(np.abs(piece.q - Q)) < 1e-6


@pytest.mark.parametrize("wrong", [-0.04, 1e5])
def test_a_single_wrong_stamp_costs_its_row_only(wrong):
    t = T.copy()
    t[100] += wrong
    log = read_log({"t": t, "q": Q, "tau": TAU}, ARM)
    assert told(log, "warning", "row 101 of") and len(whole(log)) == ROWS
    assert np.max(np.abs(whole(log).q - Q)) < 1e-6


def test_a_clock_that_is_set_back_begins_a_new_piece():
    t = T.copy()
    t[800:] -= t[800]
    log = read_log({"t": t, "q": Q, "tau": TAU}, ARM)
    assert [len(piece) for piece in log.pieces] == [800, 1200] and told(log, "warning", "row 801", "set back")
    assert np.array_equal(np.concatenate([piece.q for piece in log.pieces]), Q)
    t = T.copy()
    t[800:805] -= 0.1
    log = read_log({"t": t, "q": Q, "tau": TAU}, ARM)
    assert [len(piece) for piece in log.pieces] == [800, 1195] and told(log, "warning", "rows 801-805")


def test_holes_are_filled_and_gaps_are_not():
    kept = np.delete(np.arange(ROWS), [50, 200, 201, 700])
    log = read_log({"t": T[kept], "q": Q[kept], "tau": TAU[kept]}, ARM)
    piece = whole(log)
    assert told(log, "note", "4 samples after these are missing") and np.array_equal(piece.q[kept], Q[kept])
    assert np.max(np.abs(piece.q - Q)) < 1e-6
    kept = np.delete(np.arange(ROWS), np.r_[1000:1400, 1410:1500])
    log = read_log({"t": T[kept], "q": Q[kept], "tau": TAU[kept]}, ARM)
    assert [len(piece) for piece in log.pieces] == [1000, 500]
    assert told(log, "warning", "gap") and told(log, "note", "rows 1001-1010", "fewer than 20")
    assert np.array_equal(log.pieces[1].q, Q[1500:]) and log.pieces[1].t[0] == pytest.approx(T[1500])


@pytest.mark.parametrize("jitter", [0.05, 0.15, 0.28])
def test_stamps_that_scatter_do_not_move_the_samples(jitter):
    late = np.random.default_rng(3).uniform(-jitter, jitter, ROWS) / RATE
    log = read_log({"t": T + late, "q": Q, "tau": TAU}, ARM)
    assert told(log, "note", "jitter") and np.array_equal(whole(log).q, Q)
    assert log.rate == pytest.approx(RATE, rel=1e-4)
    kept = np.delete(np.arange(ROWS), [700])
    log = read_log({"t": (T + late)[kept], "q": Q[kept], "tau": TAU[kept]}, ARM)
    assert np.array_equal(whole(log).q[kept], Q[kept])


def test_uneven_samples_are_interpolated_without_amplifying_noise():
    generator = np.random.default_rng(4)
    t = np.cumsum(generator.uniform(0.4, 1.6, ROWS)) / RATE
    q = np.sin(t[:, None] * np.arange(1, 7))
    log = read_log({"t": t, "q": q, "tau": generator.normal(size=q.shape)}, ARM)
    piece = whole(log)
    assert told(log, "warning", "irregular") and np.ptp(np.diff(piece.t)) < 1e-12
    # a parabola through three samples: the error is h^3/(9 sqrt 3) of the third derivative, 6^3 here
    assert np.max(np.abs(piece.q - np.sin(piece.t[:, None] * np.arange(1, 7)))) < (1.6 / RATE) ** 3 * 216
    assert np.std(piece.tau) < 1.0


def test_interpolation_is_exact_for_parabolas():
    t = np.array([0.0, 0.5, 1.7, 2.0, 3.1, 4.0])
    at = np.linspace(0, 4, 33)
    assert np.allclose(interpolated(t, (t**2 - t)[:, None], at)[:, 0], at**2 - at, atol=1e-14)


def test_a_clock_coarser_than_the_rows():
    log = read_log({"t": np.floor(T * 100) / 100, "q": Q, "tau": TAU}, ARM)
    assert told(log, "warning", "coarser") and log.rate == pytest.approx(RATE, rel=1e-3)
    assert np.array_equal(whole(log).q, Q)


def test_garbage_is_dropped_or_interpolated_with_its_rows():
    q, tau = Q.copy(), TAU.copy()
    q[300, 2] += 0.5
    q[800, 1] = 1e254
    q[900, 0] = np.nan
    tau[1200, 4] += 500
    log = read_log({"t": T, "q": q, "tau": tau}, ARM)
    assert told(log, "warning", "row 301", "q3") and told(log, "warning", "row 1201", "tau5")
    assert told(log, "warning", "rows 801, 901", "not a number")
    piece = whole(log)
    good = np.delete(np.arange(ROWS), [300, 800, 900])
    assert np.array_equal(piece.q[good], Q[good]) and np.max(np.abs(piece.q - Q)) < 1e-6
    assert abs(piece.tau[1200, 4] - TAU[1200, 4]) < 1.5
    # ten rows of it are a gap
    tau[1500:1510] = np.nan
    log = read_log({"t": T, "q": Q, "tau": tau}, ARM)
    assert [len(piece) for piece in log.pieces] == [1500, 490]


@pytest.mark.parametrize("unit", [1.0, DEGREES])
def test_angles_that_jump_a_turn(unit):
    true = Q.copy()
    true[:, 5] = 7 * Q[:, 5] + 2.5
    given = (true + np.pi) % (2 * np.pi) - np.pi
    assert np.max(np.abs(np.diff(given[:, 5]))) > 6
    log = read_log({"t": T, "q": given * unit, "tau": TAU}, ARM)
    assert told(log, "note", "joint 'joint6'", "whole turn")
    assert np.ptp(whole(log).q[:, 5] - true[:, 5]) < 1e-12 and np.allclose(whole(log).q[:, :5], Q[:, :5], atol=1e-14)


def test_angles_that_jump_come_to_the_turn_of_the_limits_or_stay_where_they_began():
    """A joint that turns from 0 to 20 rad: limits of 0 to 20 say so, others bring it nearest, none leave it."""
    true = Q.copy()
    true[:, 5] = np.linspace(0, 20, ROWS)
    given = (true + np.pi) % (2 * np.pi) - np.pi
    for limits, turns in ((Limits(0, 20), 0), (Limits(-20, 0), 3), (Limits(), 0)):
        *others, last = ARM.bodies
        arm = replace(ARM, bodies=(*others, replace(last, joint=replace(last.joint, limits=limits))))
        found = whole(read_log({"t": T, "q": given, "tau": TAU}, arm)).q[:, 5]
        assert np.allclose(found, true[:, 5] - turns * 2 * np.pi, atol=1e-12)


@pytest.mark.parametrize(
    ("spoiled", "message"),
    [
        ({"q": Q, "tau": TAU}, "no column of times .* rate"),
        ({"t": T, "q": Q}, "no torques found"),
        ({"t": T, "q": Q[:, :5], "tau": TAU}, r"shape \(2000, 5\)"),
        ({"t": T, "q": Q.T, "tau": TAU}, "Transpose"),
        ({"t": T[:-3], "q": Q, "tau": TAU}, r"'t' has shape \(1997,\)"),
        ({"t": T[:40], "q": Q[:40], "tau": TAU[:40]}, "40 rows"),
        ({"t": 0 * T, "q": Q, "tau": TAU}, "all time stamps are the same"),
        ({"t": T, "q": Q, "tau": TAU * np.nan}, "no number at all"),
        ({"t": T, "q": Q, "tau": [["a"] * 6] * ROWS}, "does not hold numbers"),
        ({}, "no arrays"),
        (columns(**{"x#": (Q, 1), "y#": (TAU, 1)}), "no positions found .* Columns: time, x1"),
        (columns(**{"q#": (Q, 1), "tau#": (TAU, 1)}) | {"q7": T}, "7 columns of positions"),
        (17, "int"),
    ],
)
def test_what_cannot_be_read_is_refused(spoiled, message):
    with pytest.raises(InputError, match=message):
        read_log(spoiled, ARM)


@pytest.mark.parametrize("rate", [0, -1, np.nan, "fast", True])
def test_a_rate_is_a_number(rate):
    with pytest.raises(InputError, match="rate"):
        read_log({"q": Q, "tau": TAU}, ARM, rate=rate)


def test_files_with_and_without_names(tmp_path):
    bare = tmp_path / "bare.csv"
    np.savetxt(bare, np.column_stack((T, Q, QD, TAU)), delimiter=",", fmt="%.17g")
    log = read_log(bare, ARM)
    assert told(log, "note", "t, q (6), qd (6), tau (6)")
    assert np.array_equal(whole(log).tau, TAU) and np.array_equal(whole(log).qd, QD)
    with pytest.raises(InputError, match="19 columns without names, for an arm of 7 joints"):
        read_log(bare, load("panda"))
    with pytest.raises(FormatError):
        read_log(tmp_path / "none.csv", ARM)
    # the names of two files say what their columns, named alike, are
    for stem, values in (("pos_read_data", Q @ WRIST.T), ("trq_data", TAU @ np.linalg.inv(WRIST))):
        names = ",".join(f"Joint_{joint}" for joint in range(1, 7))
        np.savetxt(tmp_path / f"{stem}.csv", values, delimiter=",", header=names, comments="", fmt="%.17g")
    both = (tmp_path / "pos_read_data.csv", str(tmp_path / "trq_data.csv"))
    piece = whole(read_log(both, ARM, rate=RATE, ratio=WRIST))
    assert np.allclose(piece.q, Q, atol=1e-13) and np.allclose(piece.tau, TAU, atol=1e-11)


def test_rows_in_findings_are_lines_of_the_file(tmp_path):
    lines = ["t," + ",".join([f"q{j}" for j in range(1, 7)] + [f"tau{j}" for j in range(1, 7)])]
    lines += [",".join(f"{value:.9g}" for value in row) for row in np.column_stack((T, Q, TAU))]
    lines[400] = lines[400].replace(lines[400].split(",")[3], "1e254")
    lines[700] = "robot stopped"
    lines[900] = lines[899]
    file = tmp_path / "log.csv"
    file.write_text("\n".join(lines) + "\n")
    log = read_log(file, ARM)
    assert told(log, "warning", "row 401 of log.csv", "1e")
    assert told(log, "warning", "row 701 of log.csv")
    assert told(log, "warning", "row 901 of log.csv", "row before")
    assert len(whole(log)) == ROWS and np.max(np.abs(whole(log).q - Q)) < 1e-5


SPOIL = {
    "nan": lambda x, rows, generator: np.where(rows, np.nan, x),
    "huge": lambda x, rows, generator: np.where(rows, 1e254, x),
    "held": lambda x, rows, generator: np.where(rows, np.roll(x, 1, axis=0), x),
    "still": lambda x, rows, generator: 0 * x + x[0],
    "shuffled": lambda x, rows, generator: generator.permutation(x),
    "scaled": lambda x, rows, generator: x * 10.0 ** generator.uniform(-9, 9),
    "noisy": lambda x, rows, generator: x + 10.0 ** generator.uniform(-6, 1) * generator.normal(size=x.shape),
    "restarted": lambda x, rows, generator: np.concatenate((x[: len(x) // 2], x[: len(x) - len(x) // 2])),
}


@pytest.mark.parametrize("seed", range(60))
def test_however_spoiled_a_log_is_even_and_finite_or_refused(seed):
    generator = np.random.default_rng(seed)
    t, q, qd, _, tau = motion(rows=300, rate=10.0 ** generator.uniform(1, 4))
    given = {"t": t, "q": q, "qd": qd, "tau": tau}
    for how in generator.choice(list(SPOIL), size=2):
        key = generator.choice(list(given))
        rows = generator.random(300) < 0.1
        given[key] = SPOIL[how](given[key], rows if key == "t" else rows[:, None], generator)
    try:
        log = read_log(given, ARM)
    except InputError:
        return
    for piece in log.pieces:
        assert len(piece) >= 20 and np.allclose(np.diff(piece.t) * log.rate, 1, atol=1e-6)
        assert all(x is None or np.isfinite(x).all() for x in (piece.q, piece.qd, piece.qdd, piece.tau))
        assert np.all(np.diff(piece.rows) >= 0) and piece.rows[0] >= 1 and piece.rows[-1] <= 300


needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the real logs are not here")


@needs_data
def test_real_logs_come_through_unharmed():
    panda = read_log(DATA / "panda_unisa" / "panda_exciting_trajectory.csv.gz", load("panda"))
    assert len(whole(panda)) == 727 and panda.rate == pytest.approx(30, rel=1e-4)
    ur10 = load(DATA / "ur10_unisa" / "ur10_example-robot-data.urdf")
    log = read_log(DATA / "ur10_unisa" / "ur10_exciting_trajectory.csv.gz", ur10)
    assert len(whole(log)) == 3441 and log.rate == pytest.approx(125) and whole(log).tau[0, 2] == -39.5556
    assert {finding.level for finding in (*panda.findings, *log.findings)} == {"note"}


@needs_data
def test_the_tx40_is_read_through_its_coupled_wrist():
    folder = DATA / "tx40_figaroh"
    tx40 = load(folder / "tx40_mdh_modified.urdf")
    files = (folder / "pos_read_data.csv.gz", folder / "curr_data.csv.gz")
    zero = [0, -np.pi / 2, np.pi / 2, 0, 0, 0]
    log = read_log(files, tx40, rate=5000, ratio=WRIST, zero=zero, units={"tau": "N m"})
    piece = whole(log)
    assert log.findings == () and len(piece) == 45000
    assert piece.q[0, 1] == pytest.approx(50.265 / 32 - np.pi / 2) and piece.tau[0, 1] == pytest.approx(-0.76036 * 32)
    assert piece.q[0, 5] == pytest.approx(-0.00028762 / 32, abs=1e-9)


@needs_data
@pytest.mark.parametrize("trajectory", "ABC")
def test_the_kr300_has_positions_of_joints_and_torques_of_motors(trajectory):
    gears = np.array([1798 / 7, 1872 / 7, 757 / 3, 221, 5032 / 21, 206793 / 1340])
    file = DATA / "kr300_weigand" / f"traj_{trajectory}.csv.gz"
    log = read_log(file, ARM, ratio=gears, motor_side=("tau",))
    assert told(log, "note", "q_mot_deg1", "not used: q_se_deg1 ... q_se_deg6, q_ref_deg1 ... q_ref_deg6")
    piece = whole(log)
    assert log.rate == pytest.approx(250) and piece.qd is not None
    assert np.max(np.abs(piece.q)) < 2 and np.max(np.abs(piece.tau[:, 1])) > 4000


def text_of(folder, rows, head):
    path = folder / "log.csv"
    path.write_text("\n".join([head, *(",".join(row) for row in rows)]) + "\n")
    return path


def digits(values):
    return [repr(float(value)) for value in values]


def test_joints_named_in_columns_of_words_are_taken_in_that_order(tmp_path):
    order = [3, 0, 5, 1, 4, 2]
    head = ",".join(["%time", *(f"field.{what}{k}" for what in ("name", "position", "effort") for k in range(JOINTS))])
    names = [ARM.coordinates[joint] for joint in order]
    rows = (
        [repr(float(t)), *names, *digits(q[order]), *digits(tau[order])] for t, q, tau in zip(T, Q, TAU, strict=True)
    )
    log = read_log(text_of(tmp_path, rows, head), ARM)
    assert np.array_equal(whole(log).q, Q) and np.array_equal(whole(log).tau, TAU)
    assert told(log, "note", "are named in words")
    assert np.array_equal(
        whole(read_log({"t": T, "q": Q[:, order], "tau": TAU[:, order]}, ARM)).q, Q[:, order]
    )  # without names nothing is reordered


def test_lists_in_cells_are_columns(tmp_path):
    def cell(values):
        return f'"({", ".join(digits(values))})"'

    names = '"[' + ", ".join(f"'{joint}'" for joint in ARM.coordinates[::-1]) + ']"'
    rows = ([repr(float(t)), names, cell(q[::-1]), cell(tau[::-1])] for t, q, tau in zip(T, Q, TAU, strict=True))
    log = read_log(text_of(tmp_path, rows, "time,name,position,effort"), ARM)
    assert np.array_equal(whole(log).q, Q) and np.array_equal(whole(log).tau, TAU)


def test_names_beside_arrays_give_the_order(tmp_path):
    np.savez(tmp_path / "log.npz", t=T, q=Q[:, ::-1], tau=TAU[:, ::-1], joint_names=np.array(ARM.coordinates[::-1]))
    log = read_log(tmp_path / "log.npz", ARM)
    assert np.array_equal(whole(log).q, Q) and np.array_equal(whole(log).tau, TAU)


def test_signals_recorded_at_different_times_come_to_one_clock():
    t, q, _, _, tau = motion(rate=1000.0, rows=8000)
    even, odd = (np.arange(len(t))[:, None] % 8 == place for place in (0, 4))
    rows = (even | odd)[:, 0]
    log = read_log({"t": t[rows], "q": np.where(even, q, np.nan)[rows], "tau": np.where(odd, tau, np.nan)[rows]}, ARM)
    piece = whole(log)
    assert log.rate == pytest.approx(125) and told(log, "warning", "torques are in other rows")
    at = np.rint(piece.t * 1000).astype(int)
    assert np.array_equal(piece.q, q[at])
    assert (at[0], at[-1]) == (8, 7992)  # of all positions but those before the first torque
    between = (tau[at - 4] + tau[at + 4]) / 2
    assert np.allclose(piece.tau, between, rtol=0, atol=1e-9)


def test_tables_without_names_in_another_order(tmp_path):
    for blocks, words in (
        ((Q, TAU, QD), "tau (6), qd (6)"),
        ((Q + 1e-3, Q, QD, TAU), "commanded positions (6), q (6)"),
    ):
        np.savetxt(tmp_path / "log.txt", np.column_stack([T, *blocks]), fmt="%.17g")
        log = read_log(tmp_path / "log.txt", ARM)
        piece = whole(log)
        assert told(log, "note", words)
        assert np.array_equal(piece.q, Q) and np.array_equal(piece.qd, QD) and np.array_equal(piece.tau, TAU)


def test_fingers_that_stand_still_are_left_out_and_a_joint_that_moves_is_not():
    def numbered(q, tau):
        made = {"time": T}
        return made | {f"position_{k}": x for k, x in enumerate(q.T)} | {f"effort_{k}": x for k, x in enumerate(tau.T)}

    fingers = np.full((ROWS, 2), 0.04)
    log = read_log(numbered(np.hstack([Q, fingers]), np.hstack([TAU, 0 * fingers])), ARM)
    assert np.array_equal(whole(log).q, Q) and told(log, "note", "position_6", "gripper")
    with pytest.raises(InputError, match="7 columns of positions"):
        read_log(numbered(np.hstack([Q, Q[:, :1]]), np.hstack([TAU, TAU[:, :1]])), ARM)


def test_a_first_column_that_grows_evenly_is_the_time():
    named = {f"position_{k}": x for k, x in enumerate(Q.T)} | {f"effort_{k}": x for k, x in enumerate(TAU.T)}
    log = read_log({"Uhr": T, **named}, ARM)
    assert log.rate == RATE and told(log, "note", "'Uhr' is read as the times")
    with pytest.raises(InputError, match="no column of times"):
        read_log({"row": np.arange(ROWS), **named}, ARM)


def test_a_common_beginning_is_followed_by_a_number():
    made = columns(**{"x#": (Q, 1), "xd#": (QD, 1), "u#": (TAU, 1)})
    piece = whole(read_log(made, ARM, columns={"q": "x", "qd": "xd", "tau": "u"}))
    assert np.array_equal(piece.q, Q) and np.array_equal(piece.qd, QD) and np.array_equal(piece.tau, TAU)


def test_joints_without_a_column_are_named_with_what_to_do():
    names = ARM.coordinates[:4]
    made = {"t": T} | {
        f"{what}.{j}": x for what, a in (("q", Q), ("tau", TAU)) for j, x in zip(names, a.T, strict=False)
    }
    with pytest.raises(InputError, match=r"No column for joint5, joint6; .*la\.lock\(arm, \{'joint5': 0\.0\}\)"):
        read_log(made, ARM)
    assert unlogged_joints(made, ARM) == ("joint5", "joint6")
    assert unlogged_joints({"t": T, "q": Q, "tau": TAU}, ARM) == ()


def test_stamps_that_do_not_grow_name_the_file():
    with pytest.raises(InputError, match="the arrays: the time stamps do not increase"):
        read_log({"t": -T, "q": Q, "tau": TAU}, ARM)
