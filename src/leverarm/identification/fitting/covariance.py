"""How sure fitted parameters are when residuals are coloured and joints shake together.

The covariance of least-squares values is B (sum over t, s of X_t^T R(t - s) X_s) B with B = (sum of X^T X)^-1 and R the
covariance of the weighted residuals at two times. In frequencies the sum in the middle is that of X(f)^* S(f) X(f),
with S the spectral matrix of the residuals over the joints, here a running mean of their periodogram. A fit takes away
part of the noise where its columns live; that part (the leverage at each frequency) is put back. Values by instruments
Z have the covariance B (sum of Z_t^T R Z_s) B^T with B = (sum of Z^T X)^-1, which is the same where Z = X.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

MOST_LEVERAGE = 0.9
"""Of the noise at a frequency that a fit can be thought to have taken away, at most."""


def covariance(W: Array, residuals: Array, roots: Array, piece: NDArray[np.int64], Z: Array | None = None) -> Array:
    """Covariance (b, b) of the values of columns W (k, n, b) fitted with the weights `roots`^2 (k, n).

    `Z` are the instruments (k, n, b) by which they were fitted, where they were.
    """
    k, n, b = W.shape
    X = W * roots[:, :, None]
    lengths = np.sqrt(np.sum(X**2, axis=(0, 1)))
    lengths = np.where(lengths > 0, lengths, 1.0)
    flat = (X / lengths).reshape(k * n, b)
    if Z is None:
        Q, R = np.linalg.qr(flat)
    else:
        Q = orthonormal(Z, roots)
        R = Q.T @ flat
    middle = covariance_of_sums(Q.reshape(k, n, b), residuals * roots, roots > 0, piece)
    # values = R^-1 Q^T y: the covariance of Q^T e, taken through R^-1
    inverse = np.linalg.pinv(R, rcond=1e-13) / lengths[:, None]
    answer: Array = inverse @ middle @ inverse.T
    return answer


def orthonormal(Z: Array, roots: Array) -> Array:
    """An orthonormal basis (k n, b) of columns Z (k, n, b) weighted by `roots` (k, n)."""
    A = (Z * roots[:, :, None]).reshape(-1, Z.shape[2])
    lengths = np.sqrt(np.sum(A**2, axis=0))
    return np.asarray(np.linalg.qr(A / np.where(lengths > 0, lengths, 1.0))[0])


def covariance_of_sums(Q: Array, e: Array, used: NDArray[np.bool_], piece: NDArray[np.int64]) -> Array:
    """Covariance (b, b) of the sum of Q_t^T e_t, Q (k, n, b) with orthonormal columns, e (k, n) weighted residuals."""
    middle = np.zeros((Q.shape[2], Q.shape[2]))
    for number in range(int(piece.max()) + 1):
        at = piece == number
        middle += _middle(Q[at], e[at], used[at])
    return middle


def _middle(Q: Array, e: Array, used: NDArray[np.bool_]) -> Array:
    """Covariance (b, b) of the sum of Q_t^T e_t over one unbroken stretch."""
    T, _, b = Q.shape
    half = max(3, round(0.5 * T**0.5))
    Qf = np.fft.rfft(Q, axis=0)
    ef = np.fft.rfft(e, axis=0)
    twice = np.full(len(ef), 2.0)
    twice[0] = 1.0
    if T % 2 == 0:
        twice[-1] = 1.0
    leverage = np.sum(np.abs(Qf) ** 2, axis=2)
    samples = np.maximum(used.sum(axis=0), 1.0)
    kept = _running_mean(np.broadcast_to(samples, leverage.shape) - leverage, half)
    kept = np.maximum(kept, (1 - MOST_LEVERAGE) * samples)
    # S(f) = mean of u u^*, u = the residuals' transform with the leverage put back
    u = ef / np.sqrt(kept)
    S = _running_mean(u[:, :, None] * u[:, None, :].conj(), half)
    values, vectors = np.linalg.eigh(S)
    roots = np.sqrt(np.maximum(values, 0.0))[:, :, None] * vectors.conj().transpose(0, 2, 1)
    Y = (np.sqrt(twice / T)[:, None, None] * (roots @ Qf)).reshape(-1, b)
    answer: Array = np.real(Y.conj().T @ Y)
    return answer


def _running_mean(x: NDArray[np.complex128] | Array, half: int) -> NDArray[np.complex128] | Array:
    """The mean over 2 half + 1 frequencies around each, the spectrum mirrored at its ends."""
    half = min(half, len(x) - 1)
    mirrored = np.concatenate([np.conj(x[half:0:-1]), x, np.conj(x[-2 : -2 - half : -1])])
    sums = np.cumsum(np.concatenate([np.zeros_like(mirrored[:1]), mirrored]), axis=0)
    return np.asarray((sums[2 * half + 1 :] - sums[: -2 * half - 1]) / (2 * half + 1))
