"""The inner side of enclosures: slopes, climbs, ridges, and states that no sample beats."""

from __future__ import annotations

import importlib
import math

import numpy as np
import pytest

import leverarm as la
from leverarm.errors import InputError
from leverarm.verify.enclosures.extremes import EXTREMES, certified_value
from leverarm.verify.enclosures.local_descent import along_ridges, climbed, shortest_mixture
from leverarm.verify.enclosures.local_search import best_state, christoffel_symbols, random_states, unit_speeds
from tests.support.drawn_states import meant, quick_bound, sampled
from tests.support.levels import at_level
from tests.support.paths import BENCH

NORMED = [(quantity, norm) for quantity in ("norm_lower", "norm_upper") for norm in ("1", "2", "inf", "fro")]
ALL = [(quantity, "2") for quantity in EXTREMES if quantity not in ("norm_lower", "norm_upper")] + NORMED
PUMA_BOX = ([-2.79, -0.78, -3.92, -2.97, -1.74, -4.64], [2.79, 3.92, 0.78, 2.97, 1.74, 4.64])


def states(arm, what, count=64, size=1.0):
    return random_states(np.random.default_rng(3), what, np.full(arm.dof, -size), np.full(arm.dof, size), count)


@pytest.mark.slow
@pytest.mark.parametrize(("quantity", "norm"), ALL)
@pytest.mark.parametrize("name", ["puma560", "torso"])
def test_slopes_are_those_of_the_numbers(name, quantity, norm):
    """Differences over 2e-5: their error is h^2 = 1e-10 times a third derivative, and rounding 1e-16 / 1e-5."""
    arm = la.load(name)
    what = EXTREMES[quantity].searched(arm, norm)
    z = states(arm, what)
    direction = np.random.default_rng(4).standard_normal(z.shape)
    numbers, slopes = what.slope(z)
    assert numbers == pytest.approx(what.number(z), rel=1e-13)
    differences = (what.number(z + 1e-5 * direction) - what.number(z - 1e-5 * direction)) / 2e-5
    deviation = np.abs((slopes * direction).sum(axis=1) - differences)
    assert np.median(deviation) < 1e-8 * np.abs(numbers).max()  # a few states lie within 1e-5 of a ridge


@pytest.mark.parametrize("quantity", ["mu1", "mu2", "norm_lower", "norm_upper", "lambda1", "lambda2"])
@pytest.mark.parametrize("name", ["elbow", "panda"])
def test_quick_bounds_are_never_worse_than_the_number(name, quantity):
    what, quick = EXTREMES[quantity].searched(la.load(name), "2"), quick_bound(la.load(name), quantity)
    z = states(what=what, arm=la.load(name), count=2000)
    bound, number = quick(z), what.number(z)
    margin = 1e-9 * np.abs(number)
    assert (bound >= number - margin).all() if what.is_greatest else (bound <= number + margin).all()


def test_numbers_are_the_quantities():
    arm = la.load("puma560")
    for quantity, norm in ALL:
        what = EXTREMES[quantity].searched(arm, norm)
        z = states(arm, what, count=3)
        for row, value in zip(z, meant(quantity, what.number(z)), strict=True):
            low, high = certified_value(arm, quantity, {"q": row[:6], "qd": row[6:]}, norm)
            assert low * (1 - 1e-12) <= value <= high * (1 + 1e-12), quantity


def test_extremes_of_the_elbow():
    """Unit masses and lengths: M = [[3 + 2c, 1 + c], [1 + c, 1]]; V = s (-2 x y - y^2, x^2), at s = 1 by a fine grid."""
    arm, box = la.load("elbow"), ([-3, -3], [3, 3])
    angle = np.linspace(0, math.pi, 2_000_001)
    x, y = np.cos(angle), np.sin(angle)
    g = 9.81
    expected = {
        "mu1": 3 - math.sqrt(8),
        "mu2": 3 + math.sqrt(8),
        "norm_upper": 3 + math.sqrt(8),
        "v_b": np.hypot(2 * x * y + y * y, x * x).max(),
        "g_b": g * math.hypot(3, 1),
    }
    for quantity, value in expected.items():
        found = best_state(arm, quantity, *box, seconds=math.inf)
        low, high = certified_value(arm, quantity, found)
        assert (low, high) == pytest.approx((value, value), rel=1e-12), quantity


def test_extremes_of_the_polar_arm_lie_on_walls():
    """A unit mass at distance r: M = diag(r^2, 1); V = (2 r x y, -r x^2), whose square is r^2 (4 x^2 - 3 x^4)."""
    arm, box = la.load("polar"), ([-1, 0.1], [1, 0.8])
    assert best_state(arm, "mu1", *box, seconds=math.inf)["q"][1] == 0.1
    speeds = best_state(arm, "v_b", *box, seconds=math.inf)
    assert speeds["q"][1] == 0.8
    assert np.linalg.norm(speeds["qd"]) == pytest.approx(1, abs=1e-15)
    assert certified_value(arm, "v_b", speeds)[0] == pytest.approx(0.8 * math.sqrt(4 / 3), rel=1e-12)
    assert certified_value(arm, "mu2", best_state(arm, "mu2", *box, seconds=math.inf))[0] == pytest.approx(1, rel=1e-15)


@pytest.mark.parametrize(
    ("quantity", "norm"), [*ALL[:6], ("norm_lower", "1"), ("norm_upper", "1"), ("norm_lower", "2")]
)
def test_no_sample_beats_the_state_that_was_found(quantity, norm):
    arm = la.load("puma560")
    found = best_state(arm, quantity, *PUMA_BOX, seed=1, seconds=math.inf, rounds=3, norm=norm)
    assert all(low <= x <= high for x, low, high in zip(found["q"], *PUMA_BOX, strict=True))
    low, high = certified_value(arm, quantity, found, norm)
    drawn = sampled(arm, quantity, *PUMA_BOX, count=at_level(20_000, 50_000, 1_000_000), seed=2, norm=norm).value
    assert drawn >= low * (1 - 1e-12) if EXTREMES[quantity].is_least else drawn <= high * (1 + 1e-12)


@pytest.mark.parametrize("quantity", ["mu1", "mu2", "g_b", "v_b", "lambda1"])
def test_seeds_agree(quantity):
    arm = la.load("puma560")
    values = [
        certified_value(arm, quantity, best_state(arm, quantity, *PUMA_BOX, seed=seed, seconds=math.inf))[0]
        for seed in (1, 2)
    ]
    assert values[0] == pytest.approx(values[1], rel=1e-11)


def test_sampling_with_and_without_quick_bounds_is_the_same(monkeypatch):
    """Drawn a few at a time, so that most states are passed over for what was found before."""
    monkeypatch.setattr("tests.support.drawn_states.CHUNK", 50)
    arm = la.load("panda")
    for quantity, norm in ALL:
        what = EXTREMES[quantity].searched(arm, norm)
        drawn = sampled(arm, quantity, -np.ones(7), np.ones(7), 3000, 5, norm)
        z = random_states(np.random.default_rng(5), what, -np.ones(7), np.ones(7), 3000)
        numbers = what.number(z)
        k = numbers.argmax() if what.is_greatest else numbers.argmin()
        if what.has_speeds:  # positions and speeds are drawn in turns
            low, high = certified_value(arm, quantity, {"q": drawn.q, "qd": drawn.qd})
            assert low * (1 - 1e-13) <= drawn.value <= high * (1 + 1e-13)
        else:
            assert drawn.value == pytest.approx(meant(quantity, numbers[k : k + 1])[0], rel=1e-14)
            assert drawn.q == tuple(z[k]) and drawn.qd is None


def test_samples_fill_the_box():
    what = EXTREMES["v_b"].searched(la.load("elbow"), "2")
    z = random_states(np.random.default_rng(0), what, np.array([-1.0, 2.0]), np.array([1.0, 5.0]), 4000)
    assert np.abs(z[:, :2].min(axis=0) - [-1, 2]).max() < 0.01 and np.abs(z[:, :2].max(axis=0) - [1, 5]).max() < 0.01
    assert np.linalg.norm(z[:, 2:], axis=1) == pytest.approx(1)
    assert np.abs(z[:, 2:].mean(axis=0)).max() < 0.05  # four standard deviations of the mean


def test_climbing_ends_exactly_on_walls():
    """-(x - 2)^2 - (y + 0.3)^2 - x y over [-1, 1]^2: at x = 1, y = -0.8."""

    def number(z):
        x, y = z.T
        return -((x - 2) ** 2) - (y + 0.3) ** 2 - x * y

    def slope(z):
        x, y = z.T
        return number(z), np.stack([-2 * (x - 2) - y, -2 * (y + 0.3) - x], axis=1)

    starts = np.random.default_rng(0).uniform(-1, 1, (9, 2))
    z = climbed(number, slope, starts, -np.ones(2), np.ones(2), 40)
    assert (z[:, 0] == 1).all()
    assert z[:, 1] == pytest.approx(-0.8, abs=1e-7)


def test_climbing_leaves_saddles():
    def number(z):
        return np.cos(z[:, 0]) * np.cos(z[:, 1])

    def slope(z):
        (a, b), (c, d) = np.cos(z).T, np.sin(z).T
        return a * b, np.stack([-c * b, -a * d], axis=1)

    near_saddle = np.array([[math.pi / 2 + 1e-3, math.pi / 2 + 2e-3]])
    z = climbed(number, slope, near_saddle, np.full(2, -9.0), np.full(2, 9.0), 40)
    assert number(z)[0] == pytest.approx(1, abs=1e-14)


def test_ridges_are_followed_to_their_end():
    """-max(|x| + y^2, |3 y - 1|) is greatest where all pieces meet: x = 0 and y^2 = 1 - 3 y."""

    def number(z):
        x, y = z.T
        return -np.maximum(np.abs(x) + y * y, np.abs(3 * y - 1))

    def slope(z):
        x, y = z.T
        first = np.abs(x) + y * y > np.abs(3 * y - 1)
        dx = np.where(first, -np.sign(x), 0)
        dy = np.where(first, -2 * y, -3 * np.sign(3 * y - 1))
        return number(z), np.stack([dx, dy], axis=1)

    start = np.array([0.9, -0.8])
    z = along_ridges(number, slope, start, -np.ones(2), np.ones(2), np.random.default_rng(0), 400)
    y = (-3 + math.sqrt(13)) / 2
    assert number(z[None])[0] == pytest.approx(-y * y, abs=1e-8)


def test_shortest_mixture_of_slopes():
    none = np.zeros(2, bool)
    assert shortest_mixture(np.array([[1.0, 1.0], [1.0, -1.0]]), none, none) == pytest.approx([1, 0], abs=1e-5)
    assert shortest_mixture(np.array([[1.0, 2.0], [-1.0, -2.0]]), none, none) == pytest.approx([0, 0], abs=1e-5)
    lower, upper = np.array([False, True]), np.array([True, False])
    assert shortest_mixture(np.array([[3.0, 2.0]]), none, upper) == pytest.approx([0, 2], abs=1e-5)
    assert shortest_mixture(np.array([[3.0, 2.0]]), lower, none) == pytest.approx([3, 2], abs=1e-5)
    assert shortest_mixture(np.array([[3.0, -2.0]]), lower, none) == pytest.approx([3, 0], abs=1e-5)


def test_turns_of_the_speeds_never_fall():
    arm, rng = la.load("puma560"), np.random.default_rng(6)
    q, qd = rng.uniform(-1, 1, (50, 6)), rng.standard_normal((50, 6))
    qd /= np.linalg.norm(qd, axis=1, keepdims=True)
    gamma = christoffel_symbols(arm, q)
    assert gamma[0] == pytest.approx(np.array(la.christoffel(arm, q[0])), abs=1e-13)

    def lengths(speeds):
        return np.linalg.norm(np.einsum("kijm,kj,km->ki", gamma, speeds, speeds), axis=1)

    before = lengths(qd)
    for _ in range(5):
        qd = unit_speeds(arm, q, qd, 1)
        after = lengths(qd)
        assert (after >= before * (1 - 1e-12)).all()
        before = after
    assert np.linalg.norm(qd, axis=1) == pytest.approx(1)


def test_a_box_may_be_a_point():
    arm = la.load("elbow")
    found = best_state(arm, "g_b", [0.25, 0.5], [0.25, 0.5])
    assert found == {"q": (0.25, 0.5)}


def test_bad_boxes():
    arm = la.load("elbow")
    with pytest.raises(InputError, match="lower end of theta2 is above"):
        best_state(arm, "mu1", [0, 1], [1, 0])
    with pytest.raises(InputError, match="finite"):
        sampled(arm, "mu1", [0, -math.inf], [1, 1], 10)
    with pytest.raises(InputError, match="one or more"):
        sampled(arm, "mu1", [0, 0], [1, 1], 0)
    with pytest.raises(InputError, match="lambda1"):
        best_state(arm, "lambda", [0, 0], [1, 1])


def test_samples_are_held_against_enclosures(monkeypatch):
    """bench/sample_bounds.py: an enclosure that is too narrow on the side that counts is told, and no other."""
    monkeypatch.syspath_prepend(str(BENCH))
    bench = importlib.import_module("sample_bounds")
    sides = {
        "mu1": (0.17, 0.18),
        "mu2": (5, 5.5),
        "norm_lower": (1.2, 1.3),
        "g_b": (30, 32),
        "v_b": (1.6, None),
        "norm_upper": (6, 8),
    }
    rows = [
        {
            "key": key,
            "statement": "||M(q)||_inf <= norm_upper" if key == "norm_upper" else "norm_lower <= ||M(q)||_2",
            "bound": {"lower": low, "upper": high, "how": "certified enclosure", "part": None},
        }
        for key, (low, high) in sides.items()
    ]
    report = {"arm": {"name": "elbow"}, "box": {"theta1": [-3, 3], "theta2": [-3, 3]}, "rows": rows}
    found = {s.quantity: s for s in bench.samples(report, 20_000, 0)}
    assert [key for key, sample in found.items() if not sample.is_inside] == ["mu2", "norm_lower"]
    assert found["norm_upper"].sampled[0] == pytest.approx(7, rel=1e-6)
    assert found["mu2"].distance < 0 < found["g_b"].distance
    assert bench.table(found.values()).count("OUTSIDE") == 2
