"""Time-optimal path parameterisation by reachability analysis along a grid.

With x = (ds/dt)^2 and u = d2s/dt2 along a path of length s, x changes by 2 u ds, and the bounds of an arm are linear in
u and x. Backwards from the end, the set of x from which the end can be reached is an interval at each point of the
grid; forwards from the start, the largest u that stays inside it is the fastest motion (Pham and Pham 2018, A new
approach to time-optimal path parameterization based on reachability analysis, Algorithm 1).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from leverarm.arrays import Array

ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class PathBounds:
    """At each of N points of a path: push u + pull x <= room, K bounds each (N, K), and x <= most (N,)."""

    push: Array
    pull: Array
    room: Array
    most: Array


class DeadEndError(Exception):
    """From no speed at this point of the grid can the end be reached."""

    def __init__(self, point: int) -> None:
        super().__init__(f"dead end at point {point}")
        self.point = point


def fastest_profile(s: Array, bounds: PathBounds) -> tuple[Array, Array]:
    """x at each point of the grid s (N,), from rest to rest, and u between the points (N - 1,).

    The bounds hold at both ends of each interval. Raises DeadEndError.
    """
    steps = np.diff(s)
    low, high = np.zeros(len(s)), np.zeros(len(s))
    for i in reversed(range(len(steps))):
        a, b, c = _within_interval(bounds, i, 2 * steps[i], low[i + 1], high[i + 1])
        low[i], high[i] = _shadow(a, b, c, float(bounds.most[i]))
        if not low[i] <= high[i]:
            raise DeadEndError(i)
    if low[0] > 0:
        raise DeadEndError(0)
    x, u = np.zeros(len(s)), np.zeros(len(steps))
    for i in range(len(steps)):
        a, b, c = _within_interval(bounds, i, 2 * steps[i], low[i + 1], high[i + 1])
        up = a > ROUNDING
        u[i] = np.min((c[up] - b[up] * x[i]) / a[up])
        x[i + 1] = min(max(x[i] + 2 * steps[i] * u[i], low[i + 1]), high[i + 1])
        u[i] = (x[i + 1] - x[i]) / (2 * steps[i])
    return x, u


def _within_interval(bounds: PathBounds, i: int, reach: float, low: float, high: float) -> tuple[Array, Array, Array]:
    """a u + b x <= c: the bounds at point i, those at the next one, where x is x + reach u, and its set of x."""
    push, pull, room = bounds.push, bounds.pull, bounds.room
    a = np.concatenate([push[i], push[i + 1] + reach * pull[i + 1], [reach, -reach]])
    b = np.concatenate([pull[i], pull[i + 1], [1.0, -1.0]])
    c = np.concatenate([room[i], room[i + 1], [high, -low]])
    return a, b, c


def _shadow(a: Array, b: Array, c: Array, most: float) -> tuple[float, float]:
    """The x in [0, most] for which some u has a u + b x <= c: every bound from below meets every one from above."""
    up, down, flat = a > ROUNDING, a < -ROUNDING, np.abs(a) <= ROUNDING
    above, below = a[up, None], -a[None, down]
    slope = np.concatenate([(b[None, down] * above + b[up, None] * below).ravel(), b[flat]])
    room = np.concatenate([(c[up, None] * below + c[None, down] * above).ravel(), c[flat]])
    size = np.concatenate([(np.abs(b[None, down]) * above + np.abs(b[up, None]) * below).ravel(), np.abs(b[flat])])
    limits, bounded = slope > ROUNDING * size, slope < -ROUNDING * size
    high = np.min(room[limits] / slope[limits], initial=most)
    low = np.max(room[bounded] / slope[bounded], initial=0.0)
    rest = room[~limits & ~bounded]
    if (rest < -ROUNDING).any() or low > high + ROUNDING * max(1.0, abs(high)):
        return np.inf, -np.inf
    return float(min(low, high)), float(high)
