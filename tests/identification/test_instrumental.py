"""Instruments find what noise in the motion hides from least squares, and the test of it alarms as often as it says."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pytest

import leverarm as la
from leverarm.errors import InputError
from leverarm.identification.fitting.covariance import covariance
from leverarm.identification.fitting.instruments import Instruments, band, instrumental_fit, instruments
from leverarm.identification.fitting.methods import (
    METHODS,
    Exogeneity,
    base_fit,
    exceeded_by_chance,
    exogeneity,
    exogeneity_finding,
    fitted,
)
from leverarm.identification.fitting.weighted_fit import weighted_fit
from leverarm.identification.logs.log import Log, Piece
from leverarm.identification.modelling.modelled_arm import Base, DriveModel, JointModel, base_of
from leverarm.identification.modelling.regressor_columns import ColumnMaker
from leverarm.identification.motions import Filtering, Motion, applied, smooth_motion, smoothing, stride_for
from leverarm.identification.structure import structure, with_drives

RATE, PERIOD, REPEATS, CUT_OFF = 125.0, 4.0, 3, 10.0
NOISE = 3e-3
"""Of positions [rad], where there is any: as much as accelerations of the motion after the filter."""
SMOOTH = DriveModel((JointModel(smoothing=0.3),) * 2)
"""Coulomb friction that turns round smoothly, so that a filter changes it no more than it changes the motion."""


@dataclass(frozen=True)
class Machine:
    """A planar 2R arm under gravity with drives: its columns, base, and true base parameters."""

    maker: ColumnMaker
    base: Base
    phi: np.ndarray
    values: np.ndarray

    def columns(self, q, qd, qdd):
        return self.maker.columns(q, qd, qdd, SMOOTH)


@cache
def machine() -> Machine:
    arm = la.load("rr")
    maker = ColumnMaker.of(arm)
    still = np.zeros((1, 2))
    columns = maker.columns(still, still, still, SMOOTH)
    base = base_of(structure(with_drives(arm)), columns.names)
    size = {"inertial": 0.4, "rotor": 0.1, "viscous": 2.0, "coulomb": 1.5, "offset": 0.3}
    rng = np.random.default_rng(1)
    phi = np.array([size[kind] * rng.uniform(0.7, 1.3) for kind in columns.kinds])
    return Machine(maker, base, phi, base.regrouping @ phi)


@cache
def true_motion() -> tuple[np.ndarray, ...]:
    """Times and five harmonics of the period per joint."""
    t = np.arange(int(PERIOD * REPEATS * RATE)) / RATE
    rng = np.random.default_rng(5)
    w = 2 * np.pi * np.arange(1, 6)[:, None] / PERIOD
    size, phase = rng.normal(0, 1, (5, 2)) / w, rng.uniform(0, 2 * np.pi, (5, 2))
    angle = w * t[:, None, None] + phase
    parts = size * np.sin(angle), size * w * np.cos(angle), -size * w**2 * np.sin(angle)
    return t, *(part.sum(axis=1) for part in parts)


@cache
def true_torques() -> np.ndarray:
    return machine().columns(*true_motion()[1:]).W @ machine().phi


def coloured(rng: np.random.Generator, length: int) -> np.ndarray:
    """Noise (length, 2) of standard deviation 1 that remembers about three samples."""
    kernel = 0.7 ** np.arange(30)
    kernel /= np.linalg.norm(kernel)
    white = rng.normal(size=(length + 29, 2))
    return np.stack([np.convolve(column, kernel, "valid") for column in white.T], axis=1)


def recorded(seed: int, noise: float, feedback: float = 0.0) -> Motion:
    """The motion from a log with white noise on positions [rad]; a controller answers it with `feedback` [N m/rad]."""
    rng = np.random.default_rng(seed)
    t, q, *_ = true_motion()
    error = noise * rng.normal(size=q.shape)
    tau = true_torques() + 0.5 * coloured(rng, len(t)) - feedback * error
    log = Log("log", ("q1", "q2"), RATE, (Piece(t, q + error, None, None, tau, np.arange(1, len(t) + 1)),))
    filter_ = smoothing(CUT_OFF, RATE)
    return smooth_motion(log, Filtering(filter_, "q", stride_for(filter_, RATE)))


def base_columns(motion: Motion | Instruments) -> np.ndarray:
    return machine().columns(motion.q, motion.qd, motion.qdd).W[:, :, machine().base.columns]


def instrument_columns(motion: Motion, period: float | None) -> np.ndarray:
    second = instruments(motion, CUT_OFF, period)
    assert second is not None
    return second.columns(machine().maker, SMOOTH).W[:, :, machine().base.columns]


def everything(motion: Motion) -> np.ndarray:
    return np.ones(motion.q.shape, dtype=bool)


def standard_errors(W, fit, piece, Z=None) -> np.ndarray:
    return np.sqrt(np.diag(covariance(W, fit.residuals, fit.roots, piece, Z)))


def random_problem(outlier: float = 0.0):
    rng = np.random.default_rng(2)
    W = rng.normal(size=(300, 2, 5))
    y = W @ np.arange(1.0, 6.0) + rng.normal(size=(300, 2)) * (0.1, 3.0)
    y[7, 0] += outlier
    return W, y, np.ones((300, 2), dtype=bool)


@pytest.mark.parametrize("freedom", [1, 2, 3, 7, 20, 58, 300])
def test_chi_squared_is_that_of_scipy(freedom):
    stats = pytest.importorskip("scipy.stats")
    for statistic in [0.0, 1e-8, *(freedom * np.geomspace(0.01, 8, 40))]:
        expected = stats.chi2.sf(statistic, freedom)
        assert exceeded_by_chance(float(statistic), freedom) == pytest.approx(expected, rel=1e-11, abs=1e-15)


def test_no_freedom_is_no_surprise():
    assert exceeded_by_chance(3.0, 0) == 1.0


def test_ordinary_is_plain_least_squares():
    W, y, used = random_problem()
    used[::3, 1] = False
    rows = used.reshape(-1)
    expected = np.linalg.lstsq(W.reshape(-1, 5)[rows], y.reshape(-1)[rows], rcond=None)[0]
    assert fitted("ordinary", W, y, used, None).values == pytest.approx(expected, rel=1e-12)


def test_weighted_trusts_the_quiet_joint():
    W, y, used = random_problem()
    error = {
        name: np.abs(fitted(name, W, y, used, None).values - np.arange(1.0, 6.0)).max() for name in list(METHODS)[:3]
    }
    # joint 2 is 30 times as noisy: weights are worth more than a factor of 5 on any draw
    assert max(error["weighted"], error["robust"]) < 0.2 * error["ordinary"]


def test_only_robust_and_instruments_hold_wild_samples_down():
    clean, (W, y, used) = random_problem(), random_problem(outlier=30.0)
    moved = {
        name: np.abs(fitted(name, W, y, used, W).values - fitted(name, *clean, W).values).max() for name in METHODS
    }
    assert moved["robust"] < 0.01 and moved["instrumental"] < 0.01
    assert moved["weighted"] > 0.05 and moved["ordinary"] > 0.05


def test_columns_as_their_own_instruments_are_least_squares():
    W, y, used = random_problem(outlier=20.0)
    piece = np.repeat([0, 1], 150)
    least, by_instruments = weighted_fit(W, y, used), instrumental_fit(W, y, used, W)
    assert by_instruments.values == pytest.approx(least.values, rel=1e-12)
    assert by_instruments.singular == pytest.approx(least.singular, rel=1e-12)
    expected = covariance(W, least.residuals, least.roots, piece)
    assert covariance(W, least.residuals, least.roots, piece, W) == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_instruments_are_exact_without_noise():
    W, _, used = random_problem()
    Z = W + np.random.default_rng(3).normal(size=W.shape)
    values = np.arange(1.0, 6.0)
    assert instrumental_fit(W, W @ values, used, Z).values == pytest.approx(values, rel=1e-12)


def test_samples_without_instruments_do_not_count():
    W, y, used = random_problem()
    Z = W.copy()
    Z[100:] = 0
    y[100:] += 50
    few = used & (np.arange(300) < 100)[:, None]
    # one joint only: the weights between joints come from all samples
    W, y, Z, used, few = (x[:, :1] for x in (W, y, Z, used, few))
    alone = fitted("robust", W, y, few, None).values
    assert instrumental_fit(W, y, few, Z).values == pytest.approx(alone, rel=1e-9)
    assert instrumental_fit(W, y, used, Z).values == pytest.approx(alone, abs=0.1)
    assert fitted("robust", W, y, used, None).values != pytest.approx(alone, abs=1.0)


def test_unknown_method_and_missing_instruments_are_said():
    W, y, used = random_problem()
    with pytest.raises(InputError, match=r"method named 'instrumentl'; did you mean 'instrumental'"):
        fitted("instrumentl", W, y, used, None)
    for nothing in (None, np.zeros_like(W)):
        with pytest.raises(InputError, match=r"needs a second record of the motion.*Take method 'robust'"):
            fitted("instrumental", W, y, used, nothing)


@pytest.mark.parametrize(("period", "origin"), [(PERIOD, "other repeats"), (None, "lower cut-off")])
def test_instruments_show_the_same_motion_with_other_noise(period, origin):
    motion = recorded(0, noise=NOISE)
    clean = recorded(0, noise=0.0)
    second = instruments(motion, CUT_OFF, period)
    assert second is not None and second.origin == origin
    assert 0.9 < second.there.mean() < 1
    at = second.there
    own, other = motion.qdd[at] - clean.qdd[at], second.qdd[at] - clean.qdd[at]
    # white noise has (1/4)^5 of its power in accelerations below a quarter of the cut-off, the filter's flanks add some
    assert np.mean(other**2) < 0.02 * np.mean(own**2)
    shared = np.sum(own * other) / np.sum(own**2)
    assert abs(shared) < 0.01
    # what is left is the motion: its speed is the change of its position
    middle = slice(50, -50)
    change = np.gradient(second.q[at], 1 / motion.rate, axis=0)[middle]
    assert change == pytest.approx(second.qd[at][middle], abs=5e-3 * np.abs(motion.qd).max())


def test_a_period_that_does_not_fit_falls_back_on_the_filter():
    motion = recorded(0, noise=1e-4)
    wrong = instruments(motion, CUT_OFF, 0.7 * PERIOD)
    assert wrong is not None and wrong.origin == "lower cut-off"


def test_no_instruments_where_the_filter_is_at_the_motions_band():
    motion = recorded(0, noise=1e-4)
    assert 0.7 < band(motion) < 1.6, "the highest harmonic is at 1.25 Hz"
    assert instruments(motion, 2.0, None) is None
    again = instruments(motion, 2.0, PERIOD)
    assert again is not None and again.origin == "other repeats" and again.there.all()


def test_instruments_of_each_piece_are_its_own():
    one = recorded(0, noise=NOISE)
    half = len(one) // 2
    pieces = replace(one, piece=np.repeat([0, 1], [half, len(one) - half]))
    second = instruments(pieces, CUT_OFF, None)
    assert second is not None
    edge = smoothing(second.cut_off, one.rate).half
    expected = applied(smoothing(second.cut_off, one.rate), one.qdd[:half], one.rate)[0]
    assert second.qdd[edge : half - edge] == pytest.approx(expected, rel=1e-12)
    assert not second.there[half - edge : half + edge].any()


@cache
def many_runs(noise: float, feedback: float, period: float | None) -> dict[str, np.ndarray]:
    """Errors of least squares and of instruments in 30 logs, with the standard errors that each says, and the tests."""
    kept: dict[str, list] = {"least": [], "least_se": [], "iv": [], "iv_se": [], "p": []}
    for seed in range(30):
        motion = recorded(seed, noise, feedback)
        W, Z, used = base_columns(motion), instrument_columns(motion, period), everything(motion)
        least, iv = fitted("robust", W, motion.tau, used, None), fitted("instrumental", W, motion.tau, used, Z)
        errors = standard_errors(W, least, motion.piece)
        kept["least"].append(least.values - machine().values)
        kept["least_se"].append(errors)
        kept["iv"].append(iv.values - machine().values)
        kept["iv_se"].append(standard_errors(W, iv, motion.piece, Z))
        kept["p"].append(exogeneity(W, Z, least, errors, motion.piece).p_value)
    return {name: np.array(x) for name, x in kept.items()}


def bias(errors: np.ndarray) -> np.ndarray:
    """The mean error in standard deviations of one run."""
    return np.abs(errors.mean(axis=0)) / errors.std(axis=0, ddof=1)


@pytest.mark.slow
@pytest.mark.parametrize("period", [PERIOD, None])
@pytest.mark.parametrize(("noise", "feedback", "at_least"), [(NOISE, 0.0, 8.0), (2 * NOISE, 8000.0, 2.5)])
def test_noise_biases_least_squares_and_not_instruments(period, noise, feedback, at_least):
    runs = many_runs(noise, feedback, period)
    assert bias(runs["least"]).max() > at_least
    # the mean of 30 runs is off by 0.18 standard deviations; 13 parameters reach 3 times that once in 30 tries
    assert bias(runs["iv"]).max() < 0.7
    assert np.all(runs["p"] < 1e-6), "such noise is seen in every log"


def test_standard_errors_of_instruments_are_those_of_many_runs():
    runs = many_runs(NOISE, 0.0, PERIOD)
    ratio = runs["iv_se"].mean(axis=0) / runs["iv"].std(axis=0, ddof=1)
    # a standard deviation of 30 runs is known to 1/sqrt(58) = 13 %
    assert 0.9 < np.median(ratio) < 1.15 and np.all((ratio > 0.6) & (ratio < 1.7))
    covered = np.mean(np.abs(runs["iv"]) < 1.96 * runs["iv_se"])
    missed = np.mean(np.abs(runs["least"]) < 1.96 * runs["least_se"])
    assert covered > 0.9 > 0.8 > missed


@pytest.mark.slow
def test_the_test_alarms_as_often_as_it_says():
    """200 logs without noise on positions, coloured noise on torques, instruments with noise of their own."""
    motion = recorded(0, noise=0.0)
    W, used = base_columns(motion), everything(motion)
    Z = instrument_columns(recorded(1, noise=NOISE), PERIOD)
    filter_ = smoothing(CUT_OFF, RATE)
    exact = W @ machine().values
    p = []
    for seed in range(200):
        raw = coloured(np.random.default_rng(seed), int(PERIOD * REPEATS * RATE))
        y = exact + 0.5 * applied(filter_, raw, RATE, stride_for(filter_, RATE))[0]
        fit = fitted("robust", W, y, used, None)
        p.append(exogeneity(W, Z, fit, standard_errors(W, fit, motion.piece), motion.piece).p_value)
    # 10 of 200 expected, with a standard deviation of 3.1; the median of p is known to 0.035
    assert 1 <= np.sum(np.array(p) < 0.05) <= 19
    assert abs(np.median(p) - 0.5) < 0.11


def test_the_difference_is_that_of_both_fits():
    motion = recorded(3, noise=NOISE)
    W, Z, used = base_columns(motion), instrument_columns(motion, PERIOD), everything(motion)
    least = weighted_fit(W, motion.tau, used)
    test = exogeneity(W, Z, least, np.ones(W.shape[2]), motion.piece)
    there = np.any(Z != 0, axis=(1, 2))[:, None]
    roots = least.roots * there
    X, Y = ((x * roots[..., None]).reshape(-1, W.shape[2]) for x in (W, Z))
    y = (motion.tau * roots).reshape(-1)
    expected = np.linalg.solve(Y.T @ X, Y.T @ y) - np.linalg.lstsq(X, y, rcond=None)[0]
    assert test.difference == pytest.approx(expected, rel=1e-6, abs=1e-9)
    assert test.percent == pytest.approx(100 * np.linalg.norm(X @ expected) / np.linalg.norm(y), rel=1e-6)


def test_possible_bodies_are_fitted_to_what_instruments_say():
    motion = recorded(4, noise=NOISE)
    columns, used = machine().columns(motion.q, motion.qd, motion.qdd), everything(motion)
    second = instruments(motion, CUT_OFF, PERIOD)
    assert second is not None
    Z = second.columns(machine().maker, SMOOTH)
    got = base_fit("instrumental", motion, columns, used, machine().base, second, Z)
    roots = got.fit.roots * got.used
    A = (got.columns.W[:, :, machine().base.columns] * roots[..., None]).reshape(-1, len(machine().base))
    again = np.linalg.lstsq(A, (got.motion.tau * roots).reshape(-1), rcond=None)[0]
    assert again == pytest.approx(got.fit.values, rel=1e-8, abs=1e-9)
    assert got.motion.raw - got.motion.tau == pytest.approx(motion.raw - motion.tau, abs=1e-9)


def test_least_squares_comes_with_a_finding():
    motion = recorded(4, noise=NOISE)
    columns, used = machine().columns(motion.q, motion.qd, motion.qdd), everything(motion)
    second = instruments(motion, CUT_OFF, PERIOD)
    assert second is not None
    got = base_fit("robust", motion, columns, used, machine().base, second, second.columns(machine().maker, SMOOTH))
    (finding,) = got.findings
    assert finding.level == "warning" and "instrumental" in finding.remedy and "other repeats" in finding.message
    assert got.motion is motion and got.columns is columns and got.used is used
    assert base_fit("robust", motion, columns, used, machine().base, None, None).findings == ()


@pytest.mark.parametrize(
    ("p_value", "percent", "errors", "level", "says"),
    [
        (0.3, 5.0, 5.0, "note", "no evidence against least squares"),
        (0.01, 0.05, 5.0, "note", "differ a little"),
        (0.01, 0.5, 0.5, "note", "differ a little"),
        (0.01, 0.5, 1.5, "warning", "biases least squares"),
        (1e-30, 1.5, 0.5, "warning", "p < 1e-6"),
    ],
)
def test_findings_weigh_chance_and_size(p_value, percent, errors, level, says):
    test = Exogeneity(20.0, 8, p_value, np.zeros(2), np.array([0.1, -errors]), percent)
    finding = exogeneity_finding(test, ("q1.viscous", "q2.rotor"), "other repeats")
    assert finding.level == level and says in finding.message
    assert level == "note" or "q2.rotor" in finding.message
