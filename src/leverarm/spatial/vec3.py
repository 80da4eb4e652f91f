"""Three numbers of any scalar type: a point, a direction, an angular velocity."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from leverarm.scalars import Scalar


@dataclass(frozen=True, slots=True)
class Vec3:
    """A vector of three scalars: `v * s` scales, `a @ b` is the dot product, `a.cross(b)` the vector product.

    The vector comes first in `v * s`, so that no scalar type needs to know vectors.
    """

    x: Scalar
    y: Scalar
    z: Scalar

    def __iter__(self) -> Iterator[Scalar]:
        yield self.x
        yield self.y
        yield self.z

    def __add__(self, other: Vec3) -> Vec3:
        return Vec3(self.x + other.x, self.y + other.y, self.z + other.z)

    def __sub__(self, other: Vec3) -> Vec3:
        return Vec3(self.x - other.x, self.y - other.y, self.z - other.z)

    def __neg__(self) -> Vec3:
        return Vec3(-self.x, -self.y, -self.z)

    def __mul__(self, factor: Scalar) -> Vec3:
        return Vec3(self.x * factor, self.y * factor, self.z * factor)

    def __matmul__(self, other: Vec3) -> Scalar:
        return self.x * other.x + self.y * other.y + self.z * other.z

    def cross(self, other: Vec3) -> Vec3:
        """The vector product, written S(self) other with the skew matrix S of the lectures."""
        return Vec3(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )


ORIGIN = Vec3(0, 0, 0)
