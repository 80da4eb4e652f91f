"""Enclosures of an arm's extremes over a box: certified from outside by branch and bound, from inside by a state.

All extremes are narrowed side by side, each with its share of the time, until each is close or the time is over.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from leverarm.errors import InputError
from leverarm.model import Arm
from leverarm.verify.enclosures.bounding import Bounding, form_bounding
from leverarm.verify.enclosures.branching import Branching
from leverarm.verify.enclosures.enclosure import Enclosure
from leverarm.verify.enclosures.extremes import EXTREMES, effective_mass_axes
from leverarm.verify.enclosures.local_search import best_state
from leverarm.verify.enclosures.norm_bounding import NormBounding
from leverarm.verify.enclosures.point_values import certified_value
from leverarm.verify.enclosures.rigid_chain import Array
from leverarm.verify.enclosures.tool_box import ToolBox, away_from_singular_poses
from leverarm.verify.enclosures.tool_mass import tool_mass_bounding
from leverarm.verify.enclosures.workers import Workers, available_processes

Tell = Callable[[str, Enclosure], None]

CLOSE = {"lambda1": 1e-3, "lambda2": 1e-2}
"""Boxes this close to what is reached, relatively, are left alone; 5e-7 for the others."""
SHARES = {"mu1": 2.0, "v_b": 4.0, "m1": 0.5, "lambda1": 0.5, "lambda2": 0.5}
"""Of the time, while all extremes are open; 1 for the others."""
SEARCH = 1.0
"""Seconds that a search for a state may take, at most; and no more than this part of all the time."""
SEARCH_PART = 0.02


def enclosures(
    arm: Arm,
    lower: Sequence[float],
    upper: Sequence[float],
    seconds: float,
    *,
    norm: str = "2",
    processes: int | None = None,
    progress: Tell | None = None,
) -> dict[str, Enclosure]:
    """Two certain sides of each extreme (see `extremes.py`) over a box of coordinates, after at most so many seconds.

    `progress` is told of each enclosure whenever it is known better. A tool that only turns has no effective mass.
    """
    search = _Search.of(arm, np.array(lower, float), np.array(upper, float), seconds, norm, progress or _silent)
    with Workers(search.boundings, processes or available_processes()) as workers:
        while search.narrow(workers):
            pass
    return search.found()


@dataclass(slots=True)
class _Search:
    """All extremes of an arm on their way."""

    boundings: dict[str, Bounding]
    branchings: dict[str, Branching]
    witnesses: dict[str, Mapping[str, tuple[float, ...]]]
    notes: dict[str, str]
    searched: dict[str, float]
    """Seconds that it took to find the witness."""
    narrowed: dict[str, float]
    """Seconds that went into boxes."""
    ends: float
    tell: Tell

    @staticmethod
    def of(arm: Arm, lower: Array, upper: Array, seconds: float, norm: str, tell: Tell) -> _Search:
        search = _Search({}, {}, {}, {}, {}, {}, time.perf_counter() + seconds, tell)
        keys = [key for key in EXTREMES if _feels_a_mass(arm) or not key.startswith("lambda")]
        if norm == "2":
            keys.remove("m2")
        tool_box = cache(lambda: away_from_singular_poses(arm, lower, upper))
        for key in keys:
            begun = time.perf_counter()
            part = tool_box() if key.startswith("lambda") else ToolBox(lower, upper, "")
            state = best_state(arm, key, part.lower, part.upper, seconds=min(SEARCH, SEARCH_PART * seconds), norm=norm)
            inner = certified_value(arm, key, state, norm)
            bounding = _bounding(arm, key, norm)
            reached = inner[0] if bounding.sign > 0 else inner[1]
            whole = bounding.whole(part.lower, part.upper)
            search.boundings[key] = bounding
            search.branchings[key] = Branching(bounding, reached, CLOSE.get(key, 5e-7), whole, reached)
            search.witnesses[key] = state
            search.notes[key] = part.note
            search.searched[key], search.narrowed[key] = time.perf_counter() - begun, 0.0
            search.say(key)
        return search

    def narrow(self, workers: Workers) -> bool:
        """One batch of boxes for the extreme whose turn it is; False when there is nothing left to do, or no time."""
        open_ones = [key for key, branching in self.branchings.items() if not branching.is_done]
        if not open_ones or time.perf_counter() > self.ends:
            return False
        key = min(open_ones, key=lambda key: self.narrowed[key] / SHARES.get(key, 1.0))
        begun = time.perf_counter()
        branching = self.branchings[key]
        aim = branching.aim()
        taken = branching.worst(branching.bounding.batch * workers.lanes)
        try:
            branching.put(taken, workers.extent(key, taken, aim))
        except BaseException:
            branching.put_back(taken)
            raise
        self.narrowed[key] += time.perf_counter() - begun
        self.say(key)
        return True

    def say(self, key: str) -> None:
        """Tell what is known of an extreme now; in the 2-norm mu2 is m2 too."""
        self.tell(key, self.enclosure(key))
        if key == "mu2" and "m2" not in self.branchings:
            self.tell("m2", self.enclosure(key))

    def enclosure(self, key: str) -> Enclosure:
        """What is known of an extreme now."""
        branching = self.branchings[key]
        lower, upper = sorted((branching.reached, branching.bound))
        seconds = self.searched[key] + self.narrowed[key]
        return Enclosure(lower, upper, self.witnesses[key], branching.count, seconds, self.notes[key])

    def found(self) -> dict[str, Enclosure]:
        """What is known of all extremes."""
        found = {key: self.enclosure(key) for key in self.branchings}
        return {"m2": found["mu2"]} | found


def _bounding(arm: Arm, key: str, norm: str) -> Bounding:
    if key.startswith("lambda"):
        return tool_mass_bounding(arm, key, form_bounding(arm, "mu1" if key == "lambda1" else "mu2"))
    if key in ("m1", "m2") and norm != "2":
        return NormBounding(form_bounding(arm, "mu2"), norm, 1 if key == "m2" else -1)
    return form_bounding(arm, key)


def _feels_a_mass(arm: Arm) -> bool:
    try:
        effective_mass_axes(arm)
    except InputError:
        return False
    return True


def _silent(_key: str, _enclosure: Enclosure) -> None:
    pass
