"""Fourier series, tables and trapezoidal velocity profiles as signals."""

from __future__ import annotations

import math
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from leverarm.arrays import Array
from leverarm.control.signals.checked import (
    finite,
    increasing_times,
    number,
    number_array,
    positive,
    rows_in_time,
    seconds,
    vector,
)
from leverarm.control.signals.pieces import constant, polynomial_signal
from leverarm.control.signals.signal import Form, Signal
from leverarm.control.signals.splines import hermite_coefficients, smoothest_derivatives
from leverarm.errors import InputError, require_known


def fourier(frequency: float, centre: ArrayLike, sines: ArrayLike, cosines: ArrayLike, begin: float = 0.0) -> Signal:
    """A periodic motion: centre + sum over k of sines[k-1] sin(k w s) + cosines[k-1] cos(k w s), with s = t - begin.

    w = 2 pi frequency [Hz]; centre (n,), sines and cosines (K, n) in the unit of the signal, first harmonic first.
    It is defined at all times, before `begin` [s] too.

    >>> fourier(0.5, [1.0], sines=[[0.25]], cosines=[[0.0]]).at(0.5).value
    array([1.25])
    """
    w = 2 * math.pi * positive("fourier: frequency", frequency, "Hz")
    t0 = number("fourier: begin", begin)
    c = vector("fourier: centre", centre)
    takes = f"one row per harmonic, shape (K, {c.shape[-1]})"
    a, b = (
        finite(f"fourier: {name}", number_array(f"fourier: {name}", given, takes))
        for name, given in (("sines", sines), ("cosines", cosines))
    )
    if c.ndim != 1 or a.ndim != 2 or a.shape != b.shape or a.shape[1] != len(c) or not len(a):
        raise InputError(
            f"fourier: centre of shape {c.shape}, sines {a.shape} and cosines {b.shape}. It takes (n,), (K, n) and "
            "(K, n): one column per coordinate, one row per harmonic, one harmonic or more."
        )
    row = np.concatenate([[t0, w], c, np.stack([a, b], axis=1).ravel()])
    return Signal(Form("fourier", len(c), len(a)), np.array([t0]), row[None, :])


Between = Literal["linear", "hold", "cubic"]
Outside = Literal["error", "hold"]


def table(
    times: ArrayLike,
    values: ArrayLike,
    between: Between = "linear",
    before: Outside = "error",
    after: Outside = "error",
) -> Signal:
    """A table in time [s], interpolated linearly, by holding the earlier row, or by a cubic spline.

    times (K,) increase; values (K, n), or (K,) for one coordinate, or (environments, K, n). `between="cubic"` is the
    natural cubic spline: continuous accelerations, which are zero at both ends. A run outside the table's times is an
    InputError, unless its first row is held `before` them or its last one `after` them.

    >>> table([0, 1, 3], [[0.0], [2.0], [0.0]]).at(2.0)
    Moment(value=array([1.]), rate=array([-1.]), acceleration=array([0.]))
    """
    for option, given, valid in (("between", between, Between), ("before", before, Outside), ("after", after, Outside)):
        require_known("way", given, get_args(valid), f"table: {option}")
    t = increasing_times("table", times)
    x = rows_in_time("table", values, t)
    holds = before == "hold", after == "hold"
    begins, coefficients = (t, [x]) if between == "hold" else (t[:-1], _pieces(between, t, x))
    return polynomial_signal(
        begins,
        coefficients,
        before=x[..., 0, :] if holds[0] else None,
        after=(float(t[-1]), x[..., -1, :]) if holds[1] and between != "hold" else None,
        known=(-math.inf if holds[0] else float(t[0]), math.inf if holds[1] else float(t[-1])),
    )


def _pieces(between: Between, t: Array, x: Array) -> list[Array]:
    if between == "linear":
        return [x[..., :-1, :], np.diff(x, axis=-2) / np.diff(t)[:, None]]
    nowhere = np.zeros((len(t), 1), dtype=bool)
    slopes = smoothest_derivatives(t, x, [np.zeros_like(x)], nowhere)
    return hermite_coefficients(t, x, slopes)


def trapezoid(
    start: ArrayLike, target: ArrayLike, velocity: ArrayLike, acceleration: ArrayLike, begin: float = 0.0
) -> Signal:
    """A trapezoidal velocity profile from rest to rest along the line between two configurations [rad or m].

    All coordinates share one time law, the fastest in which none exceeds its velocity [rad/s or m/s] or its
    acceleration [rad/s^2 or m/s^2] (one number for all, or one each), so they start, cruise and arrive together. If
    the distance is too short to cruise, the profile is a triangle. The arm is at `start` before `begin` [s] and at
    `target` after arrival; the last of `begins` is the arrival time.

    >>> move = trapezoid([0.0], [3.0], velocity=1.0, acceleration=2.0)
    >>> move.begins[-1], move.at(1.75).value
    (np.float64(3.5), array([1.5]))
    """
    x0, x1 = vector("trapezoid: start", start), vector("trapezoid: target", target)
    if x0.ndim != 1 or x1.shape != x0.shape:
        raise InputError(
            f"trapezoid: start of shape {x0.shape} and target of shape {x1.shape}. Both take one number per coordinate."
        )
    t0 = number("trapezoid: begin", begin)
    fastest = _limit("trapezoid: velocity", velocity, x0)
    hardest = _limit("trapezoid: acceleration", acceleration, x0)
    way = x1 - x0
    moving = way != 0
    if not moving.any():
        return constant(x0)
    # The greatest rate and acceleration of the path parameter, from 0 to 1, that every coordinate allows.
    rate = float(np.min(fastest[moving] / np.abs(way[moving])))
    push = float(np.min(hardest[moving] / np.abs(way[moving])))
    rate = min(rate, push**0.5)
    ramp = rate / push
    cruise = max(1 / rate - ramp, 0.0)
    times = t0 + np.array([0.0, ramp, ramp + cruise, 2 * ramp + cruise])
    lasting = np.diff(times) > 0
    if not lasting.any():
        raise InputError(
            f"trapezoid: the motion takes {2 * ramp + cruise:.3g} s, too short next to begin = {seconds(t0)}. "
            "Give smaller limits of velocity and acceleration."
        )
    shares = np.array([[0, 0, push / 2], [rate * ramp / 2, rate, 0], [1 - rate * ramp / 2, rate, -push / 2]])[lasting]
    coefficients = [share[:, None] * way for share in shares.T]
    coefficients[0] += x0
    return polynomial_signal(times[:-1][lasting], coefficients, before=x0, after=(float(times[-1]), x1))


def _limit(what: str, given: ArrayLike, like: Array) -> Array:
    limits = vector(what, given)
    if limits.shape not in ((1,), like.shape):
        raise InputError(
            f"{what}: shape {limits.shape} was given. It takes one number, or {len(like)}, one per coordinate."
        )
    if not (limits > 0).all():
        raise InputError(f"{what}: {limits[limits <= 0][0]:g} was given. A limit is greater than zero.")
    return np.broadcast_to(limits, like.shape)
