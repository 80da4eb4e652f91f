"""How the mass of a body lies about a point: its moments of order zero, one and two.

The same ten numbers as an `Inertia`, with the second moment E = integral of r r^T dm in place of the inertia tensor
I = tr(E) 1 - E. Mass on an axis has one number each of m, h and E, and moving it adds outer products.
"""

from __future__ import annotations

from dataclasses import dataclass

from leverarm.scalars import Scalar, half
from leverarm.spatial.inertia import NO_SYMMETRIC3, Inertia, Symmetric3
from leverarm.spatial.pose import Pose
from leverarm.spatial.vec3 import ORIGIN, Vec3


@dataclass(frozen=True, slots=True)
class MassMoments:
    """Mass m [kg], first moment h [kg m] and second moment E [kg m^2] about the frame origin; E.xy is +integral x y."""

    m: Scalar
    h: Vec3
    E: Symmetric3

    @staticmethod
    def of(body: Inertia) -> MassMoments:
        """E = tr(I)/2 1 - I."""
        t = body.I
        E = Symmetric3(
            half(t.yy + t.zz - t.xx), -t.xy, half(t.xx + t.zz - t.yy), -t.xz, -t.yz, half(t.xx + t.yy - t.zz)
        )  # fmt: skip
        return MassMoments(body.m, body.h, E)

    def to_inertia(self) -> Inertia:
        """I = tr(E) 1 - E."""
        return Inertia(self.m, self.h, inertia_tensor(self.E))

    def __add__(self, other: MassMoments) -> MassMoments:
        return MassMoments(self.m + other.m, self.h + other.h, self.E + other.E)

    def __sub__(self, other: MassMoments) -> MassMoments:
        return MassMoments(self.m - other.m, self.h - other.h, self.E - other.E)

    def into_parent(self, pose: Pose) -> MassMoments:
        """The same mass seen from the parent frame of `pose` = parent_from_child, where it lies at r' = R r + p."""
        R = pose.rotation
        return MassMoments(self.m, R @ self.h, self.E.rotated(R)).moved(pose.position)

    def moved(self, p: Vec3) -> MassMoments:
        """The same mass, moved by p: E' = E + p h^T + h p^T + m p p^T."""
        return point_mass(self.m, p) + MassMoments(0, self.h, self.E + twice_symmetric_outer(p, self.h))


def inertia_tensor(E: Symmetric3) -> Symmetric3:
    """tr(E) 1 - E."""
    return Symmetric3(E.yy + E.zz, -E.xy, E.xx + E.zz, -E.xz, -E.yz, E.xx + E.yy)


def point_mass(m: Scalar, p: Vec3) -> MassMoments:
    """A mass m at p."""
    h = p * m
    return MassMoments(m, h, Symmetric3(p.x * h.x, p.x * h.y, p.y * h.y, p.x * h.z, p.y * h.z, p.z * h.z))


def twice_symmetric_outer(a: Vec3, b: Vec3) -> Symmetric3:
    """a b^T + b a^T."""
    return Symmetric3(
        2 * a.x * b.x, a.x * b.y + a.y * b.x, 2 * a.y * b.y,
        a.x * b.z + a.z * b.x, a.y * b.z + a.z * b.y, 2 * a.z * b.z,
    )  # fmt: skip


NO_MASS = MassMoments(0, ORIGIN, NO_SYMMETRIC3)
