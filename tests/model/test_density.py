"""Triple integrals of a density against closed forms, and the honesty of their error."""

from __future__ import annotations

import math

import pytest

from leverarm.errors import InputError
from leverarm.model.inertias.algebra import moved
from leverarm.model.inertias.cubature import FIFTH, NODES, SEVENTH
from leverarm.model.inertias.density import inertia_of_density
from leverarm.model.inertias.shapes import inertia_of_box, inertia_of_cylinder, inertia_of_sphere
from leverarm.spatial import IDENTITY, Pose, Vec3


def monomial_mean(i, j, k):
    """The mean of x^i y^j z^k over [-1, 1]^3."""
    return math.prod(0.0 if p % 2 else 1 / (p + 1) for p in (i, j, k))


@pytest.mark.parametrize(("weights", "degree"), [(SEVENTH, 7), (FIFTH, 5)])
def test_the_rule_has_its_degree_and_no_more(weights, degree):
    def error(i, j, k):
        total = sum(w * x**i * y**j * z**k for w, (x, y, z) in zip(weights, NODES, strict=True))
        return abs(total - monomial_mean(i, j, k))

    exponents = [(i, j, k) for i in range(9) for j in range(9) for k in range(9)]
    assert max(error(*e) for e in exponents if sum(e) <= degree) < 1e-14
    assert max(error(*e) for e in exponents if sum(e) == degree + 1) > 1e-3


def test_a_uniform_box_off_the_origin():
    found = inertia_of_density(lambda x, y, z: 7.0, (1, 2, 3), (2, 4, 6))
    expected = moved(inertia_of_box(1, 2, 3, density=7), Pose(IDENTITY, Vec3(1.5, 3, 4.5)))
    assert found.numbers() == pytest.approx([float(x) for x in expected.numbers()], rel=1e-14)
    assert found.I.xy == pytest.approx(-7 * 6 * 1.5 * 3)  # minus the integral of x y rho


def test_a_polynomial_density_needs_only_the_first_boxes():
    calls = []

    def rho(x, y, z):
        calls.append((x, y, z))
        return 1 + x * x * y + z**3

    found = inertia_of_density(rho, (0, 0, 0), (1, 1, 1), rtol=1e-12)
    assert found.m == pytest.approx(17 / 12, rel=1e-14)
    assert found.h.x == pytest.approx(1 / 2 + 1 / 8 + 1 / 8, rel=1e-14)
    assert found.I.zz == pytest.approx((1 / 3 + 1 / 10 + 1 / 12) + (1 / 3 + 1 / 12 + 1 / 12), rel=1e-14)
    assert len(calls) == 27 * len(NODES)


@pytest.mark.parametrize("rtol", [1e-3, 1e-5])
def test_a_narrow_bell_is_right_within_its_tolerance(rtol):
    """exp(-r^2 k): m = (pi/k)^(3/2), and every second moment m/(2 k)."""
    k, x0 = 30.0, 0.1
    found = inertia_of_density(
        lambda x, y, z: math.exp(-k * ((x - x0) ** 2 + y * y + z * z)), (-3,) * 3, (3,) * 3, rtol
    )
    m = (math.pi / k) ** 1.5
    assert found.m == pytest.approx(m, rel=rtol)
    assert found.h.x == pytest.approx(m * x0, rel=10 * rtol)
    assert found.I.zz == pytest.approx(m * (2 / (2 * k) + x0 * x0), rel=3 * rtol)


def test_bodies_cut_out_of_the_box_agree_with_their_closed_forms():
    ball = inertia_of_density(
        lambda x, y, z: 1000.0 * (x * x + y * y + z * z <= 0.0625), (-0.3, -0.3, -0.3), (0.35, 0.3, 0.3), rtol=0.1
    )
    assert ball.numbers() == pytest.approx(inertia_of_sphere(0.25, density=1000.0).numbers(), rel=0.03, abs=0.1)
    tube = inertia_of_density(lambda x, y, z: 5.0 * (x * x + y * y < 1), (-1, -1, -0.5), (1, 1, 0.5), rtol=0.01)
    exact = inertia_of_cylinder(1, 1, density=5.0)
    assert tube.m == pytest.approx(exact.m, rel=0.01)
    assert tube.I.zz == pytest.approx(exact.I.zz, rel=0.01)


def test_a_jump_is_not_waved_through():
    with pytest.raises(InputError, match=r"only known to .* within max_evaluations=20000; rtol=1.0e-06"):
        inertia_of_density(lambda x, y, z: float(x > 0.1234), (-1, -2, -1), (1, 1, 1), max_evaluations=20_000)


@pytest.mark.parametrize(
    ("rho", "message"),
    [
        (lambda x, y, z: math.nan if x > 0.9 else 1.0, r"rho\(0\.9.*\) is nan"),
        (lambda x, y, z: math.inf, r"rho\(.*\) is inf"),
        (lambda x, y, z: -1.0 if z < 0.1 else 1.0, r"rho\(.*\) is -1\.0; a density must be"),
        (lambda x, y, z: None, r"rho\(.*\) is None; it must be a number"),
        (lambda x, y, z: 0.0, r"zero at every point tried"),
    ],
)
def test_values_that_are_no_density_name_the_point(rho, message):
    with pytest.raises(InputError, match=message):
        inertia_of_density(rho, (0, 0, 0), (1, 1, 1))


@pytest.mark.parametrize(
    ("lower", "upper", "rtol", "message"),
    [
        ((0, 0), (1, 1, 1), 1e-6, "2 lower and 3 upper bounds"),
        ((0, 0, 0), (1, 0, 1), 1e-6, "from 0 to 0 along y"),
        ((0, 0, 0), (1, 1, math.nan), 1e-6, "along z"),
        ((0, 0, 0), (1, 1, 1), 0, "rtol is 0"),
    ],
)
def test_wrong_boxes_are_refused(lower, upper, rtol, message):
    with pytest.raises(InputError, match=message):
        inertia_of_density(lambda x, y, z: 1.0, lower, upper, rtol)
