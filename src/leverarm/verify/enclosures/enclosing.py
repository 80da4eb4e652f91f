"""Enclosures of an arm's extremes over a box: certified from outside by branch and bound, from inside by a state.

All extremes are narrowed side by side, each with its share of the time, until each is close or the time is over.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from leverarm.errors import InputError
from leverarm.model import Arm
from leverarm.verify.enclosures.bounding import Boxes
from leverarm.verify.enclosures.branch_and_bound import Branching, Workers, available_processes
from leverarm.verify.enclosures.extremes import EXTREMES, certified_value
from leverarm.verify.enclosures.local_search import best_state
from leverarm.verify.enclosures.rigid_chain import Array, effective_mass_axes
from leverarm.verify.enclosures.tool_mass import ToolBox, away_from_singular_poses


class OpenBoxes(NamedTuple):
    """Where branch and bound goes on: boxes with their bounds, and the worst bound of those that are done."""

    middles: Array
    halves: Array
    bound: Array
    done: float
    looked_at: int
    """Boxes bounded so far."""


@dataclass(frozen=True, slots=True)
class Enclosure:
    """The extreme is not below `lower` and not above `upper`; at the `witness` it has one of them.

    `boxes` were bounded in `seconds`. `part` are the ranges of coordinates it holds over, where that is not the whole
    box, and the `note` says so in words; then there is no `left`.
    """

    lower: float
    upper: float
    witness: Mapping[str, tuple[float, ...]]
    boxes: int
    seconds: float
    note: str = ""
    part: tuple[tuple[float, float], ...] | None = None
    left: OpenBoxes | None = field(default=None, compare=False, repr=False)


Progress = Callable[[str, Enclosure], None]

SEARCH, SEARCH_PART = 1.0, 0.02
"""Seconds that a search for a state, or for a part without singular poses, may take; and the part of all the time."""
SEARCH_ROUNDS = 8
"""Rounds that a search for a state may take where boxes are counted."""


def enclosures(
    arm: Arm,
    lower: Sequence[float],
    upper: Sequence[float],
    seconds: float = math.inf,
    *,
    boxes: int | None = None,
    norm: str = "2",
    processes: int | None = None,
    progress: Progress | None = None,
    left: Mapping[str, OpenBoxes] | None = None,
) -> dict[str, Enclosure]:
    """Two certain sides of each extreme (see `extremes.py`) over a box of coordinates, after about so many seconds.

    `boxes` is how many boxes may be bounded for each extreme. Without a limit in seconds the result is then the same on
    every machine, with one process. Each extreme is bounded once, however short the time. `progress` is called with
    each enclosure whenever it has become narrower. There is no effective mass where a tool only turns. `left` are the
    open boxes of a previous run over the same box.
    """
    ends = time.perf_counter() + seconds
    report = progress or _silent
    extremes: dict[str, _Extreme] = {}
    low, high = np.array(lower, float), np.array(upper, float)
    for key, extreme in _searched(arm, low, high, seconds, boxes, norm, left or {}):
        extremes[key] = extreme
        _report(report, key, extreme, norm)
    boundings = {key: extreme.branching.bounding for key, extreme in extremes.items()}
    with Workers(boundings, processes or available_processes()) as workers:
        while turn := _next(extremes, ends, by_clock=boxes is None):
            extremes[turn].narrow(turn, workers)
            _report(report, turn, extremes[turn], norm)
    found = {key: extreme.enclosure for key, extreme in extremes.items()}
    return found | {"norm_upper": found["mu2"]} if norm == "2" else found


@dataclass(slots=True)
class _Extreme:
    """An extreme on its way."""

    branching: Branching
    witness: Mapping[str, tuple[float, ...]]
    part: ToolBox
    searched: float
    """Seconds that it took to find the witness."""
    boxes: int
    """How many boxes may still be bounded."""
    narrowed: float = 0.0
    """Seconds that went into boxes."""

    @property
    def is_open(self) -> bool:
        return not self.branching.is_done and self.boxes > 0

    @property
    def enclosure(self) -> Enclosure:
        """What is known now."""
        low, high = sorted((self.branching.reached, self.branching.bound))
        boxes, count = self.branching.boxes, self.branching.count
        note, part = self.part.note, self.part.ranges if self.part.note else None
        left = None if note else OpenBoxes(boxes.middles, boxes.halves, boxes.bound, self.branching.done, count)
        return Enclosure(low, high, self.witness, count, self.searched + self.narrowed, note, part, left)

    def narrow(self, key: str, workers: Workers) -> None:
        """One batch of boxes."""
        begun = time.perf_counter()
        aim = self.branching.aim()
        taken = self.branching.worst(min(self.branching.bounding.batch * workers.lanes, self.boxes))
        self.boxes -= len(taken.bound)
        self.branching.put(taken, workers.extent(key, taken, aim))
        self.narrowed += time.perf_counter() - begun


def _next(extremes: Mapping[str, _Extreme], ends: float, by_clock: bool) -> str | None:
    """The extreme that had the least of its share, in seconds or boxes; none when nothing is left, or no time."""
    open_ones = [key for key, extreme in extremes.items() if extreme.is_open]
    if time.perf_counter() > ends:
        open_ones = [key for key in open_ones if not extremes[key].branching.count]

    def part(key: str) -> float:
        spent = extremes[key].narrowed if by_clock else extremes[key].branching.count
        return spent / EXTREMES[key].share

    return min(open_ones, key=part, default=None)


def _searched(
    arm: Arm, lower: Array, upper: Array, seconds: float, most: int | None, norm: str, left: Mapping[str, OpenBoxes]
) -> Iterator[tuple[str, _Extreme]]:
    """Each extreme with the state that a search finds, before any box is bounded; in the 2-norm norm_upper is mu2."""
    search_time = min(SEARCH if most is None else math.inf, SEARCH_PART * seconds)
    rounds = None if most is None else SEARCH_ROUNDS
    parts = {"": ToolBox(lower, upper, "")}
    feels_a_mass = _feels_a_mass(arm)
    for key, extreme in EXTREMES.items():
        if (extreme.is_of_tool and not feels_a_mass) or (key == "norm_upper" and norm == "2"):
            continue
        begun = time.perf_counter()
        if extreme.avoids_singular_poses and "clear" not in parts:
            parts["clear"] = away_from_singular_poses(arm, lower, upper, search_time)
        part = parts["clear" if extreme.avoids_singular_poses else ""]
        state = best_state(arm, key, part.lower, part.upper, seconds=search_time, norm=norm, rounds=rounds)
        inner = certified_value(arm, key, state, norm)
        bounding = extreme.bounding(arm, norm)
        reached = inner[0] if bounding.sign > 0 else inner[1]
        whole = bounding.whole(part.lower, part.upper)
        branching = Branching(bounding, reached, extreme.close, whole, reached)
        if key in left and not extreme.avoids_singular_poses:
            _go_on(branching, left[key])
        allowed = sys.maxsize if most is None else most
        yield key, _Extreme(branching, state, part, time.perf_counter() - begun, allowed)


def _go_on(branching: Branching, left: OpenBoxes) -> None:
    """Take up the boxes of an earlier run; what helped with them is found again."""
    memory = np.repeat(branching.boxes.memory, len(left.bound), 0)
    branching.boxes = Boxes(left.middles, left.halves, left.bound, memory)
    branching.done = float(branching.sign * max(branching.sign * left.done, branching.sign * branching.reached))
    branching.count = left.looked_at


def _feels_a_mass(arm: Arm) -> bool:
    try:
        effective_mass_axes(arm)
    except InputError:
        return False
    return True


def _report(progress: Progress, key: str, extreme: _Extreme, norm: str) -> None:
    progress(key, extreme.enclosure)
    if key == "mu2" and norm == "2":
        progress("norm_upper", extreme.enclosure)


def _silent(_key: str, _enclosure: Enclosure) -> None:
    pass
