"""The motion that was found, on a grid ten times as fine: what it uses of each limit, at most, between rows too."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from leverarm.arrays import Array
from leverarm.errors import InputError
from leverarm.identification.excitation.harmonics import PER_WAVE
from leverarm.identification.excitation.objective import Objective, State
from leverarm.simulation.trajectories.torques import compiled

FINER = 10
"""Rows of the fine grid for each of the coarse one."""
SHRINK, MOST_SHRINKS = 0.995, 400


@dataclass(frozen=True, slots=True)
class JointUse:
    """What a motion uses of one joint's limits, in percent, at most; None where there is no limit.

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
        """The percent of the limit that is used most."""
        return max(self.position, self.velocity, self.acceleration or 0.0, self.effort or 0.0)


def kept_within(objective: Objective, x: Array) -> tuple[Array, tuple[JointUse, ...]]:
    """The motion, made smaller about its centre where the fine grid asks for it, and what it uses of the limits."""
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
    """What a motion uses of the limits of each joint.

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
