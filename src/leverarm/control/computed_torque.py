"""Computed-torque control: inverse dynamics linearises the arm, so that every tracking error decays alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from numpy.typing import ArrayLike

from leverarm import mechanics
from leverarm.compiler import Array
from leverarm.control.control import Control, made
from leverarm.control.gains import Target, gains, reference_of
from leverarm.control.law import Data, compensated_friction, per_coordinate, total
from leverarm.control.proportional_derivative import feedback
from leverarm.control.signals import Moment
from leverarm.model import Arm, Mechanism
from leverarm.scalars import Scalar


@dataclass(frozen=True, slots=True)
class ComputedTorque:
    """tau = M(q) (qdd_wanted + Kd ed + Kp e) + C(q, qd) qd + F + g(q), by Newton-Euler."""

    def reference(self, arm: Arm) -> Array:
        return per_coordinate(arm, "target", "positions")

    def arrays(self, arm: Arm) -> tuple[Array, ...]:
        return (
            per_coordinate(arm, "kp", "acceleration per error of position [1/s^2]"),
            per_coordinate(arm, "kd", "acceleration per error of velocity [1/s]"),
        )

    def torque(
        self, model: Mechanism, data: Data, wanted: Moment, q: Sequence[Scalar], qd: Sequence[Scalar]
    ) -> list[Scalar]:
        qdd = total(wanted.acceleration, feedback(data, wanted, q, qd))
        forces = mechanics.classical_inverse_dynamics(mechanics.without_friction(model), q, qd, qdd)
        return total(forces, compensated_friction(model, q, qd, wanted.rate))


def computed_torque(
    target: Target, kp: ArrayLike, kd: ArrayLike, model: Arm | None = None, *, effort: ArrayLike | str | None = None
) -> Control:
    """Joint forces under which every tracking error obeys edd + Kd ed + Kp e = 0 [N m or N].

    tau = M(q) (qdd_wanted + Kd ed + Kp e) + C qd + F + g, inverse dynamics at the desired accelerations (Luh, Walker
    and Paul 1980, "Resolved-acceleration control of mechanical manipulators"). `kp` [1/s^2] and `kd` [1/s] are numbers,
    or one per coordinate: w^2 and 2 w for a critically damped error of frequency w [rad/s]. Dry friction is compensated
    in the direction of the reference's velocity, not at all where that is zero. `target`, `model` and `effort` as for
    `pd_gravity`.
    """
    reference = reference_of(target)
    size = reference.size
    data = {"kp": gains("kp", kp, size), "kd": gains("kd", kd, size)}
    return made(ComputedTorque(), data, reference, model, effort)
