"""Adaptive cubature of the ten moments of a body over a box of three coordinates.

The rule of degree 7 with embedded degree 5 of Genz and Malik (1980), 33 points. The box with the largest error is
halved along the direction in which the integrand bends most. A box's error is the larger of two disagreements, of the
two rules and of parent and halves, so that a jump that every point of one rule misses is noticed.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

from leverarm.errors import InputError

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


Sample = tuple[float, Triple]
"""A density times how much the place is stretched there, and the place."""
Integrand = Callable[[float, float, float], Sample]


def moments_over_box(integrand: Integrand, half_widths: Triple, rtol: float, max_evaluations: int) -> list[float]:
    """The integrals of the density times 1, x y z, xx xy yy xz yz zz over the box of these half widths.

    Raises InputError when the sum of the estimated errors does not fall below `rtol` within the budget.
    """
    boxes = [_measured(integrand, centre, widths) for centre, widths in _first_boxes(half_widths)]
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
        for child in _halves(integrand, parent):
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


def _measured(integrand: Integrand, centre: Triple, half_widths: Triple) -> _Box:
    (cx, cy, cz), (wx, wy, wz) = centre, half_widths
    samples = [integrand(cx + wx * x, cy + wy * y, cz + wz * z) for x, y, z in NODES]
    volume = 8 * wx * wy * wz
    moments = _weighted_moments(samples, SEVENTH, volume)
    errors = [abs(part) for part in _weighted_moments(samples, DISAGREEMENT, volume)]
    return _Box(centre, half_widths, moments, errors, _bending(samples, half_widths))


def _halves(integrand: Integrand, parent: _Box) -> tuple[_Box, _Box]:
    """The two halves of a box, the errors of each raised to half of what parent and halves disagree by."""
    axis = parent.direction
    step = parent.half_widths[axis] / 2
    widths = _replaced(parent.half_widths, axis, step)
    a = _measured(integrand, _replaced(parent.centre, axis, parent.centre[axis] - step), widths)
    b = _measured(integrand, _replaced(parent.centre, axis, parent.centre[axis] + step), widths)
    for i, whole in enumerate(parent.moments):
        missed = abs(whole - a.moments[i] - b.moments[i]) / 2
        a.errors[i], b.errors[i] = max(a.errors[i], missed), max(b.errors[i], missed)
    return a, b


def _weighted_moments(samples: Sequence[Sample], weights: Sequence[float], volume: float) -> list[float]:
    m = hx = hy = hz = xx = xy = yy = xz = yz = zz = 0.0
    for (value, (x, y, z)), weight in zip(samples, weights, strict=True):
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


ANY_DIRECTION = (0.37, 0.59, 0.72)
"""A direction along no symmetry of a solid, of length one."""


def _bending(samples: Sequence[Sample], half_widths: Triple) -> int:
    """The axis with the largest fourth difference of the density and a second moment; the longest edge where equal."""
    a, b, c = ANY_DIRECTION
    size = max(x * x + y * y + z * z for _, (x, y, z) in samples) or 1.0
    values = [value * (1 + (a * x + b * y + c * z) ** 2 / size) for value, (x, y, z) in samples]
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
