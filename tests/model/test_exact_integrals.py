"""Exact integrals of densities: closed forms of shapes, SymPy, and cubature of the same densities."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
import sympy

import leverarm as la
from leverarm.errors import LeverarmError
from leverarm.model import parse_quantity, to_float
from leverarm.model.inertias.exact_integrals import exact_solid, exact_value, expression_of
from leverarm.model.inertias.solids import SHAPES, solid
from leverarm.spatial import IDENTITY, Pose, Vec3
from tests.support.levels import at_level

a, b, c, R, r1, L, h, rho = (la.symbol(name) for name in ("a", "b", "c", "R", "r1", "L", "h", "rho"))


def integrated(density, shape, **measures):
    return exact_solid(parse_quantity(str(density)), solid(shape, **measures)).inertia()


def exactly(body):
    return [exact_value(x, {}) for x in body.numbers()]


def minus(whole, hole):
    return type(whole)(whole.m - hole.m, whole.h - hole.h, whole.I - hole.I)


def at(body, x=0, y=0, z=0):
    return la.inertia.moved(body, Pose(IDENTITY, Vec3(x, y, z)))


def frustum():
    """A cone from z = 0 without its tip above z = h/2, which is a cone of half the size."""
    return minus(integrated("rho", "cone"), at_exact(integrated("rho", "cone", radius="R/2", height="h/2"), "h/2"))


def at_exact(body, z):
    return body.into_parent(Pose(IDENTITY, Vec3(0, 0, exact_value(parse_quantity(z), {}))))


TUBE = minus(integrated("rho", "cylinder"), integrated("rho", "cylinder", radius="r1"))
SHELL = minus(integrated("rho", "sphere"), integrated("rho", "sphere", radius="r1"))

CLOSED_FORMS = {
    "box": (integrated("rho", "box"), la.inertia.box(a, b, c, density=rho)),
    "box at its corner": (
        integrated("rho", "box", x=(0, "a"), y=(0, "b"), z=(0, "c")),
        at(la.inertia.box(a, b, c, density=rho), a / 2, b / 2, c / 2),
    ),
    "cube": (integrated("rho", "box", x="a", y="a", z="a"), la.inertia.box(a, a, a, density=rho)),
    "plate": (integrated("rho", "plate"), la.inertia.box(a, b, 0, mass=rho * a * b)),
    "rod": (integrated("rho", "rod"), la.inertia.rod(L, density=rho)),
    "rod at its end": (integrated("rho", "rod", length=(0, "L")), at(la.inertia.rod(L, density=rho), z=L / 2)),
    "cylinder": (integrated("rho", "cylinder"), la.inertia.cylinder(R, L, density=rho)),
    "tube": (TUBE, la.inertia.hollow_cylinder(r1, R, L, density=rho)),
    "sphere": (integrated("rho", "sphere"), la.inertia.sphere(R, density=rho)),
    "hollow sphere": (SHELL, la.inertia.hollow_sphere(r1, R, density=rho)),
    "cone": (integrated("rho", "cone"), la.inertia.cone(R, h, density=rho)),
    "cone as wide as high": (integrated("rho", "cone", radius="h"), la.inertia.cone(h, h, density=rho)),
    "frustum": (
        frustum(),
        minus(la.inertia.cone(R, h, density=rho), at(la.inertia.cone(R / 2, h / 2, density=rho), z=h / 2)),
    ),
}


@pytest.mark.parametrize("shape", CLOSED_FORMS)
def test_uniform_solids_are_their_closed_forms_exactly(shape):
    found, closed = CLOSED_FORMS[shape]
    assert list(found.numbers()) == exactly(closed)


def test_textbook_results_of_densities_that_vary():
    """A rod that grows denser to one end, a ball that thins out: 7/12 and 4/15."""
    rod = la.inertia.density("rho0*(1 + z/L)", solid("rod", length=(0, "L")))
    assert [str(x) for x in (rod.m, rod.h.z, rod.I.xx)] == ["3/2*L*rho0", "5/6*L^2*rho0", "7/12*L^3*rho0"]
    ball = integrated("rho0*(1 - r/R)", "sphere")
    assert ball.I.zz == ball.m * exact_value(R * R, {}) * Fraction(4, 15)
    assert ball.I.xx == ball.I.yy == ball.I.zz and [*ball.h] == [0, 0, 0]


DENSITIES = ("k + p*x^2*y - 3*z^3 + x*y*z", "(k + x)^2*(1 - z/q) + y^2", "k + p*x*y + (x*z)^2/q")


def by_sympy(density: str, shape: str) -> list[sympy.Expr]:
    x, y, z, r, phi, theta = sympy.symbols("x y z r phi theta", real=True)
    names = {name: sympy.Symbol(name, positive=True) for name in ("a", "b", "c", "R", "L", "h", "k", "p", "q")}
    A, B, C, rad, length, high = (names[name] for name in ("a", "b", "c", "R", "L", "h"))
    around = {x: r * sympy.cos(phi), y: r * sympy.sin(phi)}
    ball = {x: r * sympy.sin(theta) * sympy.cos(phi), y: r * sympy.sin(theta) * sympy.sin(phi), z: r * sympy.cos(theta)}
    place, element, limits = {
        "box": ({}, 1, [(z, -C / 2, C / 2), (y, -B / 2, B / 2), (x, -A / 2, A / 2)]),
        "cylinder": (around, r, [(z, -length / 2, length / 2), (r, 0, rad), (phi, 0, 2 * sympy.pi)]),
        "cone": (around, r, [(z, 0, high * (1 - r / rad)), (r, 0, rad), (phi, 0, 2 * sympy.pi)]),
        "sphere": (ball, r**2 * sympy.sin(theta), [(phi, 0, 2 * sympy.pi), (theta, 0, sympy.pi), (r, 0, rad)]),
    }[shape]
    rho_ = sympy.sympify(density.replace("^", "**"), locals={**names, "x": x, "y": y, "z": z})
    moments = (1, x, y, z, y**2 + z**2, -x * y, x**2 + z**2, -x * z, -y * z, x**2 + y**2)
    found = []
    for moment in moments:
        value = sympy.expand((rho_ * moment).subs(place, simultaneous=True) * element)
        for limit in limits:
            value = sympy.expand(sympy.integrate(value, limit))
        found.append(value)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["box", "cylinder", "cone", "sphere"])
@pytest.mark.parametrize("density", DENSITIES[: at_level(1, 1, 3)])
def test_symbolic_densities_against_sympy(shape, density):
    """Another order of integration where there is a choice: along z first in the cylinder and the cone."""
    names = {name: sympy.Symbol(name, positive=True) for name in ("a", "b", "c", "R", "L", "h", "k", "p", "q")}
    for mine, other in zip(integrated(density, shape).numbers(), by_sympy(density, shape), strict=True):
        own = sympy.sympify(str(expression_of(mine)).replace("^", "**"), locals=names)
        assert sympy.simplify(sympy.expand(own - other)) == 0


@pytest.mark.parametrize(
    ("shape", "measures", "density"),
    [
        ("box", {"x": (0, 0.4), "y": 0.2, "z": 0.1}, "700*(1 + x/0.4) + 2000*y*z"),
        ("cylinder", {"radius": 0.1, "length": 0.3}, "2700*(1 - r^2/0.02) + 400*x"),
        ("sphere", {"radius": 0.2}, "1000*(2 - r/0.2) + 800*x + 300*z"),
        ("cone", {"radius": 0.2, "height": 0.5}, "1000*(1 + z) + 900*y"),
        ("rod", {"length": 0.5}, "3*(1 + z)"),
        ("plate", {"x": 0.5, "y": 0.2}, "20*(1 + x + x*y)"),
    ],
)
def test_cubature_of_the_same_density_agrees(shape, measures, density):
    body = solid(shape, **measures)
    exact = la.inertia.density(density, body)
    formula, is_ball = parse_quantity(density), shape == "sphere"

    def function(x, y, z):
        return to_float(formula, {"x": x, "y": y, "z": z, "r": math.hypot(x, y, z * is_ball)})

    found = la.inertia.density(function, body, rtol=1e-5)
    size = float(exact.m) * 0.5**2
    assert found.m == pytest.approx(float(exact.m), rel=1e-6)
    assert found.numbers()[1:] == pytest.approx([float(x) for x in exact.numbers()[1:]], abs=1e-6 * size)
    assert la.inertia.is_physical(exact) and all(isinstance(x, int | float | Fraction) for x in exact.numbers())


def test_a_function_over_a_cylinder_is_within_a_part_in_a_thousand_and_cheap():
    calls = []

    def rho_(x, y, z):
        calls.append(1)
        return 1000 * math.exp(-z)

    found = la.inertia.density(rho_, solid("cylinder", radius=0.1, length=0.3), rtol=1e-3)
    assert found.m == pytest.approx(1000 * math.pi * 0.01 * 2 * math.sinh(0.15), rel=1e-6)
    assert len(calls) < 5000


def test_a_formula_of_numbers_that_is_no_polynomial_is_integrated_numerically():
    found = la.inertia.density("1000*cos(z)", solid("cylinder", radius=0.1, length=0.3))
    assert found.m == pytest.approx(1000 * math.pi * 0.01 * 2 * math.sin(0.15), rel=1e-9)


def test_a_box_between_corners_takes_formulas():
    body = la.inertia.density("rho0*(1 + x/L)", (0, 0, 0), ("L", "b", "c"))
    values = {"rho0": 3.0, "L": 2.0, "b": 0.5, "c": 0.25}
    numeric = la.inertia.density(lambda x, y, z: 3.0 * (1 + x / 2), (0, 0, 0), (2, 0.5, 0.25))
    assert [to_float(x, values) for x in body.numbers()] == pytest.approx(numeric.numbers(), rel=1e-12)


def test_an_exact_inertia_belongs_to_an_arm():
    body = la.inertia.density("rho0*(1 + z/L)", solid("rod", length=(0, "L")))
    link = la.Body("rod", "base", la.Joint("swing", la.JointKind.REVOLUTE, axis=Vec3(0, 1, 0)),
                   la.MassProperties.from_inertia(body))  # fmt: skip
    arm = la.Arm("pendulum", (link,), symbols=(("rho0", 2.0), ("L", 0.5)))
    assert la.equations(arm).M[0, 0].text() == "7/12 L^3 rho0"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: la.inertia.density("rho*cos(z)", solid("cylinder")), r"have no cos\. With numbers"),
        (lambda: la.inertia.density("rho/x", solid("box")), "divides by a coordinate"),
        (
            lambda: la.inertia.density("1000*(0.5 + x)", solid("sphere", radius=1)),
            "a density must be finite and not negative",
        ),
        (lambda: la.inertia.density("k*x*y", solid("plate")), "the mass of the plate is zero"),
        (lambda: la.inertia.integrals("k - x", solid("plate"), {"k": 1.0, "a": 4.0, "b": 1.0}), "not negative"),
        (lambda: la.inertia.density("rho*x", solid("rod")), "that of a rod is a function of z"),
        (lambda: la.inertia.density("rho*r", solid("box")), "has r, but that of a box"),
        (lambda: la.inertia.density("rho*(1", solid("box")), r"column 7: expected '\)'"),
        (lambda: la.inertia.density(lambda x, y, z: 1.0, solid("rod")), "has L in its measures"),
        (lambda: la.inertia.density("1/(1-1)", solid("rod")), "divided by zero"),
        (lambda: solid("cylinder", radius="r"), "r is a coordinate"),
        (lambda: solid("cylinder", radus=1), "did you mean 'radius'"),
        (lambda: solid("ball"), "shape named 'ball'.*sphere"),
        (lambda: solid("cone", radius=-1), "zero or positive"),
        (lambda: solid("cone", radius=0), "must be positive"),
        (lambda: solid("cone", radius=(0, 1)), "only an edge may be a pair"),
        (lambda: solid("box", x=(1, 0)), "its ends must be rising"),
        (lambda: solid("box", x=None), "must be a finite number"),
        (lambda: solid("box", x="a+"), "found the end"),
        (lambda: la.inertia.integrals("k", solid("rod", length=("L", 0)), {"k": 1.0, "L": 1.0}), "ends must be finite"),
        (lambda: la.inertia.integrals("k", solid("sphere"), {"k": 1.0, "R": -1.0}), "from 0 to -1"),
        (lambda: la.inertia.integrals("rho", solid("rod"), {"m": 1.0}), "m is no symbol here. Symbols: L, rho"),
        (lambda: la.inertia.integrals("rho", solid("rod"), {"L": 1.0}), "values of rho are missing"),
    ],
)
def test_bad_input_is_one_clear_error(call, message):
    with pytest.raises(LeverarmError, match=message):
        call()


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_is_shown(shape):
    shown = la.inertia.integrals("rho", solid(shape))
    titles = [step.title for step in shown]
    assert titles[1:5] == ["Mass", "First moments", "Moments of inertia", "Products of inertia"]
    assert "Verified" in shown.text() and "∫" in shown.text()
