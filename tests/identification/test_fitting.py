"""Fits of base parameters: sums against plain least squares, weights, spreads, and what no sample fixes."""

from __future__ import annotations

import numpy as np
import pytest

from leverarm.identification.fitting.covariance import covariance
from leverarm.identification.fitting.rows import blocks_of, left_open, resting
from leverarm.identification.fitting.weighted_fit import (
    left_out_errors,
    normal_equations,
    solved,
    weighted_fit,
    weights_of,
)
from leverarm.identification.motions import Motion

TRUE = np.array([1.0, -2.0, 0.5, 3.0])


def motion_of(qd: np.ndarray, piece: np.ndarray | None = None, rate: float = 100.0) -> Motion:
    k = len(qd)
    pieces = np.zeros(k, dtype=np.int64) if piece is None else piece
    return Motion(np.arange(k) / rate, qd, qd, qd, qd, qd, pieces, np.arange(k), rate)


def problem(k: int = 400, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Columns (k, 2, 4) of which one acts on the second joint only, noisy torques, a mask and blocks."""
    rng = np.random.default_rng(seed)
    W = rng.normal(size=(k, 2, 4))
    W[:, 0, 3] = 0
    y = W @ TRUE + rng.normal(size=(k, 2)) * [0.1, 2.0]
    used = rng.random((k, 2)) < 0.8
    return W, y, used, np.arange(k) * 5 // k


def test_a_joint_rests_where_it_is_slow_for_long():
    qd = np.ones((200, 2))
    qd[20:40, 0] = 0.001  # 0.2 s: it turns round
    qd[80:140, 0] = -0.001  # 0.6 s
    qd[:, 1] = 1e-12  # never moves, and its dead zone has no size
    rests = resting(motion_of(qd), np.array([0.01, 1e-14]))
    assert np.flatnonzero(rests[:, 0]).tolist() == list(range(80, 140))
    assert rests[:, 1].all()
    across = resting(motion_of(qd, np.repeat([0, 1], [110, 90])), np.array([0.01, 1e-14]))
    assert np.flatnonzero(across[:, 0]).tolist() == list(range(80, 140)), "0.3 s on either side of the gap"


def test_blocks_do_not_reach_over_gaps():
    block = blocks_of(motion_of(np.ones((1000, 1)), np.repeat([0, 1, 2], [700, 290, 10])), 10)
    assert np.all(np.diff(block) >= 0) and set(np.diff(block)) == {0, 1}
    assert np.bincount(block).tolist() == [100] * 7 + [97, 97, 96] + [10]
    alone = blocks_of(motion_of(np.ones((95, 1))))
    assert alone.max() == 9 and np.bincount(alone).min() >= 9


def test_sums_are_those_of_the_samples():
    W, y, used, block = problem()
    z = y + 1.0
    equations = normal_equations(W, y, z, used, block)
    assert equations.blocks == 5 and equations.count.sum() == used.sum()
    values = np.array([0.3, 0.1, -1.0, 2.0])
    for b in range(5):
        at = block == b
        off, raw = (np.sum(used[at] * (torque[at] - W[at] @ values) ** 2, axis=0) for torque in (y, z))
        found = equations.squares(values, b)
        np.testing.assert_allclose(found, (off, raw), rtol=1e-11)
    off = np.sum(used * (y - W @ values) ** 2, axis=0)
    np.testing.assert_allclose(equations.squares(values)[0], off, rtol=1e-11)


@pytest.mark.parametrize("left_out", [None, 0, 3])
def test_solutions_are_those_of_least_squares(left_out):
    W, y, used, block = problem()
    weights = np.array([4.0, 0.25])
    found = solved(normal_equations(W, y, y, used, block), left_out, weights)
    rows = (used & (block != -1 if left_out is None else block != left_out)[:, None]).reshape(-1)
    root = np.tile(np.sqrt(weights), len(W))[rows]
    A, b = W.reshape(-1, 4)[rows] * root[:, None], y.reshape(-1)[rows] * root
    # the ridge is 1e-10 of each column
    np.testing.assert_allclose(found, np.linalg.lstsq(A, b, rcond=None)[0], rtol=1e-8)


def test_weights_are_the_joints_own_noise_and_errors_those_of_blocks_left_out():
    W, y, used, block = problem(4000)
    equations = normal_equations(W, y, y, used, block)
    weights = weights_of(equations)
    # the error of a standard deviation of 3,200 samples is 1.3 %
    np.testing.assert_allclose(weights**-0.5, [0.1, 2.0], rtol=0.05)
    filtered, raw = left_out_errors(equations, weights)
    for b in (0, 4):
        off = y - W @ solved(equations, b, weights)
        expected = np.sum((used * off**2)[block == b], axis=0)
        np.testing.assert_allclose(filtered[b], expected, rtol=1e-10)
    np.testing.assert_allclose(raw, filtered, rtol=1e-10)


def test_joints_without_torque_do_not_spoil_the_weights():
    W, y, used, block = problem()
    y[:, 0] = 0
    weights = weights_of(normal_equations(W, y, y, used, block))
    assert np.isfinite(weights).all() and (weights > 0).all()


def test_weighted_fit_weighs_joints_and_holds_down_wild_samples():
    W, y, used, _ = problem(3000)
    fit = weighted_fit(W, y, used)
    np.testing.assert_allclose(fit.noise, [0.1, 2.0], rtol=0.05)
    # the first joint alone tells three values to 0.1 / sqrt(2400)
    np.testing.assert_allclose(fit.values[:3], TRUE[:3], atol=5 * 0.1 / 2400**0.5)
    np.testing.assert_allclose(fit.residuals, y - W @ fit.values, atol=1e-12)
    assert np.array_equal(fit.roots > 0, used)
    assert 1 <= fit.condition < 2

    wild = y.copy()
    wild[::50] += 100.0
    robust, plain = weighted_fit(W, wild, used), weighted_fit(W, wild, used, wild=np.inf)
    off, plain_off = (np.abs(f.values[:3] - TRUE[:3]).max() for f in (robust, plain))
    assert off < plain_off / 4 and off < 0.05


def test_a_fit_without_noise_is_exact_and_stays_finite():
    W, _, used, _ = problem()
    y = W @ TRUE
    fit = weighted_fit(W, y, used)
    np.testing.assert_allclose(fit.values, TRUE, rtol=0, atol=1e-13)
    assert np.all(fit.noise > 0) and np.isfinite(fit.roots).all()
    nothing = weighted_fit(W, y, used & [True, False])
    assert np.isfinite(nothing.values).all() and nothing.noise[1] == 1.0


def ar_noise(rng: np.random.Generator, k: int, n: int, memory: float) -> np.ndarray:
    """Noise of standard deviation one, each sample `memory` times the last plus something new."""
    new = rng.normal(size=(k, n)) * np.sqrt(1 - memory**2)
    e = np.empty((k, n))
    e[0] = rng.normal(size=n)
    for i in range(1, k):
        e[i] = memory * e[i - 1] + new[i]
    return e


@pytest.mark.slow
@pytest.mark.parametrize("memory", [0.0, 0.9])
def test_spreads_are_those_of_many_runs(memory):
    """Slow columns under coloured noise: the spread that is told against that of 150 fits; both joints share noise."""
    rng = np.random.default_rng(5)
    k, runs = 600, 150
    t = np.arange(k)[:, None, None] / k
    W = np.cos(2 * np.pi * (t * [2.0, 5.0, 9.0] + rng.random((2, 3))))
    W[:, :, 2] += 0.5
    used = np.ones((k, 2), dtype=bool)
    piece = np.repeat([0, 1], [350, 250])
    values, told = [], []
    for _ in range(runs):
        noise = ar_noise(rng, k, 2, memory) @ np.array([[1.0, 0.4], [0.0, 0.5]])
        fit = weighted_fit(W, W @ TRUE[:3] + noise, used)
        values.append(fit.values)
        told.append(np.diag(covariance(W, fit.residuals, fit.roots, piece)))
    spread, claimed = np.std(values, axis=0), np.sqrt(np.mean(told, axis=0))
    # a standard deviation of 150 runs is known to 6 %
    np.testing.assert_allclose(claimed, spread, rtol=0.25)
    if memory:
        textbook = np.sqrt(np.diag(np.linalg.inv(np.einsum("kni,knj->ij", W, W)))) * 0.7
        assert (spread > 2 * textbook).all(), "white noise would be told for less than half"


def test_a_covariance_does_not_depend_on_the_units_of_columns():
    W, y, used, _ = problem()
    fit = weighted_fit(W, y, used)
    piece = np.zeros(len(W), dtype=np.int64)
    units = np.array([1e-3, 1.0, 1e4, 10.0])
    plain = covariance(W, fit.residuals, fit.roots, piece)
    scaled = covariance(W * units, fit.residuals, fit.roots, piece)
    np.testing.assert_allclose(scaled * np.outer(units, units), plain, rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(plain, plain.T, atol=1e-15)


def test_parameters_that_no_sample_fixes_are_open():
    W, y, used, _ = problem()
    everything = weighted_fit(W, y, used)
    assert not left_open(W, everything.roots, everything.singular).any()
    twin = np.concatenate([W, W[:, :, :1] + 2 * W[:, :, 1:2]], axis=2)
    fit = weighted_fit(twin, y, used)
    assert left_open(twin, fit.roots, fit.singular).tolist() == [True, True, False, False, True]
    first = weighted_fit(W, y, used & [True, False])
    assert left_open(W, first.roots, first.singular).tolist() == [False, False, False, True]
