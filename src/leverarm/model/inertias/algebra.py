"""Operations on the ten inertial parameters of a rigid body: weld, move, turn, take about another point.

Over any scalar. Products of inertia carry the tensor's sign, xy = -integral of x y dm.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from leverarm.errors import InputError
from leverarm.model.parts import Placement, pose_of
from leverarm.scalars import Scalar, half
from leverarm.spatial import NO_INERTIA, Inertia, Matrix3, Pose, Symmetric3, Vec3, point_inertia, twice_parallel_axis


def welded(*parts: Inertia) -> Inertia:
    """Bodies described in one frame, as one rigid body: the ten numbers add."""
    return sum(parts, start=NO_INERTIA)


def moved(body: Inertia, pose: Pose) -> Inertia:
    """The body carried to `pose` = new_from_own and described in the new frame: R I R^T and the parallel axes. Ring."""
    return body.into_parent(pose)


def placed(body: Inertia, placement: Placement) -> Inertia:
    """The body put at a placement (xyz [m], rpy [rad]), whose numbers may be expressions in symbols."""
    return body.into_parent(pose_of(placement))


def rotated(body: Inertia, R: Matrix3) -> Inertia:
    """The body turned about the frame's origin: h -> R h, I -> R I R^T. Ring."""
    return Inertia(body.m, R @ body.h, body.I.rotated(R))


def about_point(body: Inertia, point: Vec3) -> Symmetric3:
    """The inertia tensor about another point of the frame, in the same axes [kg m^2]. Ring."""
    at_point: Symmetric3 = point_inertia(point) * body.m
    return body.I - twice_parallel_axis(point, body.h) + at_point


def centre_of_mass(body: Inertia) -> Vec3:
    """h / m [m]. Field. Raises InputError for a body without mass."""
    if body.m == 0:
        raise InputError("a body without mass has no centre of mass; give it a mass or ask about the frame's origin.")
    return Vec3(*(0 if part == 0 else Fraction(1) * part / body.m for part in body.h))


def about_com(body: Inertia) -> Symmetric3:
    """The inertia tensor about the centre of mass, I + m S(c) S(c) [kg m^2]. Field; a massless body keeps its I."""
    if body.m == 0:
        return body.I
    at_com: Symmetric3 = point_inertia(centre_of_mass(body)) * body.m
    return body.I - at_com


def second_moments(body: Inertia) -> Symmetric3:
    """The integral of r r^T dm about the origin: tr(I)/2 1 - I. Off-diagonal entries are +integral of x y. Ring."""
    return _trace_minus(body.I)


def pseudo_inertia(body: Inertia) -> tuple[tuple[Scalar, ...], ...]:
    """The integral of (r, 1) (r, 1)^T dm, rows of [[second moments, h], [h^T, m]]. Ring.

    Positive semidefinite exactly for bodies that can exist (Wensing, Kim, Slotine 2018, eq. 17).
    """
    s, h = second_moments(body), body.h
    return (
        (s.xx, s.xy, s.xz, h.x),
        (s.xy, s.yy, s.yz, h.y),
        (s.xz, s.yz, s.zz, h.z),
        (h.x, h.y, h.z, body.m),
    )


def inertia_from_pseudo(rows: Sequence[Sequence[Scalar]]) -> Inertia:
    """The inverse of `pseudo_inertia`; reads the upper triangle. Ring."""
    (xx, xy, xz, hx), (_, yy, yz, hy), (_, _, zz, hz), (_, _, _, m) = rows
    return inertia_from_moments(m, Vec3(hx, hy, hz), Symmetric3(xx, xy, yy, xz, yz, zz))


def inertia_from_moments(m: Scalar, first: Vec3, second: Symmetric3) -> Inertia:
    """From the integrals of dm, r dm and r r^T dm: I = tr(second) 1 - second. Ring."""
    return Inertia(
        m,
        first,
        Symmetric3(
            second.yy + second.zz, -second.xy, second.xx + second.zz,
            -second.xz, -second.yz, second.xx + second.yy,
        ),
    )  # fmt: skip


def _trace_minus(t: Symmetric3) -> Symmetric3:
    return Symmetric3(
        half(t.yy + t.zz - t.xx), -t.xy, half(t.xx + t.zz - t.yy),
        -t.xz, -t.yz, half(t.xx + t.yy - t.zz),
    )  # fmt: skip
