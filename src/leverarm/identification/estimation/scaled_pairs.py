"""Pairs of positive definite matrices M, S made equal and diagonal: the scaling of Nesterov and Todd (1997).

G with G^-1 M G^-T = G^T S G = diag(d). In these axes steps of M and of S can be compared, and the condition
M S = mu 1 reads d^2 = mu.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from leverarm.arrays import Array
from leverarm.identification.estimation.symmetric_coordinates import congruence, symmetric, transposed


@dataclass(frozen=True, slots=True)
class ScaledPairs:
    """G^-1 of every pair (links, 4, 4) and the common diagonal d (links, 4)."""

    inverse: Array
    d: Array

    @staticmethod
    def of(M: Array, S: Array) -> ScaledPairs:
        """From C with M = C C^T and C^T S C = Q d^2 Q^T: G = C Q d^-1/2."""
        C = np.asarray(np.linalg.cholesky(M), dtype=np.float64)
        squares, Q = np.linalg.eigh(transposed(C) @ S @ C)
        # S is positive definite, but where it nearly is not, rounding may say otherwise.
        d = np.sqrt(np.maximum(squares, 1e-30 * squares[:, -1:]))
        return ScaledPairs(np.linalg.inv(C @ (Q / np.sqrt(d)[:, None, :])), d)

    @property
    def mu(self) -> float:
        """The mean of M S over all directions."""
        return float(np.mean(self.d**2))

    @property
    def centrality(self) -> float:
        """The least d^2 over the mean one: 1 where M S = mu 1, towards 0 at the edge."""
        return float(np.min(self.d**2)) / self.mu

    def curvature(self) -> Array:
        """What a step of M costs: coordinates of G^-T G^-1 dM G^-T G^-1, as matrices (links, 10, 10)."""
        return congruence(transposed(self.inverse) @ self.inverse)

    def scaled(self, dM: Array) -> Array:
        """A step of M in the common axes, G^-1 dM G^-T."""
        return symmetric(self.inverse @ dM @ transposed(self.inverse))

    def unscaled(self, dS: Array) -> Array:
        """A step of S from the common axes, G^-T dS G^-1."""
        return symmetric(transposed(self.inverse) @ dS @ self.inverse)

    def towards(self, mu: float) -> Array:
        """The sum of the scaled steps of M and S that brings d^2 to mu, to first order."""
        return diagonal((mu - self.d**2) / self.d)

    def towards_corrected(self, mu: float, dM: Array, dS: Array) -> Array:
        """The same to second order, with the product of the steps expected (Mehrotra 1992)."""
        mean = (self.d[:, :, None] + self.d[:, None, :]) / 2
        return (diagonal(mu - self.d**2) - symmetric(dM @ dS)) / mean

    def mu_after(self, a: float, dM: Array, dS: Array) -> float:
        """The mean of M S after the part a of scaled steps of both."""
        own = diagonal(self.d)
        return float(np.sum((own + a * dM) * (own + a * dS))) / self.d.size

    def longest(self, step: Array) -> float:
        """The part of a scaled step of M or of S up to where it stops being positive definite."""
        root = 1 / np.sqrt(self.d)
        least = float(np.linalg.eigvalsh(step * root[:, :, None] * root[:, None, :]).min(initial=0.0))
        return -1 / least if least < 0 else np.inf


def diagonal(d: Array) -> Array:
    """Diagonal matrices: (links, 4) to (links, 4, 4)."""
    return np.eye(4) * d[:, None, :]
