"""What a log that was read shows and an arm cannot mean: torques that never change, positions outside the limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from leverarm.arrays import Array
from leverarm.lint.finding import Finding, listed
from leverarm.logs.bounds import Bounds
from leverarm.logs.column_words import Role

OUTSIDE = 0.05
"""Of the range of a joint: how far outside it positions may be before the zero is in doubt."""


def implausible(joints: Sequence[str], bounds: Bounds, values: Mapping[Role, Array]) -> Iterator[Finding]:
    """Findings about positions [rad or m] and torques (k, n)."""
    dead = [joints[i] for i in np.flatnonzero(np.ptp(values["tau"], axis=0) == 0).tolist()]
    if dead:
        told = "the torque is the same in all rows."
        remedy = "Check the column; nothing about friction or the drive of this joint can be told from it."
        yield Finding("warning", listed("joint", dead), told, remedy)
    low, high = values["q"].min(axis=0), values["q"].max(axis=0)
    with np.errstate(invalid="ignore"):
        slack = np.nan_to_num(OUTSIDE * (bounds.upper - bounds.lower), nan=np.inf, posinf=np.inf)
    outside = np.flatnonzero((low < bounds.lower - slack) | (high > bounds.upper + slack)).tolist()
    if outside:
        ranges = ", ".join(
            f"{joints[i]} {low[i]:.3g} to {high[i]:.3g} (limits {bounds.lower[i]:.3g} to {bounds.upper[i]:.3g})"
            for i in outside
        )
        told = f"the positions are outside the joints' limits: {ranges}."
        remedy = "Check units, signs, and where the description has its zeros: zero=[...] is added to the positions."
        yield Finding("warning", listed("joint", [joints[i] for i in outside]), told, remedy)
