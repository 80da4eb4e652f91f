"""PD control in joint space, with and without gravity compensation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from numpy.typing import ArrayLike

from leverarm import mechanics
from leverarm.compiler import Array
from leverarm.control.control import Control, made
from leverarm.control.gains import Target, gains, reference_of
from leverarm.control.law import Data, errors, per_coordinate, total, weighted
from leverarm.control.signals import Moment
from leverarm.model import Arm, Mechanism
from leverarm.scalars import Scalar


@dataclass(frozen=True, slots=True)
class PD:
    """tau = Kp e + Kd ed with e = q_wanted - q, ed = qd_wanted - qd."""

    def reference(self, arm: Arm) -> Array:
        return per_coordinate(arm, "target", "positions")

    def arrays(self, arm: Arm) -> tuple[Array, ...]:
        return (
            per_coordinate(arm, "kp", "force per error of position"),
            per_coordinate(arm, "kd", "force per error of velocity"),
        )

    def torque(
        self, model: Mechanism, data: Data, wanted: Moment, q: Sequence[Scalar], qd: Sequence[Scalar]
    ) -> list[Scalar]:
        return feedback(data, wanted, q, qd)


@dataclass(frozen=True, slots=True)
class PDGravity:
    """tau = Kp e + Kd ed + g(q)."""

    def reference(self, arm: Arm) -> Array:
        return PD().reference(arm)

    def arrays(self, arm: Arm) -> tuple[Array, ...]:
        return PD().arrays(arm)

    def torque(
        self, model: Mechanism, data: Data, wanted: Moment, q: Sequence[Scalar], qd: Sequence[Scalar]
    ) -> list[Scalar]:
        still = [0] * model.dof
        held = mechanics.plus_springs(model, q, mechanics.classical_forces(model, q, still, still))
        return total(feedback(data, wanted, q, qd), held)


def feedback(data: Data, wanted: Moment, q: Sequence[Scalar], qd: Sequence[Scalar]) -> list[Scalar]:
    """Kp e + Kd ed."""
    return total(weighted(data["kp"], errors(wanted.value, q)), weighted(data["kd"], errors(wanted.rate, qd)))


def pd(target: Target, kp: ArrayLike, kd: ArrayLike, *, effort: ArrayLike | str | None = None) -> Control:
    """PD control: joint springs and dampers pull the arm to its target, tau = Kp e + Kd ed [N m or N].

    `target` is a signal of positions, or n constant numbers. `kp` [N m/rad or N/m] and `kd` [N m s/rad or N s/m] are
    numbers, or one per coordinate. `effort` limits each |tau_i|: numbers, or "limits" for those of the arm. Gravity
    leaves a steady-state error: see `pd_gravity`.
    """
    return _made(PD(), target, kp, kd, None, effort)


def pd_gravity(
    target: Target, kp: ArrayLike, kd: ArrayLike, model: Arm | None = None, *, effort: ArrayLike | str | None = None
) -> Control:
    """PD control with gravity compensation: tau = Kp e + Kd ed + g(q) [N m or N], springs of the arm included.

    Settles exactly at a constant target (Takegaki and Arimoto 1981). `model` is the arm whose gravity is compensated;
    without one, the nominal arm. The others as for `pd`.
    """
    return _made(PDGravity(), target, kp, kd, model, effort)


def _made(
    law: PD | PDGravity,
    target: Target,
    kp: ArrayLike,
    kd: ArrayLike,
    model: Arm | None,
    effort: ArrayLike | str | None,
) -> Control:
    reference = reference_of(target)
    size = reference.size
    return made(law, {"kp": gains("kp", kp, size), "kd": gains("kd", kd, size)}, reference, model, effort)
