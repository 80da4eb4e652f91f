"""The panel kit: axes with round numbers, and curves that go through their values and lose no peak."""

from __future__ import annotations

import re

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from leverarm.pictures.panels import Panel, axis_around, axis_over, log_axis, rows_to_draw

WIDTH, HEIGHT = 1400, 600


def points(path):
    """The corners of a path of M, l, h0, as (across, down)."""
    start, _, steps = re.search(r' d="M([^"]*)"', path)[1].replace("h0", "").partition("l")
    found = [np.array([int(x) for x in start.split()])]
    for step in np.array([int(x) for x in re.findall(r"-?\d+", steps)]).reshape(-1, 2):
        found.append(found[-1] + step)
    return np.array(found)


def test_a_path_goes_through_the_values_upwards_and_to_the_right():
    x, y = axis_over(2.0, 12.0), axis_over(-5.0, 5.0)
    t = np.linspace(2.0, 12.0, 101)
    values = 4 * np.sin(t) + 0.1 * t - 0.5
    across, down = points(Panel(x, y, WIDTH, HEIGHT).line(t, values, "measured")).T
    assert np.abs(across / WIDTH * 10 + 2 - t).max() <= 0.5 / WIDTH * 10 + 1e-9  # rounded to whole units
    assert np.abs(5 - down / HEIGHT * 10 - values).max() <= 0.5 / HEIGHT * 10 + 1e-9


def test_one_sample_among_45000_keeps_its_peak():
    t = np.arange(45_000) / 1000
    values = np.sin(t)
    values[31_234] = 7.0
    rows = rows_to_draw(values, buckets=560)
    assert 31_234 in rows and len(rows) < 2500


def test_dots_stand_at_their_values():
    x, y = axis_over(-1.0, 1.0), axis_over(0.0, 4.0)
    drawn = Panel(x, y, WIDTH, HEIGHT).dots(np.array([0.0]), np.array([1.0]), "binned")
    assert f"M{WIDTH // 2} {HEIGHT * 3 // 4}h0" in drawn


@given(st.floats(-1e6, 1e6), st.floats(1e-4, 1e6), st.integers(3, 8))
@settings(max_examples=200, deadline=None)
def test_marks_are_round_inside_and_read_back(low, length, most):
    axis = axis_over(low, low + length, most)
    assert 1 <= len(axis.ticks) <= most + 1
    assert float(f"{axis.step:e}".split("e")[0]) in (1, 2, 5)
    slack = 1e-6 * axis.step
    assert all(axis.low - slack <= tick <= axis.high + slack for tick in axis.ticks)
    labels = [axis.label(tick).replace("−", "-") for tick in axis.ticks]
    assert len(set(labels)) == len(labels)
    assert all(abs(float(label) - tick) < 1e-3 * axis.step for label, tick in zip(labels, axis.ticks, strict=True))


def test_an_axis_of_nothing_or_of_one_number_is_still_an_axis():
    for axis in (axis_around(np.array([])), axis_around(np.zeros(3)), axis_around(np.array([np.nan, 4.0]))):
        assert axis.low < 0 < axis.high or axis.low < 4 < axis.high
    assert axis_over(3.0, 3.0).high > 3.0


def test_a_logarithmic_axis_has_powers_of_ten():
    axis = log_axis(5e-18, 10.0, most=6)
    assert [axis.label(tick) for tick in axis.ticks] == ["10⁻¹⁵", "10⁻¹²", "10⁻⁹", "10⁻⁶", "10⁻³", "10⁰"]
    assert axis.share(10.0) == 1 and axis.share(5e-18) == 0
    assert abs(axis.share(1e-4) - (np.log10(1e-4 / 5e-18) / np.log10(10 / 5e-18))) < 1e-12


def test_an_axis_ends_near_its_values():
    axis = axis_around(np.array([9.0, 10.0]))
    assert 8.9 < axis.low < 9 and 10 < axis.high < 10.1
    still = axis_around(np.full(5, 9.0))
    assert still.low < 9 < still.high and len(still.ticks) > 1
