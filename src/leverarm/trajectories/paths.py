"""The way of a motion without its time: a smooth curve of its own length."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from leverarm.arrays import Array
from leverarm.errors import InputError
from leverarm.model import Arm
from leverarm.signals import Signal
from leverarm.signals.checked import finite, number_array
from leverarm.trajectories.motions import span, spline

CORNER = 0.9
"""The cosine of the angle between neighbouring steps of a path below which it has a corner there."""
FINER = 10
"""Points per step at which the length of a signal's way is measured."""


def path_of(arm: Arm, path: ArrayLike | Signal, steps: int) -> tuple[Signal, Array]:
    """The path as a cubic spline of its length, and a grid of lengths that holds the spline's knots.

    Length is that in the space of the coordinates, angles and lengths alike: it only numbers the points of the path.
    """
    if isinstance(steps, bool) or not isinstance(steps, int) or not 2 <= steps <= 100_000:
        raise InputError(f"steps = {steps!r}: divide the path into 2 to 100,000 steps.")
    points = _on_signal(arm, path, steps) if isinstance(path, Signal) else _waypoints(arm, path)
    lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    way = spline(lengths, points)
    even = np.linspace(0.0, lengths[-1], steps + 1)
    # A grid point that rounding sets beside a knot would make a step of no length.
    apart = np.min(np.abs(even[:, None] - lengths), axis=1) if len(points) < steps else np.zeros(steps + 1)
    return way, np.union1d(even[apart > 1e-6 * lengths[-1] / steps], lengths)


def _on_signal(arm: Arm, signal: Signal, steps: int) -> Array:
    """Points evenly along the way of a signal."""
    start, end = span(signal.of_size(arm.dof, f"the path of arm {arm.name!r}"))
    t = np.linspace(start, end, FINER * steps + 1)
    fine = np.linalg.norm(np.diff(signal.at(t).value, axis=0), axis=1)
    length = np.concatenate([[0.0], np.cumsum(fine)])
    if not length[-1] > 0:
        raise InputError(f"the path of arm {arm.name!r} is a signal that does not move; give one that does.")
    moving = np.concatenate([[True], fine > 0])
    at = np.interp(np.linspace(0.0, length[-1], steps + 1), length[moving], t[moving])
    points: Array = signal.at(at).value
    ways = np.diff(points, axis=0)
    ways = ways / np.linalg.norm(ways, axis=1)[:, None]
    turned = np.einsum("kn,kn->k", ways[1:], ways[:-1])
    if turned.min() < CORNER:
        k = int(np.argmin(turned)) + 1
        raise InputError(
            f"the path of arm {arm.name!r} has a corner at t = {at[k]:.4g} s of its signal, where the arm would have "
            "to stop. Give the ways before and after it one by one, or a smooth path."
        )
    return points


def _waypoints(arm: Arm, given: ArrayLike) -> Array:
    takes = f"a signal, or two or more waypoints of {arm.dof} numbers ({', '.join(arm.joint_names)})"
    points = finite(f"the path of arm {arm.name!r}", number_array(f"the path of arm {arm.name!r}", given, takes))
    if points.ndim != 2 or len(points) < 2 or points.shape[1] != arm.dof:
        raise InputError(f"the path of arm {arm.name!r}: an array of shape {points.shape} was given. It takes {takes}.")
    same = np.flatnonzero(~np.diff(points, axis=0).any(axis=1))
    if same.size:
        raise InputError(
            f"the path of arm {arm.name!r}: waypoints {same[0]} and {same[0] + 1} are the same; leave one out."
        )
    return points
