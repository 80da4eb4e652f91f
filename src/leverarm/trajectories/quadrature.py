"""Work from power: integrals over time, of functions and of rows."""

from __future__ import annotations

import numpy as np

from leverarm.arrays import Array

_NODES = np.array([0.5 - np.sqrt(0.15), 0.5, 0.5 + np.sqrt(0.15)])
_WEIGHTS = np.array([5, 8, 5]) / 18
"""Gauss and Legendre's rule with three points on [0, 1]: exact for powers up to the fifth."""


def gauss_times(knots: Array) -> Array:
    """Three times between each two neighbouring knots (N,), sorted: those at which `gauss_sums` wants its function."""
    return np.asarray(knots[:-1, None] + np.diff(knots)[:, None] * _NODES).ravel()


def gauss_sums(knots: Array, values: Array) -> Array:
    """The integral from the first knot to each (N,), of a function given at `gauss_times`."""
    return _summed(np.diff(knots) * (values.reshape(-1, len(_NODES)) @ _WEIGHTS))


def row_sums(t: Array, values: Array) -> Array:
    """The integral from the first row to each, of a function known only at increasing times t (N,).

    The trapezoid rule with its leading error, -h^2/12 times the change of slope, taken off: of fourth order where
    the rows are even, of second at least.
    """
    h = np.diff(t)
    parts = h * (values[1:] + values[:-1]) / 2
    if len(t) > 2:
        parts = parts - h**2 / 12 * np.diff(np.gradient(values, t, edge_order=2))
    return _summed(parts)


def _summed(parts: Array) -> Array:
    return np.concatenate([[0.0], np.cumsum(parts)])
