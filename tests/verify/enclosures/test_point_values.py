"""Balls, and values of extremes certified at one state: what is claimed holds in exact arithmetic."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np
import pytest

import leverarm as la
from leverarm.errors import InputError
from leverarm.scalars import BALL, Dual, as_ball, cos_sin, precision
from leverarm.verify.enclosures.extremes import EXTREMES, certified_value
from leverarm.verify.enclosures.rigid_chain import effective_mass_axes


def test_decimals_are_taken_as_they_are_written():
    with precision(200):
        tenth = BALL.lift(0.1)
        assert tenth.arb.contains(_arb(Fraction(1, 10)))
        assert not tenth.arb.contains(_arb(Fraction(0.1)))
        assert as_ball(0.1).arb.contains(_arb(Fraction(0.1)))  # the number of a state is its float
        assert BALL.turn(math.pi / 2) == (0, 1)


def test_bounds_are_the_next_floats_outside():
    with precision(120):
        low, high = (as_ball(1) / 3).bounds()
        assert Fraction(low) < Fraction(1, 3) < Fraction(high)
        assert high == math.nextafter(low, 1)
        assert as_ball(0.5).bounds() == (0.5, 0.5)
        assert (as_ball(1) / (as_ball(1) / 3 - as_ball(Fraction(1, 3)))).bounds() == (-math.inf, math.inf)


def test_structural_numbers_are_absorbed_and_other_scalars_left_alone():
    x = as_ball(0.75)
    assert 0 * x == 0 and type(x * 0) is int and 0 / x == 0
    assert x + 0 is x and x * 1 is x and x - 0 is x
    product = x * Dual(x, 1)
    assert isinstance(product, Dual) and float(product.slope) == 0.75
    assert (Fraction(1, 4) * x).bounds() == (0.1875, 0.1875) and (1 - x).bounds() == (0.25, 0.25)


def test_cosine_and_sine_are_not_exchanged():
    with precision(120):
        c, s = cos_sin(as_ball(1))
        assert c.bounds()[0] <= math.cos(1) <= c.bounds()[1]
        assert s.bounds()[0] <= math.sin(1) <= s.bounds()[1]


def test_precision_comes_back():
    import flint

    before = flint.ctx.prec
    with pytest.raises(ZeroDivisionError), precision(400):
        assert flint.ctx.prec == 400
        raise ZeroDivisionError
    assert flint.ctx.prec == before


def test_eigenvalues_of_a_stretched_elbow_in_exact_arithmetic():
    """M = [[5, 2], [2, 1]], whose eigenvalues are 3 -+ sqrt(8): (3 - x)^2 = 8, decided over the rationals."""
    arm, state = la.load("elbow"), {"q": (0.3, 0.0)}
    low, high = (Fraction(x) for x in certified_value(arm, "mu1", state))
    assert (3 - low) ** 2 >= 8 >= (3 - high) ** 2
    assert high - low < Fraction(1, 10**14)
    low, high = (Fraction(x) for x in certified_value(arm, "mu2", state))
    assert (low - 3) ** 2 <= 8 <= (high - 3) ** 2
    assert certified_value(arm, "norm_upper", state, "inf") == (7.0, 7.0)
    low, high = (Fraction(x) for x in certified_value(arm, "norm_upper", state, "fro"))
    assert low**2 <= 34 <= high**2


@pytest.mark.parametrize("name", ["elbow", "polar", "puma560", "ur5", "panda", "torso", "stanford"])
def test_certified_values_enclose_what_floats_give(name):
    """Floats are off by some roundings times the condition of M; the certified interval itself is far tighter."""
    arm, rng = la.load(name), random.Random(7)
    q, qd = ([rng.uniform(-1, 1) for _ in range(arm.dof)] for _ in range(2))
    M, axes = la.mass_matrix(arm, q), effective_mass_axes(arm)
    Lambda = np.linalg.eigvalsh(la.operational_inertia(arm, q, axes=axes))
    expected = {
        ("mu1", "2"): np.linalg.eigvalsh(M)[0],
        ("mu2", "2"): np.linalg.eigvalsh(M)[-1],
        **{("norm_lower", norm): np.linalg.norm(M, _NUMPY[norm]) for norm in _NUMPY},
        ("g_b", "2"): np.linalg.norm(la.gravity(arm, q)),
        ("v_b", "2"): np.linalg.norm(la.coriolis_torques(arm, q, qd)) / np.dot(qd, qd),
        ("lambda1", "2"): Lambda[0],
        ("lambda2", "2"): Lambda[-1],
    }
    rounding = 1e-14 * np.linalg.cond(M)
    for (quantity, norm), value in expected.items():
        low, high = certified_value(arm, quantity, {"q": q, "qd": qd}, norm)
        assert low * (1 - rounding) <= value <= high * (1 + rounding), quantity
        assert 0 <= high - low <= 1e-14 * high, quantity


_NUMPY = {"1": 1, "2": 2, "inf": np.inf, "fro": "fro"}


def test_speeds_of_any_length_give_the_same_bound():
    arm, q, qd = la.load("puma560"), [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], [1.0, -2.0, 0.5, 0.25, 1.5, 0.75]
    one = certified_value(arm, "v_b", {"q": q, "qd": qd})
    assert certified_value(arm, "v_b", {"q": q, "qd": [-4 * x for x in qd]}) == one


def test_an_effective_mass_can_be_infinite():
    arm = la.load("elbow")
    low, high = certified_value(arm, "lambda2", {"q": (0.4, 0.0)})
    assert low > 1e30 and high == math.inf
    assert certified_value(arm, "lambda1", {"q": (0.4, 0.0)})[1] < 2


def test_a_sliding_point_has_no_coriolis_torques():
    assert certified_value(la.load("point-mass"), "v_b", {"q": [0.3], "qd": [1.0]}) == (0.0, 0.0)


@pytest.mark.parametrize("quantity", EXTREMES)
def test_another_state_has_another_value(quantity):
    """The intervals are tight enough to tell states apart that differ in the ninth digit."""
    arm = la.load("planar3r")
    here, there = ({"q": (0.3, 0.5 + shift, 0.7), "qd": (1.0, 0.5, -0.3)} for shift in (0.0, 1e-9))
    (a, b), (c, d) = certified_value(arm, quantity, here), certified_value(arm, quantity, there)
    assert b < c or d < a


def test_bad_input():
    arm = la.load("elbow")
    with pytest.raises(InputError, match="mu1"):
        certified_value(arm, "mu_1", {"q": [0, 0]})
    with pytest.raises(InputError, match="norm"):
        certified_value(arm, "norm_lower", {"q": [0, 0]}, "max")
    with pytest.raises(InputError, match="theta2"):
        certified_value(arm, "mu1", {"q": [0]})


def _arb(x: Fraction):
    """The narrowest ball around a number; itself where it is exact in binary."""
    return as_ball(x).arb
