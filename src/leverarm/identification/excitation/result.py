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

from leverarm.atomic_write import atomic_file
from leverarm.control.signals import Signal
from leverarm.documents import Document
from leverarm.documents.html import in_notebook
from leverarm.documents.saving import RENDERERS, save, terminal
from leverarm.errors import FormatError, path_text
from leverarm.findings import Finding
from leverarm.identification.excitation.information import Quality
from leverarm.identification.excitation.search import JointUse
from leverarm.late_import import late
from leverarm.model import Arm
from leverarm.pictures.plot_sheet import plot_file, show
from leverarm.simulation.trajectories.files.parquet import arrow
from leverarm.simulation.trajectories.limits import LimitReport
from leverarm.simulation.trajectories.trajectory import Trajectory

if TYPE_CHECKING:
    from matplotlib.figure import Figure


ENDINGS = (".csv", ".npz", ".parquet")
REPORTS = (*RENDERERS, ".json")
PARTS = ("q", "qd", "qdd")


def save_motion(trajectory: Trajectory, path: str | os.PathLike[str]) -> None:
    """Writes the rows as .csv, .npz or .parquet, atomically; times [s], positions [rad or m] and so on.

    Columns are named t, q.joint1, ..., qd.joint1, ..., qdd.joint1, ...; an .npz holds the arrays t, q, qd, qdd, and the
    names as `joints`. Torques are not in it: those of a description are not those that a robot measures.
    """
    ending = Path(path_text(path, "motion.csv")).suffix.lower()
    if ending not in ENDINGS:
        valid = ", ".join((*ENDINGS, *REPORTS))
        raise FormatError(f"the ending of {Path(path).name!r} names no motion and no report. Valid: {valid}.")
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
        """Writes t, q, qd and qdd by joint as .csv, .npz or .parquet; or the report as .html, .md, .tex and so on."""
        is_motion = Path(path_text(path, "motion.csv")).suffix.lower() not in REPORTS
        save_motion(self.trajectory, path) if is_motion else save(self.document(), path)

    def plot(self, path: str | os.PathLike[str] | None = None) -> Figure | None:
        """Every joint's position, velocity, acceleration and torque with its limits, dashed, as a matplotlib figure.

        It is written where a path is given (.png, .svg, .pdf). The figure needs the extra `plot`: raises
        MissingExtraError without it, but for an .svg, which is written all the same (and None returned). Raises
        InputError for a path that no plot can have.
        """
        target = plot_file(path)
        return show(late("identification.report.excitation:plot_sheet")(self), target)

    def document(self) -> Document:
        """The report: condition numbers, use of the limits, plots of the motion, findings."""
        made: Document = late("identification.report.excitation:excitation_document")(self)
        return made

    def text(self, level: str = "brief", width: int = 100) -> str:
        """Condition numbers, use of the limits and findings as plain text."""
        return terminal(self.document(), level, width).plain

    def _repr_html_(self) -> str:
        return in_notebook(self.document())

    def __repr__(self) -> str:
        return (
            f"<Excitation of {self.arm.name!r}: {self.duration:g} s, {self.harmonics} harmonics of "
            f"{self.frequency:g} Hz, condition number {self.before.condition:.3g} -> {self.after.condition:.3g}>"
        )
