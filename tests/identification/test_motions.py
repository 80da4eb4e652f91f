"""Smooth motions from logs: polynomials pass unharmed, phases are kept, torques go through the motion's own filter."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from leverarm.errors import InputError
from leverarm.identification.logs.log import Log, Piece
from leverarm.identification.motions import (
    DIFFERENCING_DEGREE,
    SHORT,
    SMOOTHING_DEGREE,
    Filtering,
    LocalPolynomial,
    applied,
    available,
    differencing,
    fast_length,
    for_log,
    is_same_rate,
    joined,
    smooth_motion,
    smoothing,
    stride_for,
)

RATE = 200.0
FILTERS = [differencing(), LocalPolynomial(6, 5), LocalPolynomial(20, 5), LocalPolynomial(60, 5)]


def piece_of(k: int, start: float = 0.0, rate: float = RATE, speeds: bool = True) -> Piece:
    """Two joints on sines, with torques that are 3 q and -2 q."""
    t = start + np.arange(k) / rate
    w = np.array([2.0, 3.0])
    q, qd, qdd = np.sin(w * t[:, None]), w * np.cos(w * t[:, None]), -(w**2) * np.sin(w * t[:, None])
    rows = np.arange(k) + 1 + round(start * rate)
    return Piece(t, q, qd if speeds else None, qdd if speeds else None, q * [3.0, -2.0], rows)


def log_of(*pieces: Piece, rate: float = RATE) -> Log:
    return Log("made", ("a", "b"), rate, pieces)


@pytest.mark.parametrize("filter_", FILTERS)
def test_polynomials_pass_with_their_derivatives(filter_):
    """In units of the window every number is near one, so that the tolerance is that of rounding in a sum."""
    degree = filter_.degree
    rng = np.random.default_rng(1)
    coefficients = rng.normal(size=degree + 1)
    rate = float(filter_.half)
    t = np.arange(-3 * filter_.half, 3 * filter_.half + 1) / (3 * rate)
    p = np.polynomial.Polynomial(coefficients)
    values = applied(filter_, np.stack([p(t), -p(t)], axis=1), 3 * rate)
    inside = t[filter_.half : len(t) - filter_.half]
    for order, found in enumerate(values):
        expected = p.deriv(order)(inside) if order else p(inside)
        np.testing.assert_allclose(found, np.stack([expected, -expected], axis=1), rtol=0, atol=1e-10 * 9**order)


def test_differences_go_through_every_sample():
    filter_ = differencing()
    assert filter_.keeps_samples and filter_.degree == DIFFERENCING_DEGREE and filter_.cut_off(RATE) == RATE / 2
    x = np.random.default_rng(2).normal(size=(50, 3))
    np.testing.assert_allclose(applied(filter_, x, RATE)[0], x[4:-4], rtol=0, atol=1e-12)
    assert not LocalPolynomial(4, SMOOTHING_DEGREE).keeps_samples


@pytest.mark.parametrize("filter_", FILTERS)
def test_kernels_are_even_and_odd_so_that_nothing_is_late(filter_):
    value, slope, curvature = filter_.kernels().T
    for kernel, sign in ((value, 1), (slope, -1), (curvature, 1)):
        np.testing.assert_allclose(kernel, sign * kernel[::-1], rtol=0, atol=1e-12 * np.abs(kernel).max())
    assert value.sum() == pytest.approx(1, abs=1e-12)


def test_long_windows_by_transforms_are_the_sums_term_by_term():
    filter_ = LocalPolynomial(SHORT + 10, SMOOTHING_DEGREE)
    x = np.random.default_rng(3).normal(5, 1, (301, 2))
    windows = np.lib.stride_tricks.sliding_window_view(x, 2 * filter_.half + 1, axis=0)
    expected = np.moveaxis(windows @ filter_.kernels(), -1, 0)
    for stride in (1, 3):
        for order, found in enumerate(applied(filter_, x, 1.0, stride)):
            assert found.shape == expected[order][::stride].shape
            np.testing.assert_allclose(found, expected[order][::stride], rtol=0, atol=1e-12)


@pytest.mark.parametrize("length", [1, 2, 17, 127, 1000, 20011])
def test_fast_lengths(length):
    found = fast_length(length)
    assert length <= found < 1.2 * length + 1
    for prime in (2, 3, 5):
        while found % prime == 0:
            found //= prime
    assert found == 1


@pytest.mark.parametrize("cut_off", [2.0, 5.0, 12.0])
def test_the_cut_off_halves_the_power_and_keeps_the_phase(cut_off):
    rate = 500.0
    filter_ = smoothing(cut_off, rate)
    assert filter_.cut_off(rate) == pytest.approx(cut_off, rel=0.04), "half a window is a whole number of samples"
    t = np.arange(4000) / rate
    w = 2 * np.pi * filter_.cut_off(rate)
    wave = np.stack([np.sin(w * t), np.cos(w * t)], axis=1)
    value, slope, _ = applied(filter_, wave, rate)
    inside = wave[filter_.half : -filter_.half]
    np.testing.assert_allclose(value, np.sqrt(0.5) * inside, atol=5e-3)
    assert np.mean(slope[:, 0] * inside[:, 1]) > 0 and abs(np.mean(slope[:, 0] * inside[:, 0])) < 0.02 * w
    noisy = applied(filter_, np.random.default_rng(4).normal(size=(4000, 1)), rate)[0]
    assert noisy.std() < 2 * np.sqrt(2 * cut_off / rate), "of white noise the band below the cut-off is left"


def test_large_constants_do_not_reach_derivatives():
    filter_ = LocalPolynomial(40, 5)
    x = np.sin(np.arange(400) / 30)[:, None]
    for plain, lifted in zip(applied(filter_, x, RATE)[1:], applied(filter_, x + 1e6, RATE)[1:], strict=True):
        # the sum itself rounds x to 1e-10, which two derivatives of a window of 81 samples take by RATE^2 / 40^2
        np.testing.assert_allclose(lifted, plain, rtol=0, atol=1e-10 * RATE**2)


def test_torques_go_through_the_filter_of_the_motion():
    motion = smooth_motion(log_of(piece_of(600)), Filtering(LocalPolynomial(20, 5), "q", 3))
    np.testing.assert_allclose(motion.tau, motion.q * [3.0, -2.0], rtol=0, atol=1e-13)
    np.testing.assert_allclose(motion.raw, np.sin([2.0, 3.0] * motion.t[:, None]) * [3.0, -2.0], atol=1e-13)
    assert motion.t[0] == pytest.approx(20 / RATE) and motion.t[-1] <= (599 - 20) / RATE + 1e-12
    assert motion.rate == RATE / 3 and np.allclose(np.diff(motion.t), 3 / RATE)
    assert motion.rows[0] == 21 and set(np.diff(motion.rows)) == {3}
    np.testing.assert_allclose(motion.qd, [2.0, 3.0] * np.cos([2.0, 3.0] * motion.t[:, None]), atol=2e-4)
    np.testing.assert_allclose(motion.qdd, [-4.0, -9.0] * np.sin([2.0, 3.0] * motion.t[:, None]), atol=2e-2)


def test_what_is_taken_from_the_log():
    """Each of the three columns is off by a constant, so that the one a derivative comes from shows."""
    plain = piece_of(600)
    marked = replace(plain, qd=plain.qd + 10.0, qdd=plain.qdd + 100.0)
    log = log_of(marked)
    by = {taken: smooth_motion(log, Filtering(differencing(), taken, 1)) for taken in available(log)}
    assert list(by) == ["q", "qd", "qdd"]
    exact = smooth_motion(log_of(plain), Filtering(differencing(), "qdd", 1))
    for taken, speed, acceleration in (("q", 0, 0), ("qd", 10, 0), ("qdd", 10, 100)):
        np.testing.assert_allclose(by[taken].qd, exact.qd + speed, rtol=0, atol=1e-9)
        np.testing.assert_allclose(by[taken].qdd, exact.qdd + acceleration, rtol=0, atol=1e-6)
    assert available(log_of(piece_of(100), piece_of(100, speeds=False))) == ("q",)


def test_a_lag_takes_torques_from_later():
    """The torque of time t was written down at t + lag."""
    piece = piece_of(600)
    lag = 0.025
    late = replace(piece, tau=np.sin([2.0, 3.0] * (piece.t[:, None] - lag)) * [3.0, -2.0])
    motion = smooth_motion(log_of(late), Filtering(differencing(), "qdd", 1, lag))
    inside = motion.t < 600 / RATE - 0.1
    # linear interpolation inside a sample of 5 ms: (w h)^2 / 8 of the torque
    np.testing.assert_allclose(motion.raw[inside], (motion.q * [3.0, -2.0])[inside], atol=3 * (3 / RATE) ** 2 / 8)
    np.testing.assert_allclose(motion.tau[inside], motion.raw[inside], atol=1e-12)


def test_pieces_stay_apart_and_short_ones_are_left_out():
    log = log_of(piece_of(300), piece_of(30, 5.0), piece_of(200, 9.0))
    motion = smooth_motion(log, Filtering(LocalPolynomial(10, 5), "q", 2))
    assert np.unique(motion.piece).tolist() == [0, 1]
    assert motion.t[motion.piece == 1][0] == pytest.approx(9.0 + 10 / RATE)
    twice = joined([motion, motion])
    assert np.unique(twice.piece).tolist() == [0, 1, 2, 3] and len(twice) == 2 * len(motion)
    assert np.array_equal(twice.qd[len(motion) :], motion.qd)
    with pytest.raises(InputError, match=r"made: no unbroken stretch is longer than 1 s. Give a longer log"):
        smooth_motion(log_of(piece_of(100), piece_of(150)), Filtering(LocalPolynomial(50, 5), "q", 1))


def test_strides_keep_eight_samples_of_the_cut_off():
    for cut_off in (2.0, 10.0):
        filter_ = smoothing(cut_off, 1000.0)
        stride = stride_for(filter_, 1000.0)
        assert 8 * filter_.cut_off(1000.0) <= 1000.0 / stride < 2 * 8 * filter_.cut_off(1000.0)
    assert stride_for(differencing(), 1000.0) == 1


def test_the_same_cut_off_for_a_log_of_another_rate():
    filtering = Filtering(smoothing(10.0, RATE), "qdd", 2, 0.01)
    fast = log_of(piece_of(4000, rate=5 * RATE), rate=5 * RATE)
    other = for_log(filtering, RATE, fast)
    assert other.filter.cut_off(5 * RATE) == pytest.approx(filtering.filter.cut_off(RATE), rel=0.03)
    assert other.stride == 10 and other.lag == 0.01 and other.taken == "qdd"
    assert for_log(filtering, RATE, log_of(piece_of(400, speeds=False))) == replace(filtering, taken="q")
    assert for_log(replace(filtering, filter=differencing()), RATE, fast).filter == differencing()
    assert is_same_rate(125.0, 125.02) and not is_same_rate(125.0, 100.0)
