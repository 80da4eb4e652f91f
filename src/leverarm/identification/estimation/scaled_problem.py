"""The fit in coordinates in which every drawn body is the unit matrix and every parameter has the same curvature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from leverarm.arrays import Array
from leverarm.errors import InputError
from leverarm.identification.estimation.bounded_step import BoundedQuadratic, Indices, Mask
from leverarm.identification.estimation.pseudo_inertia import NUMBERS_OF_PSEUDO, pseudo_inertias
from leverarm.identification.estimation.symmetric_coordinates import BASIS

SHARE_KEPT = 1e-4
"""Of the drawn body that every fitted one keeps, P > SHARE_KEPT P0: a hundredth of its thickness in every direction."""
HOLD = 1e-12
"""Of a parameter's curvature: what holds friction and the like where the data tell only a sum of them."""


@dataclass(frozen=True, slots=True)
class ScaledProblem:
    """The quadratic z H z / 2 - b z in the scaled z of the told parameters, phi[told] = cad[told] + T z.

    Of a link, z are the coordinates of X in P - SHARE_KEPT P0 = (1 - SHARE_KEPT) C (1 + X) C^T, P0 = C C^T. Links and
    other parameters on which the data do not depend at all are left out. `bounded` are the z with a `floor`, `free` all
    others, `links` (links, 10) those of the links.
    """

    H: Array
    b: Array
    cad: Array
    T: Array
    told: Indices
    links: Indices
    free: Indices
    bounded: Indices
    floor: Array

    @staticmethod
    def of(H: Array, b: Array, cad: Array, links: Sequence[slice], nonnegative: Sequence[int]) -> ScaledProblem:
        H, b, cad = (np.asarray(part, dtype=float) for part in (H, b, cad))
        numbers = np.array([np.arange(len(b))[link] for link in links], dtype=np.intp).reshape(-1, 10)
        bounded = np.unique(np.array(nonnegative, dtype=np.intp))
        _check(H, b, cad, numbers, bounded)
        cad = cad.copy()
        cad[bounded] = np.maximum(cad[bounded], 0.0)
        diagonal = np.maximum(np.diag(H), 0.0)
        unit_bodies = _unit_bodies(cad[numbers])
        told_links = np.flatnonzero(diagonal[numbers].any(axis=1))
        is_told = diagonal > 0
        is_told[numbers] = False
        is_told[numbers[told_links]] = True
        told = np.flatnonzero(is_told)
        own = np.searchsorted(told, numbers[told_links])
        T = np.zeros((len(told), len(told)))
        for link, k in zip(own, told_links, strict=True):
            T[link[:, None], link] = unit_bodies[k]
        H = (H + H.T)[told[:, None], told] / 2
        stiffest = float(np.diag(T.T @ H @ T).max(initial=0.0)) or 1.0
        others = np.setdiff1d(np.arange(len(told)), own)
        T[others, others] = np.sqrt(stiffest / diagonal[told[others]])
        scaled = T.T @ H @ T
        scaled[others, others] += HOLD * stiffest
        slope = b[told] - H @ cad[told]
        bounded = np.flatnonzero(np.isin(told, bounded))
        floor = -cad[told[bounded]] / np.diag(T)[bounded]
        free = np.setdiff1d(np.arange(len(told)), bounded)
        return ScaledProblem(scaled, T.T @ slope, cad, T, told, own, free, bounded, floor)

    def without_links(self) -> tuple[Array, Mask]:
        """The best friction and the like for the drawn bodies, and which of it lies on its floor."""
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

    def on_floor(self, held: Mask) -> tuple[int, ...]:
        """Which of phi are held on their floor."""
        return tuple(int(j) for j in self.told[self.bounded[held]])

    def unscaled(self, z: Array, held: Mask) -> Array:
        """phi (p,): z in the units of the parameters, exactly zero where it is held on its floor."""
        values = self.cad.copy()
        values[self.told] += self.T @ z
        values[self.told[self.bounded]] = np.where(held, 0.0, np.maximum(values[self.told[self.bounded]], 0.0))
        return values


def _unit_bodies(drawn: Array) -> Array:
    """How the ten numbers of each link change with the coordinates of its X, (links, 10, 10)."""
    try:
        C = np.linalg.cholesky(pseudo_inertias(drawn))
    except np.linalg.LinAlgError:
        raise InputError(
            "a drawn body cannot exist: its pseudo-inertia is not positive definite. Take plausible bodies instead "
            "(physical_prior)."
        ) from None
    moved = C[:, None] @ BASIS @ C.transpose(0, 2, 1)[:, None]
    maps: Array = (1 - SHARE_KEPT) * np.einsum("nij,lkij->lnk", NUMBERS_OF_PSEUDO, moved)
    return maps


def _check(H: Array, b: Array, cad: Array, numbers: Indices, bounded: Indices) -> None:
    p = len(b)
    if b.shape != (p,) or H.shape != (p, p) or cad.shape != (p,):
        raise InputError(f"H has shape {H.shape}, b {b.shape}, cad {cad.shape}; (p, p), (p,) and (p,) are needed.")
    if not all(np.isfinite(part).all() for part in (H, b, cad)):
        raise InputError("H, b or cad hold a number that is not finite; leave such rows out of the data.")
    if np.intersect1d(numbers, bounded).size or len(np.unique(numbers)) < numbers.size:
        raise InputError("a parameter belongs to two links, or to a link and the nonnegative ones; each has one role.")
    if bounded.size and (bounded[0] < 0 or bounded[-1] >= p):
        raise InputError(f"nonnegative parameters {bounded.tolist()}: they are counted from 0 to {p - 1}.")
