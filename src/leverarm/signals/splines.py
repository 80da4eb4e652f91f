"""Splines as the smoothest curves through points: cubics of least acceleration, quintics of least jerk.

A piece is given by its ends' positions and first derivatives there (Hermite): velocities for a cubic, velocities and
accelerations for a quintic. The derivatives nobody gave make the integral of the squared acceleration (or jerk) least.
That integral is a quadratic form in the ends' derivatives, so they solve a symmetric, positive definite system in which
each knot meets only its neighbours. The results are the C^2 cubic spline (Holladay 1957) and the C^4 quintic one
(Schoenberg 1964).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import perm

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array
from leverarm.signals.chain import solve_chain

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
