"""Gains and base parameters at once: the current of motor j is c_j (W_j beta + u_j) + F_j d, with u_j of a known load.

c_j = 1 / gain. Without the load every scale of beta and of the gains would do; the load's torques u fix it. A joint the
load does not reach gets its gain through the base parameters it shares with others (Gautier, Briot 2014, who solve the
same equations by total least squares). F are friction columns in the samples with the load: friction changes with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array
from leverarm.identification.fitting.covariance import covariance
from leverarm.identification.fitting.rows import Mask
from leverarm.identification.fitting.weighted_fit import weighted_fit

MOST_STEPS = 50
SETTLED = 1e-10
RIDGE = 1e-12
"""Of a parameter's own curvature: what decides where no sample does."""
STARTING_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class GainRows:
    """W (k, n, b), F (k, n, f), u (k, n) [N m at the motors], currents y (k, n) [A], and which samples are `used`."""

    W: Array
    F: Array
    u: Array
    y: Array
    used: Mask

    def moments(self) -> Array:
        """Sums (n, s, s) of products of the columns W, F, u, y over the used samples of each motor."""
        found = []
        for j in range(self.u.shape[1]):
            at = self.used[:, j]
            X = np.column_stack([self.W[at, j], self.F[at, j], self.u[at, j], self.y[at, j]])
            found.append(X.T @ X)
        return np.array(found)


@dataclass(frozen=True, slots=True)
class GainFit:
    """c (n,) = 1 / gain [A/(N m)], its standard errors (n,), and the root mean square residual (n,) [A]."""

    c: Array
    errors: Array
    noise: Array


def gain_values(rows: GainRows, sizes: Array) -> tuple[Array, Array]:
    """c (n,) and the other parameters (b + f,) of least squares; `sizes` (n,) are the torques to be expected [N m]."""
    moments, count = rows.moments(), np.maximum(rows.used.sum(axis=0), 1)
    gains, beta = _linear(moments, count, sizes, rows.W.shape[2], rows.F.shape[2])
    c = 1 / np.where(np.abs(gains) > 0, gains, 1e-300)
    x = np.concatenate([beta, np.zeros(rows.F.shape[2]), c])
    least = 1e-20 * moments[:, -1, -1] / count
    for _ in range(MOST_STEPS):
        maps = list(_linearised(x, rows))
        squares = np.array([r @ G @ r for G, (_, r) in zip(moments, maps, strict=True)])
        weights = 1 / np.maximum(squares / count, np.maximum(least, 1e-300))
        N = sum(w * A.T @ G @ A for w, G, (A, _) in zip(weights, moments, maps, strict=True))
        g = sum(w * A.T @ G @ r for w, G, (A, r) in zip(weights, moments, maps, strict=True))
        step = _solved(np.asarray(N), np.asarray(g))
        x = x + step
        n = len(c)
        if np.all(np.abs(step[-n:]) <= SETTLED * np.abs(x[-n:])):
            break
    return x[-len(c) :], x[: -len(c)]


def gain_fit(rows: GainRows, c: Array, others: Array, piece: NDArray[np.int64]) -> GainFit:
    """The last step from (c, others), wild samples held down, with errors that know of coloured noise."""
    k, n, b = rows.W.shape
    beta, d = others[:b], others[b:]
    torque = rows.W @ beta + rows.u
    J = np.concatenate([rows.W * c[:, None], rows.F, np.zeros((k, n, n))], axis=2)
    J[:, np.arange(n), np.arange(len(others), len(others) + n)] = torque
    x = np.concatenate([beta, d, c])
    off = rows.y - c * torque - rows.F @ d
    fit = weighted_fit(J, off + J @ x, rows.used)
    spread = covariance(J, fit.residuals, fit.roots, piece)
    return GainFit(fit.values[-n:], np.sqrt(np.maximum(np.diag(spread)[-n:], 0.0)), fit.noise)


def _linear(moments: Array, count: Array, sizes: Array, b: int, f: int) -> tuple[Array, Array]:
    """Gains (n,) and beta (b,) of W beta + u = gain y, each motor weighted by what it leaves."""
    n, s = len(moments), moments.shape[1]
    weights = 1 / np.maximum(sizes, 1e-300) ** 2
    gains, beta = np.ones(n), np.zeros(b)
    for _ in range(STARTING_ROUNDS):
        N, g = np.zeros((b + n, b + n)), np.zeros(b + n)
        maps = []
        for j in range(n):
            A = np.zeros((s, b + n))
            A[np.arange(b), np.arange(b)] = 1.0
            A[-1, b + j] = -1.0
            maps.append(A)
            N += weights[j] * A.T @ moments[j] @ A
            g -= weights[j] * A.T @ moments[j][:, -2]
        x = _solved(N, g)
        beta, gains = x[:b], x[b:]
        for j in range(n):
            r = maps[j] @ x
            r[-2] += 1.0
            left = r @ moments[j] @ r / count[j]
            weights[j] = 1 / max(float(left), 1e-6 * float(sizes[j]) ** 2, 1e-300)
    return gains, beta


def _linearised(x: Array, rows: GainRows) -> Iterator[tuple[Array, Array]]:
    """Of each motor: the slopes of the current with (beta, d, c) and the residual, in terms of W, F, u, y."""
    n, b, f = rows.u.shape[1], rows.W.shape[2], rows.F.shape[2]
    beta, d, c = x[:b], x[b : b + f], x[b + f :]
    for j in range(n):
        A = np.zeros((b + f + 2, b + f + n))
        A[np.arange(b), np.arange(b)] = c[j]
        A[np.arange(b, b + f), np.arange(b, b + f)] = 1.0
        A[:b, b + f + j], A[b + f, b + f + j] = beta, 1.0
        residual = np.concatenate([-c[j] * beta, -d, [-c[j], 1.0]])
        yield A, residual


def _solved(N: Array, g: Array) -> Array:
    size = np.sqrt(np.maximum(np.diag(N), 1e-300))
    scaled = N / np.outer(size, size)
    scaled[np.diag_indices_from(scaled)] += RIDGE
    return np.asarray(np.linalg.solve(scaled, g / size) / size)
