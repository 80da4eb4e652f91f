"""States at which an extreme is nearly attained: many starts, then climbs, all in compiled code.

What is found here is no bound by itself; `point_values.py` certifies the value at the state, and that is the inner side
of an enclosure. For the velocity torques V = Gamma(qd, qd), starts get good speeds first: |V| is the maximum of y^T V
over unit y, so y and qd take turns, y along V, then qd the eigenvector of sum of y_i Gamma_i whose eigenvalue is
greatest in size. Each turn is the best answer to the other, so |V| never falls (alternating maximisation).
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from leverarm.arrays import Array
from leverarm.errors import InputError
from leverarm.model import Arm
from leverarm.quantities.arrays import numbers
from leverarm.verify.enclosures.compiled_values import Searched, state_of, weightless
from leverarm.verify.enclosures.extremes import extreme
from leverarm.verify.enclosures.local_descent import along_ridges, climbed


def unit_speeds(arm: Arm, q: Array, qd: Array, turns: int) -> Array:
    """Better speeds for each pose than those given, of unit length, after so many turns; poses and speeds are rows."""
    gamma = christoffel_symbols(arm, q)
    for _ in range(turns):
        V = np.einsum("kijm,kj,km->ki", gamma, qd, qd, optimize=True)
        vectors = np.linalg.eigh(np.einsum("kijm,ki->kjm", gamma, V, optimize=True))
        largest = np.abs(vectors.eigenvalues).argmax(axis=1)
        qd = vectors.eigenvectors[np.arange(len(q)), :, largest]
    return qd


def christoffel_symbols(arm: Arm, q: Array) -> Array:
    """Gamma_ijk of each pose: the Coriolis matrix at unit speed of coordinate k, for each k."""
    f = weightless(arm)
    columns = [f.coriolis_matrix(q, np.broadcast_to(unit, q.shape)) for unit in np.eye(q.shape[1])]
    return np.stack(columns, axis=-1)


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
    after `seconds` (compiling does not count), or after so many `rounds`. `norm` is that of norm_lower and norm_upper.
    """
    what, (low, high) = extreme(quantity, norm).searched(arm, norm), box_of(arm, lower, upper)
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
