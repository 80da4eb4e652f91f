"""Symmetric 4 x 4 matrices by ten coordinates in an orthonormal basis: inner products of coordinates are traces."""

from __future__ import annotations

import math
from itertools import combinations_with_replacement

import numpy as np

from leverarm.arrays import Array


def _orthonormal_basis() -> Array:
    basis = np.zeros((10, 4, 4))
    for k, (i, j) in enumerate(combinations_with_replacement(range(4), 2)):
        basis[k, i, j] = basis[k, j, i] = 1.0 if i == j else math.sqrt(0.5)
    return basis


BASIS: Array = _orthonormal_basis()
_FLAT: Array = BASIS.reshape(10, 16)


def matrices(x: Array) -> Array:
    """The matrices with these coordinates: (links, 10) to (links, 4, 4)."""
    return (x @ _FLAT).reshape(-1, 4, 4)


def coordinates(X: Array) -> Array:
    """The coordinates of symmetric matrices: (links, 4, 4) to (links, 10)."""
    return X.reshape(-1, 16) @ _FLAT.T


def congruence(V: Array) -> Array:
    """The matrices (links, 10, 10) that take coordinates of X to those of V X V, for symmetric V."""
    flat: Array = (V[:, None] @ BASIS @ V[:, None]).reshape(-1, 10, 16) @ _FLAT.T
    return flat


def transposed(A: Array) -> Array:
    """The transposes of stacked matrices."""
    return A.transpose(0, 2, 1)


def symmetric(A: Array) -> Array:
    """The symmetric parts of stacked matrices."""
    return (A + transposed(A)) / 2
