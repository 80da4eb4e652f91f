"""Climbing from states inside a box: Newton steps for smooth numbers, sampled slopes for numbers with ridges.

The Hessian comes from differences of exact slopes, with the curvature's sign corrected. Coordinates that lie on a wall
and want through it stay there, so an extreme on a wall or in a corner is found exactly.

The least norm of M is the least of a greatest row sum, or eigenvalue, so it has ridges, where the slope jumps. The
shortest vector among all mixtures of slopes sampled near the state points upwards along a ridge (Burke, Lewis and
Overton 2005, "A robust gradient sampling algorithm"); walls of the box take part as slopes of any size.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array

DIFFERENCE = 1e-5
"""Step of the differences [rad, m]: rounding (1e-16 / 1e-5) and the third derivative (1e-10) leave ten digits."""
FLAT = 1e-8
"""Curvatures below this part of the greatest count as this."""
LONGEST = 0.7
"""The longest step of a coordinate [rad, m]: beyond it no parabola follows a sine."""
FRACTIONS = np.array([2.0, 1.0, 0.5, 0.25, 0.1, 0.03, 0.01, 1e-3])
STEADY = 1e-13
"""A climb has arrived when it gains less than this, relative, twice."""

Slope = Callable[[Array], tuple[Array, Array]]


def climbed(number: Callable[[Array], Array], slope: Slope, z: Array, lower: Array, upper: Array, steps: int) -> Array:
    """States at (local) maxima of a number in a box, one for each start, after at most so many steps."""
    z = np.clip(z, lower, upper)
    values, arrived = number(z), np.zeros(len(z), int)
    for _ in range(steps):
        moving = np.flatnonzero(arrived < 2)
        if not len(moving):
            break
        tried = _tried(slope, z[moving], lower, upper)
        heights = number(tried.reshape(-1, z.shape[1])).reshape(tried.shape[:2])
        heights[~np.isfinite(heights)] = -np.inf
        best = heights.argmax(axis=1)
        each = np.arange(len(moving))
        gained = heights[each, best] > values[moving]
        little = heights[each, best] <= values[moving] + STEADY * np.abs(values[moving])
        arrived[moving] = np.where(little, arrived[moving] + 1, 0)
        arrived[moving[~gained]] = 2
        up = moving[gained]
        z[up], values[up] = tried[each, best][gained], heights[each, best][gained]
    return z


def _tried(slope: Slope, z: Array, lower: Array, upper: Array) -> Array:
    """States along each start's Newton step and along its slope, inside the box: starts x trials x coordinates."""
    g, H = _slope_and_hessian(slope, z)
    held = ((z <= lower) & (g <= 0)) | ((z >= upper) & (g >= 0))
    g = np.where(held, 0.0, g)
    H = np.where(held[:, :, None] | held[:, None, :], 0.0, H)
    curvatures, axes = np.linalg.eigh(H)
    bent = np.maximum(np.abs(curvatures), FLAT * np.abs(curvatures).max(axis=1, keepdims=True))
    bent = np.where(bent > 0, bent, 1.0)
    newton = np.einsum("kij,kj->ki", axes, np.einsum("kij,ki->kj", axes, g) / bent)
    plain = g / bent.max(axis=1, keepdims=True)
    lines = [_shortened(newton), _shortened(plain)]
    trials = [z[:, None, :] + FRACTIONS[None, :, None] * line[:, None, :] for line in lines]
    return np.clip(np.concatenate(trials, axis=1), lower, upper)


def _shortened(step: Array) -> Array:
    longest = np.abs(step).max(axis=1, keepdims=True)
    return step * np.minimum(1.0, LONGEST / np.where(longest > 0, longest, 1.0))


def _slope_and_hessian(slope: Slope, z: Array) -> tuple[Array, Array]:
    """Exact slopes, and the Hessian as their differences on both sides."""
    k, n = z.shape
    shifts = DIFFERENCE * np.eye(n)
    around = np.concatenate([z[:, None, :], z[:, None, :] + shifts, z[:, None, :] - shifts], axis=1)
    slopes = slope(around.reshape(-1, n))[1].reshape(k, 2 * n + 1, n)
    H = (slopes[:, 1 : n + 1] - slopes[:, n + 1 :]) / (2 * DIFFERENCE)
    H = (H + H.transpose(0, 2, 1)) / 2
    return np.nan_to_num(slopes[:, 0]), np.nan_to_num(H)


Mask = NDArray[np.bool_]

WIDEST, NARROWEST = 1e-2, 1e-10
"""Neighbourhoods that slopes are sampled in [rad, m]."""
SAMPLES = 6
"""Slopes that are sampled, for each coordinate."""
LENGTHS = 10.0 ** np.arange(1.0, -4.0, -0.25)
"""Steps that are tried, in parts of the neighbourhood times ten."""


def along_ridges(
    number: Callable[[Array], Array],
    slope: Slope,
    z: Array,
    lower: Array,
    upper: Array,
    rng: np.random.Generator,
    steps: int,
) -> Array:
    """A state at a local maximum of a number in a box, on a ridge if need be, from one start."""
    value, near = float(number(z[None])[0]), WIDEST
    for _ in range(steps):
        around = np.clip(z + near * rng.uniform(-1, 1, (SAMPLES * len(z), len(z))), lower, upper)
        around[0] = z
        upwards = shortest_mixture(slope(around)[1], z <= lower + near, z >= upper - near)
        size = np.linalg.norm(upwards)
        if size > 0:
            trials = np.clip(z + 10 * near * LENGTHS[:, None] * upwards / size, lower, upper)
            heights = number(trials)
            k = int(heights.argmax())
            if heights[k] > value:
                z, value = trials[k], float(heights[k])
                near = near if LENGTHS[k] < 1 else min(WIDEST, 3 * near)
                if LENGTHS[k] > 1e-2:
                    continue
        near /= 2
        if near < NARROWEST:
            break
    return z


def shortest_mixture(slopes: Array, at_lower: Mask, at_upper: Mask) -> Array:
    """The shortest vector sum of weight slope, weights adding to one, plus what the walls that are touched can add.

    A wall below pushes upwards and one above downwards with any strength: it takes away what points through it.
    """
    n = slopes.shape[1]
    walls = np.concatenate([np.eye(n)[at_lower], -np.eye(n)[at_upper]])
    scale = np.abs(slopes).max() or 1.0
    heavy = 1e3
    columns = np.concatenate([slopes / scale, walls]).T
    adding = np.concatenate([np.full(len(slopes), heavy), np.zeros(len(walls))])
    weights = _nonnegative(np.vstack([columns, adding]), np.append(np.zeros(n), heavy))
    return scale * (columns @ weights)


def _nonnegative(A: Array, b: Array) -> Array:
    """The x >= 0 with the least |A x - b| (Lawson and Hanson 1974, chapter 23)."""
    x, free = np.zeros(A.shape[1]), np.zeros(A.shape[1], bool)
    for _ in range(3 * len(x)):
        pull = A.T @ (b - A @ x)
        pull[free] = -np.inf
        k = int(pull.argmax())
        if pull[k] <= 1e-12 * np.abs(A).max() * np.abs(b).max():
            break
        free[k] = True
        while free.any():
            best = np.zeros_like(x)
            best[free] = np.linalg.lstsq(A[:, free], b, rcond=None)[0]
            sinking = free & (best <= 0)
            if not sinking.any():
                x = best
                break
            part = np.min(x[sinking] / (x[sinking] - best[sinking]))
            x = x + part * (best - x)
            free &= x > 1e-14
            x[~free] = 0
    return x
