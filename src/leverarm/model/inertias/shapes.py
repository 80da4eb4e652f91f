"""Inertia of simple shapes of uniform density, as the ten numbers about the frame each docstring names.

Lengths and masses may be literals, expressions in symbols, or any scalar with + - * /: the factors are exact fractions.
Each shape is given by its measures and exactly one of `mass` [kg] and `density` [kg/m^3]. To put it elsewhere, use
`moved` or `placed` (algebra.py); to build a body of several, `welded`.

>>> inertia_of_rod(2, mass=3).I.xx
Fraction(1, 1)
"""

from __future__ import annotations

import math
from fractions import Fraction

from leverarm.errors import InputError
from leverarm.model.expression import PI, Expression
from leverarm.scalars import Scalar
from leverarm.spatial import ORIGIN, Inertia, Symmetric3, Vec3, point_inertia


def mass_of(shape: str, volume: Scalar, mass: Scalar | None, density: Scalar | None) -> Scalar:
    """The mass [kg] of a shape of this volume [m^3] (a length [m] for a rod)."""
    if (mass is None) == (density is None):
        given = "neither" if mass is None else "both"
        raise InputError(f"{shape}: {given} of mass and density given; give exactly one, such as mass=2.5.")
    check_measure(shape, "mass" if density is None else "density", mass if density is None else density)
    return mass if density is None else density * volume


def check_measure(shape: str, name: str, measure: Scalar) -> None:
    """Raises InputError for a literal that is negative or not finite; a symbol may be anything."""
    if isinstance(measure, int | float | Fraction) and not (math.isfinite(measure) and measure >= 0):
        raise InputError(f"{shape}: {name} is {measure}; it must be a finite number, zero or positive.")


def inertia_of_point(mass: Scalar, at: Vec3 = ORIGIN) -> Inertia:
    """A point mass at a point of the frame: I = m (d.d 1 - d d^T)."""
    check_measure("point", "mass", mass)
    return Inertia(mass, at * mass, point_inertia(at) * mass)


def inertia_of_rod(length: Scalar, *, mass: Scalar | None = None, density: Scalar | None = None) -> Inertia:
    """A slender rod along z, frame at its middle: Ixx = Iyy = m L^2/12, Izz = 0. Its density is per length [kg/m]."""
    check_measure("rod", "length", length)
    m = mass_of("rod", length, mass, density)
    across = Fraction(1, 12) * (m * length * length)
    return _centred(m, across, across, 0)


def inertia_of_box(
    x: Scalar, y: Scalar, z: Scalar, *, mass: Scalar | None = None, density: Scalar | None = None
) -> Inertia:
    """A box with edges x, y, z along the axes, frame at its centre: Ixx = m (y^2 + z^2)/12, and so on in turn."""
    for name, edge in (("x", x), ("y", y), ("z", z)):
        check_measure("box", name, edge)
    m = mass_of("box", x * y * z, mass, density)
    twelfth = Fraction(1, 12) * m
    return _centred(m, twelfth * (y * y + z * z), twelfth * (x * x + z * z), twelfth * (x * x + y * y))


def inertia_of_sphere(radius: Scalar, *, mass: Scalar | None = None, density: Scalar | None = None) -> Inertia:
    """A solid ball, frame at its centre: I = 2/5 m r^2 about every axis."""
    check_measure("sphere", "radius", radius)
    m = mass_of("sphere", _pi(radius, density) * Fraction(4, 3) * (radius * radius * radius), mass, density)
    moment = Fraction(2, 5) * (m * radius * radius)
    return _centred(m, moment, moment, moment)


def inertia_of_hollow_sphere(
    inner_radius: Scalar, outer_radius: Scalar, *, mass: Scalar | None = None, density: Scalar | None = None
) -> Inertia:
    """A ball with a concentric hollow, frame at its centre: I = 2/5 m (R^5 - r^5)/(R^3 - r^3).

    With R - r divided out of the quotient, so that equal radii give the thin shell, 2/3 m R^2.
    """
    r, R = inner_radius, outer_radius
    _check_hollow("hollow sphere", r, R)
    cubic = R * R + R * r + r * r
    m = mass_of("hollow sphere", _pi(r, R, density) * Fraction(4, 3) * ((R - r) * cubic), mass, density)
    quintic = R * R * R * R + R * R * R * r + R * R * r * r + R * r * r * r + r * r * r * r
    moment = Fraction(2, 5) * (m * quintic) / cubic
    return _centred(m, moment, moment, moment)


def inertia_of_cylinder(
    radius: Scalar, length: Scalar, *, mass: Scalar | None = None, density: Scalar | None = None
) -> Inertia:
    """A solid cylinder along z, frame at its centre: Ixx = Iyy = m (3 r^2 + L^2)/12, Izz = m r^2/2."""
    check_measure("cylinder", "radius", radius)
    check_measure("cylinder", "length", length)
    m = mass_of("cylinder", _pi(radius, length, density) * (radius * radius * length), mass, density)
    return _cylinder(m, radius * radius, length)


def inertia_of_hollow_cylinder(
    inner_radius: Scalar,
    outer_radius: Scalar,
    length: Scalar,
    *,
    mass: Scalar | None = None,
    density: Scalar | None = None,
) -> Inertia:
    """A tube along z, frame at its centre: Ixx = Iyy = m (3 (r^2 + R^2) + L^2)/12, Izz = m (r^2 + R^2)/2."""
    r, R = inner_radius, outer_radius
    _check_hollow("hollow cylinder", r, R)
    check_measure("hollow cylinder", "length", length)
    m = mass_of("hollow cylinder", _pi(r, R, length, density) * ((R * R - r * r) * length), mass, density)
    return _cylinder(m, r * r + R * R, length)


def inertia_of_capsule(
    radius: Scalar, length: Scalar, *, mass: Scalar | None = None, density: Scalar | None = None
) -> Inertia:
    """A cylinder of this length along z with a half ball on each end (total length L + 2 r), frame at its centre.

    The half balls together are a ball of mass b, with centres of mass 3/8 r beyond the ends:
    Ixx = Iyy = c (3 r^2 + L^2)/12 + b (2/5 r^2 + L^2/4 + 3/8 L r), Izz = c r^2/2 + 2/5 b r^2, with c + b = m in the
    proportion of the volumes, L to 4/3 r.
    """
    check_measure("capsule", "radius", radius)
    check_measure("capsule", "length", length)
    caps = Fraction(4, 3) * radius
    m = mass_of("capsule", _pi(radius, length, density) * (radius * radius * (length + caps)), mass, density)
    if _is_zero(radius) and _is_zero(length):
        return inertia_of_point(m)
    b = m * caps / (length + caps)
    c = m * length / (length + caps)
    square = radius * radius
    cylinder = _cylinder(c, square, length)
    ends = b * (Fraction(2, 5) * square + Fraction(1, 4) * (length * length) + Fraction(3, 8) * (length * radius))
    across = cylinder.I.xx + ends
    return _centred(m, across, across, cylinder.I.zz + Fraction(2, 5) * (b * square))


def inertia_of_cone(
    radius: Scalar, height: Scalar, *, mass: Scalar | None = None, density: Scalar | None = None
) -> Inertia:
    """A solid cone, frame at the centre of its base, apex at z = +height: centre of mass at z = h/4.

    About that frame Ixx = Iyy = 3/20 m r^2 + m h^2/10 and Izz = 3/10 m r^2.
    """
    check_measure("cone", "radius", radius)
    check_measure("cone", "height", height)
    volume = _pi(radius, height, density) * Fraction(1, 3) * (radius * radius * height)
    m = mass_of("cone", volume, mass, density)
    across = Fraction(3, 20) * (m * radius * radius) + Fraction(1, 10) * (m * height * height)
    along = Fraction(3, 10) * (m * radius * radius)
    return Inertia(m, Vec3(0, 0, Fraction(1, 4) * (m * height)), Symmetric3(across, 0, across, 0, 0, along))


def _centred(m: Scalar, xx: Scalar, yy: Scalar, zz: Scalar) -> Inertia:
    return Inertia(m, ORIGIN, Symmetric3(xx, 0, yy, 0, 0, zz))


def _cylinder(m: Scalar, squares: Scalar, length: Scalar) -> Inertia:
    """A cylinder or tube by the sum of its squared radii (r^2 when solid)."""
    across = Fraction(1, 4) * (m * squares) + Fraction(1, 12) * (m * length * length)
    return _centred(m, across, across, Fraction(1, 2) * (m * squares))


def _pi(*measures: Scalar | None) -> Scalar:
    """Pi as an exact symbol beside other expressions, as a float beside numbers."""
    return PI if any(isinstance(measure, Expression) for measure in measures) else math.pi


def _is_zero(measure: Scalar) -> bool:
    return not isinstance(measure, Expression) and bool(measure == 0)


def _check_hollow(shape: str, inner: Scalar, outer: Scalar) -> None:
    check_measure(shape, "inner radius", inner)
    check_measure(shape, "outer radius", outer)
    literal = (int, float, Fraction)
    if isinstance(inner, literal) and isinstance(outer, literal) and (inner > outer or outer == 0):
        raise InputError(f"{shape}: the inner radius {inner} and outer radius {outer} need 0 <= inner <= outer > 0.")
