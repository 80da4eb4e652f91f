"""A motion to identify an arm by: what it is worth, what it uses of the limits, and what to know before it runs."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverarm.excitation.information import Quality
from leverarm.excitation.verification import JointUse
from leverarm.lint.finding import Finding
from leverarm.model import Arm
from leverarm.signals import Signal
from leverarm.trajectories.limits import LimitReport
from leverarm.trajectories.trajectory import Trajectory

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Excitation:
    """A periodic motion that begins and ends at rest and tells the most about the arm's base parameters.

    `trajectory` holds its rows, `rate` a second for `duration` [s], with the torques that the arm's description asks
    for. `before` is what the random motion was worth that the search began with, `after` what this one is worth.
    """

    arm: Arm
    signal: Signal
    trajectory: Trajectory
    duration: float
    rate: float
    harmonics: int
    frequency: float
    """Of the first harmonic [Hz]."""
    margin: float
    """Part of each limit that is left."""
    seed: int
    base_parameters: tuple[str, ...]
    """The parameters that the motion is to tell, each after the one it is named for."""
    before: Quality
    after: Quality
    uses: tuple[JointUse, ...]
    limits: LimitReport
    """The rows against the arm's own limits, by `check_limits`."""
    findings: tuple[Finding, ...]
    finished: bool
    """Whether the search ran to its end; otherwise this is the best that it had found."""
    seconds: float

    @property
    def condition_before(self) -> float:
        """Condition number of the base regressor, rows over noise and columns of length one, of the random motion."""
        return self.before.condition

    @property
    def condition_after(self) -> float:
        """The same of this motion."""
        return self.after.condition

    @property
    def log_det_before(self) -> float:
        """log det of the information of the random motion."""
        return self.before.log_det

    @property
    def log_det_after(self) -> float:
        """The same of this motion."""
        return self.after.log_det

    @property
    def error_ratio(self) -> float:
        """How many times smaller standard errors are than after the random motion (geometric mean of parameters)."""
        return math.exp((self.after.log_det - self.before.log_det) / (2 * len(self.base_parameters)))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes t, q, qd and qdd by joint as .csv, .npz or .parquet, whole or not at all."""
        from leverarm.excitation.files import save_motion

        save_motion(self.trajectory, path)

    def plot(self, path: str | os.PathLike[str] | None = None) -> Figure:
        """Every joint's position, velocity, acceleration and torque with its limits; written to .png, .svg or .pdf."""
        from leverarm.excitation.plots import plot

        return plot(self, path)

    def __repr__(self) -> str:
        return (
            f"<Excitation of {self.arm.name!r}: {self.duration:g} s, {self.harmonics} harmonics of "
            f"{self.frequency:g} Hz, condition number {self.before.condition:.3g} -> {self.after.condition:.3g}>"
        )
