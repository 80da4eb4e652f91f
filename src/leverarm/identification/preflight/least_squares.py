"""What a linear model leaves of a signal, and how sure an added number of it is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array

SMALLEST = 1e-11
"""Eigenvalue of the Gram matrix, of the largest, below which a direction of the columns is rounding."""


def span(columns: Array) -> Array:
    """An orthonormal basis of what the columns (rows, p) span, by the Gram matrix twice (like Cholesky QR 2)."""
    norms = np.linalg.norm(columns, axis=0)
    basis: Array = columns[:, norms > 0] / norms[norms > 0]
    for smallest in (SMALLEST, 0.0):
        values, vectors = np.linalg.eigh(basis.T @ basis)
        kept = values > smallest * values[-1] if len(values) else values > 0
        basis = basis @ (vectors[:, kept] / np.sqrt(values[kept]))
    return basis


def left_over(basis: Array, signals: Array) -> Array:
    """The part of each signal (rows, ...) that no combination of an orthonormal basis gives."""
    rest: Array = signals - basis @ (basis.T @ signals)
    return rest


def coefficients(columns: Array, signal: Array) -> Array:
    """Least-squares factors of the columns; 0 for columns of zeros, the shortest answer where columns are dependent."""
    norms = np.linalg.norm(columns, axis=0)
    scaled = columns / np.where(norms > 0, norms, 1)
    values, vectors = np.linalg.eigh(scaled.T @ scaled)
    kept = values > SMALLEST * max(values[-1], 1e-300)
    inverse = (vectors[:, kept] / values[kept]) @ vectors[:, kept].T
    answer: Array = inverse @ (scaled.T @ signal) / np.where(norms > 0, norms, 1)
    return answer


def spread_of_mean(scores: Array, blocks: NDArray[np.int64]) -> Array:
    """Covariance (p, p) of the sum of the scores (rows, p), whatever correlation they have inside a block."""
    count = int(blocks.max()) + 1
    sums = np.zeros((count, scores.shape[1]))
    np.add.at(sums, blocks, scores)
    answer: Array = sums.T @ sums * (count / max(1, count - 1))
    return answer
