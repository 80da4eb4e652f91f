"""Inertia of a body of varying density: the triple integrals of rho, r rho and r r^T rho over a box."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from leverarm.errors import InputError
from leverarm.model.inertias.algebra import inertia_from_moments
from leverarm.model.inertias.cubature import moments_over_box
from leverarm.spatial import IDENTITY, Inertia, Pose, Symmetric3, Vec3

Density = Callable[[float, float, float], float]


def inertia_of_density(
    rho: Density,
    lower: Sequence[float],
    upper: Sequence[float],
    rtol: float = 1e-6,
    max_evaluations: int = 1_000_000,
) -> Inertia:
    """The inertia of a body of density rho(x, y, z) [kg/m^3] in the box from `lower` to `upper` [m], about the origin.

    m = integral of rho, h = integral of r rho, Ixx = integral of (y^2 + z^2) rho, Ixy = -integral of x y rho.
    Each is right within `rtol` of m, of sqrt(m s) or of s, where s is the integral of r^2 rho about the box's centre.
    The error is the sum of those estimated for each piece of the box: not proven, but pessimistic, most of all where
    the density jumps (there ten to a thousand times). A body much smaller than a ninth of the box may be missed
    altogether.
    Raises InputError when `max_evaluations` do not suffice, or rho is negative or not finite at a point.
    """
    centre, half_widths = _checked_box(lower, upper)
    if not (math.isfinite(rtol) and rtol > 0):
        raise InputError(f"rtol is {rtol}; it must be a positive number such as 1e-6.")
    # Coordinates from the centre of the box: there the second moments suffer least from rounding.
    m, x, y, z, *second = moments_over_box(
        lambda x, y, z: _checked(rho, x + centre.x, y + centre.y, z + centre.z), half_widths, rtol, max_evaluations
    )
    if m <= 0:
        raise InputError(
            f"the density was zero at every point tried from {list(lower)} to {list(upper)}; the box holds no mass, "
            "or a body much smaller than the box. Give a box that fits the body."
        )
    return inertia_from_moments(m, Vec3(x, y, z), Symmetric3(*second)).into_parent(Pose(IDENTITY, centre))


def _checked(rho: Density, x: float, y: float, z: float) -> float:
    value = rho(x, y, z)
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise InputError(f"rho({x:.6g}, {y:.6g}, {z:.6g}) is {value!r}; it must be a number [kg/m^3].") from None
    if not 0 <= number < math.inf:
        raise InputError(f"rho({x:.6g}, {y:.6g}, {z:.6g}) is {number}; a density must be finite and not negative.")
    return number


def _checked_box(lower: Sequence[float], upper: Sequence[float]) -> tuple[Vec3, tuple[float, float, float]]:
    """Its centre and half widths."""
    if len(lower) != 3 or len(upper) != 3:
        raise InputError(f"the box has {len(lower)} lower and {len(upper)} upper bounds; give three of each, [m].")
    for axis, low, high in zip("xyz", lower, upper, strict=True):
        if not (math.isfinite(low) and math.isfinite(high) and low < high):
            raise InputError(f"the box runs from {low} to {high} along {axis}; its bounds must be finite and rising.")
    a, b, c = ((float(high) - float(low)) / 2 for low, high in zip(lower, upper, strict=True))
    return Vec3(*((float(low) + float(high)) / 2 for low, high in zip(lower, upper, strict=True))), (a, b, c)
