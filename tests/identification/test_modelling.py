"""The columns of tau = W phi against the regressor of the modelled arm, and the base that stands for them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import leverarm as la
from leverarm import mechanics
from leverarm.errors import InputError
from leverarm.identification.estimates import joint_frictions
from leverarm.identification.modelling.modelled_arm import (
    Coupling,
    DriveModel,
    JointModel,
    base_of,
    couplings_of,
    nominal_values,
    plain_drives,
    with_couplings,
)
from leverarm.identification.modelling.regressor_columns import ColumnMaker, Columns, shafts_of
from leverarm.identification.motions import Motion
from leverarm.identification.structure import structure, with_drives
from leverarm.model import Friction, Motor, bind, without_friction
from tests.support.coupled_arms import ARMS, mimic_arm
from tests.support.levels import at_level
from tests.support.made_logs import with_friction, with_joint, with_motor
from tests.support.random_arms import random_arm

KINDS = ("inertial", "rotor", "viscous", "coulomb", "offset")
MODELS = (JointModel(), JointModel(0.3), JointModel(is_asymmetric=True), JointModel(0.2, is_asymmetric=True))


def random_states(n: int, k: int = 6, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    q, qd, qdd = np.random.default_rng(seed).uniform(-1.5, 1.5, (3, k, n))
    return q, qd, qdd


def modelled(arm: la.Arm, drives: DriveModel) -> la.Arm:
    """The arm whose friction is that of the models, written independently of the columns."""
    arm = with_drives(with_couplings(arm, drives.couplings))
    for name, model in zip(arm.joint_names, drives.joints, strict=True):
        friction = Friction(1, 1, 1 if model.is_asymmetric else None, None, model.smoothing, 1)
        arm = with_joint(arm, name, friction=friction)
    return arm


def by_name(arm: la.Arm, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> dict[str, np.ndarray]:
    """Columns (k, n) of the regressor of an arm over floats, sample by sample."""
    mechanism = bind(arm)
    names = [entry.name for entry in mechanics.parameters(mechanism, KINDS)]
    W = np.array(
        [
            np.array(mechanics.regressor(mechanism, *map(list, state), KINDS), float)
            for state in zip(q, qd, qdd, strict=True)
        ]
    )
    return {name: W[:, :, i] for i, name in enumerate(names)}


def is_regressor_of_modelled_arm(arm: la.Arm, drives: DriveModel, seed: int = 0) -> None:
    arm = without_friction(arm)
    state = random_states(arm.dof, seed=seed)
    made = ColumnMaker.of(arm).columns(*state, drives)
    other = by_name(modelled(arm, drives), *state)
    followers = {link.joint for link in bind(arm).links} - set(arm.joint_names)
    of_motors = (".rotor", ".motor_viscous", ".motor_coulomb")
    own = {name for name in other if name.rpartition(".")[0] not in followers or name.endswith(of_motors)}
    # Asymmetric Coulomb friction is the same as an offset, so that the model has one column for both directions.
    assert set(made.names) == {name for name in own if not name.endswith("coulomb_negative")}
    for i, name in enumerate(made.names):
        expected = other[name] + other.get(name + "_negative", 0) if name.endswith(".coulomb") else other[name]
        scale = max(1.0, np.abs(expected).max())
        np.testing.assert_allclose(made.W[:, :, i], expected, rtol=0, atol=1e-12 * scale, err_msg=name)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(at_level(6, 6, 12)))
def test_columns_are_the_regressor_of_random_trees(seed):
    """Helical and sliding joints, followers, gears of either sign, motors that turn with several joints."""
    arm = random_arm(seed, joints=2 + seed % 5)
    joints = tuple(MODELS[(seed + j) % 4] for j in range(arm.dof))
    is_regressor_of_modelled_arm(arm, DriveModel(joints), seed)


@pytest.mark.parametrize("name", ["scara", "stanford", "torso", "puma560"])
def test_columns_are_the_regressor_of_catalog_arms_with_couplings(name):
    arm = la.load(name)
    couplings = (Coupling(2, 1, -0.5), Coupling(3, 2, 1.0), Coupling(3, 0, 2.0))
    is_regressor_of_modelled_arm(arm, DriveModel(tuple(MODELS[j % 4] for j in range(arm.dof)), couplings))


@pytest.mark.parametrize("name", ARMS)
def test_base_columns_stand_for_all(name):
    """W = W_B R at any state, with exactly as many columns as W has independent ones."""
    arm = without_friction(ARMS[name]())
    columns = ColumnMaker.of(arm).columns(*random_states(arm.dof, 60), plain_drives(arm.dof))
    base = base_of(structure(with_drives(arm)), columns.names)
    assert base.names == tuple(columns.names[i] for i in base.columns)
    scale = np.abs(columns.W).max()
    np.testing.assert_allclose(columns.W[:, :, base.columns] @ base.regrouping, columns.W, rtol=0, atol=1e-11 * scale)
    np.testing.assert_allclose(base.regrouping[:, base.columns], np.eye(len(base)), atol=1e-14)
    kept = columns.W[:, :, base.columns].reshape(-1, len(base))
    assert np.linalg.matrix_rank(kept / np.linalg.norm(kept, axis=0)) == len(base)
    factor, own = base.combination(0, columns.names)[0]
    assert (factor, own) == (1.0, base.names[0])


def test_the_base_is_named_after_joints_the_model_has():
    arm = without_friction(mimic_arm(follower_first=True))
    found = structure(with_drives(arm))
    assert "follow.viscous" in found.base_names, "the structure names the friction after the joint that comes first"
    columns = ColumnMaker.of(arm).columns(*random_states(arm.dof), plain_drives(arm.dof))
    names = base_of(found, columns.names).names
    assert "lead.viscous" in names and "lead.coulomb" in names
    assert not any(name.startswith("follow.") for name in names)


def test_columns_of_ones_own_are_base_parameters():
    arm = la.load("rr")
    maker = ColumnMaker.of(without_friction(arm), {"wind": lambda q, qd, qdd: qd**3})
    columns = maker.columns(*random_states(2), plain_drives(2))
    base = base_of(structure(with_drives(without_friction(arm))), columns.names)
    assert base.names[-1] == "wind" and columns.kinds[-1] == "user"
    assert base.combination(len(base) - 1, columns.names) == ((1.0, "wind"),)


def test_couplings_go_into_an_arm_and_come_back():
    arm = with_motor(la.load("planar3r"), "q3", inertia=0.1, gear=-30)
    wanted = (Coupling(2, 0, 0.25), Coupling(2, 1, -0.5))
    coupled = with_couplings(arm, wanted)
    assert couplings_of(coupled) == wanted
    assert coupled.bodies[2].joint.motor == Motor(0.1, -30, (("q1", -7.5), ("q2", 15.0)))
    assert with_couplings(coupled, wanted) is coupled
    assert with_couplings(coupled, (Coupling(2, 1, 7.0),)) is coupled, "what the arm describes itself stays"
    assert couplings_of(arm) == () and with_couplings(arm, ()) is arm


def test_a_coupling_beside_one_that_the_arm_describes():
    arm = with_motor(la.load("planar3r"), "q3", inertia=0.1, gear=2, also=(("q2", 1.0),))
    both = with_couplings(arm, (Coupling(2, 0, 3.0),))
    assert couplings_of(both) == (Coupling(2, 0, 3.0), Coupling(2, 1, 0.5))


def test_shafts_by_hand():
    """The motor of q3 turns by -30 q3 + 15 q2; q3 alone turns one more rotor, and each other joint its own."""
    arm = with_motor(la.load("planar3r"), "q3", inertia=0, gear=-30, also=(("q2", 15.0),))
    shafts = {shaft.joint: shaft for shaft in shafts_of(arm, ())}
    assert list(shafts) == ["q1", "q2", "q3", "q3_gear"]
    assert shafts["q3"].gears == ((1, 15.0), (2, -30.0)) and shafts["q3"].gear == -30
    assert shafts["q3_gear"].gears == ((2, 1.0),)
    assert [shaft.rubs for shaft in shafts.values()] == [False, False, True, False]
    speeds = np.array([[1.0, 2.0, 3.0]])
    assert shafts["q3"].turned(speeds) == pytest.approx([-60.0])
    assert {j: float(x[0]) for j, x in shafts["q3"].felt(np.ones(1)).items()} == {1: 15.0, 2: -30.0}


def test_drawn_values_are_those_of_the_description():
    arm = with_joint(with_friction(la.load("rr")), "q1", motor=Motor(0.2, 3), friction=Friction(1.5, 0.7, offset=-0.3))
    names = ColumnMaker.of(arm).columns(*random_states(2), plain_drives(2)).names
    nominal = dict(zip(names, nominal_values(arm, names, np.arange(20.0)), strict=True))
    assert [nominal[f"q1.{part}"] for part in ("rotor", "viscous", "coulomb", "offset")] == [0.2, 1.5, 0.7, -0.3]
    assert nominal["q2.rotor"] == 0 and nominal["q2.viscous"] == 0.5
    assert nominal["link2.hx"] == 11.0


@pytest.mark.parametrize(
    "function, said",
    [
        (3, "a column is a function of q, qd, qdd"),
        (lambda q, qd, qdd: q[:, 0], r"shape \(6,\)"),
        (lambda q, qd, qdd: q * math.nan, "12 numbers that are not finite"),
    ],
)
def test_columns_that_are_none(function, said):
    with pytest.raises(InputError, match=said):
        ColumnMaker.of(la.load("rr"), {"mine": function}).columns(*random_states(2), plain_drives(2))


@pytest.mark.parametrize("name", ["link1.m", "q2.viscous"])
def test_a_column_cannot_take_the_name_of_a_parameter(name):
    with pytest.raises(InputError, match=f"column '{name}': a parameter of the arm has this name"):
        ColumnMaker.of(la.load("rr"), {name: lambda q, qd, qdd: q}).columns(*random_states(2), plain_drives(2))


def test_friction_of_a_joint_counts_the_shafts_that_turn_with_it():
    """A shaft that turns g times as fast adds g^2 times its viscous friction to a joint that moves alone."""
    arm = with_motor(la.load("planar3r"), "q3", inertia=0, gear=-3, also=(("q2", 2.0),))
    k = 400
    rng = np.random.default_rng(4)
    q, qd, qdd = rng.uniform(-1, 1, (3, k, 3))
    drives = DriveModel((JointModel(), JointModel(is_asymmetric=True), JointModel()))
    columns: Columns = ColumnMaker.of(without_friction(arm)).columns(q, qd, qdd, drives)
    values = np.zeros(len(columns))
    for name, value in {
        "q2.viscous": 0.5, "q2.viscous_negative": 0.7, "q2.coulomb": 0.4, "q3.viscous": 0.6, "q3.motor_viscous": 0.1,
        "q2.offset": 0.2,
    }.items():  # fmt: skip
        values[columns.names.index(name)] = value
    tau = columns.W @ values
    motion = Motion(np.arange(k) / 100, q, qd, qdd, tau, tau, np.zeros(k, int), np.arange(k), 100.0)
    rests = np.zeros((k, 3), dtype=bool)
    first, second, third = joint_frictions(motion, columns, values, drives, rests, arm.joint_names)
    assert first.viscous == 0 and first.viscous_negative is None
    assert second.viscous == pytest.approx(0.5 + 0.1 * 4) and second.viscous_negative == pytest.approx(0.7 + 0.1 * 4)
    assert third.viscous == pytest.approx(0.6 + 0.1 * 9)
    assert second.offset == 0.2 and second.coulomb_negative == second.coulomb == 0.4
    speeds, torque, error = second.curve
    assert len(speeds) > 10 and np.all(np.diff(speeds) > 0) and np.all(error >= 0)
    assert torque[-1] > torque[0]


def test_models_in_words():
    assert replace(JointModel(), smoothing=0.25) == JointModel(0.25)
    words = {str(model) for model in MODELS}
    assert len(words) == 4 and any("0.3" in word for word in words)
