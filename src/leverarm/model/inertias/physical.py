"""Whether a rigid body can exist: principal moments, and what is wrong with them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from leverarm.errors import InputError
from leverarm.model.inertias.algebra import about_com, centre_of_mass
from leverarm.model.inertias.symmetric_eigen import symmetric_eigen
from leverarm.spatial import ORIGIN, Inertia, Matrix3, Vec3

RTOL = 1e-9
"""Of the trace of the tensor: far above the rounding of a move to the centre of mass, far below any measurement."""


@dataclass(frozen=True, slots=True)
class PrincipalAxes:
    """A body in its own axes: centre of mass, moments about it in rising order, and body_from_principal.

    The columns of `rotation` are the principal axes, right-handed.
    """

    com: Vec3
    moments: tuple[float, float, float]
    rotation: Matrix3


def principal_axes(body: Inertia) -> PrincipalAxes:
    """The principal moments and axes about the centre of mass (about the origin for a body without mass). Floats."""
    tensor = _numbers(body)
    (a, b, c), (x, y, _) = symmetric_eigen(about_com(tensor).full().rows())
    first, second = _pointing_up(Vec3(*x)), _pointing_up(Vec3(*y))
    columns = Matrix3(first, second, first.cross(second))
    return PrincipalAxes(_com(tensor), (a, b, c), columns.transposed())


def physical_defects(body: Inertia, rtol: float = RTOL) -> tuple[str, ...]:
    """What no rigid body can have, in words; empty for a body that can exist. Floats.

    A body exists if its mass is positive and its pseudo-inertia positive semidefinite, which is: about the centre of
    mass no principal moment is negative, and none exceeds the sum of the other two. Point masses, rods and plates lie
    on the edge and pass. The tolerance is `rtol` times the trace of the tensor about the origin.
    """
    numbers = _numbers(body)
    defects = []
    if numbers.m <= 0:
        defects.append(f"its mass is {numbers.m:g} kg")
    slack = rtol * (abs(numbers.I.xx) + abs(numbers.I.yy) + abs(numbers.I.zz))
    a, b, c = (0.0 if abs(moment) <= 1e-3 * slack else moment for moment in principal_axes(numbers).moments)
    if a < -slack:
        defects.append(f"its smallest moment about the centre of mass is {a:.6g} kg m^2, below zero")
    elif c > a + b + slack:
        defects.append(
            f"its largest moment about the centre of mass exceeds the sum of the other two "
            f"(triangle inequality), {c:.6g} > {a:.6g} + {b:.6g} kg m^2"
        )
    return tuple(defects)


def is_physical(body: Inertia, rtol: float = RTOL) -> bool:
    """Whether a rigid body with these ten numbers can exist; see `physical_defects`."""
    return not physical_defects(body, rtol)


def _numbers(body: Inertia) -> Inertia:
    try:
        numbers = [float(number) for number in body.numbers()]
    except TypeError:
        raise InputError("the inertia holds symbols; give them values first (bind the arm, or use to_float).") from None
    if not all(map(math.isfinite, numbers)):
        raise InputError(f"the inertia holds a number that is not finite: {numbers}. All ten must be finite.")
    return Inertia.from_numbers(*numbers)


def _com(body: Inertia) -> Vec3:
    return ORIGIN if body.m == 0 else centre_of_mass(body)


def _pointing_up(axis: Vec3) -> Vec3:
    """An axis and its opposite are the same principal axis; take the one whose largest part is positive."""
    largest = max(axis, key=abs)
    return -axis if largest < 0 else axis
