"""Where a frame is: a rotation and a position. Named `parent_from_child`, so that chains cancel by eye."""

from __future__ import annotations

from dataclasses import dataclass

from leverarm.spatial.matrix3 import IDENTITY, Matrix3
from leverarm.spatial.motion import Force, Motion
from leverarm.spatial.vec3 import ORIGIN, Vec3


@dataclass(frozen=True, slots=True)
class Pose:
    """The pose of a child frame in its parent: x_parent = rotation x_child + position."""

    rotation: Matrix3
    position: Vec3

    def __mul__(self, other: Pose) -> Pose:
        """a_from_b * b_from_c = a_from_c."""
        return Pose(self.rotation * other.rotation, self.rotation @ other.position + self.position)

    def __matmul__(self, point: Vec3) -> Vec3:
        """A point of the child, seen from the parent."""
        return self.rotation @ point + self.position

    def inverse(self) -> Pose:
        """child_from_parent."""
        return Pose(self.rotation.transposed(), -self.rotation.transpose_apply(self.position))

    def motion_into_child(self, m: Motion) -> Motion:
        """A motion given in parent coordinates, in child coordinates (Featherstone 2008, section 2.8: X m)."""
        R, p = self.rotation, self.position
        return Motion(R.transpose_apply(m.angular), R.transpose_apply(m.linear + m.angular.cross(p)))

    def motion_into_parent(self, m: Motion) -> Motion:
        """A motion given in child coordinates, in parent coordinates (X^-1 m)."""
        angular = self.rotation @ m.angular
        return Motion(angular, self.rotation @ m.linear + self.position.cross(angular))

    def force_into_parent(self, f: Force) -> Force:
        """A force given in child coordinates, in parent coordinates (X^T f): the transpose of `motion_into_child`."""
        force = self.rotation @ f.force
        return Force(self.rotation @ f.moment + self.position.cross(force), force)

    def force_into_child(self, f: Force) -> Force:
        """A force given in parent coordinates, in child coordinates."""
        R, p = self.rotation, self.position
        return Force(R.transpose_apply(f.moment - p.cross(f.force)), R.transpose_apply(f.force))


HERE = Pose(IDENTITY, ORIGIN)
