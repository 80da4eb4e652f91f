"""Inertia of shapes against independent integrals, and the algebra of the ten numbers."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leverarm.errors import InputError
from leverarm.model import MassProperties, Placement, parse_quantity, symbol, to_float
from leverarm.model.inertias.algebra import (
    about_com,
    about_point,
    centre_of_mass,
    inertia_from_pseudo,
    moved,
    placed,
    pose_of,
    pseudo_inertia,
    rotated,
    second_moments,
    welded,
)
from leverarm.model.inertias.physical import is_physical, physical_defects, principal_axes, symmetric_eigen
from leverarm.model.inertias.shapes import (
    inertia_of_box,
    inertia_of_capsule,
    inertia_of_cone,
    inertia_of_cylinder,
    inertia_of_hollow_cylinder,
    inertia_of_hollow_sphere,
    inertia_of_point,
    inertia_of_rod,
    inertia_of_sphere,
)
from leverarm.scalars import Dual, slope
from leverarm.spatial import IDENTITY, Inertia, Pose, Symmetric3, Vec3, rotation_about, rotation_from_rpy

R, r, L, RHO = 0.3, 0.1, 0.7, 1200.0
TURN = rotation_from_rpy(*((math.cos(a), math.sin(a)) for a in (0.3, -1.1, 2.0)))


def disc_integrals(inner, outer, bottom, top, pieces=4000):
    """m, z moment and the moments about x and z of a body of revolution, by the midpoint rule over thin discs."""
    m = h = across = along = 0.0
    width = (top - bottom) / pieces
    for k in range(pieces):
        z = bottom + (k + 0.5) * width
        a, b = inner(z), outer(z)
        disc = RHO * math.pi * (b * b - a * a) * width
        m += disc
        h += disc * z
        along += disc * (a * a + b * b) / 2
        across += disc * ((a * a + b * b) / 4 + z * z)
    return m, h, across, along


def ball(radius):
    return lambda z: math.sqrt(max(radius * radius - z * z, 0.0))


def capsule(z):
    return R if abs(z) < L / 2 else ball(R)(abs(z) - L / 2)


REVOLUTION = {
    "sphere": (inertia_of_sphere(R, density=RHO), lambda z: 0.0, ball(R), -R, R),
    "hollow sphere": (inertia_of_hollow_sphere(r, R, density=RHO), ball(r), ball(R), -R, R),
    "cylinder": (inertia_of_cylinder(R, L, density=RHO), lambda z: 0.0, lambda z: R, -L / 2, L / 2),
    "hollow cylinder": (inertia_of_hollow_cylinder(r, R, L, density=RHO), lambda z: r, lambda z: R, -L / 2, L / 2),
    "capsule": (inertia_of_capsule(R, L, density=RHO), lambda z: 0.0, capsule, -L / 2 - R, L / 2 + R),
    "cone": (inertia_of_cone(R, L, density=RHO), lambda z: 0.0, lambda z: R * (1 - z / L), 0.0, L),
}


@pytest.mark.parametrize("name", REVOLUTION)
def test_bodies_of_revolution_equal_their_disc_integrals(name):
    body, inner, outer, bottom, top = REVOLUTION[name]
    m, h, across, along = disc_integrals(inner, outer, bottom, top)
    # The midpoint rule's error is (1/4000)^2 times a curvature of order one, more at the poles of a ball.
    assert body.m == pytest.approx(m, rel=1e-6)
    assert body.h.z == pytest.approx(h, rel=1e-6, abs=1e-9 * m)
    assert body.I.xx == body.I.yy == pytest.approx(across, rel=1e-6)
    assert body.I.zz == pytest.approx(along, rel=1e-6)
    assert (body.h.x, body.h.y, body.I.xy, body.I.xz, body.I.yz) == (0, 0, 0, 0, 0)
    assert is_physical(body)


def test_limits_of_shapes_are_other_shapes():
    assert inertia_of_capsule(R, 0, mass=2.0).numbers() == pytest.approx(inertia_of_sphere(R, mass=2.0).numbers())
    assert inertia_of_capsule(0, L, mass=2.0).numbers() == pytest.approx(inertia_of_rod(L, mass=2.0).numbers())
    assert inertia_of_capsule(0, 0, mass=2.0) == inertia_of_point(2.0)
    assert inertia_of_hollow_sphere(0, R, mass=2.0).numbers() == pytest.approx(inertia_of_sphere(R, mass=2.0).numbers())
    assert inertia_of_hollow_cylinder(0, R, L, mass=2.0).numbers() == pytest.approx(
        inertia_of_cylinder(R, L, mass=2.0).numbers()
    )
    assert inertia_of_hollow_sphere(3, 3, mass=1).I.xx == 6  # thin shell: 2/3 m R^2
    assert inertia_of_cylinder(0, L, mass=2.0).numbers() == pytest.approx(inertia_of_rod(L, mass=2.0).numbers())


def test_integers_and_fractions_stay_exact():
    assert inertia_of_box(1, 2, 3, density=2).numbers() == (12, 0, 0, 0, 13, 0, 10, 0, 0, 5)
    assert Symmetric3(1, 0, 1, 0, 0, 0) == inertia_of_rod(2, mass=3).I
    assert inertia_of_sphere(Fraction(1, 2), mass=5).I.xx == Fraction(1, 2)
    assert inertia_of_hollow_sphere(1, 2, mass=35).I.xx == Fraction(2, 5) * 35 * Fraction(31, 7)
    assert inertia_of_cone(2, 4, mass=20).numbers() == (20, 0, 0, 20, 44, 0, 44, 0, 0, 24)
    assert all(type(x) is not float for x in inertia_of_capsule(1, 2, mass=7).numbers())


def test_measures_may_be_symbols():
    m, length = symbol("m"), symbol("L")
    rod = inertia_of_rod(length, mass=m)
    assert to_float(rod.I.xx, {"m": 3, "L": 2}) == 1
    assert parse_quantity(str(rod.I.xx)) == rod.I.xx
    ball = inertia_of_sphere(symbol("r"), density=symbol("rho"))
    assert to_float(ball.m, {"r": 2, "rho": 3}) == pytest.approx(32 * math.pi)
    assert "pi" in str(ball.m)
    properties = MassProperties.from_inertia(inertia_of_cone(symbol("r"), length, mass=m))
    assert to_float(properties.com.z, {"m": 3, "L": 2, "r": 1}) == 0.5


def test_any_scalar_will_do():
    """The derivative of a rod's inertia by its length is m L / 6."""
    assert slope(inertia_of_rod(Dual(2.0, 1.0), mass=3.0).I.xx) == pytest.approx(1.0)


def test_two_half_boxes_weld_to_the_whole():
    half = inertia_of_box(2, 1, 4, mass=3)
    left, right = (moved(half, Pose(IDENTITY, Vec3(0, Fraction(s, 2), 0))) for s in (-1, 1))
    assert welded(left, right) == inertia_of_box(2, 2, 4, mass=6)


def test_a_rod_about_its_end_and_about_another_point():
    end = moved(inertia_of_rod(2, mass=3), Pose(IDENTITY, Vec3(0, 0, 1)))
    assert end.I.xx == 4  # m L^2/3
    assert about_com(end) == inertia_of_rod(2, mass=3).I
    assert centre_of_mass(end) == Vec3(0, 0, 1)
    assert about_point(end, Vec3(0, 0, 1)) == about_com(end)
    assert about_point(end, Vec3(0, 0, 2)) == end.I  # the other end
    assert about_point(end, Vec3(1, 2, 3)) == moved(end, Pose(IDENTITY, Vec3(-1, -2, -3))).I


def test_rotation_is_r_i_rt_with_the_sources_sign():
    """A dumb-bell along x = y has a negative product of inertia, I_xy = -integral of x y dm."""
    along_x = welded(inertia_of_point(1, Vec3(1, 0, 0)), inertia_of_point(1, Vec3(-1, 0, 0)))
    c = math.sqrt(0.5)
    turned = rotated(along_x, rotation_about(Vec3(0, 0, 1), c, c))
    assert turned.I.xy == pytest.approx(-1)
    assert (turned.I.xx, turned.I.yy, turned.I.zz) == pytest.approx((1, 1, 2))
    full, rows = along_x.I.full(), TURN.rows()
    expected = [
        [sum(rows[i][a] * full.rows()[a][b] * rows[j][b] for a in range(3) for b in range(3)) for j in range(3)]
        for i in range(3)
    ]
    for row, given_row in zip(expected, rotated(along_x, TURN).I.full().rows(), strict=True):
        assert given_row == pytest.approx(row)


def test_a_placement_with_symbols_moves_like_its_values():
    values = {"a": 0.4, "b": 1.3}
    symbolic = Placement(Vec3(symbol("a"), 0, 0.2), Vec3(0, symbol("b"), parse_quantity("pi/2")))
    numeric = Placement(Vec3(0.4, 0, 0.2), Vec3(0, 1.3, parse_quantity("pi/2")))
    body = inertia_of_box(0.1, 0.2, 0.3, mass=2.0)
    assert [to_float(x, values) for x in placed(body, symbolic).numbers()] == pytest.approx(
        placed(body, numeric).numbers()
    )
    assert pose_of(numeric).rotation.r2.x == pytest.approx(-math.sin(1.3))
    assert type(pose_of(Placement(rpy=Vec3(0, 0, parse_quantity("pi/2")))).rotation.r0.x) is int


def test_pseudo_inertia_and_back():
    body = moved(inertia_of_box(1, 2, 3, mass=6), Pose(IDENTITY, Vec3(1, -1, 2)))
    rows = pseudo_inertia(body)
    assert inertia_from_pseudo(rows) == body
    assert second_moments(body).xy == 6 * 1 * -1  # +integral of x y dm
    assert rows[3] == (6, -6, 12, 6)
    assert pseudo_inertia(inertia_of_point(2, Vec3(1, 2, 3)))[0] == (2, 4, 6, 2)


def test_principal_axes_undo_a_rotation():
    box = inertia_of_box(0.1, 0.2, 0.5, mass=3.0)
    shifted = moved(box, Pose(TURN, Vec3(0.3, -0.2, 0.9)))
    found = principal_axes(shifted)
    assert found.moments == pytest.approx(sorted((box.I.xx, box.I.yy, box.I.zz)))
    assert tuple(found.com) == pytest.approx((0.3, -0.2, 0.9))
    a, b, c = found.rotation.transposed().rows()
    assert Vec3(*a).cross(Vec3(*b)) @ Vec3(*c) == pytest.approx(1)
    diagonal = Symmetric3(found.moments[0], 0, found.moments[1], 0, 0, found.moments[2])
    back = diagonal.rotated(found.rotation)
    expected = about_com(shifted)
    for entry in ("xx", "xy", "yy", "xz", "yz", "zz"):
        assert getattr(back, entry) == pytest.approx(getattr(expected, entry), abs=1e-14)


UPPER = [(i, j) for i in range(4) for j in range(i, 4)]


@given(st.lists(st.floats(-1e3, 1e3), min_size=10, max_size=10))
def test_eigenvalues_of_a_symmetric_matrix(entries):
    rows = [[0.0] * 4 for _ in range(4)]
    for value, (i, j) in zip(entries, UPPER, strict=True):
        rows[i][j] = rows[j][i] = value
    values, vectors = symmetric_eigen(rows)
    scale = max(map(abs, entries)) + 1e-300
    assert values == sorted(values)
    for value, vector in zip(values, vectors, strict=True):
        image = [sum(a * x for a, x in zip(row, vector, strict=True)) for row in rows]
        assert image == pytest.approx([value * x for x in vector], abs=1e-13 * scale)
        assert math.hypot(*vector) == pytest.approx(1, abs=1e-14)


points = st.tuples(st.floats(0.01, 10), *[st.floats(-3, 3)] * 3)


@given(st.lists(points, min_size=1, max_size=8), st.floats(0.01, 0.5))
def test_clouds_of_points_are_physical_and_lose_it_when_a_moment_is_pushed_out(cloud, part):
    body = welded(*(inertia_of_point(m, Vec3(x, y, z)) for m, x, y, z in cloud))
    assert physical_defects(body) == ()
    assert symmetric_eigen(pseudo_inertia(body))[0][0] >= -1e-9 * sum(map(abs, body.numbers()))
    axes = principal_axes(body)
    a, b, c = axes.moments
    pushed = Symmetric3(a, 0, b, 0, 0, a + b + part * (a + b + c) + 1e-3).rotated(axes.rotation)
    impossible = Inertia.from_com(body.m, axes.com, pushed)
    # The defect must stand out of the tolerance, which grows with the trace about the origin.
    trace = impossible.I.xx + impossible.I.yy + impossible.I.zz
    assert is_physical(impossible, rtol=1e-9) is (1e-3 + part * (a + b + c) < 1e-9 * trace)


def test_defects_are_named():
    good = inertia_of_box(1, 1, 1, mass=1.0)
    assert physical_defects(good) == ()
    assert (
        "triangle inequality), 5 > 1 + 2"
        in physical_defects(Inertia(1.0, Vec3(0, 0, 0), Symmetric3(1, 0, 2, 0, 0, 5)))[0]
    )
    assert "below zero" in physical_defects(Inertia(1.0, Vec3(1, 0, 0), Symmetric3(0, 0, 0, 0, 0, 0)))[0]
    assert "mass is 0 kg" in physical_defects(Inertia(0, Vec3(0, 0, 0), Symmetric3(1, 0, 1, 0, 0, 1)))[0]
    assert physical_defects(inertia_of_rod(1.0, mass=1.0)) == ()
    with pytest.raises(InputError, match="holds symbols"):
        is_physical(inertia_of_rod(symbol("L"), mass=1))
    with pytest.raises(InputError, match="not finite"):
        is_physical(Inertia(math.nan, Vec3(0, 0, 0), good.I))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: inertia_of_box(1, 1, 1), "box: neither of mass and density given"),
        (lambda: inertia_of_box(1, 1, 1, mass=1, density=1), "box: both of mass and density given"),
        (lambda: inertia_of_box(1, -1, 1, mass=1), "box: y is -1"),
        (lambda: inertia_of_sphere(math.nan, mass=1), "sphere: radius is nan"),
        (lambda: inertia_of_rod(1, mass=-2), "rod: mass is -2"),
        (lambda: inertia_of_hollow_cylinder(2, 1, 1, mass=1), "inner radius 2 and outer radius 1"),
        (lambda: centre_of_mass(inertia_of_point(0)), "without mass"),
    ],
)
def test_wrong_measures_are_refused(make, message):
    with pytest.raises(InputError, match=message):
        make()


@settings(max_examples=30)
@given(st.lists(points, min_size=2, max_size=5), st.tuples(*[st.floats(-3, 3)] * 6))
def test_moving_there_and_back_changes_nothing(cloud, pose):
    body = welded(*(inertia_of_point(m, Vec3(x, y, z)) for m, x, y, z in cloud))
    there = Pose(rotation_from_rpy(*((math.cos(a), math.sin(a)) for a in pose[:3])), Vec3(*pose[3:]))
    back = moved(moved(body, there), there.inverse())
    scale = sum(m for m, *_ in cloud) * 200
    assert back.numbers() == pytest.approx(body.numbers(), abs=1e-14 * scale)
