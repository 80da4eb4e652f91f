"""Power series as a number system: identities of the operations, and of the mechanics along a motion, mostly exact."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest

from leverarm import mechanics as me
from leverarm.errors import InputError
from leverarm.model import bind
from leverarm.scalars import RATIONAL, Dual, Series, Turn, as_length, cos_sin, sign, tanh
from tests.support.random_arms import exact_state, float_state, random_arm

LENGTH = 5


def rational_series(rng):
    return Series(tuple(Fraction(rng.randint(1, 9), rng.randint(1, 5)) for _ in range(LENGTH)))


def slope(x):
    """The derivative, one shorter."""
    return Series(tuple(k * c for k, c in enumerate(x.coefficients) if k))


def shortened(x):
    return x.coefficients[:-1]


def test_arithmetic_is_that_of_polynomials_cut_off():
    rng = random.Random(1)
    a, b = rational_series(rng), rational_series(rng)
    at = Fraction(3, 7)

    def value(x):
        return sum(c * at**k for k, c in enumerate(x.coefficients))

    whole = [sum(a.coefficients[j] * b.coefficients[k - j] for j in range(k + 1)) for k in range(LENGTH)]
    assert list((a * b).coefficients) == whole
    assert value(a + b) == value(a) + value(b)
    assert value(a - b) == value(a) - value(b)
    assert value(2 - a) == 2 - value(a)
    assert value(a - 2) == value(a) - 2
    assert value(-a / 3) == -value(a) / 3
    assert (a / b * b).coefficients == a.coefficients
    assert (1 / b * b).coefficients == (1, 0, 0, 0, 0)
    assert (a * Series(b.coefficients[:2])).coefficients == tuple(whole[:2])


def test_structural_zeros_and_ones_stay():
    x = Series((2.0, 1.0))
    assert type(0 * x) is int
    assert type(0 / x) is int
    assert x + 0 is x
    assert 1 * x is x


def test_cosine_and_sine_over_exact_angles():
    angle = Series((Turn.from_half_tangent(Fraction(1, 2)), *(Fraction(k, 3) for k in (2, -1, 4, 1))))
    c, s = cos_sin(angle)
    assert c.coefficients[0] == Fraction(3, 5)
    assert (c * c + s * s).coefficients == (1, 0, 0, 0, 0)
    assert slope(s).coefficients == (Series(shortened(c)) * slope(angle)).coefficients
    assert as_length(Series((Turn(1, 0, Fraction(2)), Fraction(1)))).coefficients == (2, 1)


def test_functions_have_their_taylor_coefficients():
    c, s = cos_sin(Series((0.7, 1.0, 0.0, 0.0, 0.0)))
    quarters = [0.7 + k * math.pi / 2 for k in range(LENGTH)]
    assert c.coefficients == pytest.approx([math.cos(x) / math.factorial(k) for k, x in enumerate(quarters)], abs=1e-15)
    assert s.coefficients == pytest.approx([math.sin(x) / math.factorial(k) for k, x in enumerate(quarters)], abs=1e-15)
    y = tanh(Series((0.3, 2.0, -1.0, 0.5, 0.25)))
    assert y.coefficients[0] == math.tanh(0.3)
    right = (1 - y * y) * Series((2.0, -2.0, 1.5, 1.0))
    assert slope(y).coefficients == pytest.approx(right.coefficients, abs=1e-14)


def test_a_sign_is_constant_and_only_away_from_zero():
    assert sign(Series((-0.1, 5.0))) == -1
    assert sign(Series((0.0, 0.0))) == 0
    with pytest.raises(InputError, match="begins at zero"):
        sign(Series((0.0, 5.0)))


def test_a_dual_holds_series():
    x = Dual(Series((Fraction(2), Fraction(1))), 1)
    for y in (x.value * x, x * x.value):
        assert isinstance(y, Dual)
        assert y.slope.coefficients == (2, 1)
    for y in (x.value + x, x - x.value, x / x.value, x.value - x):
        assert isinstance(y, Dual)


def along(arm, seed):
    """q(s), qd(s), qdd(s) of a motion through a random state in which every joint moves, over the rationals."""
    q, qd, qdd = exact_state(arm, seed)
    qd = [v or Fraction(1, 3) for v in qd]
    rng = random.Random(seed)
    third = [Fraction(rng.randint(-5, 5), 4) for _ in q]
    path = [Series((x, v, a / 2, j / 6)) for x, v, a, j in zip(q, qd, qdd, third, strict=True)]
    rate = [Series((v, a, j / 2)) for v, a, j in zip(qd, qdd, third, strict=True)]
    return path, rate, [Series((a, j)) for a, j in zip(qdd, third, strict=True)]


@pytest.mark.parametrize("seed", range(6))
def test_power_is_the_rate_of_energy_exactly(seed):
    """d(K + P)/dt = qd . (tau - friction) along a motion, to second order in time, with tolerance zero."""
    arm = random_arm(seed, joints=3)
    mechanism = bind(arm, RATIONAL)
    q, qd, qdd = along(arm, seed)
    energy = me.kinetic_energy(mechanism, q, qd) + me.potential_energy(mechanism, q)
    tau = me.inverse_dynamics(mechanism, q, qd, qdd)
    losses = me.friction(mechanism, [Series(v.coefficients[:2]) for v in qd])
    power = sum(v * (t - f) for v, t, f in zip(qd, tau, losses, strict=True))
    assert slope(energy).coefficients[:2] == power.coefficients


@pytest.mark.parametrize("seed", range(4))
def test_forward_after_inverse_is_the_identity_along_a_motion(seed):
    arm = random_arm(seed, joints=2)
    mechanism = bind(arm, RATIONAL)
    q, qd, qdd = along(arm, seed)
    tau = me.inverse_dynamics(mechanism, q, qd, qdd)
    back = me.forward_dynamics(mechanism, q, qd, tau)
    assert [x.coefficients for x in back] == [x.coefficients for x in qdd]


def test_coefficients_are_derivatives():
    """Against central differences of plain floats."""
    arm = random_arm(11, joints=5)
    mechanism = bind(arm)
    q, qd, qdd = float_state(arm, 11)
    path = [Series((x, v, a / 2)) for x, v, a in zip(q, qd, qdd, strict=True)]

    def matrix(s):
        return me.mass_matrix(mechanism, [x + s * v + s * s * a / 2 for x, v, a in zip(q, qd, qdd, strict=True)])

    h = 1e-4
    for row, low, high in zip(me.mass_matrix(mechanism, path), matrix(-h), matrix(h), strict=True):
        for x, a, b in zip(row, low, high, strict=True):
            if isinstance(x, Series):
                assert x.coefficients[1] == pytest.approx((b - a) / (2 * h), rel=1e-5, abs=1e-5)
