"""Extremes among states drawn at random: estimates from inside, never bounds. They test what is certified."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from leverarm.arrays import Array
from leverarm.errors import InputError
from leverarm.evaluate.arrays import numbers
from leverarm.model import Arm
from leverarm.verify.enclosures.compiled_values import Searched, searched, state_of

CHUNK = 16384
"""States evaluated at once: their matrices stay in the cache."""
HOPE_ROUNDING = 1e-9
"""What rounding may take from a hope before a state with it is passed over, relative."""


@dataclass(frozen=True, slots=True)
class Sampled:
    """The most extreme value among random states, and a state that has it; qd is None where speeds do not count."""

    value: float
    q: tuple[float, ...]
    qd: tuple[float, ...] | None


def sampled(
    arm: Arm, quantity: str, lower: ArrayLike, upper: ArrayLike, count: int, seed: int = 0, norm: str = "2"
) -> Sampled:
    """The extreme of a quantity (see `extremes.py`) among `count` states, uniform in the box, in the quantity's unit.

    Speeds are uniform on the unit sphere. `norm` is that of m1 and m2.
    """
    what, box = searched(arm, quantity, norm), box_of(arm, lower, upper)
    if count < 1:
        raise InputError(f"count is {count}; it is how many states are drawn, one or more.")
    rng = np.random.default_rng(seed)
    sense = 1.0 if what.is_greatest else -1.0
    best, at = -np.inf, np.zeros(0)
    for start in range(0, count, CHUNK):
        states = random_states(rng, what, *box, min(CHUNK, count - start))
        heights, states = _hopeful(what, states, sense, best)
        if len(heights) and heights[k := int(heights.argmax())] > best:
            best, at = float(heights[k]), states[k]
    if not len(at):
        raise InputError(f"arm {arm.name!r} has no {quantity} at any of {count} states: its numbers leave the floats.")
    state = state_of(arm, at)
    return Sampled(float(what.meant(np.array([sense * best]))[0]), state["q"], state.get("qd"))


def random_states(rng: np.random.Generator, what: Searched, lower: Array, upper: Array, count: int) -> Array:
    """Positions uniform in the box, and speeds uniform on the unit sphere where they count."""
    q = rng.random((count, len(lower)))
    q *= upper - lower
    q += lower
    if not what.has_speeds:
        return q
    qd = rng.standard_normal(q.shape)
    return np.concatenate([q, qd / np.linalg.norm(qd, axis=1, keepdims=True)], axis=1)


def box_of(arm: Arm, lower: ArrayLike, upper: ArrayLike) -> tuple[Array, Array]:
    """The corners of a box of positions, checked: finite, the lower not above the upper."""
    low = np.array(numbers(f"lower corner of the box of arm {arm.name!r}", lower, arm.joint_names))
    high = np.array(numbers(f"upper corner of the box of arm {arm.name!r}", upper, arm.joint_names))
    if (low > high).any():
        joint = arm.joint_names[int(np.argmax(low > high))]
        raise InputError(f"box of arm {arm.name!r}: the lower end of {joint} is above its upper end. Exchange them.")
    return low, high


def _hopeful(what: Searched, states: Array, sense: float, best: float) -> tuple[Array, Array]:
    """The states that can be better than the best so far, with their numbers, signed so that greater is better."""
    if what.hope is not what.number and np.isfinite(best):
        hope = sense * what.hope(states)
        states = np.ascontiguousarray(states[~(hope + HOPE_ROUNDING * abs(best) <= best)])
        if not len(states):
            return np.zeros(0), states
    heights = sense * what.number(states)
    is_fine = np.isfinite(heights)
    return heights[is_fine], states[is_fine]
