"""Motions through waypoints by splines: cubics of least acceleration, quintics of least jerk.

A piece is given by its end points and the first derivatives there (Hermite): velocities for a cubic, velocities and
accelerations for a quintic. The derivatives that are not given minimise the integral of the squared acceleration (or
jerk). That integral is a quadratic form in the derivatives, so they solve a symmetric, positive definite, block
tridiagonal system. The results are the C^2 cubic spline (Holladay 1957) and the C^4 quintic one (Schoenberg 1964).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import perm

import numpy as np
from numpy.typing import ArrayLike, NDArray

from leverarm.arrays import Array
from leverarm.control.signals.checked import increasing_times, rows_in_time
from leverarm.control.signals.pieces import polynomial_signal
from leverarm.control.signals.signal import Signal
from leverarm.errors import InputError


def solve_chain(diagonal: Array, beside: Array, right: Array) -> Array:
    """x with D_i x_i + B_{i-1}^T x_{i-1} + B_i x_{i+1} = r_i, for a symmetric positive definite block system.

    Diagonal blocks (K, m, m), blocks beside them (K-1, m, m), right sides (K, m, n). Cyclic reduction: every second
    unknown is eliminated, all of them at once, until one is left (Golub and Van Loan, Matrix Computations, 4th ed.,
    sec. 4.5). What remains stays positive definite, so no pivoting is needed. O(K m^2 (m + n)) in log2 K steps.
    """
    if len(diagonal) == 1:
        return np.asarray(np.linalg.solve(diagonal, right), dtype=np.float64)
    m = diagonal.shape[-1]
    even, odd = diagonal[::2].copy(), diagonal[1::2]
    to_odd = beside[::2]  # from each even unknown to the odd one after it
    from_odd = beside[1::2]  # from each odd unknown to the even one after it, if there is one
    inner = len(from_odd)
    leaving = np.swapaxes(to_odd, 1, 2)

    # An odd unknown is x = own - back x_before - ahead x_after.
    own = np.linalg.solve(odd, np.concatenate([right[1::2], leaving], axis=2))
    own, back = own[..., :-m], own[..., -m:]
    ahead = np.linalg.solve(odd[:inner], from_odd)
    entering = np.swapaxes(from_odd, 1, 2)

    pull = right[::2].copy()
    even[: len(odd)] -= to_odd @ back
    pull[: len(odd)] -= to_odd @ own
    even[1 : 1 + inner] -= entering @ ahead
    pull[1 : 1 + inner] -= entering @ own[:inner]
    kept = solve_chain(even, -(to_odd[:inner] @ ahead), pull)

    x = np.empty_like(right)
    x[::2] = kept
    x[1::2] = own - back @ kept[: len(odd)]
    x[1 : 1 + 2 * inner : 2] -= ahead @ kept[1 : 1 + inner]
    return x


# The coefficients c_1, c_2, ... of a piece of length 1 that starts at 0, from where it ends and the derivatives at its
# two ends: (end, v_0, v_1) and (end, v_0, a_0, v_1, a_1).
_CUBIC = np.array([[0, 1, 0], [3, -2, -1], [-2, 1, 1]], dtype=np.float64)
_QUINTIC = np.array(
    [[0, 1, 0, 0, 0], [0, 0, 0.5, 0, 0], [10, -6, -1.5, -4, 0.5], [-15, 8, 1.5, 7, -1], [6, -3, -0.5, -3, 0.5]]
)


def hermite_coefficients(t: Array, x: Array, derivatives: Sequence[Array]) -> list[Array]:
    """Coefficients c_0, c_1, ... (..., K-1, n) of the pieces between points x (..., K, n) with these derivatives there.

    One derivative (velocities) gives cubics, two (and accelerations) give quintics.
    """
    h = np.diff(t)[:, None]
    ends = [np.diff(x, axis=-2)]
    ends += [d[..., :-1, :] * h ** (k + 1) for k, d in enumerate(derivatives)]
    ends += [d[..., 1:, :] * h ** (k + 1) for k, d in enumerate(derivatives)]
    coefficients = [x[..., :-1, :]]
    for k, line in enumerate(_hermite(len(derivatives))):
        scaled = sum(factor * end for factor, end in zip(line, ends, strict=True) if factor)
        coefficients.append(scaled / h ** (k + 1))
    return coefficients


def smoothest_derivatives(t: Array, x: Array, given: Sequence[Array], fixed: NDArray[np.bool_]) -> list[Array]:
    """The derivatives at the points x (..., K, n) of the smoothest curve through them, in the order of `given`.

    `fixed` (K, len(given)) says which of the given derivatives, each (..., K, n), the curve must have; the others
    are found.
    """
    points = _knots_first(x)
    known = np.where(fixed[:, :, None], np.stack([_knots_first(d) for d in given], axis=1), 0.0)
    h = np.diff(t)
    order = len(given) + 1
    powers = h[:, None] ** np.array([0, *range(1, order), *range(1, order)])
    energy = powers[:, :, None] * _unit_energy(len(given)) * powers[:, None, :] * (h ** (1 - 2 * order))[:, None, None]

    first, second = slice(1, order), slice(order, 2 * order - 1)
    diagonal = np.zeros((len(t), order - 1, order - 1))
    diagonal[:-1] += energy[:, first, first]
    diagonal[1:] += energy[:, second, second]
    beside = energy[:, first, second]
    pull = np.zeros_like(known)
    rise = np.diff(points, axis=0)[:, None, :]
    pull[:-1] -= energy[:, first, :1] * rise
    pull[1:] -= energy[:, second, :1] * rise
    pull -= diagonal @ known
    pull[:-1] -= beside @ known[1:]
    pull[1:] -= np.swapaxes(beside, 1, 2) @ known[:-1]

    free = ~fixed
    diagonal = np.where(free[:, :, None] & free[:, None, :], diagonal, np.eye(order - 1))
    beside = np.where(free[:-1, :, None] & free[1:, None, :], beside, 0.0)
    found = known + solve_chain(diagonal, beside, np.where(free[:, :, None], pull, 0.0))
    axes = np.moveaxis(x, -2, 0).shape
    return [np.moveaxis(found[:, k].reshape(axes), 0, -2) for k in range(order - 1)]


def _hermite(derivatives: int) -> Array:
    return _CUBIC if derivatives == 1 else _QUINTIC


@cache
def _unit_energy(derivatives: int) -> Array:
    """The integral of the squared second (or third) derivative over a piece of length 1, as a form in its ends."""
    order = derivatives + 1
    powers = range(order, 2 * order)
    gram = np.array([[perm(i, order) * perm(j, order) / (i + j - 2 * order + 1) for j in powers] for i in powers])
    bent = _hermite(derivatives)[order - 1 :]
    result: Array = bent.T @ gram @ bent
    return result


def _knots_first(x: Array) -> Array:
    return np.moveaxis(x, -2, 0).reshape(x.shape[-2], -1)


def cubic(points: ArrayLike, times: ArrayLike, velocities: ArrayLike | None = None) -> Signal:
    """The cubic motion through waypoints [rad or m] at times [s], from rest to rest, constant before and after.

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
    """The minimum-jerk motion through waypoints [rad or m] at times [s], from rest to rest, constant before and after.

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
