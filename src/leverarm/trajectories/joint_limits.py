"""The limits of an arm's joints as arrays, and how its coordinates move and load the joints."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from leverarm.arrays import Array
from leverarm.evaluate.arrays import over_floats
from leverarm.model import Arm, Joint, Quantity, to_float

UNSOLVABLE = 1e12
"""The condition number from which on couplings are not inverted: most digits of the joints' forces would be lost."""


@dataclass(frozen=True, slots=True, eq=False)
class JointLimits:
    """Limits of m moving joints, in the order of the arm's bodies, infinite where there are none.

    Joint positions are ratios @ q + offsets, velocities ratios @ qd [rad or m, per s].
    """

    names: tuple[str, ...]
    turns: tuple[bool, ...]
    ratios: Array
    """(m, n)."""
    offsets: Array
    shares: Array
    """(m, n): joint forces are shares @ tau [N m or N], where `is_loaded`."""
    is_loaded: tuple[bool, ...]
    """Whether the force in the joint follows from tau; not for a joint that is pulled along by a coordinate."""
    lower: Array
    upper: Array
    velocity: Array
    effort: Array

    @staticmethod
    def of(arm: Arm) -> JointLimits:
        """The limits of an arm, its symbols at their default values."""
        joints = [body.joint for body in arm.bodies if not body.joint.is_fixed]
        ratios = np.zeros((len(joints), arm.dof))
        for i, row in enumerate(over_floats(arm).couplings):
            for j, ratio in row:
                ratios[i, j] = ratio
        shares, is_loaded = _shares(arm, joints, ratios)

        def values(quantities: list[Quantity | None], missing: float) -> Array:
            return np.array([missing if x is None else to_float(x, arm.defaults) for x in quantities])

        return JointLimits(
            tuple(joint.name for joint in joints),
            tuple(joint.kind.turns for joint in joints),
            ratios,
            values([joint.offset for joint in joints], 0.0),
            shares,
            is_loaded,
            lower=values([joint.limits.lower for joint in joints], -np.inf),
            upper=values([joint.limits.upper for joint in joints], np.inf),
            velocity=values([joint.limits.velocity for joint in joints], np.inf),
            effort=values([joint.limits.effort for joint in joints], np.inf),
        )

    def positions(self, q: Array) -> Array:
        """Of the joints, (N, m) [rad or m]."""
        return np.asarray(q @ self.ratios.T + self.offsets)

    def velocities(self, qd: Array) -> Array:
        """Of the joints, (N, m) [rad/s or m/s]."""
        return np.asarray(qd @ self.ratios.T)

    def efforts(self, tau: Array) -> Array:
        """In the joints, (N, m) [N m or N]; zero where a joint is not loaded."""
        return np.asarray(tau @ self.shares.T)

    def unit(self, joint: int, angular: str, linear: str) -> str:
        return angular if self.turns[joint] else linear


def _shares(arm: Arm, joints: list[Joint], ratios: Array) -> tuple[Array, tuple[bool, ...]]:
    """The force in each joint per unit of tau: the same power, ratios^T force = tau, however the arm is described.

    Joints that are coordinates carry tau themselves, and those that follow them nothing. Otherwise there must be as
    many joints as coordinates, so that the equation has one solution.
    """
    own = np.array(
        [[float(joint.coupling is None and joint.name == name) for name in arm.coordinates] for joint in joints]
    )
    if own.any(axis=0).all():
        return own, tuple(bool(row.any()) for row in own)
    if len(joints) == arm.dof and np.linalg.cond(ratios) < UNSOLVABLE:
        return np.linalg.inv(ratios).T.astype(np.float64), (True,) * len(joints)
    return np.zeros_like(ratios), (False,) * len(joints)
