"""An exciting trajectory for identification: how informative it is, what it uses of the limits, what to check first.

It is saved as a plain table that a robot controller can read (t, then q, qd and qdd of each joint), and plotted with
the limits of every joint.
"""

from __future__ import annotations

import csv
import io
import math
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from leverarm.arrays import Array
from leverarm.atomic_write import atomic_file
from leverarm.control.signals import Signal
from leverarm.errors import FormatError, path_text
from leverarm.findings import Finding
from leverarm.identification.excitation.information import Quality
from leverarm.identification.excitation.search import JointUse
from leverarm.model import Arm
from leverarm.pictures.plot_sheet import BOUND, COLOURS, Pen, Plot, PlotSheet, over_time, plot_file, show
from leverarm.simulation.trajectories.files.parquet import arrow
from leverarm.simulation.trajectories.limits import JointLimits, LimitReport
from leverarm.simulation.trajectories.trajectory import Trajectory

if TYPE_CHECKING:
    from matplotlib.figure import Figure


ENDINGS = (".csv", ".npz", ".parquet")
PARTS = ("q", "qd", "qdd")


def save_motion(trajectory: Trajectory, path: str | os.PathLike[str]) -> None:
    """Writes the rows as .csv, .npz or .parquet, atomically; times [s], positions [rad or m] and so on.

    Columns are named t, q.joint1, ..., qd.joint1, ..., qdd.joint1, ...; an .npz holds the arrays t, q, qd, qdd, and the
    names as `joints`. Torques are not in it: those of a description are not those that a robot measures.
    """
    ending = Path(path_text(path, "motion.csv")).suffix.lower()
    if ending not in ENDINGS:
        raise FormatError(f"the ending of {Path(path).name!r} names no motion file. Valid: {', '.join(ENDINGS)}.")
    parts = {part: getattr(trajectory, part) for part in PARTS}
    joints = trajectory.arm.joint_names
    columns = {f"{part}.{joint}": values[:, k] for part, values in parts.items() for k, joint in enumerate(joints)}
    columns = {"t": trajectory.t, **columns}
    with atomic_file(path) as stream:
        if ending == ".npz":
            np.savez(stream, t=trajectory.t, joints=np.array(joints), **parts)
        elif ending == ".parquet":
            table = arrow().table({name: np.ascontiguousarray(values) for name, values in columns.items()})
            arrow("pyarrow.parquet").write_table(table, stream)
        else:
            text = io.StringIO()
            writer = csv.writer(text, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows(zip(*(map(repr, values.tolist()) for values in columns.values()), strict=True))
            stream.write(text.getvalue().encode())


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Excitation:
    """A periodic motion that begins and ends at rest and is most informative about the arm's base parameters.

    `trajectory` holds its rows, `rate` a second for `duration` [s], with the torques that the arm's description asks
    for. `before` is the quality of the random motion that the search began with, `after` that of this one.
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
    """The base parameters to identify, each named after its first parameter."""
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
    def error_ratio(self) -> float:
        """How many times smaller standard errors are than after the random motion (geometric mean of parameters)."""
        return math.exp((self.after.log_det - self.before.log_det) / (2 * len(self.base_parameters)))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes t, q, qd and qdd by joint as .csv, .npz or .parquet, atomically."""

        save_motion(self.trajectory, path)

    def plot(self, path: str | os.PathLike[str] | None = None) -> Figure | None:
        """Every joint's position, velocity, acceleration and torque with its limits; written to .png, .svg or .pdf."""

        return plot(self, path)

    def __repr__(self) -> str:
        return (
            f"<Excitation of {self.arm.name!r}: {self.duration:g} s, {self.harmonics} harmonics of "
            f"{self.frequency:g} Hz, condition number {self.before.condition:.3g} -> {self.after.condition:.3g}>"
        )


PANELS = (
    ("position", "rad", "m"),
    ("velocity", "rad/s", "m/s"),
    ("acceleration", "rad/s²", "m/s²"),
    ("torque", "N m", "N"),
)
FAR = 0.6
"""A limit farther from the curve than this part of half its range is not drawn: it would flatten the curve."""


def plot(excitation: Excitation, path: str | os.PathLike[str] | None = None) -> Figure | None:
    """The motion of every joint with its limits (dashed) as a figure; also written where a path is given.

    The figure needs the extra `plot`: raises MissingExtraError without it, but for an .svg, which is written all the
    same (and None returned). Raises InputError for a path that no plot can have.
    """
    target = plot_file(path)
    joints, run = JointLimits.of(excitation.arm), excitation.trajectory
    count = len(joints.names)
    free = np.full(count, np.inf)
    columns = (
        (joints.positions(run.q), joints.lower, joints.upper),
        (joints.velocities(run.qd), -joints.velocity, joints.velocity),
        (joints.velocities(run.qdd), -free, free),
        (joints.efforts(run.tau), -joints.effort, joints.effort),
    )

    def panel(i: int, k: int) -> Plot:
        what, angular, linear = PANELS[k]
        values, lower, upper = (each[..., i] for each in columns[k])
        return Plot(
            what if i == 0 else "",
            "time [s]" if i == count - 1 else "",
            (f"{joints.names[i]}\n" if k == 0 else "") + joints.unit(i, angular, linear),
            (over_time(run.t, values, Pen(COLOURS[k])),),
            _limits(values, float(lower), float(upper)),
            x_range=(float(run.t[0]), float(run.t[-1])),
        )

    rows = tuple(tuple((panel(i, k),) for k in range(len(PANELS))) for i in range(count))
    return show(PlotSheet(_heading(excitation), rows, (1.5,) * count, (14.0, 1.5 * count + 1.2)), target)


def _limits(values: Array, lower: float, upper: float) -> tuple[tuple[float, Pen], ...]:
    """Dashed lines at the limits that the curve comes near."""
    near = FAR * (upper - lower) / 2
    distances = ((lower, values.min() - lower), (upper, upper - values.max()))
    return tuple(
        (limit, Pen(BOUND, "--", 1.0)) for limit, distance in distances if np.isfinite(limit) and distance < near
    )


def _heading(excitation: Excitation) -> str:
    return (
        f"{excitation.arm.name}: excitation, {excitation.duration:g} s, {excitation.harmonics} harmonics of "
        f"{excitation.frequency:g} Hz, condition number {excitation.before.condition:.3g} to "
        f"{excitation.after.condition:.3g}; dashed: limits"
    )
