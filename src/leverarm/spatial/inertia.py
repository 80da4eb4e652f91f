"""The inertia of a rigid body: ten numbers, linear in all of them."""

from __future__ import annotations

from dataclasses import dataclass

from leverarm.scalars import Scalar
from leverarm.spatial.matrix3 import Matrix3
from leverarm.spatial.motion import Force, Motion
from leverarm.spatial.pose import Pose
from leverarm.spatial.vec3 import ORIGIN, Vec3


@dataclass(frozen=True, slots=True)
class Symmetric3:
    """A symmetric 3 x 3 matrix by six numbers; products of inertia carry the tensor's sign, xy = -integral of x y."""

    xx: Scalar
    xy: Scalar
    yy: Scalar
    xz: Scalar
    yz: Scalar
    zz: Scalar

    def __add__(self, other: Symmetric3) -> Symmetric3:
        return Symmetric3(
            self.xx + other.xx, self.xy + other.xy, self.yy + other.yy,
            self.xz + other.xz, self.yz + other.yz, self.zz + other.zz,
        )  # fmt: skip

    def __sub__(self, other: Symmetric3) -> Symmetric3:
        return Symmetric3(
            self.xx - other.xx, self.xy - other.xy, self.yy - other.yy,
            self.xz - other.xz, self.yz - other.yz, self.zz - other.zz,
        )  # fmt: skip

    def __mul__(self, factor: Scalar) -> Symmetric3:
        return Symmetric3(
            self.xx * factor, self.xy * factor, self.yy * factor,
            self.xz * factor, self.yz * factor, self.zz * factor,
        )  # fmt: skip

    def __matmul__(self, v: Vec3) -> Vec3:
        return Vec3(
            self.xx * v.x + self.xy * v.y + self.xz * v.z,
            self.xy * v.x + self.yy * v.y + self.yz * v.z,
            self.xz * v.x + self.yz * v.y + self.zz * v.z,
        )

    def full(self) -> Matrix3:
        return Matrix3(
            Vec3(self.xx, self.xy, self.xz), Vec3(self.xy, self.yy, self.yz), Vec3(self.xz, self.yz, self.zz)
        )

    def rotated(self, R: Matrix3) -> Symmetric3:
        """R I R^T: the same tensor seen from the frame that R maps into."""
        RI = R * self.full()
        return Symmetric3(
            RI.r0 @ R.r0, RI.r1 @ R.r0, RI.r1 @ R.r1, RI.r2 @ R.r0, RI.r2 @ R.r1, RI.r2 @ R.r2
        )  # fmt: skip

    def turned_about(self, k: int, c: Scalar, s: Scalar) -> Symmetric3:
        """The same, where R turns about coordinate k by the angle with cosine c and sine s."""
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = self.full().turned_about(k, c, s).rows()
        return Symmetric3(xx, xy, yy, xz, yz, zz)


def twice_parallel_axis(a: Vec3, b: Vec3) -> Symmetric3:
    """-(S(a) S(b) + S(b) S(a)) = 2 (a . b) 1 - a b^T - b a^T: how moments of inertia change when the point moves.

    With a = b = d it is twice the parallel-axis term of a unit mass at d.
    """
    return Symmetric3(
        2 * (a.y * b.y + a.z * b.z), -(a.x * b.y + a.y * b.x), 2 * (a.x * b.x + a.z * b.z),
        -(a.x * b.z + a.z * b.x), -(a.y * b.z + a.z * b.y), 2 * (a.x * b.x + a.y * b.y),
    )  # fmt: skip


def point_inertia(d: Vec3) -> Symmetric3:
    """-S(d) S(d) = (d . d) 1 - d d^T: the inertia of a unit point mass at d about the origin (parallel axis)."""
    return Symmetric3(
        d.y * d.y + d.z * d.z, -(d.x * d.y), d.x * d.x + d.z * d.z,
        -(d.x * d.z), -(d.y * d.z), d.x * d.x + d.y * d.y,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Inertia:
    """Mass m [kg], first moment h = m c [kg m], second moment I about the frame origin [kg m^2].

    As a map from motion to momentum it is [[I, S(h)], [-S(h), m 1]] (Featherstone 2008, section 2.13).
    """

    m: Scalar
    h: Vec3
    I: Symmetric3  # noqa: E741 - the letter of the book

    @staticmethod
    def from_com(mass: Scalar, com: Vec3, about_com: Symmetric3) -> Inertia:
        """From mass, centre of mass and the moments about it: I_origin = I_com - m S(c) S(c)."""
        return Inertia(mass, com * mass, about_com + point_inertia(com) * mass)

    def __add__(self, other: Inertia) -> Inertia:
        """Two bodies welded together."""
        return Inertia(self.m + other.m, self.h + other.h, self.I + other.I)

    def __matmul__(self, v: Motion) -> Force:
        """Momentum I v: angular I w + h x v, linear m v - h x w."""
        return Force(
            self.I @ v.angular + self.h.cross(v.linear),
            v.linear * self.m - self.h.cross(v.angular),
        )

    def newton_euler(self, v: Motion, a: Motion) -> Force:
        """The force for acceleration a at velocity v: f = I a + v x* I v (Featherstone 2008, section 2.14)."""
        return self @ a + v.cross_force(self @ v)

    def into_parent(self, pose: Pose) -> Inertia:
        """The same body described in the parent frame of `pose` = parent_from_child (X^T I X)."""
        R, p = pose.rotation, pose.position
        h = R @ self.h
        return Inertia(
            self.m,
            h + p * self.m,
            self.I.rotated(R) + twice_parallel_axis(p, h) + point_inertia(p) * self.m,
        )

    def numbers(self) -> tuple[Scalar, ...]:
        """The ten parameters in the order of the regressor's columns: m, hx hy hz, Ixx Ixy Iyy Ixz Iyz Izz."""
        t = self.I
        return (self.m, *self.h, t.xx, t.xy, t.yy, t.xz, t.yz, t.zz)

    @staticmethod
    def from_numbers(m: Scalar, hx: Scalar, hy: Scalar, hz: Scalar, *second: Scalar) -> Inertia:
        return Inertia(m, Vec3(hx, hy, hz), Symmetric3(*second))


NO_SYMMETRIC3 = Symmetric3(0, 0, 0, 0, 0, 0)
NO_INERTIA = Inertia(0, ORIGIN, NO_SYMMETRIC3)
