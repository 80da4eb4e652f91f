"""A motion to identify an arm by: what it is worth, what it uses of the limits, and what to know before it runs.

A motion as a plain table that a robot's controller can read: t, then q, qd and qdd of each joint.

A motion as curves: for each joint its position, velocity, acceleration and torque, with their limits.
"""

from __future__ import annotations

import csv
import io
import math
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from leverarm.arrays import Array
from leverarm.atomic_write import atomic_file, atomic_write
from leverarm.control.signals import Signal
from leverarm.errors import FormatError, InputError, MissingExtraError, path_text
from leverarm.findings import Finding
from leverarm.identification.excitation.information import Quality
from leverarm.identification.excitation.search import JointUse
from leverarm.model import Arm
from leverarm.simulation.trajectories.files.parquet import arrow
from leverarm.simulation.trajectories.limits import JointLimits, LimitReport
from leverarm.simulation.trajectories.plots.joint_panels import BOUND, CURVES, draw_curve, new_axes, plain
from leverarm.simulation.trajectories.trajectory import Trajectory

if TYPE_CHECKING:
    from matplotlib.figure import Figure


ENDINGS = (".csv", ".npz", ".parquet")
PARTS = ("q", "qd", "qdd")


def save_motion(trajectory: Trajectory, path: str | os.PathLike[str]) -> None:
    """Writes the rows as .csv, .npz or .parquet, whole or not at all; times [s], positions [rad or m] and so on.

    Columns are named t, q.joint1, ..., qd.joint1, ..., qdd.joint1, ...; an .npz holds the arrays t, q, qd, qdd, and the
    names as `joints`. Torques are not in it: those of a description are not those that a robot measures.
    """
    ending = Path(path_text(path, "motion.csv")).suffix.lower()
    if ending not in ENDINGS:
        raise FormatError(f"the ending of {Path(path).name!r} names no table of a motion. Valid: {', '.join(ENDINGS)}.")
    content = {".csv": _csv, ".npz": _npz, ".parquet": _parquet}[ending](trajectory)
    with atomic_file(path) as stream:
        stream.write(content)


def _columns(trajectory: Trajectory) -> dict[str, Array]:
    columns = {"t": trajectory.t}
    for part in PARTS:
        values = getattr(trajectory, part)
        columns |= {f"{part}.{joint}": values[:, k] for k, joint in enumerate(trajectory.arm.joint_names)}
    return columns


def _csv(trajectory: Trajectory) -> bytes:
    columns = _columns(trajectory)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*(map(repr, values.tolist()) for values in columns.values()), strict=True))
    return text.getvalue().encode()


def _npz(trajectory: Trajectory) -> bytes:
    stream = io.BytesIO()
    arrays = {part: getattr(trajectory, part) for part in PARTS}
    np.savez(stream, t=trajectory.t, joints=np.array(trajectory.arm.joint_names), **arrays)
    return stream.getvalue()


def _parquet(trajectory: Trajectory) -> bytes:
    stream = io.BytesIO()
    table = arrow().table({name: np.ascontiguousarray(values) for name, values in _columns(trajectory).items()})
    arrow("pyarrow.parquet").write_table(table, stream)
    return stream.getvalue()


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

        save_motion(self.trajectory, path)

    def plot(self, path: str | os.PathLike[str] | None = None) -> Figure:
        """Every joint's position, velocity, acceleration and torque with its limits; written to .png, .svg or .pdf."""

        return plot(self, path)

    def __repr__(self) -> str:
        return (
            f"<Excitation of {self.arm.name!r}: {self.duration:g} s, {self.harmonics} harmonics of "
            f"{self.frequency:g} Hz, condition number {self.before.condition:.3g} -> {self.after.condition:.3g}>"
        )


PLOT_ENDINGS = (".png", ".svg", ".pdf")
PANELS = (
    ("position", "rad", "m"),
    ("velocity", "rad/s", "m/s"),
    ("acceleration", "rad/s²", "m/s²"),
    ("torque", "N m", "N"),
)
FAR = 0.6
"""A limit farther from the curve than this part of half its range is not drawn: it would flatten the curve."""


def plot(excitation: Excitation, path: str | os.PathLike[str] | None = None) -> Figure:
    """The motion of every joint with its limits (dashed) as a figure; also written where a path is given.

    Needs the extra `plot`: raises MissingExtraError without it, InputError for a path that no picture has.
    """
    target = None if path is None else _checked(path)
    try:
        from leverarm.simulation.trajectories.plots.figure import blank, picture
    except ImportError:
        raise MissingExtraError(
            "plots need matplotlib, which is not installed. Run: pip install 'leverarm[plot]'."
        ) from None
    joints = JointLimits.of(excitation.arm)
    run, count = excitation.trajectory, len(joints.names)
    values = (
        joints.positions(run.q), joints.velocities(run.qd), joints.velocities(run.qdd), joints.efforts(run.tau),
    )  # fmt: skip
    ranges = (
        (joints.lower, joints.upper),
        (-joints.velocity, joints.velocity),
        (np.full(count, -np.inf), np.full(count, np.inf)),
        (-joints.effort, joints.effort),
    )
    figure = blank(14.0, 1.5 * count + 1.2)
    grid = figure.add_gridspec(count, len(PANELS))
    for i, name in enumerate(joints.names):
        for k, (what, angular, linear) in enumerate(PANELS):
            axes = new_axes(grid[i, k], what if i == 0 else "")
            draw_curve(axes, run.t, values[k][:, i], CURVES[k])
            _limits(axes, values[k][:, i], float(ranges[k][0][i]), float(ranges[k][1][i]))
            axes.set_xlim(run.t[0], run.t[-1])
            axes.set_ylabel((f"{plain(name)}\n" if k == 0 else "") + joints.unit(i, angular, linear))
            axes.tick_params(labelbottom=i == count - 1)
            if i == count - 1:
                axes.set_xlabel("time [s]")
    figure.suptitle(plain(_heading(excitation)), fontsize=13, fontweight="bold")
    if target is not None:
        atomic_write(picture(figure, target.suffix[1:].lower()), target)
    return figure


def _limits(axes: Any, values: Array, lower: float, upper: float) -> None:
    """Dashed lines at the limits that the curve comes near."""
    near = FAR * (upper - lower) / 2
    for limit, distance in ((lower, values.min() - lower), (upper, upper - values.max())):
        if np.isfinite(limit) and distance < near:
            axes.axhline(limit, color=BOUND, linestyle="--", linewidth=1.0)


def _heading(excitation: Excitation) -> str:
    return (
        f"{excitation.arm.name}: excitation, {excitation.duration:g} s, {excitation.harmonics} harmonics of "
        f"{excitation.frequency:g} Hz, condition number {excitation.before.condition:.3g} to "
        f"{excitation.after.condition:.3g}; dashed: limits"
    )


def _checked(path: str | os.PathLike[str]) -> Path:
    target = Path(path_text(path, "motion.png"))
    if target.suffix.lower() not in PLOT_ENDINGS:
        raise InputError(
            f"{os.fspath(path)!r}: a plot is written as {', '.join(PLOT_ENDINGS)}. Give a name with such an ending."
        )
    if not target.parent.is_dir():
        raise InputError(f"{os.fspath(path)!r}: there is no folder {str(target.parent)!r}. Make it first.")
    return target
