"""Base parameters by instrumental variables: right on average where noise in the motion makes least squares wrong.

With instruments Z, whose noise is independent of that in the columns W and in the torques y, the values that make
Z^T (y - W phi) = 0 are phi = (Z^T W)^-1 Z^T y, consistent where least squares, Z = W, is pulled towards zero
(Young 2011; for robots Janot, Vandanjon and Gautier 2014). Torques that follow the noise of the positions, as those of
a controller do, bias least squares too, but not this.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array
from leverarm.identification.fitting.covariance import orthonormal
from leverarm.identification.fitting.weighted_fit import Solved, WeightedFit, reweighted

Mask = NDArray[np.bool_]

WEAKEST = 1e-10
"""Combinations of columns whose correlation with the instruments is below this are not told by them."""


def instrumental_fit(W: Array, y: Array, used: Mask, Z: Array) -> WeightedFit:
    """The values of the columns W (k, n, b) for torques y (k, n), by instruments Z (k, n, b), zero where there is none.

    Joints are weighted by their noise and wild samples held down, as `weighted_fit` does.
    """
    return reweighted(W, y, used, lambda roots: _solved(W, y, Z, roots))


def _solved(W: Array, y: Array, Z: Array, roots: Array) -> Solved:
    X = (W * roots[:, :, None]).reshape(-1, W.shape[2])
    lengths = np.sqrt(np.sum(X**2, axis=0))
    lengths = np.where(lengths > 0, lengths, 1.0)
    X /= lengths
    Q = orthonormal(Z, roots)
    U, told, Vt = np.linalg.svd(Q.T @ X)
    kept = told > WEAKEST * told[0]
    projected = U.T @ (Q.T @ (y * roots).reshape(-1))
    values = Vt.T[:, kept] @ (projected[kept] / told[kept]) / lengths
    return values, np.linalg.svd(np.linalg.qr(X, mode="r"), compute_uv=False)
