"""Outside forces on a link and on all it carries, and how they act when a joint moves their points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from leverarm.mechanics.link_turns import LinkTurn
from leverarm.mechanics.newton_euler import Wrenches, forces_at_points
from leverarm.model import Mechanism
from leverarm.scalars import Scalar
from leverarm.spatial import NO_FORCE, ORIGIN, Force, Matrix3, Motion, Pose, Vec3, outer


@dataclass(frozen=True, slots=True)
class OutsideForces:
    """The free moments and the forces, summed, and the sum of r f^T over their points, in a link's frame."""

    wrench: Force
    W: Matrix3

    def __add__(self, other: OutsideForces) -> OutsideForces:
        return OutsideForces(self.wrench + other.wrench, self.W + other.W)

    def pushed(self, S: Motion) -> Vec3:
        """The sum of J x f, where J = u x r + l is how the joint moves the points: (W - tr W) u + l x f."""
        u, trace = S.angular, self.W.r0.x + self.W.r1.y + self.W.r2.z
        turned: Vec3 = u * trace
        return self.W @ u - turned + S.linear.cross(self.wrench.force)

    def turned(self, S: Motion) -> Vec3:
        """The same and u x (free moment): what a turn of the joint and all on it does to J . f + u . moment."""
        return self.pushed(S) + S.angular.cross(self.wrench.moment)


def outside_forces(
    arm: Mechanism, q: Sequence[Scalar], X: Sequence[Pose], turns: Sequence[LinkTurn], wrenches: Wrenches
) -> list[OutsideForces]:
    """The outside forces on each link and all it carries; X and turns are those of the links in their parents. Ring."""
    total = [OutsideForces(NO_FORCE, Matrix3(ORIGIN, ORIGIN, ORIGIN))] * (len(arm.links) + 1)
    for link, point, wrench in forces_at_points(arm, q, wrenches):
        total[link] = total[link] + OutsideForces(wrench, outer(point, wrench.force))
    for i in reversed(range(len(arm.links))):
        parent, here = arm.links[i].parent, total[i]
        wrench = Force(X[i].rotation @ here.wrench.moment, X[i].rotation @ here.wrench.force)
        W = turns[i].matrix(here.W) + outer(X[i].position, wrench.force)
        total[parent] = total[parent] + OutsideForces(wrench, W)
    return total[:-1]
