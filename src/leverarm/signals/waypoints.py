"""Motions through waypoints at given times, from rest to rest."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from leverarm.arrays import Array
from leverarm.errors import InputError
from leverarm.signals.checked import increasing_times, rows_in_time
from leverarm.signals.pieces import polynomial_signal
from leverarm.signals.signal import Signal
from leverarm.signals.splines import hermite_coefficients, smoothest_derivatives


def cubic(points: ArrayLike, times: ArrayLike, velocities: ArrayLike | None = None) -> Signal:
    """The motion through waypoints [rad or m] at times [s] by cubics, from rest to rest, standing before and after.

    points (K, n), one row per time. Without velocities the acceleration is continuous between the ends (the cubic
    spline, least squared acceleration); with velocities [rad/s or m/s] at all waypoints only the velocity is.

    >>> cubic([[0.0], [1.0]], [0, 2]).at(1.0)
    Moment(value=array([0.5]), rate=array([0.75]), acceleration=array([0.]))
    """
    return _motion("cubic", points, times, {"velocities": velocities})


def quintic(
    points: ArrayLike,
    times: ArrayLike,
    velocities: ArrayLike | None = None,
    accelerations: ArrayLike | None = None,
) -> Signal:
    """The motion of least jerk through waypoints [rad or m] at times [s], from rest to rest, standing before and after.

    points (K, n), one row per time. Velocities and accelerations at all waypoints may be given; where they are not,
    they are zero at the ends and those of least squared jerk in between (Flash and Hogan 1985), so that without
    either the fourth derivative is still continuous between the ends. Accelerations are continuous in any case.

    >>> quintic([[0.0], [1.0]], [0, 2]).at(1.0)
    Moment(value=array([0.5]), rate=array([0.9375]), acceleration=array([0.]))
    """
    return _motion("quintic", points, times, {"velocities": velocities, "accelerations": accelerations})


def _motion(what: str, points: ArrayLike, times: ArrayLike, derivatives: dict[str, ArrayLike | None]) -> Signal:
    t = increasing_times(what, times)
    x = rows_in_time(f"{what}: points", points, t)
    given = [_like(f"{what}: {name}", d, t, x) for name, d in derivatives.items()]
    fixed = np.array([[d is not None or k in (0, len(t) - 1) for d in derivatives.values()] for k in range(len(t))])
    found = given if fixed.all() else smoothest_derivatives(t, x, given, fixed)
    return polynomial_signal(
        t[:-1], hermite_coefficients(t, x, found), before=x[..., 0, :], after=(float(t[-1]), x[..., -1, :])
    )


def _like(what: str, given: ArrayLike | None, t: Array, points: Array) -> Array:
    """Derivatives at the waypoints; zeros where none are given."""
    if given is None:
        return np.zeros_like(points)
    array = rows_in_time(what, given, t)
    if array.shape != points.shape:
        raise InputError(
            f"{what}: an array of shape {array.shape} was given. It takes that of the points, {points.shape}."
        )
    return array
