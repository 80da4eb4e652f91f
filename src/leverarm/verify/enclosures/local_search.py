"""States at which an extreme is nearly attained: many starts, then climbs, all in compiled code.

What is found here is no bound by itself; `point_values.py` certifies the value at the state, and that is the inner side
of an enclosure.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from leverarm.arrays import Array
from leverarm.model import Arm
from leverarm.verify.enclosures.compiled_values import Searched, searched, state_of
from leverarm.verify.enclosures.gradient_sampling import along_ridges
from leverarm.verify.enclosures.projected_newton import climbed
from leverarm.verify.enclosures.sampling import box_of, random_states
from leverarm.verify.enclosures.unit_speeds import unit_speeds

DRAWN = 2048
"""Random states that a round begins with."""
STARTS, STEPS = 24, 40
"""The best of them, from which it climbs, and how far."""
ON_A_WALL = 0.35
"""The chance that a coordinate is drawn at an end of its range: extremes like corners."""
TURNS = 2
"""Improvements of the speeds of each start (see `unit_speeds.py`)."""
RIDGES, STEPS_ALONG, LAST_STEPS = 8, 40, 800
"""Where there are ridges: how many climbs go on along them, how far, and how far the best one at the end."""
AGREEING = 6
"""Rounds in a row that find nothing better end the search."""
BETTER, BETTER_ON_RIDGES = 1e-11, 1e-6
"""What counts as better, relative; along ridges a climb creeps, and only the last one is followed to its end."""


def best_state(
    arm: Arm,
    quantity: str,
    lower: ArrayLike,
    upper: ArrayLike,
    seed: int = 0,
    seconds: float = 1.0,
    norm: str = "2",
    rounds: int | None = None,
) -> Mapping[str, tuple[float, ...]]:
    """A state in the box at which a quantity (see `extremes.py`) is as extreme as could be found: {"q": ...} [rad, m].

    For v_b there is "qd" too, of unit length [rad/s, m/s]. Ends when rounds of climbing agree, with the first round
    after `seconds` (compiling does not count), or after so many `rounds`. `norm` is that of m1 and m2.
    """
    what, (low, high) = searched(arm, quantity, norm), box_of(arm, lower, upper)
    any_speed = np.full(arm.dof if what.has_speeds else 0, np.inf)
    box = np.concatenate([low, -any_speed]), np.concatenate([high, any_speed])
    search = _Search(arm, what, *box, np.random.default_rng(seed))
    search.rise(random_states(search.rng, what, low, high, 1))  # whatever is compiled first
    return state_of(arm, _best(search, seconds, rounds))


@dataclass(frozen=True, slots=True)
class _Search:
    """What is searched where; heights rise towards the extreme, whichever side it is on."""

    arm: Arm
    what: Searched
    lower: Array
    upper: Array
    rng: np.random.Generator

    def height(self, z: Array) -> Array:
        numbers = self.what.number(z)
        return np.nan_to_num(numbers if self.what.is_greatest else -numbers, nan=-np.inf)

    def rise(self, z: Array) -> tuple[Array, Array]:
        numbers, slopes = self.what.slope(z)
        return (numbers, slopes) if self.what.is_greatest else (-numbers, -slopes)

    def climb(self, z: Array) -> Array:
        return climbed(self.height, self.rise, z, self.lower, self.upper, STEPS)

    def follow(self, z: Array, steps: int) -> Array:
        return along_ridges(self.height, self.rise, z, self.lower, self.upper, self.rng, steps)


def _best(search: _Search, seconds: float, rounds: int | None) -> Array:
    has_ridges = search.what.has_ridges
    better = BETTER_ON_RIDGES if has_ridges else BETTER
    started, agreeing, done = time.perf_counter(), 0, 0
    best, top = np.zeros(0), -np.inf
    while agreeing < AGREEING:
        z = _highest(search, search.climb(_starts(search)), RIDGES)
        if has_ridges:
            z = _highest(search, np.array([search.follow(one, STEPS_ALONG) for one in z]), 1)
        height = float(search.height(z[:1])[0])
        agreeing = 0 if not len(best) or height > top + better * abs(top) else agreeing + 1
        if not len(best) or height > top:
            best, top = z[0], height
        done += 1
        if done == rounds or time.perf_counter() - started > seconds:
            break
    return search.follow(best, LAST_STEPS) if has_ridges else best


def _starts(search: _Search) -> Array:
    """Random states worth climbing from: the best of many, some of which lie on walls of the box."""
    n, rng = search.arm.dof, search.rng
    lower, upper = search.lower[:n], search.upper[:n]
    z = random_states(rng, search.what, lower, upper, DRAWN)
    on_wall = rng.random((DRAWN, n)) < 2 * ON_A_WALL * rng.random((DRAWN, 1))
    z[:, :n] = np.where(on_wall, np.where(rng.random((DRAWN, n)) < 0.5, lower, upper), z[:, :n])
    if search.what.has_speeds:
        z[:, n:] = unit_speeds(search.arm, np.ascontiguousarray(z[:, :n]), z[:, n:], TURNS)
    return _highest(search, z, STARTS)


def _highest(search: _Search, z: Array, count: int) -> Array:
    """The states with the greatest heights, the best first."""
    return z[np.argsort(-search.height(z), kind="stable")[:count]]
