"""Step-size control of the adaptive method (Hairer, Norsett and Wanner 1993, II.4).

Also the checkpoint: everything that the remaining steps depend on.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from leverarm.compiler.llvm.march_layout import Layout
from leverarm.simulation.acting.feeds import Floats

SAFETY, SHRINK_MOST, GROW_MOST = 0.9, 0.2, 10.0
MEMORY = 0.04
"""Weight of the previous step's error (beta of the PI controller): it keeps step lengths from oscillating."""

FRESH = 1e-4
"""The previous error assumed for the first step and for one after a reset."""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """The error allowed in a step: atol [rad, m and their rates] + rtol times the size of each entry."""

    rtol: float
    atol: float

    def shares(self, error: Floats, before: Floats, after: Floats) -> Floats:
        """The errors of some entries relative to the tolerance."""
        return error / (self.atol + self.rtol * np.maximum(np.abs(before), np.abs(after)))


def norm(shares: Floats) -> float:
    """The root mean square; infinite where an entry is NaN."""
    with np.errstate(over="ignore", invalid="ignore"):
        square = float(shares @ shares)
    return math.sqrt(square / max(shares.size, 1)) if math.isfinite(square) else math.inf


def factor_after(error: float, before: float, order: int) -> float:
    """The factor on the step length after an accepted step, from its error and the previous one (PI control)."""
    exponent = 1 / order - 0.75 * MEMORY
    wanted = SAFETY * math.pow(max(error, 1e-10), -exponent) * math.pow(before, MEMORY)
    return min(GROW_MOST, max(SHRINK_MOST, wanted))


def factor_after_rejection(error: float, order: int) -> float:
    """The factor on the step length after a rejected step."""
    return max(SHRINK_MOST, SAFETY * math.pow(error, -1 / order)) if math.isfinite(error) else 0.1


def first_length(
    tolerance: Tolerance, q: Floats, qd: Floats, qdd: Floats, qdd_ahead: Floats, ahead: float, order: int
) -> float:
    """A length for the first step, from the accelerations at the start and after an Euler step of length `ahead`."""
    slopes = norm(_state_shares(tolerance, q, qd, qd, qdd))
    second = norm(_state_shares(tolerance, q, qd, ahead * qdd, qdd_ahead - qdd)) / ahead
    steepest = max(slopes, second)
    if steepest <= 1e-15:
        return max(1e-6, 1e-3 * ahead)
    return min(100 * ahead, float((0.01 / steepest) ** (1 / order)))


def trial_length(tolerance: Tolerance, q: Floats, qd: Floats, qdd: Floats) -> float:
    """The length of the Euler step that a first guess needs: it moves the state by a hundredth of itself."""
    size = norm(_state_shares(tolerance, q, qd, q, qd))
    slopes = norm(_state_shares(tolerance, q, qd, qd, qdd))
    length = 0.01 * size / slopes if size >= 1e-5 and slopes >= 1e-5 else 0.0
    return length if length > 0 else 1e-6  # it may be too small for a float


def _state_shares(tolerance: Tolerance, q: Floats, qd: Floats, x: Floats, v: Floats) -> Floats:
    return np.concatenate([tolerance.shares(x, q, q), tolerance.shares(v, qd, qd)])


def recorded(layout: Layout, inside: Floats) -> Floats:
    """The recorded columns of states with all their rates: powers and guard are left out."""
    moving = layout.state + layout.coordinates
    shown = inside[:, moving + layout.sums : layout.record + layout.sums]
    return np.concatenate([inside[:, :moving], shown], axis=1)


class Whereabouts(NamedTuple):
    """Time and state, how long the next step may be, the error of the last one, and whether one was just rejected."""

    t: float
    state: Floats
    length: float | None
    memory: float
    was_rejected: bool

    def to_json(self) -> dict[str, Any]:
        """A checkpoint that comes back bit for bit."""
        return {
            "t": self.t.hex(),
            "state": [x.hex() for x in self.state.tolist()],
            "length": None if self.length is None else self.length.hex(),
            "memory": self.memory.hex(),
            "was_rejected": self.was_rejected,
        }

    @staticmethod
    def from_json(kept: Mapping[str, Any]) -> Whereabouts:
        """From a checkpoint."""
        return Whereabouts(
            float.fromhex(kept["t"]),
            np.array([float.fromhex(x) for x in kept["state"]]),
            None if kept["length"] is None else float.fromhex(kept["length"]),
            float.fromhex(kept["memory"]),
            bool(kept["was_rejected"]),
        )
