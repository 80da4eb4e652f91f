"""From logs to parameters: what was put in comes out, on arms of all kinds; what the data do not tell is said."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import leverarm as la
from leverarm.errors import InputError, LeverarmError
from leverarm.mechanics import parameters
from leverarm.model import Friction, bind
from tests.support.coupled_arms import ARMS, mimic_arm
from tests.support.levels import at_level
from tests.support.made_logs import log_of, states, torques, with_friction, with_joint, with_motor

KINDS = ("inertial", "rotor", "viscous", "coulomb", "offset")


def rr() -> la.Arm:
    return la.load("rr")


@cache
def plain() -> la.types.Identified:
    """Of a noisy log of an arm whose friction is known."""
    return la.identify(rr(), log_of(with_friction(rr())), validate=log_of(with_friction(rr()), seed=3))


@cache
def exact() -> la.types.Identified:
    return la.identify(rr(), log_of(with_friction(rr()), noise=0))


def true_value(entry: la.types.Estimate, arm: la.Arm) -> float:
    own = {each.name: float(each.value) for each in parameters(bind(arm), KINDS)}
    return sum(factor * own.get(name, 0.0) for factor, name in entry.combination)


def same_torques(result: la.types.Identified, tolerance: float = 1e-12) -> None:
    q, qd, qdd = np.random.default_rng(5).uniform(-1, 1, (3, 40, result.arm.dof))
    expected = torques(result.arm, q, qd, qdd)
    np.testing.assert_allclose(result.torque(q, qd, qdd), expected, rtol=0, atol=tolerance * np.abs(expected).max())


def test_without_noise_parameters_come_back():
    result = exact()
    true = with_friction(rr())
    for entry in result.parameters:
        expected = true_value(entry, true)
        assert entry.value == pytest.approx(expected, abs=1e-11), entry.name
        assert entry.consistent == pytest.approx(expected, abs=1e-8), entry.name
    assert result.accepted and result.cross_validation.filtered_error < 1e-6
    assert result.rank == len(result.parameters) == 13


def test_intervals_hold_the_truth_and_say_what_is_told():
    result = plain()
    true = with_friction(rr())
    off = np.array([abs(e.value - true_value(e, true)) / e.standard_error for e in result.parameters])
    assert np.mean(off < 1.96) > 0.7 and off.max() < 5
    viscous = result.parameters["q1.viscous"]
    assert (
        viscous.identifiable
        and viscous.unit == "N m s/rad"
        and viscous.interval[0] < viscous.value < viscous.interval[1]
    )
    assert viscous.percent == pytest.approx(100 * viscous.standard_error / viscous.value)
    assert not result.parameters["link1.hy"].identifiable or abs(result.parameters["link1.hy"].value) < 0.01
    assert result.covariance.shape == (13, 13)
    assert set(result.noise) == {"q1", "q2"} and all(x > 0 for x in result.noise.values())


def test_parameters_by_name():
    table = plain().parameters
    assert table[0] is table[table[0].name] and dict(table.items())["q2.coulomb"] is table["q2.coulomb"]
    assert "q1.viscous" in table and "q9.viscous" not in table and table[0] in table
    with pytest.raises(InputError, match=r"did you mean 'q1\.viscous'"):
        table["q1.viscos"]


def test_another_motion_is_validated():
    result = plain()
    (other,) = result.validations
    assert result.accepted and result.verdict.startswith("The model is fit for use.")
    # noise of 1 % of the torque's standard deviation is all that is left
    assert other.relative_error < 1.2 and set(other.per_joint) == {"q1", "q2"}
    assert other.cad_error > 5 * other.relative_error, "the given arm has no friction"
    again = result.validate(log_of(with_friction(rr()), seed=3))
    assert again.relative_error == other.relative_error
    np.testing.assert_array_equal(again.predicted, other.predicted)
    moved = ~other.rests
    expected = 100 * np.linalg.norm((other.measured - other.predicted)[moved]) / np.linalg.norm(other.measured[moved])
    assert other.relative_error == pytest.approx(expected)
    assert np.hypot(other.noise_error, other.filtered_error) == pytest.approx(other.relative_error, rel=0.2)


def test_validation_at_another_rate_and_without_speeds():
    slow = log_of(with_friction(rr()), seed=3, rate=50.0)
    only = {name: slow[name] for name in ("t", "q", "tau")}
    assert plain().validate(only).relative_error < 2.5


def test_torque_takes_any_shape_and_says_which_it_does_not():
    result = plain()
    one = result.torque([0.1, 0.2], [1.0, 0.0], [0.0, 0.5])
    assert one.shape == (2,)
    many = result.torque(np.tile([0.1, 0.2], (3, 4, 1)), [1.0, 0.0], [0.0, 0.5])
    assert many.shape == (3, 4, 2)
    np.testing.assert_allclose(many[2, 3], one, rtol=1e-14)
    with pytest.raises(InputError, match="the last axis is over the 2 joints"):
        result.torque(np.zeros(3), np.zeros(3), np.zeros(3))
    with pytest.raises(InputError, match=r"\(3, 2\), \(4, 2\).*broadcast"):
        result.torque(np.zeros((3, 2)), np.zeros((4, 2)), np.zeros(2))


def test_a_result_is_written_and_read_back(tmp_path):
    result = plain()
    folder = result.save(tmp_path / "deep" / "result")
    assert {path.name for path in folder.iterdir()} == {"arm.toml", "arm.urdf", "result.json", "report.html"}
    q, qd, qdd = np.random.default_rng(5).uniform(-1, 1, (3, 20, 2))
    expected = result.torque(q, qd, qdd)
    for name in ("arm.toml", "arm.urdf"):
        written = torques(la.load(folder / name), q, qd, qdd)
        np.testing.assert_allclose(written, expected, rtol=0, atol=1e-11 * np.abs(expected).max())
    (tmp_path / "taken").write_text("")
    with pytest.raises(LeverarmError, match="is a file; a result is written into a folder"):
        result.save(tmp_path / "taken")


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    at_level(
        ["rp"],
        ["rp", "scara", "follower first", "coupled wrist", "wrist of three"],
        ["point-mass", "rp", "cylindrical", *ARMS],
    ),
)
def test_arms_of_all_kinds(name):
    """Sliding joints, followers, locked joints, coupled wrists: torques of the arm are those of the model."""
    given = ARMS[name]() if name in ARMS else la.load(name)
    true = with_friction(given)
    result = la.identify(given, log_of(true, noise=0.002, seconds=9.0), friction=["sign"])
    same_torques(result)
    assert result.accepted, result.verdict
    assert result.cross_validation.relative_error < 1
    told = [entry for entry in result.parameters if entry.identifiable and "offset" not in entry.name]
    assert len(told) > len(result.parameters) / 3


@pytest.mark.slow
def test_a_tree_with_a_lift():
    """Two arms on a lift: units are said, since the motion leaves the lift's limits."""
    arm = la.load("torso")
    units = {"q": ["m", *["rad"] * 9], "qd": ["m/s", *["rad/s"] * 9], "qdd": ["m/s^2", *["rad/s^2"] * 9]}
    result = la.identify(arm, log_of(with_friction(arm), rate=50.0, seconds=9.0), units=units, friction=["sign"])
    same_torques(result)
    assert result.accepted and len(result.parameters) == 94
    lift = result.parameters["lift.viscous"]
    assert lift.unit == "N s/m" and result.parameters["torso.viscous"].unit == "N m s/rad"


def test_positions_and_torques_suffice():
    log = log_of(with_friction(rr()), rate=200.0)
    result = la.identify(rr(), {"q": log["q"], "tau": log["tau"]}, rate=200.0)
    assert result.accepted and result.settings["signals used"] == "positions"
    assert result.parameters["q1.viscous"].value == pytest.approx(0.5, rel=0.05)


@pytest.mark.slow
def test_one_joint():
    arm = rr()
    one = replace(arm, bodies=arm.bodies[:1], named_frames=(), coordinates=())
    log = log_of(with_friction(one))
    result = la.identify(one, {name: x if name == "t" else x[:, 0] for name, x in log.items()})
    same_torques(result)
    assert result.accepted and len(result.parameters) == 6


@pytest.mark.slow
def test_an_arm_that_gravity_does_not_move():
    flat = replace(la.load("planar3r"), gravity=la.types.Vec3(0, 0, -9.81))
    result = la.identify(flat, log_of(with_friction(flat)))
    same_torques(result)
    assert result.accepted and len(result.parameters) == 18, "of the planar 20, two are seen by gravity alone"
    assert "0, 0, -9.81" in result.settings["gravity [m/s^2]"]


@pytest.mark.slow
def test_several_logs_are_fitted_together():
    logs = [log_of(with_friction(rr()), seconds=8.0, seed=seed) for seed in (1, 2)]
    result = la.identify(rr(), logs)
    alone = la.identify(rr(), logs[0])
    assert result.settings["samples"] == 1600 and len(result.cross_validation.t) > 1.9 * len(alone.cross_validation.t)
    assert result.parameters["q1.viscous"].standard_error < alone.parameters["q1.viscous"].standard_error


@pytest.mark.slow
@pytest.mark.parametrize("first", [0, 1])
def test_logs_of_different_rates(first):
    """The lag and the rests of either are in seconds; the order in which they are given does not matter."""
    logs = [log_of(with_friction(rr()), rate=rate, late=0.006, seed=seed) for rate, seed in ((500.0, 7), (100.0, 3))]
    result = la.identify(rr(), [logs[first], logs[1 - first]])
    assert result.settings["lag [ms]"] == pytest.approx(6, abs=0.5)
    assert result.cross_validation.relative_error < 1.5
    assert result.parameters["q2.viscous"].value == pytest.approx(0.5, rel=0.05)


def test_late_torques_are_moved():
    log = log_of(with_friction(rr()), rate=500.0, late=0.008)
    result = la.identify(rr(), log)
    assert result.settings["lag [ms]"] == pytest.approx(8, abs=0.3)
    assert any(f.where == "time lag" for f in result.findings)
    assert result.parameters["link2.Izz"].value == pytest.approx(0.35, rel=0.02)
    assert result.validate(log).relative_error < 1.5, "other logs are late by as much"


@pytest.mark.slow
def test_another_gravity_is_found_and_written():
    tilted = replace(rr(), gravity=la.types.Vec3(9.81 * np.sin(0.3), -9.81 * np.cos(0.3), 0))
    result = la.identify(rr(), log_of(with_friction(tilted)))
    found = np.array([float(x) for x in result.arm.gravity])
    np.testing.assert_allclose(found, [9.81 * np.sin(0.3), -9.81 * np.cos(0.3), 0], atol=0.02)
    assert any("gravity" in f.where for f in result.findings)
    same_torques(result)


@pytest.mark.slow
def test_springs_and_columns_of_ones_own():
    log = log_of(with_friction(rr()), noise=0)
    log["tau"] = log["tau"] + np.stack([0.5 * np.sin(log["q"][:, 1]), 3.0 * log["q"][:, 1]], axis=1)

    def cable(q, qd, qdd):
        return np.stack([np.sin(q[:, 1]), 0 * q[:, 1]], axis=1)

    result = la.identify(rr(), log, springs=["q2"], columns_of_own={"cable": cable})
    spring, own = result.parameters["q2.spring"], result.parameters["cable"]
    assert spring.unit == "N m/rad" and spring.value == pytest.approx(3.0, rel=1e-8) and spring.identifiable
    assert own.value == pytest.approx(0.5, rel=1e-8) and own.unit == ""
    q, qd, qdd = np.random.default_rng(5).uniform(-1, 1, (3, 20, 2))
    beside = np.stack([own.consistent * np.sin(q[:, 1]), 0 * q[:, 1]], axis=1)
    np.testing.assert_allclose(result.torque(q, qd, qdd), torques(result.arm, q, qd, qdd) + beside, atol=1e-11)
    assert result.arm.bodies[1].joint.spring == la.Spring(spring.consistent, 0)
    (note,) = [f for f in result.findings if "is not written to the arm" in f.message]
    assert "q2.spring" not in note.where and "cable" in note.where


def with_springs(*springs: la.Spring | None) -> la.Arm:
    arm = rr()
    joints = (replace(body.joint, spring=spring) for body, spring in zip(arm.bodies, springs, strict=True))
    return replace(arm, bodies=tuple(replace(b, joint=j) for b, j in zip(arm.bodies, joints, strict=True)))


@pytest.mark.slow
def test_known_springs_are_taken_off_and_written_back():
    """The first spring is known, the second one's stiffness is sought about a rest that is known."""
    first, second = la.Spring(4.0, -0.3), la.Spring(3.0, 0.4)
    log = log_of(with_friction(with_springs(first, second)), noise=0)
    result = la.identify(with_springs(first, replace(second, stiffness=1.0)), log, springs=["q2"])
    found = result.parameters["q2.spring"]
    assert found.value == pytest.approx(3.0, rel=1e-8) and found.cad == 1.0 and "q1.spring" not in result.parameters
    assert result.cross_validation.relative_error < 1e-6
    assert result.arm.bodies[0].joint.spring == first
    assert result.arm.bodies[1].joint.spring == replace(second, stiffness=found.consistent)
    assert result.given.bodies[1].joint.spring.stiffness == 1.0
    q, qd, qdd = np.random.default_rng(5).uniform(-1, 1, (3, 20, 2))
    np.testing.assert_allclose(result.torque(q, qd, qdd), torques(result.arm, q, qd, qdd), atol=1e-11)
    assert result.validate(log).relative_error < 1e-6


def wrist(**also) -> la.Arm:
    """Three joints in a plane, the motor of the last turning with the one before."""
    return with_motor(with_friction(la.load("planar3r")), "q3", **also)


@pytest.mark.slow
def test_a_coupling_that_the_arm_describes():
    """Gears far from one: the numbers of the motor are at its own speed."""
    motor = {"inertia": 5e-4, "gear": -30, "also": (("q2", 15.0),), "viscous": 4e-4, "coulomb": 3e-3}
    bare = with_motor(la.load("planar3r"), "q3", inertia=0, gear=-30, also=(("q2", 15.0),))
    result = la.identify(bare, log_of(wrist(**motor), noise=0), friction=["sign"])
    assert result.settings["couplings"] == "motor of q3 turns with q2"
    for name, value in (("q3.rotor", 5e-4), ("q3.motor_viscous", 4e-4), ("q3.motor_coulomb", 3e-3)):
        assert result.parameters[name].value == pytest.approx(value, rel=1e-8)
    viscous = [friction.viscous for friction in result.frictions]
    assert viscous == pytest.approx([0.5, 0.5 + 225 * 4e-4, 0.5 + 900 * 4e-4], rel=1e-6)
    same_torques(result)


@pytest.mark.slow
def test_couplings_named_found_and_by_ratio():
    motor = {"inertia": 0.02, "also": (("q2", 1.0),), "viscous": 0.4, "coulomb": 1.0}
    log, arm = log_of(wrist(**motor)), la.load("planar3r")
    ratio = np.diag([1.0, 1.0, 1.0])
    ratio[2, 1] = 1.0
    results = [
        la.identify(arm, log),
        la.identify(arm, log, couplings=[("q3", "q2")]),
        la.identify(arm, log, ratio=ratio, motor_side=()),
    ]
    for result in results:
        assert result.settings["couplings"] == "motor of q3 turns with q2"
        assert result.parameters["q3.motor_viscous"].value == pytest.approx(0.4, rel=0.05)
        same_torques(result)
    assert la.identify(arm, log, couplings=()).settings["couplings"] == "none"


@pytest.mark.slow
def test_a_motor_that_turns_with_three_joints():
    ratio = np.diag([1.0, 1.0, 2.0])
    ratio[2, :2] = -1.0, 3.0
    motor = {"inertia": 0.02, "gear": 1, "also": (("q1", -0.5), ("q2", 1.5)), "viscous": 0.4, "coulomb": 1.0}
    log, arm = log_of(wrist(**motor), noise=0), la.load("planar3r")
    result = la.identify(arm, log, ratio=ratio, motor_side=(), friction=["sign"])
    assert result.parameters["q3.motor_viscous"].value == pytest.approx(0.4, rel=1e-7)
    assert result.parameters["q3.rotor"].value == pytest.approx(0.02, rel=1e-7)
    same_torques(result)


@pytest.mark.slow
def test_friction_of_the_description_is_replaced_and_not_added():
    """Asymmetric, on a follower, on a motor's shaft, under load: whatever is described is found anew, or left out."""
    arm = mimic_arm(follower_first=False)
    true = with_motor(with_friction(arm), "end", inertia=1e-3, gear=20, viscous=1e-3, coulomb=0.02)
    given = with_joint(true, "lead", friction=Friction(9.0, 9.0, 7.0, 5.0, 0.1, 3.0, 0.2))
    result = la.identify(given, log_of(true, noise=0), friction=["sign"])
    same_torques(result)
    lead, end = result.frictions
    # the follower turns by -2: four times its viscous friction, twice its Coulomb friction
    assert lead.viscous == pytest.approx(0.5 + 4 * 0.1, rel=1e-6) and lead.coulomb == pytest.approx(0.8 + 2 * 0.2)
    assert end.viscous == pytest.approx(0.5 + 400 * 1e-3, rel=1e-6) and end.coulomb == pytest.approx(0.8 + 20 * 0.02)
    assert result.parameters["lead.viscous"].cad == 9.0, "the table shows what was given"


@pytest.mark.slow
def test_an_identified_arm_can_be_identified_again():
    motor = {"inertia": 0.02, "also": (("q2", 1.0),), "viscous": 0.4, "coulomb": 1.0}
    log = log_of(wrist(**motor))
    once = la.identify(la.load("planar3r"), log, couplings=[("q3", "q2")])
    twice = la.identify(once.arm, log)
    assert twice.parameters.names == once.parameters.names and len(twice.arm.bodies) == len(once.arm.bodies)
    for entry in once.parameters:
        other = twice.parameters[entry.name]
        assert other.value == pytest.approx(entry.value, abs=1e-9 + 1e-3 * entry.standard_error)
        assert other.cad == pytest.approx(entry.consistent, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("model, part", [("sign", "Coulomb"), ("tanh", "tanh"), ("asymmetric", "Coulomb")])
def test_friction_models_are_limited(model, part):
    log = log_of(with_friction(rr()))
    result = la.identify(rr(), log, friction=[model])
    assert all((part in f.model) and (f.smoothing is None) == (model != "tanh") for f in result.frictions)
    same_torques(result)


def wrong(log: dict[str, np.ndarray], **changes) -> la.types.Identified:
    return la.identify(rr(), log | changes)


@pytest.mark.slow
def test_a_wrong_sign_a_wrong_order_and_a_dead_sensor_are_refused():
    log = log_of(with_friction(rr()))
    turned = [-1.0, 1.0]
    cases = {
        "opposite sign": wrong(log, tau=log["tau"] * turned),
        "swapped": wrong(log, tau=log["tau"][:, ::-1]),
        "the same in all rows": wrong(log, tau=log["tau"] * [1.0, 0.0]),
    }
    for words, result in cases.items():
        assert not result.accepted and result.verdict.startswith("The model is not fit for use."), words
        assert words in result.verdict
    dead = cases["the same in all rows"].cross_validation
    assert dead.per_joint["q2"] == np.inf and "e+" not in cases["the same in all rows"].verdict
    cases["the same in all rows"].to_json()


@pytest.mark.slow
def test_currents_without_gains_are_refused():
    log = log_of(with_friction(rr()))
    result = la.identify(rr(), log, units={"tau": "A"})
    assert not result.accepted and "currents [A] and no gains" in result.verdict
    doubled = la.identify(rr(), log, units={"tau": "A"}, gains=[2.0, 2.0])
    assert doubled.accepted
    assert doubled.parameters["q1.coulomb"].value == pytest.approx(2 * plain().parameters["q1.coulomb"].value, rel=1e-6)


@pytest.mark.slow
def test_a_joint_that_never_moves_is_not_identifiable():
    true = with_friction(rr())
    log = log_of(true)
    q, qd, qdd = (log[name].copy() for name in ("q", "qd", "qdd"))
    q[:, 1], qd[:, 1], qdd[:, 1] = 0.3, 0.0, 0.0
    tau = torques(true, q, qd, qdd) + 0.02 * np.random.default_rng(0).normal(size=q.shape)
    result = la.identify(rr(), {"t": log["t"], "q": q, "qd": qd, "qdd": qdd, "tau": tau})
    assert not result.accepted and "condition number" in result.verdict and len(result.verdict) < 1000
    assert result.rank < len(result.parameters)
    for entry in result.parameters:
        assert entry.identifiable == (entry.name in ("q1.viscous", "q1.coulomb", "q1.offset")), entry.name
        assert abs(entry.value) < 10
        assert entry.identifiable or entry.interval == (-np.inf, np.inf)
    assert result.parameters["q1.viscous"].value == pytest.approx(0.5, rel=0.05)


@pytest.mark.slow
def test_a_motion_too_small_for_the_other_is_refused():
    """The log moves little; another motion moves much, and is predicted badly."""
    true = with_friction(rr())
    bent = with_joint(true, "q1", friction=Friction(0.5, 30.0))
    result = la.identify(rr(), log_of(true), validate=[log_of(bent, seed=3)])
    assert not result.accepted and "does not excite what the other one does" in result.verdict


@pytest.mark.parametrize(
    "given, said",
    [
        ({"log": []}, "no log was given"),
        ({"friction": ["stribeck"]}, "there is no friction model named 'stribeck'"),
        ({"springs": ["q7"]}, "there is no joint named 'q7'"),
        ({"couplings": [("q2", "q9")]}, "there is no joint named 'q9'"),
        ({"couplings": ["q2"]}, "coupling 'q2': it takes a pair of joints"),
        ({"couplings": [("q1", "q1")]}, "it takes a pair of joints"),
        ({"columns_of_own": {"q1.viscous": lambda q, qd, qdd: q}}, "a parameter of the arm has this name"),
        ({"rate": -5.0}, "rate"),
    ],
)
def test_what_cannot_be_meant(given, said):
    with pytest.raises(InputError, match=said):
        la.identify(rr(), **({"log": log_of(rr(), seconds=2.0)} | given))


def test_logs_that_cannot_be_used():
    t = np.arange(0, 5, 0.01)
    still = {"t": t, "q": np.full((500, 2), 0.3), "tau": np.random.default_rng(0).normal(size=(500, 2))}
    with pytest.raises(InputError, match="no joint moves"):
        la.identify(rr(), still)
    with pytest.raises(InputError, match="an arm is needed"):
        la.identify("rr", still)
    q, _, _ = states(t, 3)
    with pytest.raises(InputError):
        la.identify(rr(), {"t": t, "q": q, "tau": q})


def test_progress_is_told_in_order():
    said: list[str] = []
    la.identify(rr(), log_of(with_friction(rr())), progress=said.append)
    stages = [text for text in said if not text.startswith("cut-off")]
    assert stages[0] == "reading" and stages[-1] == "validating" and len(set(stages)) == len(stages)
