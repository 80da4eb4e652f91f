"""Inertia of a body of varying density: the triple integrals of rho, r rho and r r^T rho over a box.

Adaptive cubature with the rule of degree 7 with embedded degree 5 of Genz and Malik (1980), 33 points. The box with the
largest error is halved along the direction in which the density bends most. A box's error is the larger of two
disagreements, of the two rules and of parent and halves, so that a jump that every point of one rule misses is noticed.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

from leverarm.errors import InputError
from leverarm.model.inertias.algebra import inertia_from_moments
from leverarm.spatial import IDENTITY, Inertia, Pose, Symmetric3, Vec3

Triple = tuple[float, float, float]

FIRST_SPLIT = 3
"""The domain is first cut into this many boxes along each edge."""


@dataclass(frozen=True, slots=True)
class _Box:
    """A piece of the domain, its ten moments and their estimated errors, and the direction to halve it along."""

    centre: Triple
    half_widths: Triple
    moments: list[float]
    errors: list[float]
    direction: int


def moments_over_box(
    rho: Callable[[float, float, float], float], half_widths: Triple, rtol: float, max_evaluations: int
) -> list[float]:
    """The integrals of rho times 1, x y z, xx xy yy xz yz zz over the box of these half widths around the origin.

    Raises InputError when the sum of the estimated errors does not fall below `rtol` within the budget.
    """
    boxes = [_measured(rho, centre, widths) for centre, widths in _first_boxes(half_widths)]
    totals = [math.fsum(parts) for parts in zip(*(box.moments for box in boxes), strict=True)]
    errors = [math.fsum(parts) for parts in zip(*(box.errors for box in boxes), strict=True)]
    queue = [(-_relative(box.errors, totals), serial, box) for serial, box in enumerate(boxes)]
    heapq.heapify(queue)
    evaluations = POINTS * len(boxes)
    while (reached := _relative(errors, totals)) > rtol:
        evaluations += 2 * POINTS
        if evaluations > max_evaluations:
            raise InputError(
                f"the integrals of the density are only known to {reached:.1e} within max_evaluations="
                f"{max_evaluations}; rtol={rtol:.1e} was asked for. Raise either. Where the density jumps the estimate "
                "is pessimistic and falls slowly: rtol=0.03 is realistic; for the surface of a solid prefer a mesh."
            )
        _, _, parent = heapq.heappop(queue)
        for child in _halves(rho, parent):
            totals = [total + part for total, part in zip(totals, child.moments, strict=True)]
            errors = [total + part for total, part in zip(errors, child.errors, strict=True)]
            heapq.heappush(queue, (-_relative(child.errors, totals), evaluations + len(queue), child))
        totals = [total - part for total, part in zip(totals, parent.moments, strict=True)]
        errors = [max(total - part, 0.0) for total, part in zip(errors, parent.errors, strict=True)]
    return [math.fsum(parts) for parts in zip(*(box.moments for _, _, box in queue), strict=True)]


def _relative(errors: Sequence[float], totals: Sequence[float]) -> float:
    """The largest error, each relative to its scale: m, sqrt(m s), s with s = integral of r^2 rho."""
    m, s = abs(totals[0]), abs(totals[4] + totals[6] + totals[9])
    if m == 0 or s == 0:
        return math.inf if any(errors) else 0.0
    return max(errors[0] / m, max(errors[1:4]) / math.sqrt(m * s), max(errors[4:]) / s)


def _rule() -> tuple[list[Triple], list[float], list[float]]:
    """Points in [-1, 1]^3 and the weights of both degrees, for a box of volume 1 (Genz and Malik 1980, n = 3)."""
    near, far, corner = math.sqrt(9 / 70), math.sqrt(9 / 10), math.sqrt(9 / 19)
    points: list[Triple] = [(0.0, 0.0, 0.0)]
    for r in (near, far):
        points += [(-r, 0.0, 0.0), (r, 0.0, 0.0), (0.0, -r, 0.0), (0.0, r, 0.0), (0.0, 0.0, -r), (0.0, 0.0, r)]
    for a, b in product((-far, far), repeat=2):
        points += [(a, b, 0.0), (a, 0.0, b), (0.0, a, b)]
    points += [(a, b, c) for a, b, c in product((-corner, corner), repeat=3)]
    counts = (1, 6, 6, 12, 8)
    seventh = (-10936 / 19683, 980 / 6561, 620 / 19683, 200 / 19683, 6859 / 157464)
    fifth = (-1671 / 729, 245 / 486, -35 / 1458, 25 / 729, 0.0)
    return (
        points,
        [w for w, count in zip(seventh, counts, strict=True) for _ in range(count)],
        [w for w, count in zip(fifth, counts, strict=True) for _ in range(count)],
    )


NODES, SEVENTH, FIFTH = _rule()
POINTS = len(NODES)
DISAGREEMENT = [a - b for a, b in zip(SEVENTH, FIFTH, strict=True)]
NEAR_OVER_FAR_SQUARED = 1 / 7


def _measured(rho: Callable[[float, float, float], float], centre: Triple, half_widths: Triple) -> _Box:
    (cx, cy, cz), (wx, wy, wz) = centre, half_widths
    points = [(cx + wx * x, cy + wy * y, cz + wz * z) for x, y, z in NODES]
    values = [rho(*point) for point in points]
    volume = 8 * wx * wy * wz
    moments = _weighted_moments(points, values, SEVENTH, volume)
    errors = [abs(part) for part in _weighted_moments(points, values, DISAGREEMENT, volume)]
    return _Box(centre, half_widths, moments, errors, _bending(values, half_widths))


def _halves(rho: Callable[[float, float, float], float], parent: _Box) -> tuple[_Box, _Box]:
    """The two halves of a box, the errors of each raised to half of what parent and halves disagree by."""
    axis = parent.direction
    step = parent.half_widths[axis] / 2
    widths = _replaced(parent.half_widths, axis, step)
    a = _measured(rho, _replaced(parent.centre, axis, parent.centre[axis] - step), widths)
    b = _measured(rho, _replaced(parent.centre, axis, parent.centre[axis] + step), widths)
    for i, whole in enumerate(parent.moments):
        missed = abs(whole - a.moments[i] - b.moments[i]) / 2
        a.errors[i], b.errors[i] = max(a.errors[i], missed), max(b.errors[i], missed)
    return a, b


def _weighted_moments(
    points: Sequence[Triple], values: Sequence[float], weights: Sequence[float], volume: float
) -> list[float]:
    m = hx = hy = hz = xx = xy = yy = xz = yz = zz = 0.0
    for (x, y, z), value, weight in zip(points, values, weights, strict=True):
        if value == 0.0:
            continue
        w = value * weight
        wx, wy, wz = w * x, w * y, w * z
        m += w
        hx += wx
        hy += wy
        hz += wz
        xx += wx * x
        xy += wx * y
        yy += wy * y
        xz += wx * z
        yz += wy * z
        zz += wz * z
    return [volume * part for part in (m, hx, hy, hz, xx, xy, yy, xz, yz, zz)]


def _bending(values: Sequence[float], half_widths: Triple) -> int:
    """The axis with the largest fourth difference of the density; the longest edge where they are equal."""
    differences = []
    for axis in range(3):
        near = values[1 + 2 * axis] + values[2 + 2 * axis] - 2 * values[0]
        far = values[7 + 2 * axis] + values[8 + 2 * axis] - 2 * values[0]
        differences.append(abs(near - NEAR_OVER_FAR_SQUARED * far))
    nearly = max(differences) - 1e-12 * max(values)
    return max(range(3), key=lambda axis: (differences[axis] >= nearly, half_widths[axis]))


def _replaced(triple: Triple, axis: int, value: float) -> Triple:
    a, b, c = (value if i == axis else part for i, part in enumerate(triple))
    return a, b, c


def _first_boxes(half_widths: Triple) -> list[tuple[Triple, Triple]]:
    wx, wy, wz = (width / FIRST_SPLIT for width in half_widths)
    steps = [2 * k + 1 - FIRST_SPLIT for k in range(FIRST_SPLIT)]
    return [((i * wx, j * wy, k * wz), (wx, wy, wz)) for i, j, k in product(steps, repeat=3)]


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
