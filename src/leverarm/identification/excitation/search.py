"""The search for the most telling motion: random motions inside the limits, the best of them improved step by step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from leverarm.arrays import Array
from leverarm.errors import InputError
from leverarm.identification.excitation.objective import Objective, downhill

Progress = Callable[[float, float], None]
"""Told the part of the search that is done, 0 to 1, and log det A of the best motion so far."""

STARTS, CARRIED = 8, 2
"""Random motions that are improved a little, and how many of them to the end."""
FIRST_BARRIER, FIRST_STEPS = 10.0, 50
BARRIERS, STEPS = (3.0, 1.0, 0.3, 0.1), 120
"""The barrier is lowered: what is lost to it at the end is less than a parameter in a hundred."""
LEAST_GAIN = 1e-3
"""Steps that add less than this to log det A end a descent."""
DRAWS = 400
"""Random motions that are tried until one is inside the limits."""
SMALLEST = 0.01
"""Of its first size, a random motion that must be made smaller than this is given up."""


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The best motion, the random one it is compared with, and what ended the search before its end."""

    best: Array
    start: Array
    cut_short: str
    """Empty, "time limit", "step limit" or "interrupted"."""


class _LimitReachedError(Exception):
    """Says which limit."""


def search(objective: Objective, seed: int, time_limit: float, steps_limit: float, progress: Progress | None) -> Found:
    """The most telling motion that random starts and descents find. Ctrl-C ends it with the best so far.

    The same seed gives the same motion, unless the time limit [s] ends the search. A step is one of a descent.
    """
    deadline = perf_counter() + time_limit
    random = np.random.default_rng(seed)
    start = random_motion(objective, random)
    best, lowest = start, np.inf
    taken = 0
    done, total = 0, STARTS * FIRST_STEPS + CARRIED * STEPS * len(BARRIERS)

    def improved(x: Array, mu: float, steps: int) -> tuple[float, Array]:
        nonlocal best, lowest, done, taken
        begun, plain, end = done, np.inf, x
        for end, cost in downhill(lambda y: objective.cost(y, mu), x, LEAST_GAIN):
            plain = cost.plain
            if plain < lowest:
                best, lowest = end, plain
            done, taken = done + 1, taken + 1
            if progress is not None:
                progress(done / total, -lowest)
            if taken >= steps_limit:
                raise _LimitReachedError("step limit")
            if perf_counter() > deadline:
                raise _LimitReachedError("time limit")
            if done - begun >= steps:
                break
        done = begun + steps
        return plain, end

    try:
        begun = [start, *(random_motion(objective, random) for _ in range(STARTS - 1))]
        tried = sorted((improved(x, FIRST_BARRIER, FIRST_STEPS) for x in begun), key=lambda found: found[0])
        for _, x in tried[:CARRIED]:
            for mu in BARRIERS:
                _, x = improved(x, mu, STEPS)
    except _LimitReachedError as limit:
        return Found(best, start, str(limit))
    except KeyboardInterrupt:
        return Found(best, start, "interrupted")
    return Found(best, start, "")


def random_motion(objective: Objective, random: np.random.Generator) -> Array:
    """Free numbers of a random motion that keeps all limits on the coarse grid, as large as they allow."""
    n, rows = objective.arm.dof, objective.harmonics.free
    broken: list[str] = []
    for draw in range(DRAWS):
        x = random.normal(size=(rows, n)) / np.sqrt(rows)
        reach = objective.bounds.within(objective.bounds.half, objective.bounds.half) / objective.scale
        x[0] = 0 if draw == 0 else random.uniform(-0.6, 0.6, n) * reach
        still = x.copy()
        still[1:] = 0
        if broken := objective.broken(still):
            continue
        size = 1.0
        while not objective.is_inside(still + size * (x - still)):
            size *= 0.8
            if size < SMALLEST:
                break
        else:
            return np.asarray(still + 0.95 * size * (x - still)).ravel()
    raise InputError(
        f"arm {objective.arm.name!r}: {DRAWS} random poses were tried, and at none could a motion begin inside the "
        f"limits ({', '.join(broken) or 'of its motion'}). Check the arm's limits and masses, lower the margin or the "
        "floor."
    )
