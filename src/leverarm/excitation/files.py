"""A motion as a plain table that a robot's controller can read: t, then q, qd and qdd of each joint."""

from __future__ import annotations

import csv
import io
import os
from pathlib import Path

import numpy as np

from leverarm.arrays import Array
from leverarm.errors import FormatError
from leverarm.trajectories.files.parquet import arrow
from leverarm.trajectories.trajectory import Trajectory
from leverarm.whole_file import new_file

ENDINGS = (".csv", ".npz", ".parquet")
PARTS = ("q", "qd", "qdd")


def save_motion(trajectory: Trajectory, path: str | os.PathLike[str]) -> None:
    """Writes the rows as .csv, .npz or .parquet, whole or not at all; times [s], positions [rad or m] and so on.

    Columns are named t, q.joint1, ..., qd.joint1, ..., qdd.joint1, ...; an .npz holds the arrays t, q, qd, qdd, and the
    names as `joints`. Torques are not in it: those of a description are not those that a robot measures.
    """
    ending = Path(path).suffix.lower()
    if ending not in ENDINGS:
        raise FormatError(f"the ending of {Path(path).name!r} names no table of a motion. Valid: {', '.join(ENDINGS)}.")
    content = {".csv": _csv, ".npz": _npz, ".parquet": _parquet}[ending](trajectory)
    with new_file(path) as stream:
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
