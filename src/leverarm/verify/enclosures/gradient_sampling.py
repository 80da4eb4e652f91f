"""Climbing where the number has ridges: the least norm of M is the least of a greatest row sum, or eigenvalue.

On a ridge the slope jumps, and no single one points upwards along it. The shortest vector among all mixtures of slopes
sampled near the state does (Burke, Lewis and Overton 2005, "A robust gradient sampling algorithm"); walls of the box
take part as slopes of any size. The neighbourhood shrinks when that vector vanishes.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array
from leverarm.verify.enclosures.projected_newton import Slope

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
