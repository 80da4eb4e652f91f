"""The acceleration of a point of the arm, split into what causes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from leverarm.mechanics.jacobians import jacobian, jacobian_dot
from leverarm.mechanics.matrices import apply
from leverarm.model import Mechanism
from leverarm.scalars import Scalar


@dataclass(frozen=True, slots=True)
class Acceleration:
    """The six acceleration components of a frame (angular, then linear) by cause; their sum is the acceleration."""

    joint: list[Scalar]
    """J qdd."""
    centripetal: list[Scalar]
    """The terms with a squared rate, qd_k^2."""
    coriolis: list[Scalar]
    """The terms with a product of two different rates, qd_j qd_k."""

    @property
    def total(self) -> list[Scalar]:
        return [a + b + c for a, b, c in zip(self.joint, self.centripetal, self.coriolis, strict=True)]


def acceleration(
    arm: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar], qdd: Sequence[Scalar], frame: str
) -> Acceleration:
    """The acceleration of a frame's origin and body in world axes, without gravity: J qdd + Jdot qd, split by cause.

    Jdot qd is quadratic in qd. With one joint moving it gives that joint's centripetal part; what the joints give
    together beyond the sum of those is the Coriolis part. Ring, O(n depth).
    """
    J = jacobian(arm, q, frame)
    joint = apply(J, qdd)
    velocity_part = apply(jacobian_dot(arm, q, qd, frame), qd)
    centripetal: list[Scalar] = [0] * 6
    for k in range(arm.dof):
        alone = [qd[k] if j == k else 0 for j in range(arm.dof)]
        terms = apply(jacobian_dot(arm, q, alone, frame), alone)
        centripetal = [total + term for total, term in zip(centripetal, terms, strict=True)]
    coriolis = [whole - part for whole, part in zip(velocity_part, centripetal, strict=True)]
    return Acceleration(joint, centripetal, coriolis)
