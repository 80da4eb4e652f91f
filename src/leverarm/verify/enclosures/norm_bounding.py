"""The norms of M that are no eigenvalues: column sums, and the root of the sum of squares.

They are bounded entry by entry: where L <= M <= U, each entry is no further from that of (L + U)/2 than the root of the
product of the two diagonal entries of (U - L)/2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from leverarm.verify.enclosures.bounding import Boxes, Extent, FormBounding
from leverarm.verify.enclosures.loewner import UNIT, Form, norm
from leverarm.verify.enclosures.recursion import in_the_middle, over_boxes
from leverarm.verify.enclosures.rigid_chain import Array


@dataclass(frozen=True, slots=True, eq=False)
class NormBounding:
    """The greatest (sign 1) or least (-1) norm of M, "1", "inf" (the same) or "fro"."""

    inertia: FormBounding
    norm: str
    sign: int
    batch: int = 512

    def whole(self, lower: Array, upper: Array) -> Boxes:
        boxes = self.inertia.whole(lower, upper)
        return boxes._replace(bound=np.array([self.sign * np.inf]))

    def extent(self, boxes: Boxes, aim: float) -> Extent:
        recursion = self.inertia.recursion
        middles, halves = self.inertia.in_joints(boxes)
        here = in_the_middle(recursion, middles)
        budget = np.einsum("bii,ij->bij", here, np.eye(here.shape[-1])) + norm(here)[:, None, None] * np.eye(
            here.shape[-1]
        )
        upper, lower = (over_boxes(recursion, middles, halves, budget, sign) for sign in (1, -1))
        entries, radii = _entries(lower.form, upper.form)
        size = np.abs(entries)
        outermost = size + radii if self.sign > 0 else np.maximum(size - radii, 0.0)
        direction = np.sqrt(np.einsum("bij->bi", outermost**2))
        direction /= np.maximum(np.linalg.norm(direction, axis=1, keepdims=True), 1e-300)
        rounding = upper.form.error + lower.form.error
        return Extent(self._norm(outermost), self.inertia.shares(upper, direction), boxes.memory, rounding)

    def _norm(self, entries: Array) -> Array:
        margin = 1 + self.sign * 64 * UNIT * entries.shape[-1] ** 2
        if self.norm == "fro":
            return np.asarray(np.sqrt((entries**2).sum((1, 2))) * margin)
        return np.asarray(entries.sum(1).max(1) * margin)


def _entries(lower: Form, upper: Form) -> tuple[Array, Array]:
    """The middle of each entry, and how far off it may be."""
    error = (lower.error + upper.error)[:, None]
    half = np.einsum("bii->bi", upper.matrix - lower.matrix) / 2 + error
    half = np.maximum(half, 0.0) * (1 + 8 * UNIT) + 4 * UNIT * norm(upper.matrix)[:, None]
    radii = np.sqrt(half[:, :, None] * half[:, None, :]) * (1 + 8 * UNIT)
    return (lower.matrix + upper.matrix) / 2, radii
