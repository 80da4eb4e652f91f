"""Motions (twists, accelerations, joint axes) and forces (wrenches, momenta): dual six-vectors, angular part first.

They are different types because they transform differently and only their product, a power, is a number
(Featherstone 2008, ch. 2).
"""

from __future__ import annotations

from dataclasses import dataclass

from leverarm.scalars import Scalar
from leverarm.spatial.vec3 import ORIGIN, Vec3


@dataclass(frozen=True, slots=True)
class Force:
    """Moment about the frame origin [N m] and force [N]."""

    moment: Vec3
    force: Vec3

    def __add__(self, other: Force) -> Force:
        return Force(self.moment + other.moment, self.force + other.force)

    def __sub__(self, other: Force) -> Force:
        return Force(self.moment - other.moment, self.force - other.force)

    def __neg__(self) -> Force:
        return Force(-self.moment, -self.force)

    def __mul__(self, factor: Scalar) -> Force:
        return Force(self.moment * factor, self.force * factor)


@dataclass(frozen=True, slots=True)
class Motion:
    """Angular velocity [rad/s] and velocity of the point at the frame origin [m/s] (or their accelerations)."""

    angular: Vec3
    linear: Vec3

    def __add__(self, other: Motion) -> Motion:
        return Motion(self.angular + other.angular, self.linear + other.linear)

    def __sub__(self, other: Motion) -> Motion:
        return Motion(self.angular - other.angular, self.linear - other.linear)

    def __mul__(self, factor: Scalar) -> Motion:
        return Motion(self.angular * factor, self.linear * factor)

    def __matmul__(self, f: Force) -> Scalar:
        """The power of a force along this motion [W]."""
        return self.angular @ f.moment + self.linear @ f.force

    def cross(self, other: Motion) -> Motion:
        """v x m: the rate of change of a motion m moving with v (Featherstone 2008, section 2.9); ad_v m in screws."""
        return Motion(
            self.angular.cross(other.angular),
            self.angular.cross(other.linear) + self.linear.cross(other.angular),
        )

    def cross_force(self, f: Force) -> Force:
        """v x* f: the rate of change of a force f that moves with v (section 2.9); -ad_v^T f in screws."""
        return Force(
            self.angular.cross(f.moment) + self.linear.cross(f.force),
            self.angular.cross(f.force),
        )


AT_REST = Motion(ORIGIN, ORIGIN)
NO_FORCE = Force(ORIGIN, ORIGIN)
