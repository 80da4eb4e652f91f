"""The lowest point of a quadratic over variables some of which have a floor, by exchanging which ones lie on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array

Mask = NDArray[np.bool_]
Indices = NDArray[np.intp]

PATIENCE = 5
"""Vain exchanges of all misplaced variables at once, before only one at a time is exchanged."""


@dataclass(frozen=True, slots=True)
class BoundedQuadratic:
    """A positive definite K with the variables that have no floor eliminated, for steps along several slopes.

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

    def lowest(self, g: Array, floor: Array, held: Mask) -> tuple[Array, Mask]:
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


def _complementary(K: Array, g: Array, floor: Array, held: Mask) -> tuple[Array, Mask]:
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
