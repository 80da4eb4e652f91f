"""How sure fitted parameters are when residuals are coloured and joints shake together.

The covariance of least-squares values is B (sum over t, s of X_t^T R(t - s) X_s) B with B = (sum of X^T X)^-1 and R the
covariance of the weighted noise at two times. In frequencies the sum in the middle is that of X(f)^* S(f) X(f), with S
the spectral matrix of the noise over the joints (`noise_spectrum.py`). Values by instruments Z have the covariance
B (sum of Z_t^T R Z_s) B^T with B = (sum of Z^T X)^-1, which is the same where Z = X.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array
from leverarm.identification.fitting.noise_spectrum import noise_spectrum
from leverarm.identification.fitting.tall_factors import tall_qr


@dataclass(frozen=True, slots=True)
class Spread:
    """Covariance (b, b) of fitted values, and of how many degrees of freedom each variance is known from (b,)."""

    covariance: Array
    freedom: Array

    @property
    def reach(self) -> Array:
        """Standard errors (b,) that a 95 % interval reaches to either side: Student's, for noise that is not known."""
        return reach_of_interval(self.freedom)


def spread(W: Array, residuals: Array, roots: Array, piece: NDArray[np.int64], Z: Array | None = None) -> Spread:
    """How sure the values of columns W (k, n, b) are that were fitted with the weights `roots`^2 (k, n).

    `Z` are the instruments (k, n, b) by which they were fitted, where they were.
    """
    k, n, b = W.shape
    X = W * roots[:, :, None]
    lengths = np.sqrt(np.sum(X**2, axis=(0, 1)))
    lengths = np.where(lengths > 0, lengths, 1.0)
    flat = (X / lengths).reshape(k * n, b)
    if Z is None:
        Q, R = tall_qr(flat)
    else:
        Q = orthonormal(Z, roots)
        R = Q.T @ flat
    noise = noise_spectrum(Q.reshape(k, n, b), residuals * roots, roots > 0, piece)
    # values = R^-1 Q^T y: the covariance of Q^T e, taken through R^-1
    inverse = np.linalg.pinv(R, rcond=1e-13) / lengths[:, None]
    return Spread(inverse @ noise.covariance_of_sums() @ inverse.T, noise.freedom(inverse))


def covariance(W: Array, residuals: Array, roots: Array, piece: NDArray[np.int64], Z: Array | None = None) -> Array:
    """Covariance (b, b) of the values of columns W (k, n, b) fitted with the weights `roots`^2 (k, n).

    `Z` are the instruments (k, n, b) by which they were fitted, where they were.
    """
    return spread(W, residuals, roots, piece, Z).covariance


def orthonormal(Z: Array, roots: Array) -> Array:
    """An orthonormal basis (k n, b) of columns Z (k, n, b) weighted by `roots` (k, n)."""
    A = (Z * roots[:, :, None]).reshape(-1, Z.shape[2])
    lengths = np.sqrt(np.sum(A**2, axis=0))
    return tall_qr(A / np.where(lengths > 0, lengths, 1.0))[0]


def covariance_of_sums(Q: Array, e: Array, used: NDArray[np.bool_], piece: NDArray[np.int64]) -> Array:
    """Covariance (b, b) of the sum of Q_t^T e_t, Q (k, n, b) with orthonormal columns, e (k, n) weighted residuals."""
    return noise_spectrum(Q, e, used, piece).covariance_of_sums()


def reach_of_interval(freedom: Array) -> Array:
    """Student's quantile of 97.5 % by its series in 1/freedom (Fisher and Cornish 1960): to 1 % from 2 degrees on."""
    z = 1.959964
    x = 1 / np.maximum(freedom, 2.0)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    fourth = (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160
    return np.asarray(z + x * (first + x * (second + x * (third + x * fourth))))
