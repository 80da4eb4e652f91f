"""Branch and bound: a box is halved where that helps most, and the box that bounds worst comes first.

It can be stopped at any time: what no box exceeds is a bound.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from leverarm.verify.enclosures.bounding import Bounding, Boxes, Extent, joined
from leverarm.verify.enclosures.loewner import UNIT
from leverarm.verify.enclosures.rigid_chain import Array


@dataclass(slots=True)
class Branching:
    """The boxes that are left, the bound of those that are done, and what is reached from inside."""

    bounding: Bounding
    reached: float
    """A value that the extreme certainly has or exceeds."""
    close: float
    """Boxes whose bound is no further than this, relatively, from what is reached, or only by rounding, are done."""
    boxes: Boxes
    done: float
    """The worst bound of the boxes that are done."""
    count: int = 0
    """Boxes bounded so far."""

    @property
    def sign(self) -> int:
        return self.bounding.sign

    @property
    def bound(self) -> float:
        """What the extreme certainly does not exceed (or stay below)."""
        worst = max(self.sign * self.boxes.bound, default=-np.inf)
        return float(self.sign * max(worst, self.sign * self.done, self.sign * self.reached))

    @property
    def is_done(self) -> bool:
        return len(self.boxes.bound) == 0

    def worst(self, count: int) -> Boxes:
        """The boxes to be looked at next; they are taken out."""
        order = np.argsort(-self.sign * self.boxes.bound, kind="stable")
        taken = self.boxes.part(order[:count])
        self.boxes = self.boxes.part(order[count:])
        return taken

    def aim(self) -> float:
        """What the bound should come down to next: half way to what is reached."""
        if not np.isfinite(self.bound):
            return self.reached + self.sign * 0.5 * abs(self.reached)
        return self.reached + 0.5 * (self.bound - self.reached)

    def put(self, taken: Boxes, extent: Extent) -> None:
        """Boxes that were looked at: those that are not yet good enough come back in halves."""
        # what is not a number is not known
        bound = self.sign * np.fmin(self.sign * extent.bound, self.sign * taken.bound)
        self.count += len(bound)
        # where an extreme is zero nothing is close to it relatively
        close = self.close * abs(self.reached) + (2 if self.reached else 1e4) * extent.rounding
        enough = self.sign * bound <= self.sign * self.reached + close
        splits = _is_wide(taken).any(1)
        # a point cannot be split, but may be looked at again where that helped
        helped = self.sign * (bound - self.reached) < 0.99 * self.sign * (taken.bound - self.reached)
        again = ~enough & ~splits & helped
        split = ~enough & splits
        finished = ~again & ~split
        if finished.any():
            self.done = float(self.sign * max(self.sign * self.done, max(self.sign * bound[finished])))
        looked_at = Boxes(taken.middles, taken.halves, bound, extent.memory)
        self.boxes = joined([self.boxes, looked_at.part(again), *halved(looked_at.part(split), extent.shares[split])])


def _is_wide(boxes: Boxes) -> Array:
    """Which ranges can be cut in two: those of more than a few floats."""
    return np.asarray(boxes.halves > 64 * UNIT * np.abs(boxes.middles))


def halved(boxes: Boxes, shares: Array) -> tuple[Boxes, Boxes]:
    """Each box cut in two across the coordinate whose range adds most to its bound."""
    k = np.where(_is_wide(boxes), np.maximum(shares, 0), -1.0).argmax(1)
    row = np.arange(len(k))
    half = boxes.halves.copy()
    # a little more than half, so that rounded middles leave nothing out
    half[row, k] = 0.5 * half[row, k] + 2 * UNIT * (np.abs(boxes.middles[row, k]) + half[row, k])
    step = np.zeros_like(half)
    step[row, k] = boxes.halves[row, k] * 0.5
    return boxes._replace(middles=boxes.middles - step, halves=half), boxes._replace(
        middles=boxes.middles + step, halves=half
    )
