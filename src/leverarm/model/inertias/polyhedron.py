"""Inertia of a solid bounded by flat faces: exact integrals over signed tetrahedra (divergence theorem).

Each triangle and one fixed corner span a tetrahedron; with the sign of its volume, those of a closed surface add up to
the solid, whatever its shape. Exact over Fractions; ints give Fractions.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from leverarm.errors import InputError
from leverarm.model.inertias.algebra import inertia_from_moments
from leverarm.model.inertias.shapes import mass_of
from leverarm.scalars import Number, Scalar
from leverarm.spatial import IDENTITY, NO_SYMMETRIC3, ORIGIN, Inertia, Pose, Symmetric3, Vec3

FLAT = 1e-12
"""A volume below this part of the cube around the solid is no volume but rounding."""


@dataclass(frozen=True, slots=True)
class SolidMoments:
    """The integrals of 1, r and r r^T over a solid, about the point `corner`; `size` is its longest extent [m]."""

    volume: Scalar
    first: Vec3
    second: Symmetric3
    corner: Vec3
    size: Scalar


def inertia_of_polyhedron(
    vertices: Sequence[Sequence[Number]],
    faces: Sequence[Sequence[int]],
    *,
    density: Scalar | None = None,
    mass: Scalar | None = None,
) -> Inertia:
    """The inertia of the solid inside a closed surface, about the frame its vertices [m] are given in.

    A face lists three or more vertices (counted from 0) in order around a flat polygon. All faces must run the same
    way round, seen from outside; which way does not matter. A hollow is a surface that runs the other way. Raises
    InputError for an open, inconsistently oriented or flat surface.
    """
    points = [_point(number, vertex) for number, vertex in enumerate(vertices)]
    triangles = [triangle for number, face in enumerate(faces) for triangle in _fan(number, face, len(points))]
    check_edges(*_edge_defects(faces))
    return inertia_of_solid(_moments(points, triangles), density, mass)


def inertia_of_solid(solid: SolidMoments, density: Scalar | None, mass: Scalar | None) -> Inertia:
    """The integrals of a solid times its density, about the frame's origin; a surface inside out is turned back."""
    if abs(solid.volume) <= FLAT * float(solid.size) ** 3:
        raise InputError(
            f"the surface encloses no volume ({float(solid.volume):.3g} m^3 at a size of {float(solid.size):.3g} m); "
            "a solid is needed. Give a sheet a thickness."
        )
    sign = 1 if solid.volume > 0 else -1
    m = mass_of("polyhedron", sign * solid.volume, mass, density)
    per_volume = m / solid.volume if density is None else density * sign
    inertia = inertia_from_moments(m, solid.first * per_volume, solid.second * per_volume)
    return inertia.into_parent(Pose(IDENTITY, solid.corner))


def check_edges(open_edges: int, turned_edges: int) -> None:
    """Raises InputError unless every edge is used as often in one direction as in the other."""
    if open_edges:
        raise InputError(
            f"the surface is not closed: {open_edges} edges belong to an odd number of faces. A watertight surface is "
            "needed; close the holes, or merge vertices that should be one."
        )
    if turned_edges:
        raise InputError(
            f"the faces do not run the same way round: {turned_edges} edges are used twice in one direction. Orient "
            "all faces outwards (in a mesh editor: recalculate normals)."
        )


def _point(number: int, vertex: Sequence[Number]) -> Vec3:
    if len(vertex) != 3 or not all(math.isfinite(part) for part in vertex):
        raise InputError(f"vertex {number} is {list(vertex)}; it must be three finite numbers [m].")
    return Vec3(*vertex)


def _fan(number: int, face: Sequence[int], count: int) -> list[tuple[int, int, int]]:
    """A polygon as triangles around its first vertex; their signed areas are right for any flat polygon."""
    if len(face) < 3:
        raise InputError(f"face {number} has {len(face)} vertices; it needs at least three.")
    for index in face:
        if not 0 <= index < count:
            raise InputError(f"face {number} refers to vertex {index}; valid are 0 to {count - 1}.")
    return [(face[0], face[k], face[k + 1]) for k in range(1, len(face) - 1)]


def _edge_defects(faces: Sequence[Sequence[int]]) -> tuple[int, int]:
    """How many edges are open (an odd number of uses) and how many more are used unevenly in the two directions."""
    uses = Counter((int(a), int(b)) for face in faces for a, b in zip(face, (*face[1:], face[0]), strict=True))
    uneven = {(min(a, b), max(a, b)) for (a, b), n in uses.items() if a != b and n != uses.get((b, a), 0)}
    is_open = [(uses.get((a, b), 0) + uses.get((b, a), 0)) % 2 == 1 for a, b in uneven]
    return sum(is_open), len(uneven) - sum(is_open)


def _moments(points: Sequence[Vec3], triangles: Sequence[tuple[int, int, int]]) -> SolidMoments:
    """Sums over tetrahedra (corner, a, b, c): volume V, V s/4, V (a a^T + b b^T + c c^T + s s^T)/20, s = a + b + c.

    The corner is a vertex, so that a solid far from the origin loses no digits.
    """
    if not points:
        raise InputError("the surface has no vertices; a solid needs at least four.")
    corner = points[0]
    volume: Scalar = 0
    first, second = ORIGIN, NO_SYMMETRIC3
    for i, j, k in triangles:
        a, b, c = points[i] - corner, points[j] - corner, points[k] - corner
        s = a + b + c
        six_volumes = a @ b.cross(c)
        volume += six_volumes
        first = first + s * six_volumes
        second = second + (_square(a) + _square(b) + _square(c) + _square(s)) * six_volumes
    size = max(max(part) - min(part) for part in zip(*points, strict=True))
    sixth, twenty_fourth = Fraction(1, 6), Fraction(1, 24)
    return SolidMoments(sixth * volume, first * twenty_fourth, second * Fraction(1, 120), corner, size)


def _square(v: Vec3) -> Symmetric3:
    return Symmetric3(v.x * v.x, v.x * v.y, v.y * v.y, v.x * v.z, v.y * v.z, v.z * v.z)
