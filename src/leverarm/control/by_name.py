"""Control laws by name, with default gains suited to the arm, as offered on the command line."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from leverarm.arrays import Array
from leverarm.control.control import Control, Target, finite, fitted, gains, reference_of
from leverarm.control.joint_space import PD, computed_torque, pd, pd_gravity, slotine_li
from leverarm.control.operational_space import LINEAR, operational_space
from leverarm.control.signals import Signal
from leverarm.errors import InputError, require_known
from leverarm.model import Arm
from leverarm.quantities import mass_matrix, task_axes

FREQUENCY = 2.0
"""Default natural frequency of the tracking error [Hz]."""


@dataclass(frozen=True, slots=True)
class LawSpec:
    """The arm, its target and the user's gains from which a law is built."""

    arm: Arm
    target: Signal
    kp: ArrayLike | None
    kd: ArrayLike | None
    frequency: float
    effort: ArrayLike | str | None

    @property
    def w(self) -> float:
        """The natural frequency [rad/s]."""
        return 2 * math.pi * self.frequency

    def inertia(self) -> Array:
        """Diagonal inertia M_ii of each coordinate at the start of the target."""
        fitted(Control(PD(), dict.fromkeys(("kp", "kd"), np.zeros(1)), self.target), self.arm)
        begin = min(max(0.0, self.target.known[0]), self.target.known[1])
        rows = np.reshape(self.target.at(begin).value, (-1, self.target.size))
        return np.diag(mass_matrix(self.arm, rows[0])).copy()

    def forces(self) -> tuple[ArrayLike, ArrayLike]:
        """kp and kd as forces per unit error: M_ii w^2 and 2 M_ii w unless given."""
        M = self.inertia()
        return M * self.w**2 if self.kp is None else self.kp, M * (2 * self.w) if self.kd is None else self.kd

    def accelerations(self) -> tuple[ArrayLike, ArrayLike]:
        """kp and kd as accelerations per unit error: w^2 and 2 w unless given."""
        return self.w**2 if self.kp is None else self.kp, 2 * self.w if self.kd is None else self.kd


def _slotine_li(spec: LawSpec) -> Control:
    """kp = K Lambda and kd = K multiply e and ed: M_ii w^2 and M_ii w unless given."""
    M, size = spec.inertia(), spec.target.size
    kd = gains("kd", M * spec.w if spec.kd is None else spec.kd, size)
    if (kd == 0).any():
        raise InputError(
            "kd: it is 0 for some coordinate, given so or for zero inertia at the target; slotine-li takes Lambda = "
            "kp / kd. Give a kd above zero."
        )
    lam = spec.w if spec.kp is None else gains("kp", spec.kp, size) / kd
    return slotine_li(spec.target, kd, lam, effort=spec.effort)


def _operational_space(spec: LawSpec) -> Control:
    axes = [axis for axis in task_axes(spec.arm) if axis in LINEAR]
    return operational_space(spec.target, *spec.accelerations(), axes=axes or LINEAR, effort=spec.effort)


LAWS: Mapping[str, Callable[[LawSpec], Control]] = {
    "pd": lambda spec: pd(spec.target, *spec.forces(), effort=spec.effort),
    "pd+gravity": lambda spec: pd_gravity(spec.target, *spec.forces(), effort=spec.effort),
    "computed-torque": lambda spec: computed_torque(spec.target, *spec.accelerations(), effort=spec.effort),
    "slotine-li": _slotine_li,
    "operational-space": _operational_space,
}
"""The control laws by name."""


def by_name(
    name: str,
    arm: Arm,
    target: Target,
    kp: ArrayLike | None = None,
    kd: ArrayLike | None = None,
    *,
    frequency: float = FREQUENCY,
    effort: ArrayLike | str | None = None,
) -> Control:
    """A control law by name, with gains for this arm at a natural frequency [Hz] unless they are given.

    Names: pd, pd+gravity, computed-torque, slotine-li, operational-space (the target is then the tool's position, along
    the linear axes in which it can move). Default gains damp each joint critically: kp = M_ii w^2 and kd = 2 M_ii w
    where they are forces per unit error, with the inertia M_ii at the start of the target; w^2 and 2 w where they are
    accelerations. For slotine-li kp is K Lambda and kd is K, M_ii w. `effort` as for `pd`.
    """
    require_known("control law", name, LAWS, "control")
    hertz = finite("frequency", frequency)
    if hertz.ndim or hertz <= 0:
        raise InputError(f"frequency: {frequency!r} was given; it must be one positive number [Hz].")
    return fitted(LAWS[name](LawSpec(arm, reference_of(target), kp, kd, float(hertz), effort)), arm)
