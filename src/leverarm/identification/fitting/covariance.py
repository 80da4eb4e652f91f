"""Covariance of fitted parameters when residuals are coloured and correlated between joints.

The covariance of least-squares values is B (sum over t, s of X_t^T R(t - s) X_s) B with B = (sum of X^T X)^-1 and R the
covariance of the weighted noise at two times. In the frequency domain the middle sum is that of X(f)^* S(f) X(f), with
S the spectral matrix of the noise over the joints. Values by instruments Z have the covariance
B (sum of Z_t^T R Z_s) B^T with B = (sum of Z^T X)^-1, which is the same where Z = X.

`NoiseSpectrum` estimates S in frequency bands, joint by joint, from the residuals. A fit removes the part of the noise
that its columns can imitate, most of it at the slow frequencies of the motion, where coloured noise is strong. With Q
the orthonormal basis of the weighted columns, residuals are (I - Q Q^T) noise. If the noise has the power s_i in band i
(of one joint), the residuals' power r_i in that band has the mean

    r = A s,   A_ik = (N_i - 2 tr G_i) [i = k] + tr(G_i G_k),   G_i = Q_i^T Q_i,

N_i being the number of components in the band and Q_i those of Q in it. Solved for s, that is the power of the noise
before the fit (unbiased estimation of variance components, Rao 1971).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array, BoolArray, IntArray
from leverarm.identification.fitting.weighted_fit import tall_qr, unit_columns

Complex = NDArray[np.complex128]

FEWEST = 6.0
"""Noise components a band must keep on average over the joints, and half as many in every joint."""
WIDEST = 1.5
"""A band that has enough components reaches up to this times its lowest frequency."""


@dataclass(frozen=True, slots=True)
class NoiseSpectrum:
    """Power (n, bands) of the noise in bands; columns Q (f, n, b) and residuals e (f, n) at all frequencies.

    Squares of Q and e add up to those in time. `edges` are the bands' first frequencies, and one past the last.
    `grams` (n bands, b, b) are the G_i, `counts` (n bands,) the N_i.
    """

    Q: Complex
    e: Complex
    edges: tuple[int, ...]
    grams: Array
    counts: Array
    power: Array

    def covariance_of_sums(self) -> Array:
        """Covariance (b, b) of the sum over time of Q_t^T noise_t; joints are correlated as their residuals are."""
        b = self.Q.shape[2]
        total = np.zeros((b, b))
        for i, (first, last) in enumerate(pairwise(self.edges)):
            together = self.e[first:last].T @ self.e[first:last].conj()
            size = np.sqrt(np.maximum(np.real(np.diag(together)), 1e-300))
            root = np.sqrt(self.power[:, i]) / size
            values, vectors = np.linalg.eigh(together * np.outer(root, root))
            roots = np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.conj().T
            Y = (roots @ self.Q[first:last]).reshape(-1, b)
            total += np.real(Y.conj().T @ Y)
        return total


def noise_spectrum(Q: Array, e: Array, used: BoolArray, piece: IntArray) -> NoiseSpectrum:
    """The spectrum of the noise behind residuals e (k, n) of a fit of columns with the orthonormal basis Q (k, n, b).

    Both are zero in samples that are not `used` (k, n). Pieces are unbroken stretches of the same noise.
    """
    frequency, number, Qf, ef = _components(Q, e, piece)
    n, b = Q.shape[1:]
    share = used.mean(axis=0)
    leverage = np.sum(np.abs(Qf) ** 2, axis=2)
    edges = _edges(frequency, number[:, None] * share - leverage, share > 0)
    bands = [slice(first, last) for first, last in pairwise(edges)]
    counts = np.outer(share, [float(number[band].sum()) for band in bands]).reshape(-1)
    left = np.array([np.sum(np.abs(ef[band]) ** 2, axis=0) for band in bands]).T.reshape(-1)
    # Q^T Q over real components, which are real and imaginary parts
    parts = [np.concatenate([Qf[band, j].real, Qf[band, j].imag]) for j in range(n) for band in bands]
    grams = np.stack([part.T @ part for part in parts])
    flat = grams.reshape(len(grams), b * b)
    mixing = flat @ flat.T
    mixing[np.diag_indices_from(mixing)] += np.where(counts > 0, counts - 2 * np.trace(grams, axis1=1, axis2=2), 1.0)
    # The noise cannot have been less than what is left of it.
    power = np.maximum(np.linalg.solve(mixing, left), left / np.maximum(counts, 1.0))
    return NoiseSpectrum(Qf, ef, edges, grams, counts, power.reshape(n, len(bands)))


def _components(Q: Array, e: Array, piece: IntArray) -> tuple[Array, Array, Complex, Complex]:
    """Frequencies of all pieces in order [per sample], how many real components each is, and Q and e there."""
    found = []
    for stretch in range(int(piece.max()) + 1):
        at = piece == stretch
        length = int(at.sum())
        if not length:
            continue
        number = np.full(length // 2 + 1, 2.0)
        number[0] = 1.0
        if length % 2 == 0:
            number[-1] = 1.0
        size = np.sqrt(number / length)
        Qf, ef = np.fft.rfft(Q[at], axis=0) * size[:, None, None], np.fft.rfft(e[at], axis=0) * size[:, None]
        found.append((np.arange(len(number)) / length, number, Qf, ef))
    if len(found) == 1:
        return found[0]
    frequency, number, Qf, ef = (np.concatenate(parts) for parts in zip(*found, strict=True))
    order = np.argsort(frequency, kind="stable")
    return frequency[order], number[order], Qf[order], ef[order]


def _edges(frequency: Array, left: Array, there: BoolArray) -> tuple[int, ...]:
    """First frequencies of bands in which enough components `left` (f, n) remain of joints that are `there` (n,)."""
    sums = np.cumsum(np.concatenate([np.zeros((1, int(there.sum()))), left[:, there]]), axis=0)
    edges = [0]
    while edges[-1] < len(frequency):
        first = edges[-1]
        gained = sums[first:] - sums[first]
        enough = (gained.mean(axis=1) >= FEWEST) & (gained.min(axis=1) >= FEWEST / 2)
        if not enough.any():
            break
        last = first + int(np.argmax(enough))
        edges.append(max(last, int(np.searchsorted(frequency, WIDEST * frequency[first]))))
    # What is left over at the top is too little for a band of its own.
    return (*(edges[:-1] if len(edges) > 1 else edges), len(frequency))


def covariance(W: Array, residuals: Array, roots: Array, piece: IntArray, Z: Array | None = None) -> Array:
    """Covariance (b, b) of the values of columns W (k, n, b) that were fitted with the weights `roots`^2 (k, n).

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
    return np.asarray(inverse @ noise.covariance_of_sums() @ inverse.T)


def orthonormal(Z: Array, roots: Array) -> Array:
    """An orthonormal basis (k n, b) of columns Z (k, n, b) weighted by `roots` (k, n)."""
    return tall_qr(unit_columns((Z * roots[:, :, None]).reshape(-1, Z.shape[2]))[0])[0]
