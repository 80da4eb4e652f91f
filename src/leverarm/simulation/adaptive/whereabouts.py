"""Where a run with steps of its own choice is: all that the steps to come depend on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from leverarm.simulation.acting.feeds import Floats


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
