"""The parts of the interior-point method of `consistent_fit`.

`ScaledProblem`: the fit in coordinates in which every nominal body is the unit matrix and every parameter has the same
curvature. `BoundedQuadratic`: the minimum of a quadratic with lower bounds, by active sets. `ScaledPairs`: the scaling
of Nesterov and Todd (1997) of pairs of positive definite matrices M, S: G with G^-1 M G^-T = G^T S G = diag(d), in
which M S = mu 1 reads d^2 = mu. Symmetric 4 x 4 matrices are ten coordinates in an orthonormal basis.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array, BoolArray
from leverarm.errors import InputError
from leverarm.identification.estimation.pseudo_inertia import NUMBERS_OF_PSEUDO, pseudo_inertias

Indices = NDArray[np.intp]

PATIENCE = 5
"""Unsuccessful exchanges of all misplaced variables at once, before they are exchanged one at a time."""


@dataclass(frozen=True, slots=True)
class BoundedQuadratic:
    """A positive definite K with the unbounded variables eliminated, for steps along several gradients.

    `inverse` is that of K for the free variables, `across` what couples the bounded ones to them, `answer` how the free
    ones follow the bounded, `left` the quadratic that is left for these.
    """

    free: Indices
    bounded: Indices
    own: Array
    inverse: Array
    across: Array
    answer: Array
    left: Array

    @staticmethod
    def of(K: Array, free: Indices, bounded: Indices) -> BoundedQuadratic:
        own, across = K[free[:, None], free], K[bounded[:, None], free]
        inverse = np.asarray(np.linalg.inv(own), dtype=np.float64)
        answer = inverse @ across.T
        left = K[bounded[:, None], bounded] - across @ answer
        return BoundedQuadratic(free, bounded, own, inverse, across, answer, left)

    def lowest(self, g: Array, floor: Array, held: BoolArray) -> tuple[Array, BoolArray]:
        """The step d that minimises g d + d K d / 2 with d[bounded] >= floor, and which of the bounded lie on it.

        `held` is a guess of that. The free part is refined once: K can be near singular, and its inverse then loses
        digits that the residual still has.
        """
        alone = self.inverse @ g[self.free]
        along, held = _complementary(self.left, g[self.bounded] - self.across @ alone, floor, held)
        own = -alone - self.answer @ along
        own -= self.inverse @ (g[self.free] + self.own @ own + self.across.T @ along)
        step = np.empty_like(g)
        step[self.bounded], step[self.free] = along, own
        return step, held


def _complementary(K: Array, g: Array, floor: Array, held: BoolArray) -> tuple[Array, BoolArray]:
    """The same where every variable has a floor: a linear complementarity problem, by block principal pivoting.

    Variables below their floor go onto it, those held there against their slope leave it, all at once, and after
    PATIENCE vain attempts only the last of them, which ends after finitely many (Judice, Pires 1994; Murty 1974).
    """
    d, fewest, patience = floor, len(g) + 1, PATIENCE
    for _ in range(50 + 10 * len(g)):
        d = np.where(held, floor, 0.0)
        loose = np.flatnonzero(~held)
        if loose.size:
            d[loose] = np.linalg.solve(K[loose[:, None], loose], -(g + K @ d)[loose])
        # A variable that rests on its floor without force must not be exchanged for ever, on rounding alone.
        slack = 1e-14 * (np.abs(K) @ np.abs(d) + np.abs(g))
        misplaced = np.where(held, g + K @ d < -slack, d < floor - 1e-14 * np.abs(floor))
        count = int(misplaced.sum())
        if count == 0:
            break
        if count < fewest:
            fewest, patience = count, PATIENCE
        elif patience:
            patience -= 1
        else:
            misplaced[: np.flatnonzero(misplaced)[-1]] = False
        held = held ^ misplaced
    return np.maximum(d, floor), held


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
    return np.asarray((V[:, None] @ BASIS @ V[:, None]).reshape(-1, 10, 16) @ _FLAT.T)


def transposed(A: Array) -> Array:
    """The transposes of stacked matrices."""
    return A.transpose(0, 2, 1)


def symmetric(A: Array) -> Array:
    """The symmetric parts of stacked matrices."""
    return (A + transposed(A)) / 2


SHARE_KEPT = 1e-4
"""Of the nominal body that every fitted one keeps, P > SHARE_KEPT P0: 1 % of its thickness in every direction."""
HOLD = 1e-12
"""Of a parameter's curvature: what determines friction and the like where the data determine only a sum."""


@dataclass(frozen=True, slots=True)
class ScaledProblem:
    """The quadratic z H z / 2 - b z in the scaled z of the observed parameters, phi[observed] = cad[observed] + T z.

    Of a link, z are the coordinates of X in P - SHARE_KEPT P0 = (1 - SHARE_KEPT) C (1 + X) C^T, P0 = C C^T. Links and
    other parameters on which the data do not depend at all are left out. `bounded` are the z with a `floor`, `free` all
    others, `links` (links, 10) those of the links.
    """

    H: Array
    b: Array
    cad: Array
    T: Array
    observed: Indices
    links: Indices
    free: Indices
    bounded: Indices
    floor: Array

    @staticmethod
    def of(H: Array, b: Array, cad: Array, links: Sequence[slice], nonnegative: Sequence[int]) -> ScaledProblem:
        H, b, cad = (np.asarray(part, dtype=float) for part in (H, b, cad))
        numbers = np.array([np.arange(len(b))[link] for link in links], dtype=np.intp).reshape(-1, 10)
        bounded = np.unique(np.array(nonnegative, dtype=np.intp))
        if not all(np.isfinite(part).all() for part in (H, b, cad)):
            raise InputError("H, b or cad hold a number that is not finite; leave such rows out of the data.")
        cad = cad.copy()
        cad[bounded] = np.maximum(cad[bounded], 0.0)
        diagonal = np.maximum(np.diag(H), 0.0)
        unit_bodies = _unit_bodies(cad[numbers])
        observed_links = np.flatnonzero(diagonal[numbers].any(axis=1))
        is_observed = diagonal > 0
        is_observed[numbers] = False
        is_observed[numbers[observed_links]] = True
        observed = np.flatnonzero(is_observed)
        own = np.searchsorted(observed, numbers[observed_links])
        T = np.zeros((len(observed), len(observed)))
        for link, k in zip(own, observed_links, strict=True):
            T[link[:, None], link] = unit_bodies[k]
        H = (H + H.T)[observed[:, None], observed] / 2
        stiffest = float(np.diag(T.T @ H @ T).max(initial=0.0)) or 1.0
        others = np.setdiff1d(np.arange(len(observed)), own)
        T[others, others] = np.sqrt(stiffest / diagonal[observed[others]])
        scaled = T.T @ H @ T
        scaled[others, others] += HOLD * stiffest
        slope = b[observed] - H @ cad[observed]
        bounded = np.flatnonzero(np.isin(observed, bounded))
        floor = -cad[observed[bounded]] / np.diag(T)[bounded]
        free = np.setdiff1d(np.arange(len(observed)), bounded)
        return ScaledProblem(scaled, T.T @ slope, cad, T, observed, own, free, bounded, floor)

    def without_links(self) -> tuple[Array, BoolArray]:
        """The best friction and the like for the nominal bodies, and which of it is at its bound."""
        z, held = np.zeros_like(self.b), np.zeros(len(self.bounded), dtype=np.bool_)
        others = np.setdiff1d(np.arange(len(z)), self.links)
        bounded = np.searchsorted(others, self.bounded)
        free = np.setdiff1d(np.arange(len(others)), bounded)
        quadratic = BoundedQuadratic.of(self.H[others[:, None], others], free, bounded)
        z[others], held = quadratic.lowest(-self.b[others], self.floor, held)
        return z, held

    def gain(self, z: Array) -> float:
        """By how much the quadratic could fall from z if any parameter were allowed."""
        g = self.H @ z - self.b
        ridge = 1e-12 * float(np.diag(self.H).max(initial=0.0)) or 1.0
        return 0.5 * float(g @ np.linalg.solve(self.H + ridge * np.eye(len(g)), g))

    def on_floor(self, held: BoolArray) -> tuple[int, ...]:
        """Which of phi are held on their floor."""
        return tuple(int(j) for j in self.observed[self.bounded[held]])

    def unscaled(self, z: Array, held: BoolArray) -> Array:
        """phi (p,): z in the units of the parameters, exactly zero where it is held on its floor."""
        values = self.cad.copy()
        values[self.observed] += self.T @ z
        values[self.observed[self.bounded]] = np.where(held, 0.0, np.maximum(values[self.observed[self.bounded]], 0.0))
        return values


def _unit_bodies(nominal: Array) -> Array:
    """How the ten numbers of each link change with the coordinates of its X, (links, 10, 10)."""
    try:
        C = np.linalg.cholesky(pseudo_inertias(nominal))
    except np.linalg.LinAlgError:
        raise InputError(
            "a nominal body is not physically consistent: its pseudo-inertia is not positive definite. Use plausible "
            "bodies (physical_prior)."
        ) from None
    moved = C[:, None] @ BASIS @ C.transpose(0, 2, 1)[:, None]
    return np.asarray((1 - SHARE_KEPT) * np.einsum("nij,lkij->lnk", NUMBERS_OF_PSEUDO, moved))


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
