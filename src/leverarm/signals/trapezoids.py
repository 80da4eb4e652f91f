"""The fastest straight motion from one posture to another within limits of velocity and acceleration."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from leverarm.arrays import Array
from leverarm.errors import InputError
from leverarm.signals.checked import number, seconds, vector
from leverarm.signals.pieces import constant, polynomial_signal
from leverarm.signals.signal import Signal


def trapezoid(
    start: ArrayLike, target: ArrayLike, velocity: ArrayLike, acceleration: ArrayLike, begin: float = 0.0
) -> Signal:
    """A motion from rest to rest along the straight line between two postures [rad or m]: speed up, cruise, slow down.

    All coordinates share one law of time, the fastest in which none exceeds its velocity [rad/s or m/s] or its
    acceleration [rad/s^2 or m/s^2] (one number for all, or one each), so they start, cruise and arrive together. Where
    the way is too short to cruise, the velocity is a triangle. It stands at `start` before `begin` [s] and at `target`
    after arrival; the last of `begins` is when it arrives.

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
    # Of the whole way from 0 to 1: the greatest rate and the greatest acceleration that every coordinate allows.
    rate = float(np.min(fastest[moving] / np.abs(way[moving])))
    push = float(np.min(hardest[moving] / np.abs(way[moving])))
    rate = min(rate, push**0.5)
    ramp = rate / push
    cruise = max(1 / rate - ramp, 0.0)
    times = t0 + np.array([0.0, ramp, ramp + cruise, 2 * ramp + cruise])
    lasting = np.diff(times) > 0
    if not lasting.any():
        raise InputError(
            f"trapezoid: the motion takes {2 * ramp + cruise:.3g} s, which is nothing next to begin = {seconds(t0)}. "
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
