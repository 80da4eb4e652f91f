"""The passivity-based law of Slotine and Li: the tracking error dissipates energy like a damped arm.

Slotine and Li 1987, "On the adaptive control of robot manipulators". With the velocity v = qd_wanted + Lambda e and
s = qd - v the closed loop is M sdot + C s = -K s, and V = s^T M s / 2 falls by s^T K s, because Mdot - 2 C is skew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from numpy.typing import ArrayLike

from leverarm import mechanics
from leverarm.compiler import Array
from leverarm.control.control import Control, made
from leverarm.control.gains import Target, gains, reference_of
from leverarm.control.law import Data, compensated_friction, errors, per_coordinate, total, weighted
from leverarm.control.signals import Moment
from leverarm.model import Arm, Mechanism
from leverarm.scalars import Scalar, along, half, slope
from leverarm.spatial import Vec3


@dataclass(frozen=True, slots=True)
class SlotineLi:
    """tau = M(q) vd + C(q, qd) v + F + g(q) - K s."""

    def reference(self, arm: Arm) -> Array:
        return per_coordinate(arm, "target", "positions")

    def arrays(self, arm: Arm) -> tuple[Array, ...]:
        return (
            per_coordinate(arm, "k", "force per s"),
            per_coordinate(arm, "lam", "velocity per error of position [1/s]"),
        )

    def torque(
        self, model: Mechanism, data: Data, wanted: Moment, q: Sequence[Scalar], qd: Sequence[Scalar]
    ) -> list[Scalar]:
        lam = data["lam"]
        v = total(wanted.rate, weighted(lam, errors(wanted.value, q)))
        vd = total(wanted.acceleration, weighted(lam, errors(wanted.rate, qd)))
        minus_s = errors(v, qd)
        return total(
            rigid_forces(mechanics.without_friction(model), q, qd, v, vd),
            compensated_friction(model, q, qd, wanted.rate),
            weighted(data["k"], minus_s),
        )


def rigid_forces(
    model: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar], v: Sequence[Scalar], vd: Sequence[Scalar]
) -> list[Scalar]:
    """M(q) vd + C(q, qd) v + g(q) with the Christoffel C, which is never formed [N m or N]. Ring, O(n).

    C(q, qd) v = sum of Gamma_ijk qd_k v_j is symmetric in qd and v, so it is the rate at which the Coriolis torques
    C(q, qd) qd change as qd moves along v / 2. Inverse dynamics is linear in accelerations and weight: moving from
    none of them along vd and gravity adds M vd and g. So one Newton-Euler pass over dual numbers gives the sum.
    """
    none = [0] * model.dof
    weighing = replace(model, gravity=Vec3(*along((0, 0, 0), tuple(model.gravity))))
    moving, speeding_up = along(qd, [half(x) for x in v]), along(none, vd)
    return [slope(force) for force in mechanics.classical_inverse_dynamics(weighing, q, moving, speeding_up)]


def slotine_li(
    target: Target, k: ArrayLike, lam: ArrayLike, model: Arm | None = None, *, effort: ArrayLike | str | None = None
) -> Control:
    """Joint forces that dissipate the error's energy, V = s^T M s / 2 with s = -(ed + Lambda e): Vdot = -s^T K s.

    tau = M(q) vd + C(q, qd) v + F + g - K s with v = qd_wanted + Lambda e (Slotine and Li 1987) [N m or N]. `k`
    [N m s/rad or N s/m] and `lam` [1/s] are numbers, or one per coordinate. Dry friction is compensated in the
    direction of the reference's velocity. `target`, `model` and `effort` as for `pd_gravity`.
    """
    reference = reference_of(target)
    size = reference.size
    data = {"k": gains("k", k, size), "lam": gains("lam", lam, size)}
    return made(SlotineLi(), data, reference, model, effort)
