"""Signals: the formula of a piece is its own derivative, pieces meet as smoothly as promised, windows tell the same."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leverarm.control.signals import (
    Form,
    Signal,
    constant,
    cubic,
    fourier,
    moment,
    noise,
    quintic,
    scaled_in_time,
    shifted,
    table,
    trapezoid,
)
from leverarm.control.signals.splines import solve_chain
from leverarm.errors import InputError
from leverarm.scalars import Dual, Series, Tape, slope, value
from leverarm.scalars.tape import evaluated
from tests.support.opaque_numbers import Opaque

FORMS = [
    Form("polynomial", 1, 1),
    Form("polynomial", 3, 2),
    Form("polynomial", 2, 4),
    Form("polynomial", 2, 6),
    Form("fourier", 1, 1),
    Form("fourier", 3, 4),
]
EPS = np.finfo(float).eps


def random_row(form: Form, seed: int = 0) -> list[float]:
    return np.random.default_rng(seed).uniform(-1.5, 1.5, form.width).tolist()


def random_signal(form: Form, pieces: int, *environments: int, seed: int = 0) -> Signal:
    rng = np.random.default_rng(seed)
    begins = np.cumsum(rng.uniform(0.1, 1.0, pieces))
    rows = rng.uniform(-1.5, 1.5, (*environments, pieces, form.width))
    rows[..., 0] = begins
    return Signal(form, begins, rows)


def jagged(knots: int, size: int = 2, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Uneven times and random points."""
    rng = np.random.default_rng(seed)
    return 1 + np.cumsum(rng.uniform(0.2, 1.5, knots)), rng.uniform(-2, 2, (knots, size))


# The formula of one piece


@pytest.mark.parametrize("form", FORMS, ids=repr)
def test_rates_are_the_slopes_of_values(form):
    row, t = random_row(form), 0.8
    plain, moving = moment(form, row, t), moment(form, row, Dual(t, 1.0))
    for lower, upper in ((moving.value, plain.rate), (moving.rate, plain.acceleration)):
        np.testing.assert_allclose([slope(x) for x in lower], np.array(upper, float), rtol=1e-13, atol=1e-13)
    np.testing.assert_array_equal([value(x) for x in moving.value], plain.value)


def test_a_polynomial_is_the_sum_of_its_powers_exactly():
    form, row, t = Form("polynomial", 2, 5), [Fraction(k * k - 7, 3) for k in range(11)], Fraction(5, 4)
    s = t - row[0]
    got = moment(form, row, t)
    for j in range(2):
        c = row[1 + j :: 2]
        assert got.value[j] == sum(c[k] * s**k for k in range(5))
        assert got.rate[j] == sum(k * c[k] * s ** (k - 1) for k in range(1, 5))
        assert got.acceleration[j] == sum(k * (k - 1) * c[k] * s ** (k - 2) for k in range(2, 5))


def test_a_fourier_series_is_the_sum_of_its_waves():
    rng = np.random.default_rng(1)
    centre, a, b = rng.normal(size=2), rng.normal(size=(12, 2)), rng.normal(size=(12, 2))
    w, begin, t = 2 * math.pi * 0.3, 0.7, 4.1
    got = moment(Form("fourier", 2, 12), fourier(0.3, centre, a, b, begin=begin).rows[0].tolist(), t)
    k = np.arange(1, 13)[:, None]
    angle = k * w * (t - begin)
    waves = (a * np.sin(angle) + b * np.cos(angle)).sum(0)
    np.testing.assert_allclose(got.value, centre + waves, rtol=1e-13)
    np.testing.assert_allclose(got.rate, (k * w * (a * np.cos(angle) - b * np.sin(angle))).sum(0), rtol=1e-12)
    np.testing.assert_allclose(
        got.acceleration, -((k * w) ** 2 * (a * np.sin(angle) + b * np.cos(angle))).sum(0), rtol=1e-12
    )


@pytest.mark.parametrize("form", FORMS, ids=repr)
def test_the_formula_runs_over_any_scalar(form):
    """On a tape, on power series, and on numbers that cannot be looked at."""
    row, t = random_row(form, 3), 0.4
    plain = [float(x) for part in moment(form, row, t) for x in part]
    tape = Tape()
    nodes = [tape.input(f"x{k}") for k in range(form.width + 1)]
    traced = [x for part in moment(form, nodes[:-1], nodes[-1]) for x in part]
    inputs = {f"x{k}": x for k, x in enumerate([*row, t])}
    np.testing.assert_allclose(evaluated(traced, inputs), plain, rtol=1e-14, atol=1e-14)
    hidden = [x for part in moment(form, [Opaque(x) for x in row], Opaque(t)) for x in part]
    assert [Opaque.of(x) for x in hidden] == plain
    for expanded, rate in zip(moment(form, row, Series((t, 1.0, 0.0))).value, moment(form, row, t).rate, strict=True):
        second = expanded.coefficients[1] if isinstance(expanded, Series) else 0
        assert second == pytest.approx(rate, rel=1e-13, abs=1e-13)


def test_what_a_short_polynomial_lacks_is_a_structural_zero():
    tape = Tape()
    row = [tape.input(name) for name in ("begin", "c0", "t")]
    assert moment(Form("polynomial", 1, 1), row[:2], row[2])[1:] == ([0], [0])


# Many times at once


@pytest.mark.parametrize("form", FORMS, ids=repr)
@pytest.mark.parametrize("pieces", [1, 5])
def test_arrays_of_times_give_the_bits_of_one_time(form, pieces):
    signal = random_signal(form, pieces)
    times = np.concatenate([signal.begins, np.nextafter(signal.begins, -1), np.linspace(-1, 6, 40)])
    got = signal.at(times)
    for i, t in enumerate(times.tolist()):
        piece = max(sum(begin <= t for begin in signal.begins) - 1, 0)
        one = moment(form, signal.rows[piece].tolist(), t)
        for many, single in zip(got, one, strict=True):
            assert many.dtype == np.float64
            np.testing.assert_array_equal(many[i], np.array(single, float))


@pytest.mark.parametrize("pieces", [1, 4])
def test_axes_environments_first_then_times_then_coordinates(pieces):
    form = Form("polynomial", 2, 3)
    signal = random_signal(form, pieces, 5)
    times = np.linspace(0, 4, 6).reshape(3, 2)
    got = signal.at(times)
    assert {part.shape for part in got} == {(5, 3, 2, 2)}
    assert signal.at(1.0).value.shape == (5, 2)
    for e in range(5):
        alone = Signal(form, signal.begins, signal.rows[e]).at(times)
        for part, own in zip(got, alone, strict=True):
            np.testing.assert_array_equal(part[e], own)
    assert constant([1.0, 2.0]).at(np.zeros((0,))).value.shape == (0, 2)


def test_finite_differences_of_values():
    """Second order: h^2/6 times the third derivative, which stays below 1e3 here."""
    signal, h = quintic(*jagged(6)[::-1]), 1e-5
    t = np.linspace(signal.begins[1] + 0.01, signal.begins[-1] - 0.01, 50)
    t = t[np.abs(t[:, None] - signal.begins).min(axis=1) > 2 * h]
    ahead, here, behind = signal.at(t + h), signal.at(t), signal.at(t - h)
    np.testing.assert_allclose((ahead.value - behind.value) / (2 * h), here.rate, atol=1e3 * h * h + 1e-15 / h * 10)
    np.testing.assert_allclose(
        (ahead.rate - behind.rate) / (2 * h), here.acceleration, atol=1e4 * h * h + 1e-14 / h * 10
    )


# Windows


@given(st.floats(-1, 6), st.floats(0, 3), st.integers(1, 7))
def test_a_window_tells_the_same_as_the_whole(t0, length, pieces):
    signal = random_signal(Form("polynomial", 2, 3), pieces, seed=pieces)
    part = signal.window(t0, t0 + length)
    inside = (signal.begins > t0) & (signal.begins <= t0 + length)
    assert len(part.begins) == max(1, inside.sum() + (signal.begins[0] <= t0))
    times = np.concatenate([np.linspace(t0, t0 + length, 9), signal.begins[inside], [t0 + length]]).clip(
        t0, t0 + length
    )
    for whole, own in zip(signal.at(times), part.at(times), strict=True):
        np.testing.assert_array_equal(whole, own)


def test_a_window_from_joint_to_joint():
    signal = random_signal(Form("polynomial", 2, 3), 6)
    part = signal.window(signal.begins[1], signal.begins[4])
    np.testing.assert_array_equal(part.begins, signal.begins[1:5])
    np.testing.assert_array_equal(part.at(signal.begins[1:5]).value, signal.rows[1:5, 1:3])


def test_a_window_is_a_view_for_as_many_environments():
    signal = random_signal(Form("polynomial", 2, 2), 6, 3)
    assert np.shares_memory(signal.window(1, 2, environments=3).rows, signal.rows)
    shared = replace(signal, rows=signal.rows[0])
    assert shared.window(1, 2, environments=100).rows.ndim == 2
    with pytest.raises(InputError, match="made for 3 environments and is used for 4"):
        signal.window(1, 2, environments=4)


# Tables


@pytest.mark.parametrize("between", ["linear", "hold", "cubic"])
@pytest.mark.parametrize("knots", [2, 3, 8])
def test_a_table_has_its_values_at_its_times(between, knots):
    t, x = jagged(knots, size=3)
    signal = table(t, x, between=between)
    np.testing.assert_allclose(signal.at(t).value, x, atol=20 * EPS * np.abs(x).max())
    batch = table(t, np.stack([x, -2 * x]), between=between)
    times = np.linspace(t[0], t[-1], 31)
    np.testing.assert_allclose(batch.at(times).value[1], -2 * signal.at(times).value, atol=1e-13)
    if x.shape[1] > 1:
        one = table(t, x[:, 1], between=between)
        np.testing.assert_allclose(one.at(times).value[:, 0], signal.at(times).value[:, 1], atol=1e-13)


def test_between_the_rows():
    t, x = jagged(5)
    middle = (t[1:] + t[:-1]) / 2
    np.testing.assert_allclose(table(t, x).at(middle).value, (x[1:] + x[:-1]) / 2, atol=1e-14)
    np.testing.assert_array_equal(table(t, x, between="hold").at(middle).value, x[:-1])
    np.testing.assert_array_equal(table(t, x, between="hold").at(middle).rate, 0 * x[:-1])


def test_a_cubic_table_is_the_natural_spline():
    """C^2, and no acceleration at the ends: there is only one such curve of cubics."""
    t, x = jagged(9)
    signal = table(t, x, between="cubic")
    assert_continuous(signal, order=2, inner=slice(0, None))
    np.testing.assert_allclose(signal.at(t[[0, -1]]).acceleration, 0, atol=1e-12)
    line = np.outer(t, [2.0, -1.0]) + 3
    np.testing.assert_allclose(
        table(t, line, between="cubic").at(t + 0.1 * (t < t[-1])).rate, [[2, -1]] * 9, atol=1e-12
    )


def test_outside_a_table():
    t, x = jagged(4)
    held = table(t, x, between="cubic", before="hold", after="hold")
    for part, expected in zip(held.at([t[0] - 100, t[-1] + 100]), (x[[0, -1]], 0, 0), strict=True):
        np.testing.assert_array_equal(part, expected + np.zeros((2, 2)))
    inside = np.linspace(t[0], np.nextafter(t[-1], 0), 20)
    np.testing.assert_array_equal(held.at(inside).value, table(t, x, between="cubic").at(inside).value)
    for between in ("linear", "hold"):
        after = table(t, x, between=between, after="hold")
        np.testing.assert_array_equal(after.at(t[-1] + 5).value, x[-1])
        with pytest.raises(InputError, match="begins at"):
            after.at(t[0] - 1e-6)
        with pytest.raises(InputError, match="ends at"):
            table(t, x, between=between, before="hold").window(t[0] - 5, t[-1] + 1e-6)


def test_a_clock_that_adds_up_steps_may_end_a_little_late():
    clock = sum([0.1] * 100)
    assert clock != 10
    ended = table([0, 10], [0.0, 1.0])
    assert ended.at([-1e-12, clock, 10 + 1e-9]).value[1:, 0] == pytest.approx(1, abs=1e-9)
    assert ended.window(0, 10 + 1e-9).begins.tolist() == [0]


# Waypoints


def derivatives_at_joints(signal: Signal, order: int) -> tuple[np.ndarray, np.ndarray, float]:
    """The derivative of this order where each piece ends, and where the next one begins, and the greatest term."""
    n, terms = signal.form.size, signal.form.terms
    c = signal.rows[:, 1:].reshape(-1, terms, n)
    h = np.diff(signal.begins)[:, None]
    factors = [math.perm(k, order) for k in range(terms)]
    parts = [factors[k] * c[:-1, k] * h ** (k - order) for k in range(order, terms)]
    return sum(parts), factors[order] * c[1:, order], float(np.abs(parts).max())


def assert_continuous(signal: Signal, order: int, inner: slice) -> None:
    for k in range(order + 1):
        ends, begins, greatest = derivatives_at_joints(signal, k)
        within = 1e-12 * greatest
        np.testing.assert_allclose(ends[inner], begins[inner], rtol=0, atol=within, err_msg=f"derivative {k}")


@pytest.mark.parametrize("knots", [2, 3, 4, 5, 12, 33])
def test_motions_pass_their_points_and_are_smooth(knots):
    t, x = jagged(knots)
    # The first and the last pieces stand still; joints are those between all pieces.
    for make, at_ends, between in ((cubic, 1, 2), (quintic, 2, 4)):
        signal = make(x, t)
        np.testing.assert_allclose(signal.at(t).value, x, atol=1e-13)
        assert_continuous(signal, at_ends, slice(None))
        if knots > 2:
            assert_continuous(signal, between, slice(1, -1))
        np.testing.assert_array_equal(signal.at(t[-1] + 3).value, x[-1])
        np.testing.assert_array_equal(signal.at(t[0] - 3).value, x[0])
        for part in signal.at([t[0] - 3, t[0], t[-1], t[-1] + 3])[1 : 1 + at_ends]:
            np.testing.assert_allclose(part, 0, atol=1e-13)


def test_one_polynomial_from_rest_to_rest_is_found_from_any_of_its_points():
    """The smoothest curve is unique: cut at uneven times, 3 s^2 - 2 s^3 and 10 s^3 - 15 s^4 + 6 s^5 come back."""
    s = np.array([0, 0.1, 0.15, 0.4, 0.8, 0.95, 1])
    fine = np.linspace(0, 1, 101)
    for make, law in (
        (cubic, lambda s: 3 * s**2 - 2 * s**3),
        (quintic, lambda s: 10 * s**3 - 15 * s**4 + 6 * s**5),
    ):
        np.testing.assert_allclose(make(law(s), 2 * s).at(2 * fine).value[:, 0], law(fine), atol=1e-12)


def test_given_derivatives_are_kept():
    t, x = jagged(7)
    rng = np.random.default_rng(5)
    v, a = rng.normal(size=x.shape), rng.normal(size=x.shape)
    inside = t[:-1]
    both = quintic(x, t, velocities=v, accelerations=a).at(inside)
    np.testing.assert_allclose(both.rate, v[:-1], atol=1e-13)
    np.testing.assert_allclose(both.acceleration, a[:-1], atol=1e-13)
    assert_continuous(quintic(x, t, v, a), 2, slice(1, -1))
    np.testing.assert_allclose(cubic(x, t, velocities=v).at(inside).rate, v[:-1], atol=1e-13)
    assert_continuous(cubic(x, t, v), 1, slice(1, -1))
    only_v = quintic(x, t, velocities=v)
    np.testing.assert_allclose(only_v.at(inside).rate, v[:-1], atol=1e-13)
    assert_continuous(only_v, 3, slice(1, -1))  # least jerk with the accelerations free
    only_a = quintic(x, t, accelerations=a)
    np.testing.assert_allclose(only_a.at(inside).acceleration, a[:-1], atol=1e-12)
    ends, begins, greatest = derivatives_at_joints(only_a, 4)
    np.testing.assert_allclose(ends[1:-1], begins[1:-1], atol=1e-12 * greatest)  # and with the velocities free
    # A moving end stops at once: the value holds, the rate is zero.
    stopped = cubic(x, t, v).at(t[-1])
    np.testing.assert_array_equal([stopped.value, stopped.rate], [x[-1], 0 * x[-1]])


def test_environments_have_their_own_waypoints():
    t, x = jagged(6)
    batch = np.stack([x, x[::-1], x * 0])
    signal = quintic(batch, t)
    for e in range(3):
        np.testing.assert_allclose(signal.at(t + 0.1).value[e], quintic(batch[e], t).at(t + 0.1).value, atol=1e-13)


@pytest.mark.parametrize("m", [1, 2])
@pytest.mark.parametrize("knots", [1, 2, 3, 4, 5, 8, 50])
def test_chains_against_the_full_matrix(knots, m):
    rng = np.random.default_rng(knots)
    factor = np.zeros((knots * m, knots * m))
    for i in range(knots):
        factor[i * m : (i + 1) * m, i * m : (i + 2) * m] = rng.normal(size=(m, min(2, knots - i) * m))
        factor[i * m : (i + 1) * m, i * m : (i + 1) * m] += 4 * np.eye(m)
    full = factor.T @ factor
    blocks = full.reshape(knots, m, knots, m)
    diagonal = np.array([blocks[i, :, i] for i in range(knots)])
    beside = np.array([blocks[i, :, i + 1] for i in range(knots - 1)]).reshape(-1, m, m)
    right = rng.normal(size=(knots, m, 3))
    expected = np.linalg.solve(full, right.reshape(-1, 3)).reshape(right.shape)
    np.testing.assert_allclose(solve_chain(diagonal, beside, right), expected, atol=1e-12 * np.linalg.cond(full))


# Trapezoids

limits = st.floats(0.01, 100)


@given(
    st.lists(st.tuples(st.floats(-5, 5), st.floats(-5, 5), limits, limits), min_size=1, max_size=4), st.floats(-9, 9)
)
def test_a_trapezoid_arrives_within_its_limits(joints, begin):
    start, target, v, a = np.array(joints).T
    if np.abs(target - start).max() < 1e-3:
        target[0] = start[0] + 1
    move = trapezoid(start, target, v, a, begin=begin)
    end = move.begins[-1]
    t = np.concatenate([np.linspace(begin, end, 301)[:-1], move.begins[1:-1]])
    got = move.at(t)
    assert (np.abs(got.rate) <= v * (1 + 1e-9)).all()
    assert (np.abs(got.acceleration) <= a * (1 + 1e-9)).all()
    np.testing.assert_array_equal(move.at([begin - 1, end, end + 1]).value, [start, target, target])
    way = target - start
    line = (got.value - start) * np.abs(way).max() - np.outer(np.abs(got.value - start).max(axis=1), way)
    assert np.abs(line).max() <= 1e-12 * np.abs(way).max() ** 2 + 1e-12  # a straight line: all move together
    at_limit = np.max(np.abs(got.acceleration).max(0) / a)
    assert at_limit == pytest.approx(1, rel=1e-9)  # as fast as some joint allows
    # Positions and rates have no jumps, to the rounding of the clock at the greatest acceleration.
    for k, size in ((0, np.abs(np.append(start, target)).max()), (1, v.max())):
        ends, begins, _ = derivatives_at_joints(move, k)
        np.testing.assert_allclose(ends, begins, atol=1e-10 * (1 + size + a.max()))


def test_trapezoids_by_hand():
    cruising = trapezoid([0, 1], [3, 0], velocity=[1, 9], acceleration=2)
    assert cruising.begins[1:].tolist() == [0, 0.5, 3, 3.5]
    np.testing.assert_allclose(cruising.at(1.75).value, [1.5, 0.5])
    np.testing.assert_allclose(cruising.at(1.75).rate, [1, -1 / 3])
    short = trapezoid([0], [1], velocity=10, acceleration=4, begin=2)
    assert short.begins[1:].tolist() == [2, 2.5, 3]
    assert short.at(2.5).rate == 2
    np.testing.assert_array_equal(trapezoid([1, 2], [1, 2], 1, 1).at(7).value, [1, 2])


# Later, slower


@pytest.mark.parametrize("form", FORMS, ids=repr)
def test_time_scaling_is_exact_on_the_rows(form):
    signal = random_signal(form, 4, 2)
    times = np.linspace(-1, 5, 33)
    before = signal.at(times)
    twice = scaled_in_time(signal, 2).at(2 * times)  # a power of two rounds nothing
    for k in range(3):
        np.testing.assert_array_equal(twice[k], before[k] / 2**k)
    slower = scaled_in_time(signal, 1.7).at(1.7 * np.linspace(0.05, 5, 30))
    original = signal.at(np.linspace(0.05, 5, 30))
    for k in range(3):
        np.testing.assert_allclose(slower[k], original[k] / 1.7**k, rtol=1e-9, atol=1e-9 * np.abs(original[k]).max())


@pytest.mark.parametrize("form", FORMS, ids=repr)
def test_shifting(form):
    signal = random_signal(form, 4)
    times = np.linspace(0.05, 5, 30)
    for part, own in zip(shifted(signal, 3.25).at(times + 3.25), signal.at(times), strict=True):
        np.testing.assert_allclose(part, own, rtol=1e-9, atol=1e-9 * np.abs(own).max())


def test_known_times_move_along():
    ended = table([1, 3], [0.0, 1.0])
    assert shifted(ended, 2).known == (3, 5)
    assert scaled_in_time(ended, 3).known == (3, 9)
    assert scaled_in_time(shifted(table([1, 3], [0.0, 1.0], after="hold"), -1), 2).known == (0, math.inf)


# Noise


def test_every_window_of_noise_has_the_same_numbers():
    hum = noise([0.5, 1.0, 2.0], every=0.25, seed=11)
    whole = hum.window(-20, 60)
    assert whole.form == hum.form == Form("polynomial", 3, 1)
    rng = np.random.default_rng(0)
    for t0, length in zip(rng.uniform(-20, 50, 30), rng.uniform(0, 9, 30), strict=True):
        part = hum.window(t0, t0 + length)
        assert len(part.begins) <= length / 0.25 + 2
        assert part.begins[0] <= t0 < part.begins[0] + 0.25
        times = rng.uniform(t0, t0 + length, 50)
        np.testing.assert_array_equal(part.at(times).value, whole.at(times).value)
    edges = 0.25 * np.arange(-70, 200).reshape(2, 135)
    np.testing.assert_array_equal(hum.at(edges).value, whole.at(edges).value)
    np.testing.assert_array_equal(hum.at(edges + 0.2499).value, whole.at(edges).value)
    far = hum.at([1e9, -1e9, 3.0])
    np.testing.assert_array_equal(far.value[2], whole.at(3.0).value)
    assert np.abs(far.value).min() > 0
    assert not far.rate.any()
    assert hum.at(np.zeros((0, 2))).value.shape == (0, 2, 3)


def test_awkward_clocks():
    """Pieces of 1 ms, asked for at steps that add up: a time belongs to the piece whose begin as a float it has reached."""
    hum = noise(1.0, every=1e-3, seed=1)
    begins = np.arange(-2000, 2000) * 1e-3
    values = hum.at(begins).value[:, 0]
    assert len(np.unique(values)) == 4000
    np.testing.assert_array_equal(hum.at(np.nextafter(begins, -9)).value[1:, 0], values[:-1])
    np.testing.assert_array_equal(hum.window(0.3, 0.9).at(begins[2300:2900]).value[:, 0], values[2300:2900])


def test_environments_have_their_own_noise_whatever_their_count():
    hum = noise(0.1, seed=5, size=7)
    few, many = hum.window(1, 1.05, environments=2), hum.window(0.9, 1.1, environments=5)
    times = np.linspace(1, 1.05, 40)
    assert few.rows.shape[::2] == (2, 8)
    np.testing.assert_array_equal(few.at(times).value, many.at(times).value[:2])
    np.testing.assert_array_equal(few.at(times).value[0], hum.window(1, 1.05).at(times).value)
    assert len(np.unique(many.rows[..., 1:])) == many.rows[..., 1:].size  # nor is one the other's at another time


def test_seeds_and_golden_numbers():
    """The same numbers in every version: a run with a seed can be had again."""
    first = noise(1.0, seed=2026, size=2).at([0.0, 1.0]).value
    np.testing.assert_allclose(first, GOLDEN, rtol=1e-12)
    assert not (noise(1.0, seed=2027, size=2).at([0.0, 1.0]).value == first).any()
    assert np.isfinite(noise(1.0, seed=2**128 - 1).at(0.0).value).all()


GOLDEN = [[-1.8985049521162063, 0.40648702153217514], [-1.0403166069548577, 0.6978568440103253]]


def test_noise_is_normal_and_white():
    """Five standard errors of each estimate; the seed is fixed."""
    n = 200_000
    std = np.array([0.5, 1.0, 3.0, 0.1, 2.0])
    hum = noise(std, every=1e-3, seed=3)
    x = hum.window(0, (n - 0.5) * 1e-3).rows[:, 1:] / std
    assert x.shape == (n, 5)
    bound = 5 / math.sqrt(n)
    assert np.abs(x.mean(0)).max() < bound
    assert np.abs((x**2).mean(0) - 1).max() < bound * math.sqrt(2)
    assert np.abs((x**3).mean(0)).max() < bound * math.sqrt(15)
    assert np.abs((x**4).mean(0) - 3).max() < bound * math.sqrt(96)
    assert np.abs(x.T @ x / n - np.diag((x**2).mean(0))).max() < bound
    for lag in (1, 2, 3, 10):
        assert np.abs(x[lag:].T @ x[:-lag] / n).max() < bound
    # Flat spectrum: in each of 20 bands the mean power is that of all, n/40 independent exponentials each.
    power = np.abs(np.fft.rfft(x[:, 2])[1 : n // 2 + 1]) ** 2 / n
    bands = power[: 20 * (len(power) // 20)].reshape(20, -1).mean(1)
    assert np.abs(bands - 1).max() < 5 / math.sqrt(len(power) // 20)
    across = hum.window(0, 9.9995, environments=3).rows[..., 1]
    assert np.abs(np.corrcoef(across)[np.triu_indices(3, 1)]).max() < 5 / math.sqrt(1e4)


def test_one_deviation_serves_all_coordinates():
    spread = noise(0.3).of_size(6, "torque")
    assert spread.size == spread.form.size == 6
    assert len(np.unique(spread.at(0.5).value)) == 6
    np.testing.assert_array_equal(spread.at(0.5).value, noise(0.3, size=6).at(0.5).value)


# Large


def test_a_hundred_thousand_rows():
    """The spline of a sine is off by about h^4 / 384; the ends, where it is natural, have no acceleration either."""
    t = np.linspace(0, 20 * math.pi, 100_001)
    signal = table(t, np.sin(t), between="cubic")
    middle = (t[1:] + t[:-1]) / 2
    np.testing.assert_allclose(signal.at(middle).value[:, 0], np.sin(middle), atol=1e-14)
    np.testing.assert_allclose(signal.at(middle).rate[:, 0], np.cos(middle), atol=1e-9)


# What users get wrong

T, X = [0, 1, 2], [[0.0, 1.0], [1.0, 2.0], [2.0, 3.0]]
GAPS = [[0.0, 1.0], [math.nan, 2.0], [2.0, math.nan]]
MISTAKES = {
    "gap": (
        lambda: table(T, GAPS),
        "table: row 1 at t = 1 s has nan for coordinate 0 (2 rows have gaps). Every number must be finite: fill the gap, "
        "or leave the row out.",
    ),
    "infinite": (
        lambda: table(T, [0.0, 1.0, math.inf]),
        "table: row 2 at t = 2 s has inf for coordinate 0. Every number must be finite: fill the gap, or leave the row out.",
    ),
    "none": (
        lambda: table(T, [0.0, None, 1.0]),
        "table: row 1 at t = 1 s has nan for coordinate 0. Every number must be finite: fill the gap, or leave the row out.",
    ),
    "gap in one environment": (
        lambda: table(T, [X, GAPS]),
        "table: row 1 at t = 1 s has nan for coordinate 0 (2 rows have gaps). Every number must be finite: fill the gap, "
        "or leave the row out.",
    ),
    "unsorted": (
        lambda: table([0, 2, 1.5], X),
        "table: row 2 is at t = 1.5 s, before row 1 at t = 2 s. Times must increase: sort the rows by time.",
    ),
    "duplicate": (
        lambda: cubic(X, [0, 1, 1]),
        "cubic: rows 1 and 2 are both at t = 1 s. Times must increase: keep one of the two rows, or move one of them "
        "slightly for a step.",
    ),
    "time not finite": (
        lambda: table([0, math.nan, 2], X),
        "table: times[1] is nan. Every number must be finite.",
    ),
    "one row": (
        lambda: table([0], [[1.0]]),
        "table: times of shape (1,) were given. It takes two or more increasing times [s]; for one value at all times "
        "take constant(values).",
    ),
    "wrong length": (
        lambda: table([0, 1], X),
        "table: 2 times and an array of shape (3, 2) were given. It takes one row per time: shape (2, n), n coordinates.",
    ),
    "no coordinates": (
        lambda: table([0, 1], np.zeros((2, 0))),
        "table: 2 times and an array of shape (2, 0) were given. It takes one row per time: shape (2, n), n coordinates.",
    ),
    "words": (
        lambda: table([0, 1], ["a", "b"]),
        "table: ['a', 'b'] is no array of numbers. It takes one row per time: shape (2, n), n coordinates.",
    ),
    "unknown between": (
        lambda: table(T, X, between="lin"),
        "table: between: there is no way named 'lin'; did you mean 'linear'? Valid: linear, hold, cubic.",
    ),
    "unknown after": (
        lambda: table(T, X, after="repeat"),
        "table: after: there is no way named 'repeat'. Valid: error, hold.",
    ),
    "run past the table": (
        lambda: table(T, X).window(0, 5),
        "the table ends at t = 2 s but is needed at t = 5 s. Give rows up to 5 s, stop at 2 s, or let its last row "
        'hold after it ends: after="hold".',
    ),
    "run before the table": (
        lambda: table([1, 2, 3], X).at([0.5, 2.0]),
        "the table begins at t = 1 s but is needed at t = 0.5 s. Give rows from 0.5 s on, start later, or let its "
        'first row hold before it begins: before="hold".',
    ),
    "no time": (
        lambda: constant([1.0]).at([0.0, math.nan]),
        "a signal was evaluated at t = nan s; times are finite.",
    ),
    "window backwards": (
        lambda: constant([1.0]).window(3, 2),
        "a window from t = 3 s to t = 2 s: it takes two times, the earlier one first.",
    ),
    "noise window backwards": (
        lambda: noise(1.0).window(0, math.inf),
        "a window from t = 0 s to t = inf s: it takes two times, the earlier one first.",
    ),
    "wrong size": (
        lambda: constant([1.0]).of_size(7, "torque of arm 'panda'"),
        "torque of arm 'panda': the signal has 1 coordinate; it takes 7 coordinates, one value for each.",
    ),
    "noise of wrong size": (
        lambda: noise([1.0, 2.0]).of_size(7, "disturbance"),
        "disturbance: the noise has 2 coordinates; it takes 7. Give one standard deviation for each, or one for all.",
    ),
    "velocities of another shape": (
        lambda: quintic(X, T, velocities=[0, 0, 0]),
        "quintic: velocities: an array of shape (3, 1) was given. It takes that of the points, (3, 2).",
    ),
    "gap in the points": (
        lambda: quintic(GAPS, T),
        "quintic: points: row 1 at t = 1 s has nan for coordinate 0 (2 rows have gaps). Every number must be finite: fill "
        "the gap, or leave the row out.",
    ),
    "trapezoid ends": (
        lambda: trapezoid([0, 0], [1], 1, 1),
        "trapezoid: start of shape (2,) and target of shape (1,). Both take one number per coordinate.",
    ),
    "trapezoid limit": (
        lambda: trapezoid([0, 0], [1, 1], 1, [1, -2]),
        "trapezoid: acceleration: -2 was given. A limit is greater than zero.",
    ),
    "trapezoid limits": (
        lambda: trapezoid([0, 0], [1, 1], [1, 1, 1], 1),
        "trapezoid: velocity: shape (3,) was given. It takes one number, or 2, one per coordinate.",
    ),
    "trapezoid in no time": (
        lambda: trapezoid([0], [1], 1e30, 1e60, begin=1.0),
        "trapezoid: the motion takes 2e-30 s, too short next to begin = 1 s. Give smaller limits of velocity and "
        "acceleration.",
    ),
    "fourier frequency": (
        lambda: fourier(0, [0.0], [[1.0]], [[1.0]]),
        "fourier: frequency = 0 Hz: it must be greater than zero.",
    ),
    "fourier shapes": (
        lambda: fourier(1, [0.0], [[1.0]], [[1.0], [2.0]]),
        "fourier: centre of shape (1,), sines (1, 1) and cosines (2, 1). It takes (n,), (K, n) and (K, n): one column per "
        "coordinate, one row per harmonic, one harmonic or more.",
    ),
    "fourier not finite": (
        lambda: fourier(1, [0.0], [[math.nan]], [[1.0]]),
        "fourier: sines[0, 0] is nan. Every number must be finite.",
    ),
    "noise std": (
        lambda: noise([0.1, -1]),
        "noise: std = [0.1, -1]. It takes one number per coordinate, none below zero.",
    ),
    "noise every": (
        lambda: noise(0.1, every=0),
        "noise: every = 0 s: it must be greater than zero.",
    ),
    "noise seed": (
        lambda: noise(0.1, seed=0.5),
        "noise: seed = 0.5. It takes a whole number from 0 to 2^128 - 1.",
    ),
    "noise size": (
        lambda: noise(0.1, size=0),
        "noise: size = 0. It takes the count of coordinates, one or more.",
    ),
    "nothing constant": (
        lambda: constant([]),
        "constant: values: no number was given. It takes one finite number per coordinate.",
    ),
    "two numbers for one": (
        lambda: shifted(constant([1.0]), [1.0, 2.0]),
        "shifted: dt: an array of shape (2,) was given. It takes one finite number.",
    ),
    "time backwards": (
        lambda: scaled_in_time(constant([1.0]), -1),
        "scaled_in_time: factor = -1 (a ratio of times): it must be greater than zero.",
    ),
    "unknown form": (
        lambda: Form("fourrier", 1, 1),
        "there is no kind of signal named 'fourrier'; did you mean 'fourier'? Valid: polynomial, fourier.",
    ),
    "empty form": (
        lambda: Form("polynomial", 0, 1),
        "a polynomial signal of 0 coordinates and 1 terms: it takes one or more of each.",
    ),
    "rows of another form": (
        lambda: Signal(Form("polynomial", 1, 1), np.zeros(1), np.zeros((1, 3))),
        "a signal of Form(kind='polynomial', size=1, terms=1): begins of shape (1,) and rows of shape (1, 3) were given; "
        "it takes (S,) and (..., S, 2), one row per piece.",
    ),
    "pieces out of order": (
        lambda: Signal(Form("polynomial", 1, 1), np.zeros(2), np.zeros((2, 2))),
        "a signal's pieces must start one after another; their start times do not increase.",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_told(mistake):
    make, message = MISTAKES[mistake]
    with pytest.raises(InputError) as told:
        make()
    assert str(told.value) == message
