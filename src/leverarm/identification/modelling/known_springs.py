"""Springs of an arm whose stiffness is known: their torque is taken off a log, and added to what is predicted."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from leverarm.arrays import Array
from leverarm.identification.logs.log import Log
from leverarm.mechanics import spring_forces
from leverarm.model import Arm, bind


@dataclass(frozen=True, slots=True, eq=False)
class KnownSprings:
    """What springs take along the coordinates, stiffness q - pull [N m or N]: (n, n) and (n,)."""

    stiffness: Array
    pull: Array

    @staticmethod
    def of(arm: Arm) -> KnownSprings:
        """The springs of an arm. Their force is linear in q: n + 1 positions say all of it."""
        mechanism, still = bind(arm), np.zeros(arm.dof)
        at_zero = np.array(spring_forces(mechanism, still.tolist()), dtype=np.float64)
        columns = [spring_forces(mechanism, unit.tolist()) for unit in np.eye(arm.dof)]
        return KnownSprings(np.array(columns, dtype=np.float64).T - at_zero[:, None], -at_zero)

    def torque(self, q: Array) -> Array:
        """Their torques (..., n) at positions (..., n)."""
        return np.asarray(q @ self.stiffness.T - self.pull)

    def taken_off(self, log: Log) -> Log:
        """The log of the same motion without springs."""
        if not self.stiffness.any():
            return log
        pieces = tuple(replace(piece, tau=piece.tau - self.torque(piece.q)) for piece in log.pieces)
        return replace(log, pieces=pieces)


def parted(arm: Arm, sought: Collection[str]) -> tuple[Arm, KnownSprings]:
    """The arm with only the springs of the joints sought, which are to be identified, and the others as known."""

    def having(is_sought: bool) -> Arm:
        joints = (body.joint for body in arm.bodies)
        kept = (j if (j.name in sought) is is_sought else replace(j, spring=None) for j in joints)
        return replace(arm, bodies=tuple(replace(b, joint=j) for b, j in zip(arm.bodies, kept, strict=True)))

    return having(True), KnownSprings.of(having(False))


def with_springs_of(arm: Arm, other: Arm) -> Arm:
    """The arm with the springs of another one that has the same joints."""
    springs = {body.joint.name: body.joint.spring for body in other.bodies}
    bodies = (replace(b, joint=replace(b.joint, spring=springs.get(b.joint.name))) for b in arm.bodies)
    return replace(arm, bodies=tuple(bodies))
