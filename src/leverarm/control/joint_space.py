"""Control laws in joint space: PD with and without gravity compensation, computed torque, and Slotine and Li's law.

Slotine and Li 1987, "On the adaptive control of robot manipulators". With the velocity v = qd_wanted + Lambda e and
s = qd - v the closed loop is M sdot + C s = -K s, and V = s^T M s / 2 falls by s^T K s, because Mdot - 2 C is skew.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from numpy.typing import ArrayLike

from leverarm import mechanics
from leverarm.compiler import Array
from leverarm.control.control import Control, Target, gains, made, reference_of
from leverarm.control.law import Data, compensated_friction, errors, per_coordinate, total, weighted
from leverarm.control.signals import Moment
from leverarm.model import Arm, Mechanism
from leverarm.scalars import Scalar, along, half, slope
from leverarm.spatial import Vec3


class JointLaw(ABC):
    """A law that follows positions of the coordinates, with gains of one number per coordinate."""

    __slots__ = ()
    GAINS: ClassVar[tuple[tuple[str, str], ...]]
    """The gains and their meanings."""

    def reference(self, arm: Arm) -> Array:
        return per_coordinate(arm, "target", "positions")

    def arrays(self, arm: Arm) -> tuple[Array, ...]:
        return tuple(per_coordinate(arm, name, meaning) for name, meaning in self.GAINS)

    @abstractmethod
    def torque(
        self, model: Mechanism, data: Data, wanted: Moment, q: Sequence[Scalar], qd: Sequence[Scalar]
    ) -> list[Scalar]: ...


@dataclass(frozen=True, slots=True)
class PD(JointLaw):
    """tau = Kp e + Kd ed with e = q_wanted - q, ed = qd_wanted - qd."""

    GAINS = (("kp", "force per error of position"), ("kd", "force per error of velocity"))

    def torque(
        self, model: Mechanism, data: Data, wanted: Moment, q: Sequence[Scalar], qd: Sequence[Scalar]
    ) -> list[Scalar]:
        return feedback(data, wanted, q, qd)


@dataclass(frozen=True, slots=True)
class PDGravity(JointLaw):
    """tau = Kp e + Kd ed + g(q)."""

    GAINS = PD.GAINS

    def torque(
        self, model: Mechanism, data: Data, wanted: Moment, q: Sequence[Scalar], qd: Sequence[Scalar]
    ) -> list[Scalar]:
        still = [0] * model.dof
        held = mechanics.plus_springs(model, q, mechanics.classical_forces(model, q, still, still))
        return total(feedback(data, wanted, q, qd), held)


@dataclass(frozen=True, slots=True)
class ComputedTorque(JointLaw):
    """tau = M(q) (qdd_wanted + Kd ed + Kp e) + C(q, qd) qd + F + g(q), by Newton-Euler."""

    GAINS = (("kp", "acceleration per error of position [1/s^2]"), ("kd", "acceleration per error of velocity [1/s]"))

    def torque(
        self, model: Mechanism, data: Data, wanted: Moment, q: Sequence[Scalar], qd: Sequence[Scalar]
    ) -> list[Scalar]:
        qdd = total(wanted.acceleration, feedback(data, wanted, q, qd))
        forces = mechanics.classical_inverse_dynamics(mechanics.without_friction(model), q, qd, qdd)
        return total(forces, compensated_friction(model, q, qd, wanted.rate))


@dataclass(frozen=True, slots=True)
class SlotineLi(JointLaw):
    """tau = M(q) vd + C(q, qd) v + F + g(q) - K s."""

    GAINS = (("k", "force per s"), ("lam", "velocity per error of position [1/s]"))

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


def feedback(data: Data, wanted: Moment, q: Sequence[Scalar], qd: Sequence[Scalar]) -> list[Scalar]:
    """Kp e + Kd ed."""
    return total(weighted(data["kp"], errors(wanted.value, q)), weighted(data["kd"], errors(wanted.rate, qd)))


def rigid_forces(
    model: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar], v: Sequence[Scalar], vd: Sequence[Scalar]
) -> list[Scalar]:
    """M(q) vd + C(q, qd) v + g(q) with the Christoffel C, which is never formed [N m or N]. Ring, O(n).

    C(q, qd) v = sum of Gamma_ijk qd_k v_j is symmetric in qd and v, so it is the rate at which the Coriolis torques
    C(q, qd) qd change as qd moves along v / 2. Inverse dynamics is linear in accelerations, weight and stiffness:
    moving from none of them along vd, gravity and the springs adds M vd and g. So one Newton-Euler pass over dual
    numbers gives the sum.
    """
    none = [0] * model.dof
    weighing = replace(model, gravity=Vec3(*along((0, 0, 0), tuple(model.gravity))))
    weighing = mechanics.with_stiffnesses(weighing, along([0] * len(model.links), mechanics.stiffnesses(model)))
    moving, speeding_up = along(qd, [half(x) for x in v]), along(none, vd)
    return [slope(force) for force in mechanics.classical_inverse_dynamics(weighing, q, moving, speeding_up)]


def pd(target: Target, kp: ArrayLike, kd: ArrayLike, *, effort: ArrayLike | str | None = None) -> Control:
    """PD control: joint springs and dampers pull the arm to its target, tau = Kp e + Kd ed [N m or N].

    `target` is a signal of positions, or n constant numbers. `kp` [N m/rad or N/m] and `kd` [N m s/rad or N s/m] are
    numbers, or one per coordinate. `effort` limits each |tau_i|: numbers, or "limits" for those of the arm. Gravity
    leaves a steady-state error: see `pd_gravity`.
    """
    return _control(PD(), target, None, effort, kp=kp, kd=kd)


def pd_gravity(
    target: Target, kp: ArrayLike, kd: ArrayLike, model: Arm | None = None, *, effort: ArrayLike | str | None = None
) -> Control:
    """PD control with gravity compensation: tau = Kp e + Kd ed + g(q) [N m or N].

    Settles exactly at a constant target (Takegaki and Arimoto 1981). `model` is the arm whose gravity is compensated;
    without one, the nominal arm. The others as for `pd`.
    """
    return _control(PDGravity(), target, model, effort, kp=kp, kd=kd)


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
    return _control(ComputedTorque(), target, model, effort, kp=kp, kd=kd)


def slotine_li(
    target: Target, k: ArrayLike, lam: ArrayLike, model: Arm | None = None, *, effort: ArrayLike | str | None = None
) -> Control:
    """Joint forces that dissipate the error's energy, V = s^T M s / 2 with s = -(ed + Lambda e): Vdot = -s^T K s.

    tau = M(q) vd + C(q, qd) v + F + g - K s with v = qd_wanted + Lambda e (Slotine and Li 1987) [N m or N]. `k`
    [N m s/rad or N s/m] and `lam` [1/s] are numbers, or one per coordinate. Dry friction is compensated in the
    direction of the reference's velocity. `target`, `model` and `effort` as for `pd_gravity`.
    """
    return _control(SlotineLi(), target, model, effort, k=k, lam=lam)


def _control(
    law: JointLaw, target: Target, model: Arm | None, effort: ArrayLike | str | None, **given: ArrayLike
) -> Control:
    reference = reference_of(target)
    data = {name: gains(name, numbers, reference.size) for name, numbers in given.items()}
    return made(law, data, reference, model, effort)
