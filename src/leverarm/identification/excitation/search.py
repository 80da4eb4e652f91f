"""The search for the most informative motion, and its verification.

Random motions inside the limits are improved step by step; the best is checked on a grid ten times finer, with bounds
for what happens between its rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from leverarm.arrays import Array
from leverarm.errors import InputError
from leverarm.identification.excitation.harmonics import PER_WAVE
from leverarm.identification.excitation.objective import Objective, State, downhill
from leverarm.simulation.trajectories.torques import compiled

Progress = Callable[[float, float], None]
"""Receives the fraction of the search that is done, 0 to 1, and log det A of the best motion so far."""

STARTS, CARRIED = 8, 2
"""Random motions that are improved a little, and how many of them are improved to the end."""
FIRST_BARRIER, FIRST_STEPS = 10.0, 50
BARRIERS, STEPS = (3.0, 1.0, 0.3, 0.1), 120
"""The barrier is lowered: what it costs at the end is less than 1 % of a parameter."""
LEAST_GAIN = 1e-3
"""A descent ends with a step that adds less than this to log det A."""
DRAWS = 400
"""Random motions that are tried until one is within the limits."""
SMALLEST = 0.01
"""A random motion that must be scaled below this is given up."""


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The best motion, the random one it is compared with, and what ended the search early."""

    best: Array
    start: Array
    cut_short: str
    """Empty, "time limit", "step limit" or "interrupted"."""


class _LimitReachedError(Exception):
    """Says which limit."""


def search(objective: Objective, seed: int, time_limit: float, steps_limit: float, progress: Progress | None) -> Found:
    """The most informative motion found by descents from random starts. Ctrl-C ends it with the best so far.

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
    """Free coefficients of a random motion that keeps all limits on the coarse grid, as large as they allow."""
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
        while objective.broken(still + size * (x - still)):
            size *= 0.8
            if size < SMALLEST:
                break
        else:
            return np.asarray(still + 0.95 * size * (x - still)).ravel()
    raise InputError(
        f"arm {objective.arm.name!r}: {DRAWS} random poses were tried, and from none could a motion start within the "
        f"limits ({', '.join(broken) or 'of its motion'}). Check the arm's limits and masses, lower the margin or the "
        "floor."
    )


FINER = 10
"""Samples of the fine grid for each of the coarse one."""
SHRINK, MOST_SHRINKS = 0.995, 400


@dataclass(frozen=True, slots=True)
class JointUse:
    """Maximum use of one joint's limits by a motion, in percent; None where there is no limit.

    `position` is the distance from the middle of the range against half the range. `forward` and `backward` are the
    percents of the time in which the joint moves faster than `floor` [rad/s or m/s].
    """

    joint: str
    position: float
    velocity: float
    acceleration: float | None
    effort: float | None
    forward: float
    backward: float
    floor: float

    @property
    def most(self) -> float:
        """The use of the limit that is used most [%]."""
        return max(self.position, self.velocity, self.acceleration or 0.0, self.effort or 0.0)


def kept_within(objective: Objective, x: Array) -> tuple[Array, tuple[JointUse, ...]]:
    """The motion, shrunk about its centre where the fine grid requires it, and its use of the limits."""
    centre = x.reshape(-1, objective.arm.dof).copy()
    centre[1:] = 0
    x = x.reshape(centre.shape)
    allowed = 100 * objective.bounds.share
    for _ in range(MOST_SHRINKS):
        uses = uses_of(objective, x)
        if all(use.most <= allowed for use in uses) and lowest_height(objective, x) >= objective.lowest:
            return x.ravel(), uses
        x = centre + SHRINK * (x - centre)
    worst = max(uses, key=lambda use: use.most)
    raise InputError(
        f"arm {objective.arm.name!r}: the motion uses {worst.most:.1f} % of a limit of joint {worst.joint!r}, of "
        f"{allowed:g} % allowed, however small it is made. Check the arm's limits and masses, or lower the margin."
    )


def uses_of(objective: Objective, x: Array) -> tuple[JointUse, ...]:
    """The use of each joint's limits by a motion.

    Positions, velocities and accelerations are certain for all times: series are bounded by their rows. An effort is
    the greatest of all rows, each with half a step of its own slope.
    """
    bounds, joints = objective.bounds, objective.bounds.joints
    q, qd, qdd = state = objective.motion(x, FINER * PER_WAVE)
    excess = objective.harmonics.excess(FINER * PER_WAVE)
    positions = excess * np.abs(joints.positions(q) - bounds.centre).max(axis=0) / bounds.half
    speeds = joints.velocities(qd)
    velocities = excess * np.abs(speeds).max(axis=0) / bounds.velocity
    accelerations = excess * np.abs(joints.velocities(qdd)).max(axis=0) / bounds.acceleration
    efforts = _greatest_efforts(objective, state) / bounds.effort
    floor = np.abs(joints.ratios) @ objective.floor
    return tuple(
        JointUse(
            name,
            100 * float(positions[i]),
            100 * float(velocities[i]),
            100 * float(accelerations[i]) if np.isfinite(bounds.acceleration[i]) else None,
            100 * float(efforts[i]) if joints.is_loaded[i] and np.isfinite(bounds.effort[i]) else None,
            100 * float((speeds[:, i] > floor[i]).mean()),
            100 * float((speeds[:, i] < -floor[i]).mean()),
            float(floor[i]),
        )
        for i, name in enumerate(joints.names)
    )


def lowest_height(objective: Objective, x: Array) -> float:
    """The height [m] of the lowest frame at any row, less half a step of its fall; infinite where none is watched."""
    if objective.heights is None:
        return np.inf
    q, qd, _ = objective.motion(x, FINER * PER_WAVE)
    fall = np.abs(np.einsum("kfn,kn->kf", objective.heights.slopes(q), qd))
    return float((objective.heights.at(q) - _half_step(objective) * fall).min())


def _greatest_efforts(objective: Objective, state: State) -> Array:
    """|effort| of each joint, with half a step of |d effort/dt| = |dtau/dq qd + dtau/dqd qdd + M qddd|."""
    joints, fast = objective.bounds.joints, compiled(objective.arm)
    _, qd, qdd = state
    step = 2 * _half_step(objective)
    jerk = (np.roll(qdd, -1, axis=0) - np.roll(qdd, 1, axis=0)) / (2 * step)
    slopes = sum(
        np.einsum("kij,kj->ki", change, rate)
        for change, rate in zip(fast.inverse_dynamics_derivatives(*state), (qd, qdd, jerk), strict=True)
    )
    efforts = np.abs(joints.efforts(fast.inverse_dynamics(*state)))
    return np.asarray((efforts + step / 2 * np.abs(joints.efforts(np.asarray(slopes)))).max(axis=0))


def _half_step(objective: Objective) -> float:
    return 0.5 / (FINER * PER_WAVE * objective.harmonics.count * objective.harmonics.frequency)
