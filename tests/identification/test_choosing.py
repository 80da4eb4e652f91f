"""What the data decide: filter, friction, couplings and regularisation, on motions whose answer is known."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import leverarm as la
from leverarm.errors import InputError
from leverarm.identification.choosing import candidates, coupling_choice, filter_choice, friction_choice
from leverarm.identification.fitting.rows import Samples, blocks_of
from leverarm.identification.fitting.weighted_fit import normal_equations
from leverarm.identification.modelling.modelled_arm import Coupling, JointModel, base_of, plain_drives
from leverarm.identification.modelling.regressor_columns import ColumnMaker, Columns
from leverarm.identification.motions import Motion, bandwidth
from leverarm.identification.physical_consistency import (
    PhysicalProblem,
    left_out_values,
    physical_prior,
    regularisation_choice,
)
from leverarm.identification.preflight.samples import dead_zone
from leverarm.identification.structure import structure, with_drives
from tests.support.made_logs import log_of, states, torques, with_friction, with_motor

RR = "rr"


@cache
def maker(name: str) -> tuple[ColumnMaker, np.ndarray]:
    """Columns of a catalog arm and those of them that are fitted, with plain drives."""
    arm = la.load(name)
    columns = ColumnMaker.of(arm)
    still = np.zeros((1, arm.dof))
    names = columns.columns(still, still, still, plain_drives(arm.dof)).names
    return columns, base_of(structure(with_drives(arm)), names).columns


def motion_of(arm: la.Arm, friction=lambda qd: 0.0, noise: float = 0.005, seconds: float = 14.0) -> Motion:
    """An exact motion with the torques of an arm, friction of its own added to them, and noise."""
    t = np.arange(0, seconds, 0.01)
    q, qd, qdd = states(t, arm.dof)
    tau = torques(arm, q, qd, qdd) + friction(qd)
    tau = tau + noise * tau.std(axis=0) * np.random.default_rng(1).normal(size=tau.shape)
    return Motion(t, q, qd, qdd, tau, tau, np.zeros(len(t), dtype=np.int64), np.arange(len(t)), 100.0)


def columns_of(motion: Motion, name: str) -> tuple[Columns, np.ndarray]:
    columns, base = maker(name)
    return columns.columns(motion.q, motion.qd, motion.qdd, plain_drives(motion.q.shape[1])), base


def chosen_friction(friction, allowed=("sign", "tanh", "asymmetric")) -> tuple[JointModel, ...]:
    motion = motion_of(la.load(RR), friction)
    columns, base = columns_of(motion, RR)
    zone = dead_zone(motion)
    return friction_choice(Samples.of(motion, zone), columns, base, allowed)


def asymmetric(qd: np.ndarray) -> np.ndarray:
    """Of the first joint three times as much backwards as forwards, of the second alike."""
    return np.stack([np.where(qd[:, 0] > 0, 0.5, 1.5) * qd[:, 0], 0.5 * qd[:, 1]], axis=1) + np.sign(qd)


def test_friction_models_are_told_apart():
    assert chosen_friction(lambda qd: qd + np.sign(qd)) == (JointModel(), JointModel())
    first, second = chosen_friction(asymmetric)
    assert first.is_asymmetric and not second.is_asymmetric
    wide = chosen_friction(lambda qd: 0.2 * qd + 2 * np.tanh(qd / 0.15))
    for model in wide:
        assert model.smoothing == pytest.approx(0.15, rel=0.1) and not model.is_asymmetric


def test_only_allowed_friction_models_are_taken():
    assert chosen_friction(asymmetric, ("sign", "tanh"))[0].is_asymmetric is False
    bent = chosen_friction(lambda qd: 2 * np.tanh(qd / 0.15), ("sign",))
    assert bent == (JointModel(), JointModel())
    smooth = chosen_friction(lambda qd: qd + np.sign(qd), ("tanh",))
    assert all(model.smoothing is not None and model.smoothing < 0.02 for model in smooth)


def test_a_joint_that_never_moves_has_a_plain_model():
    motion = motion_of(la.load(RR))
    motion.qd[:, 1] = 0
    columns, base = columns_of(motion, RR)
    zone = dead_zone(motion)
    models = friction_choice(Samples.of(motion, zone), columns, base, ("sign", "tanh"))
    assert models[1] == JointModel()


@pytest.mark.parametrize("ratio", [1.0, -1.0])
def test_couplings_are_found_with_their_sign(ratio):
    arm = with_friction(la.load("planar3r"))
    coupled = with_motor(arm, "q3", inertia=0.02, also=(("q2", ratio),), viscous=0.4, coulomb=1.0)
    for true, expected in ((coupled, (Coupling(2, 1, ratio),)), (arm, ())):
        motion = motion_of(true)
        columns, base = columns_of(motion, "planar3r")
        samples = Samples.of(motion, dead_zone(motion))
        assert coupling_choice(samples, columns, base, plain_drives(3).joints) == expected


def filters(*logs: dict[str, np.ndarray], without=()):
    arm = la.load(RR)
    read = [la.read_log({k: v for k, v in log.items() if k not in without}, arm) for log in logs]
    said: list[str] = []
    chosen, tried = filter_choice(read, *maker(RR), said.append)
    assert len(said) == len(tried) and chosen in tried
    return chosen, tried


def test_without_noise_nothing_is_filtered():
    chosen, _ = filters(log_of(with_friction(la.load(RR)), noise=0))
    assert chosen.filtering.filter.keeps_samples and chosen.filtering.taken == "qdd" and chosen.error < 2e-4


def test_noise_of_positions_lowers_the_cut_off():
    arm = with_friction(la.load(RR))
    log = log_of(arm, rate=200.0)
    noisy = log | {"q": log["q"] + 2e-3 * np.random.default_rng(3).normal(size=log["q"].shape)}
    clean, dirty = filters(log, without=("qd", "qdd")), filters(noisy, without=("qd", "qdd"))
    assert {entry.filtering.taken for entry in dirty[1]} == {"q"}
    assert dirty[0].cut_off < 0.6 * clean[0].cut_off
    assert min(entry.error for entry in dirty[1]) < 0.2 * max(entry.error for entry in dirty[1])


def test_measured_speeds_are_used_where_they_are_better():
    arm = with_friction(la.load(RR))
    log = log_of(arm, rate=200.0)
    noisy = log | {"q": log["q"] + 5e-3 * np.random.default_rng(3).normal(size=log["q"].shape)}
    assert filters(noisy)[0].filtering.taken != "q"


def test_the_band_of_a_motion():
    arm = la.load(RR)
    t = np.arange(0, 20, 0.01)
    q = np.stack([np.sin(2 * np.pi * t), np.sin(2 * np.pi * 3 * t)], axis=1)
    log = la.read_log({"t": t, "q": q, "tau": q}, arm)
    assert bandwidth(log) == pytest.approx(3, abs=0.3)
    lowest = min(each.filter.cut_off(100.0) for each in candidates(log))
    assert 2 < lowest < 4


def test_a_short_piece_in_front_and_a_short_second_log():
    arm = with_friction(la.load(RR))
    log = log_of(arm)
    gap = log | {"t": log["t"] + 5.0 * (np.arange(len(log["t"])) >= 30)}
    assert filters(gap)[0].error < 2
    short = log_of(arm, seconds=1.0, seed=3)
    chosen, tried = filters(log, short)
    assert len(tried) < len(filters(log)[1]), "windows that do not fit into the short one are not tried"
    assert chosen.error < 2


def test_a_log_of_scraps_is_refused():
    arm = with_friction(la.load(RR))
    log = log_of(arm)
    scraps = log | {"t": log["t"] + 5.0 * (np.arange(len(log["t"])) // 25)}
    with pytest.raises(InputError, match="stretch"):
        filters(scraps)


@cache
def physical(mass: float, noise: float) -> PhysicalProblem:
    """Torques of an arm, and its drawing with other masses."""
    arm = la.load("spherical")
    motion = motion_of(with_friction(arm), noise=noise, seconds=6.0)
    columns, _ = columns_of(motion, "spherical")
    block = blocks_of(motion)
    equations = normal_equations(columns.W, motion.tau, motion.raw, np.abs(motion.qd) > 0.01, block)
    nominal = np.zeros(len(columns))
    bodies = physical_prior(arm).values
    nominal[: len(bodies)] = bodies * mass
    links = tuple(slice(i, i + 10) for i in range(0, len(bodies), 10))
    positive = tuple(i for i, kind in enumerate(columns.kinds) if kind in ("rotor", "viscous", "coulomb"))
    return PhysicalProblem(equations, (motion.tau.std(axis=0) * max(noise, 1e-3)) ** -2.0, nominal, links, positive)


def test_a_right_nominal_model_is_trusted_more_than_a_wrong_one():
    right, errors = regularisation_choice(physical(1.0, 0.3))
    wrong, _ = regularisation_choice(physical(4.0, 0.3))
    assert wrong < right
    least = min(errors.values())
    assert errors[right] <= 1.005 * least
    assert all(error > 1.005 * least for regularisation, error in errors.items() if regularisation > right)


def test_values_left_out_are_fits_to_the_other_blocks():
    problem = physical(1.0, 0.3)
    values = left_out_values(problem, 1.0)
    assert values.shape == (problem.equations.blocks, len(problem.nominal))
    everything = np.ones(problem.equations.blocks, dtype=bool)
    without_third = everything.copy()
    without_third[3] = False
    np.testing.assert_array_equal(values[3], problem.fitted(without_third, 1.0))
    assert np.abs(values[3] - problem.fitted(everything, 1.0)).max() > 0
    assert (values[:, list(problem.nonnegative)] >= 0).all()
