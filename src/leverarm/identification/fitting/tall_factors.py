"""Factors of tall matrices from sums of products: several times faster than by reflections, and as exact.

A = Q R with R from Cholesky's R^T R = A^T A loses twice the digits that A's condition takes; a second round gives them
back (Yamamoto, Nakatsukasa, Yanagisawa and Fukaya 2015). Columns that are nearly dependent go to Householder's QR.
"""

from __future__ import annotations

import numpy as np

from leverarm.arrays import Array

WORST = 1e-5
"""Least singular value of columns of length 1, of the largest, down to which sums of products are trusted."""


def tall_qr(A: Array) -> tuple[Array, Array]:
    """Q (m, b) with orthonormal columns and R (b, b) with A = Q R, of columns A (m, b) of about the same length."""
    first = triangle(A)
    if first is None:
        Q, R = np.linalg.qr(A)
        return Q, R
    Q = A @ np.linalg.inv(first)
    second = triangle(Q)
    if second is None:
        Q, R = np.linalg.qr(A)
        return Q, R
    return Q @ np.linalg.inv(second), second @ first


def triangle(A: Array) -> Array | None:
    """R (b, b) with R^T R = A^T A, of columns A (m, b); None where they are nearly dependent."""
    try:
        R: Array = np.asarray(np.linalg.cholesky(A.T @ A).T, dtype=np.float64)
    except np.linalg.LinAlgError:
        return None
    singular = np.linalg.svd(R, compute_uv=False)
    return R if singular[-1] > WORST * singular[0] else None
