"""Logs of motions that were computed: what is in them is known, so that what is found in them can be compared."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

import leverarm as la
from leverarm.model import Friction, Motor


def states(t: np.ndarray, joints: int, speed: float = 1.0, seed: int = 7) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Five harmonics per joint, of periods near 7 s and random phases; `speed` is about the root mean square [rad/s]."""
    rng = np.random.default_rng(seed)
    w = 2 * np.pi * np.arange(1, 6)[:, None] / (7 + 0.6 * np.arange(joints))
    size, phase = rng.normal(1, 0.2, w.shape) * speed * 0.63 / w, rng.uniform(0, 2 * np.pi, w.shape)
    angle = w * t[:, None, None] + phase
    parts = size * np.sin(angle), size * w * np.cos(angle), -size * w**2 * np.sin(angle)
    q, qd, qdd = (part.sum(axis=1) for part in parts)
    return q, qd, qdd


def torques(arm: la.Arm, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
    return np.asarray(la.compile(arm, "inverse_dynamics").inverse_dynamics(q, qd, qdd))


def log_of(
    arm: la.Arm,
    *,
    rate: float = 100.0,
    seconds: float = 12.0,
    noise: float = 0.01,
    late: float = 0.0,
    speed: float = 1.0,
    seed: int = 7,
) -> dict[str, np.ndarray]:
    """Arrays t, q, qd, qdd, tau of an arm; noise is white, in parts of each torque, and torques are `late` by [s]."""
    t = np.arange(0, seconds, 1 / rate)
    tau = torques(arm, *states(t - late, arm.dof, speed, seed))
    tau = tau + noise * tau.std(axis=0) * np.random.default_rng(seed + 1).normal(size=tau.shape)
    q, qd, qdd = states(t, arm.dof, speed, seed)
    return {"t": t, "q": q, "qd": qd, "qdd": qdd, "tau": tau}


def with_joint(arm: la.Arm, name: str, **changes: Any) -> la.Arm:
    """The arm with other fields of one joint."""
    bodies = (replace(b, joint=replace(b.joint, **changes)) if b.joint.name == name else b for b in arm.bodies)
    return replace(arm, bodies=tuple(bodies))


def with_friction(arm: la.Arm, viscous: float = 0.5, coulomb: float = 0.8, offset: float = 0.1) -> la.Arm:
    """The arm with the same friction in every coordinate."""
    for name in arm.joint_names:
        arm = with_joint(arm, name, friction=Friction(viscous, coulomb, offset=offset))
    return arm


def with_motor(arm: la.Arm, name: str, **motor: Any) -> la.Arm:
    return with_joint(arm, name, motor=Motor(**motor))
