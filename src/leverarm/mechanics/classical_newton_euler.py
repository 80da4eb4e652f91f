"""Inverse dynamics in the classical form: the fewest operations.

Luh, Walker and Paul 1980; Khalil and Dombre 2002, section 9.5. The point r of a link accelerates by a + A r, so with
the moments m, h, E of the link's mass the force is m a + A h, and the moment about its origin is h x a plus the axial
vector of A E - E A^T. Independent of `newton_euler.py` up to the inward projection.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from leverarm.mechanics.classical_motion import ClassicalMotion, RateMatrix, classical_motion
from leverarm.mechanics.kinematics import still
from leverarm.mechanics.newton_euler import Wrenches, forces_on_links, inward_projection, with_joint_forces
from leverarm.mechanics.springs import with_joint_springs
from leverarm.model import Mechanism
from leverarm.scalars import Scalar, is_zero
from leverarm.spatial import Force, MassMoments, Symmetric3, Vec3


def classical_inverse_dynamics(
    arm: Mechanism,
    q: Sequence[Scalar],
    qd: Sequence[Scalar],
    qdd: Sequence[Scalar],
    wrenches: Wrenches | None = None,
    disturbance: Sequence[Scalar] | None = None,
) -> list[Scalar]:
    """Generalised forces for a motion, as `inverse_dynamics`: M qdd + C qd + F(qd) + g + tau_d - J^T w [N m or N].

    Ring, O(n).
    """
    load = classical_joint_loads(arm, q, qd, wrenches) if arm.loaded_joints else None
    forces = classical_forces(arm, q, qd, qdd, wrenches=wrenches)
    return with_joint_forces(arm, forces, q, qd, qdd, disturbance, load)


def classical_forces(
    arm: Mechanism,
    q: Sequence[Scalar],
    qd: Sequence[Scalar],
    qdd: Sequence[Scalar],
    gravity: Vec3 | None = None,
    wrenches: Wrenches | None = None,
) -> list[Scalar]:
    """The part of the forces that the links' own inertia needs, as `rigid_body_forces`. Ring, O(n)."""
    return arm.generalised_forces(_joint_forces(arm, q, qd, qdd, gravity, wrenches))


def classical_joint_loads(
    arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar], wrenches: Wrenches | None = None
) -> list[Scalar]:
    """What each joint transmits without acceleration, as `joint_loads`. Ring, O(n)."""
    return with_joint_springs(arm, q, _joint_forces(arm, q, qd, still(arm), None, wrenches))


def _joint_forces(
    arm: Mechanism,
    q: Sequence[Scalar],
    qd: Sequence[Scalar],
    qdd: Sequence[Scalar],
    gravity: Vec3 | None,
    wrenches: Wrenches | None,
) -> list[Scalar]:
    motion = classical_motion(arm, q, qd, qdd, gravity)
    net = [net_force(MassMoments.of(link.inertia), m) for link, m in zip(arm.links, motion[:-1], strict=True)]
    return inward_projection(arm, [m.parent_from_link for m in motion], net, forces_on_links(arm, q, wrenches or {}))


def classical_bias(
    arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar], wrenches: Wrenches | None = None
) -> list[Scalar]:
    """N(q, qd) = C qd + F(qd) + g: all of tau that is there without acceleration. Ring, O(n)."""
    return classical_inverse_dynamics(arm, q, qd, still(arm), wrenches)


def net_force(body: MassMoments, motion: ClassicalMotion) -> Force:
    """Sum over the body's mass of the force and of the moment about its origin: m a + A h, and h x a + moment of E."""
    A, a = motion.A, motion.a
    return Force(turning_moment(body.E, A, motion.wd) + body.h.cross(a), a * body.m + A @ body.h)


def turning_moment(E: Symmetric3, A: RateMatrix, wd: Vec3) -> Vec3:
    """The sum of r x A r over the mass: the axial vector of A E - E A^T, (A E)_zy - (A E)_yz and so on."""
    x, y, z = A.A.r0, A.A.r1, A.A.r2
    return Vec3(
        z.x * E.xy - y.x * E.xz + _across(z.y, y.z, wd.x, E.yy, E.zz) + A.spread.x * E.yz,
        x.y * E.yz - z.y * E.xy + _across(x.z, z.x, wd.y, E.zz, E.xx) + A.spread.y * E.xz,
        y.z * E.xz - x.z * E.yz + _across(y.x, x.y, wd.z, E.xx, E.yy) + A.spread.z * E.xy,
    )


def _across(a: Scalar, b: Scalar, wd: Scalar, E_a: Scalar, E_b: Scalar) -> Scalar:
    """a E_a - b E_b, where a - b = 2 wd: a body that is round about this axis has E_a = E_b and needs only wd."""
    if _vanishes(E_a) or _vanishes(E_b):
        return a * E_a - b * E_b
    return a * (E_a - E_b) + wd * (2 * E_b)


def _vanishes(number: Scalar) -> bool:
    """Whether a number of the model is zero: structurally, or after regrouping in floats or rationals."""
    return is_zero(number) or (isinstance(number, float | Fraction) and number == 0)
