"""A trajectory as one file, in the format that its ending names."""

from __future__ import annotations

import os

from leverarm.errors import NotFiniteError
from leverarm.trajectories.files.codecs import codec_of
from leverarm.trajectories.files.header import Header, text_of_arm
from leverarm.trajectories.records import Records, first_not_finite
from leverarm.trajectories.trajectory import Trajectory
from leverarm.whole_file import new_file


def save_trajectory(trajectory: Trajectory, path: str | os.PathLike[str]) -> None:
    """Writes .parquet, .npz or .csv; a file that is there is replaced whole or not at all."""
    codec = codec_of(path)
    check_is_finite(trajectory.records)
    arm = trajectory.arm
    header = Header(text_of_arm(arm), arm.joint_names, trajectory.about, trajectory.events, len(trajectory))
    with new_file(path) as stream:
        codec.write(stream, trajectory.records, arm, header)


def check_is_finite(records: Records) -> None:
    """Raises NotFiniteError: a file with a NaN in it could be read by nobody."""
    found = first_not_finite(records)
    if found is not None:
        name, row = found
        raise NotFiniteError(
            f"{name} is not finite at t = {float(records.t[row])!r} s (row {row}); such a run is not written. "
            "Take a smaller step, or write the rows before it."
        )
