"""How strongly the fitted bodies are held to the drawn ones: as strongly as helps to predict blocks left out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array
from leverarm.identification.estimation.consistent_fit import consistent_fit
from leverarm.identification.fitting.weighted_fit import NormalEquations

PULLS = (1e4, 1e3, 1e2, 1e1, 1.0, 1e-1, 1e-2, 1e-4)
FOLDS = 5
AS_GOOD = 1.005
"""An error within this ratio of the least is as good; the strongest pull of those is taken."""


@dataclass(frozen=True, slots=True)
class PhysicalProblem:
    """Sums of the data, weights of the joints, drawn parameters, which are bodies and which must not be negative."""

    equations: NormalEquations
    weights: Array
    drawn: Array
    links: tuple[slice, ...]
    nonnegative: tuple[int, ...]

    def fitted(self, blocks: NDArray[np.bool_], pull: float) -> Array:
        """The best parameters that a machine can have, from some of the blocks."""
        H = np.einsum("n,nij->ij", self.weights, self.equations.WW[blocks].sum(axis=0))
        b = self.weights @ self.equations.Wy[blocks].sum(axis=0)
        return consistent_fit(H, b, self.drawn, self.links, self.nonnegative, pull).values


def pull_choice(problem: PhysicalProblem) -> tuple[float, dict[float, float]]:
    """The pull to use, and the left-out error of each pull tried: root mean square, in joints' noises."""
    count = problem.equations.blocks
    fold = np.arange(count) * min(FOLDS, count) // count
    errors = {}
    for pull in PULLS:
        squares = 0.0
        for left_out in range(int(fold.max()) + 1):
            values = problem.fitted(fold != left_out, pull)
            for block in np.flatnonzero(fold == left_out):
                squares += float(problem.weights @ problem.equations.squares(values, int(block))[0])
        errors[pull] = (squares / max(1.0, float(problem.equations.count.sum()))) ** 0.5
    least = min(errors.values())
    return max(pull for pull, error in errors.items() if error <= AS_GOOD * least), errors


def left_out_values(problem: PhysicalProblem, pull: float) -> Array:
    """Parameters (blocks, p) fitted to all blocks but one, for each."""
    blocks = np.arange(problem.equations.blocks)
    return np.stack([problem.fitted(blocks != b, pull) for b in blocks])
