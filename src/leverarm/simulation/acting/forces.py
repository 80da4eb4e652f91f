"""The forces on an arm: each kind as a function over any scalar, with its data as named arrays.

A force is only structure (its form, its law); its numbers are data, so that code compiled once serves any of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from leverarm import mechanics
from leverarm.compiler import Array
from leverarm.compiler.llvm.march_layout import CALLBACK
from leverarm.control import Law
from leverarm.control.signals import Form, moment
from leverarm.model import Arm, Mechanism, bind, regrouped
from leverarm.scalars import TAPE, Scalar
from leverarm.spatial import Force, Vec3

Data = Mapping[str, Sequence[Scalar]]
"""The scalars of each of a force's arrays."""


@dataclass(frozen=True, slots=True)
class ArmState:
    """An arm at an instant: as it is described, as it is built (with a payload, say), the time [s] and its motion."""

    arm: Arm
    mechanism: Mechanism
    t: Scalar
    q: Sequence[Scalar]
    qd: Sequence[Scalar]


class AppliedForce(Protocol):
    """A kind of force: its account in the energy balance, its data, and the force along each coordinate [N m or N].

    Forces that need different code differ in their `repr`.
    """

    @property
    def account(self) -> str: ...

    def arrays(self, arm: Arm) -> tuple[Array, ...]: ...

    def along(self, at: ArmState, data: Data) -> list[Scalar]: ...


def _row(name: str, form: Form, meaning: str) -> Array:
    return Array(name, (form.width,), meaning)


@dataclass(frozen=True, slots=True)
class PythonTorque:
    """Joint forces from a Python callback."""

    account: str = "torque"

    def arrays(self, arm: Arm) -> tuple[Array, ...]:
        return (Array(CALLBACK, (arm.dof,), "joint forces"),)

    def along(self, at: ArmState, data: Data) -> list[Scalar]:
        return list(data[CALLBACK])


@dataclass(frozen=True, slots=True)
class TimedTorque:
    """Joint forces that are a function of time."""

    form: Form
    account: str = "torque"

    def arrays(self, arm: Arm) -> tuple[Array, ...]:
        return (_row("tau", self.form, "joint forces in time"),)

    def along(self, at: ArmState, data: Data) -> list[Scalar]:
        return list(moment(self.form, data["tau"], at.t).value)


@dataclass(frozen=True, slots=True)
class ControlTorque:
    """Joint forces by a control law that follows a reference and knows a model of the arm: the arm itself if None."""

    law: Law
    form: Form
    model: Arm | None = None
    account: str = "torque"

    def arrays(self, arm: Arm) -> tuple[Array, ...]:
        return (_row("reference", self.form, "reference in time"), *self.law.arrays(self.model or arm))

    def along(self, at: ArmState, data: Data) -> list[Scalar]:
        # A regrouped model gives the same forces with fewer operations.
        model = regrouped(bind(self.model or at.arm, TAPE))
        return self.law.torque(model, data, moment(self.form, data["reference"], at.t), at.q, at.qd)


@dataclass(frozen=True, slots=True)
class Disturbance:
    """Disturbing forces tau_d in time, on the other side of the equations of motion."""

    form: Form
    account: str = "disturbance"

    def arrays(self, arm: Arm) -> tuple[Array, ...]:
        return (_row("tau_d", self.form, "disturbing forces in time"),)

    def along(self, at: ArmState, data: Data) -> list[Scalar]:
        return [-x for x in moment(self.form, data["tau_d"], at.t).value]


@dataclass(frozen=True, slots=True)
class TipWrench:
    """An outside wrench in time on a frame, moment and force in world axes: J^T w."""

    frame: str
    form: Form
    account: str = "wrench"

    def arrays(self, arm: Arm) -> tuple[Array, ...]:
        return (_row("wrench", self.form, f"wrench on {self.frame} in time"),)

    def along(self, at: ArmState, data: Data) -> list[Scalar]:
        w, J = self._at(data, at.t), mechanics.jacobian(at.mechanism, at.q, self.frame)
        return mechanics.apply(mechanics.transposed(J), w)

    def wrench(self, data: Data, t: Scalar) -> Force:
        """Moment and force in world axes, at the frame's origin."""
        w = self._at(data, t)
        return Force(Vec3(*w[:3]), Vec3(*w[3:]))

    def _at(self, data: Data, t: Scalar) -> Sequence[Scalar]:
        w: Sequence[Scalar] = moment(self.form, data["wrench"], t).value
        return w
