"""Arms whose every number is known: parameters come back, intervals hold what they say, written arms are possible."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import leverarm as la
from leverarm.identification.estimation.pseudo_inertia import pseudo_inertias
from leverarm.identification.fitting.covariance import covariance, noise_spectrum
from leverarm.identification.fitting.weighted_fit import tall_qr, triangle, weighted_fit
from leverarm.identification.writing_back import with_parameters
from tests.support.benchmarks import bench

LOGS = bench("synthetic_logs")
RUN = bench("identify")


@pytest.mark.slow
@pytest.mark.parametrize(
    "arm, columns", [("ur5", "q, qd, qdd, tau"), ("ur5", "q, qd, tau"), ("ur5", "q, tau"), ("panda", "q, tau")]
)
def test_without_noise_parameters_come_back(arm, columns):
    """Positions are rounded at 1e-16 and differentiated twice at 200 Hz: 4e4 times that, and the condition of the data."""
    assert RUN.exactness(arm, columns, 200.0).worst < 1e-10


@pytest.mark.slow
def test_what_is_not_differentiated_is_exact():
    assert RUN.exactness("ur5", "q, qd, qdd, tau", 500.0).worst < 1e-12


def wrist() -> la.types.Identified:
    """A UR5 whose last motor turns with the joint before too, identified from a noisy log."""
    random = np.random.default_rng(4)
    real = LOGS.machine("ur5", random)
    *_, before, last = real.described.joint_names
    coupled = replace(
        real.real,
        bodies=tuple(
            replace(b, joint=replace(b.joint, motor=replace(b.joint.motor, also=((before, 1.0),))))
            if b.joint.name == last
            else b
            for b in real.real.bodies
        ),
    )
    coupled = with_parameters(coupled, {f"{last}.motor_viscous": 0.6, f"{last}.motor_coulomb": 0.8})
    log = LOGS.noisy(LOGS.log_of(coupled, random, 10.0, 100.0), random, size=0.005)
    return la.identify(real.described, {name: log[name] for name in ("t", "q", "tau")})


@pytest.mark.slow
def test_a_coupled_wrist_is_seen_and_written(tmp_path):
    result = wrist()
    assert result.settings["couplings"] == "motor of wrist_3_joint turns with wrist_2_joint"
    assert result.parameters["wrist_3_joint.motor_viscous"].value == pytest.approx(0.6, rel=0.05)
    possible(result)
    same_when_read(result, tmp_path)


@pytest.mark.slow
def test_identified_arms_are_possible_and_written_exactly(tmp_path):
    random = np.random.default_rng(5)
    real = LOGS.machine("ur5", random)
    log = LOGS.noisy(LOGS.log_of(real.real, random, 10.0, 100.0), random)
    result = la.identify(real.described, {name: log[name] for name in ("t", "q", "tau")})
    covered = [e.interval[0] <= real.true_value(e) <= e.interval[1] for e in result.parameters]
    # of 58 that are covered with 95 % each, and not independently
    assert np.mean(covered) > 0.8
    possible(result)
    same_when_read(result, tmp_path)


def possible(result: la.types.Identified) -> None:
    """Bodies that exist, and an inertia matrix that is positive definite in every pose."""
    numbers = np.array([[float(x) for x in link.inertia.numbers()] for link in la.bind(result.arm).links])
    assert np.linalg.eigvalsh(pseudo_inertias(numbers)).min() > 0
    q = np.random.default_rng(0).uniform(-np.pi, np.pi, (20_000, result.arm.dof))
    M = np.asarray(la.compile(result.arm, "mass_matrix").mass_matrix(q))
    assert np.linalg.eigvalsh(M).min() > 0


def same_when_read(result: la.types.Identified, folder: Path) -> None:
    """Torques of the written files are those of the result, friction, offsets and rotors included."""
    result.save(folder)
    states = np.random.default_rng(1).uniform(-2, 2, (3, 300, result.arm.dof))
    torque = result.torque(*states)
    for name in ("arm.toml", "arm.urdf"):
        again = la.load(folder / name)
        read = np.asarray(la.compile(again, "inverse_dynamics").inverse_dynamics(*states))
        np.testing.assert_allclose(read, torque, rtol=0, atol=1e-9 * np.abs(torque).max(), err_msg=name)


@pytest.mark.slow
def test_long_logs_are_thinned_out():
    random = np.random.default_rng(6)
    real = LOGS.machine("planar3r", random)
    log = LOGS.log_of(real.real, random, 14.0, 1000.0)
    result = la.identify(real.described, {name: log[name] for name in ("t", "q", "tau")})
    assert 4000 < result.settings["samples fitted"] <= 6000
    assert RUN.worst_error(real, result) < 1e-8


def columns_and_noise(random, k=600, n=3, b=15):
    """Slow columns, as of a motion, and a recursion for noise of other colours in each joint."""
    t = np.arange(k)[:, None, None] / k
    W = np.cos(2 * np.pi * (t * random.uniform(0, 12, (n, b)) + random.random((n, b))))
    return W, np.array([0.0, 0.9, 0.97])[:n]


def autoregressive(random, k, memory):
    e = np.zeros((k + 300, len(memory)))
    new = random.normal(size=e.shape) @ np.array([[1.0, 0.4, 0.0], [0.0, 1.0, 0.4], [0.0, 0.0, 1.0]])
    for i in range(1, len(e)):
        e[i] = memory * e[i - 1] + new[i]
    return e[300:] * np.sqrt(1 - memory**2)


@pytest.mark.slow
def test_intervals_cover_what_they_say():
    """Fifteen parameters in 200 runs with noise of a memory of up to 30 samples; textbook intervals cover half of them."""
    random = np.random.default_rng(7)
    W, memory = columns_and_noise(random)
    k, n, b = W.shape
    true, used, piece = random.normal(size=b), np.ones((k, n), dtype=bool), np.zeros(k, dtype=np.int64)
    inside, textbook = [], []
    for _ in range(200):
        fit = weighted_fit(W, W @ true + autoregressive(random, k, memory), used)
        off = np.abs(fit.values - true)
        inside.append(off <= 1.96 * np.sqrt(np.diag(covariance(W, fit.residuals, fit.roots, piece))))
        X = (W * fit.roots[:, :, None]).reshape(-1, b)
        textbook.append(off <= 1.96 * np.sqrt(np.diag(np.linalg.inv(X.T @ X))))
    assert 0.92 < np.mean(inside) < 0.97
    assert np.mean(textbook) < 0.75
    assert np.mean(inside, axis=0).min() > 0.85, "every one of the parameters"


def test_what_the_fit_took_of_the_noise_is_put_back():
    """The mean of the powers found is that of the noise, in every band: here 1, where residuals alone have less."""
    random = np.random.default_rng(8)
    W, _ = columns_and_noise(random, k=200, n=2, b=20)
    Q = np.linalg.qr(W.reshape(400, 20))[0]
    used, piece = np.ones((200, 2), dtype=bool), np.repeat([0, 1], [120, 80])
    powers, left = [], []
    for _ in range(400):
        e = random.normal(size=400)
        e -= Q @ (Q.T @ e)
        found = noise_spectrum(Q.reshape(200, 2, 20), e.reshape(200, 2), used, piece)
        powers.append(found.power.reshape(-1))
        size = [np.sum(np.abs(found.e[a:z]) ** 2, axis=0) for a, z in pairwise(found.edges)]
        left.append(np.array(size).T.reshape(-1) / found.counts)
    mean, error = np.mean(powers, axis=0), np.std(powers, axis=0) / 20
    # powers are held at what is left at least, which lifts the lowest band a little
    assert (np.abs(mean - 1) < 4 * error + 0.03).all()
    assert np.mean(left, axis=0).min() < 0.7, "of the slowest band, most of which the columns can imitate"
    assert sum(found.grams).trace() == pytest.approx(20), "all of the columns are in the bands"


def test_pieces_and_joints_that_are_not_used():
    random = np.random.default_rng(9)
    W, memory = columns_and_noise(random)
    W[:, 2] = 0
    used = np.ones(W.shape[:2], dtype=bool) & [True, True, False]
    fit = weighted_fit(W, autoregressive(random, 600, memory), used)
    whole, halves = np.zeros(600, dtype=np.int64), np.repeat([0, 1], 300)
    for piece in (whole, halves):
        found = covariance(W, fit.residuals, fit.roots, piece)
        assert np.isfinite(found).all() and np.linalg.eigvalsh(found)[0] > -1e-12 * np.abs(found).max()


def nearly_dependent(random: np.random.Generator) -> np.ndarray:
    """Columns of length 1 with a condition number of some 1e4: sums of their products alone lose half of the digits."""
    A = random.normal(size=(500, 12))
    A[:, 5] = A[:, 2] + 2e-4 * A[:, 5]
    return A / np.linalg.norm(A, axis=0)


def test_tall_matrices():
    A = nearly_dependent(np.random.default_rng(10))
    assert triangle(A) is not None
    Q, R = tall_qr(A)
    np.testing.assert_allclose(Q.T @ Q, np.eye(12), atol=1e-14)
    np.testing.assert_allclose(Q @ R, A, atol=1e-14)
    assert np.allclose(R, np.triu(R))
    A[:, 5] = A[:, 2] + 1e-9 * A[:, 5]
    assert triangle(A) is None
    Q, R = tall_qr(A)
    np.testing.assert_allclose(Q.T @ Q, np.eye(12), atol=1e-14)


def test_nearly_dependent_columns_are_fitted_to_the_last_digits_they_allow():
    random = np.random.default_rng(11)
    W, true = nearly_dependent(random).reshape(250, 2, 12), random.normal(size=12)
    fit = weighted_fit(W, W @ true, np.ones((250, 2), dtype=bool))
    assert 1e3 < fit.condition < 1e5
    np.testing.assert_allclose(fit.values, true, rtol=0, atol=1e-11)


def test_noise_that_joints_share_adds_up_or_cancels():
    k = 200
    wave = np.cos(2 * np.pi * 20 * np.arange(k) / k) / np.sqrt(k)
    e = np.repeat(np.random.default_rng(13).normal(size=(k, 1)), 2, axis=1)
    used, piece = np.ones((k, 2), dtype=bool), np.zeros(k, dtype=np.int64)

    def variance(column, joints):
        spectrum = noise_spectrum(column[:, :, None], e[:, :joints], used[:, :joints], piece)
        return float(spectrum.covariance_of_sums()[0, 0])

    alike, against = (variance(np.stack([wave, sign * wave], axis=1), 2) for sign in (1, -1))
    single = variance((np.sqrt(2) * wave)[:, None], 1)
    assert alike == pytest.approx(2 * single, rel=0.1) and against == pytest.approx(0, abs=1e-6 * single)


@pytest.mark.slow
def test_the_benchmark_runs(tmp_path):
    found = RUN.coverage("rr", "slow", 2)
    assert 50 < found.covered <= 100 and found.textbook < found.covered
    figures = RUN.bodies("rr", poses=100)
    report = RUN.Report(
        {"machine": "a machine"}, [RUN.exactness("rr", "q, tau", 100.0)], [found], [figures], {"x": 1.0}
    )
    assert all(bar.is_met for bar in RUN.bars(report)), RUN.bars(report)
    page = RUN.markdown(report)
    assert "| rr | slow | 2 |" in page and "| 20,000 samples of 7 joints, x | 1.00 s | below 3 s | ok |" in page
