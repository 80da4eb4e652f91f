"""Loading and saving a trajectory: a single file, or the folder of a streamed run."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from leverarm.atomic_write import atomic_file
from leverarm.control.signals.checked import whole
from leverarm.errors import FormatError, InputError, NotFiniteError
from leverarm.model import Arm
from leverarm.simulation.trajectories.files.header import Header, arm_from, codec_of, text_of_arm
from leverarm.simulation.trajectories.files.layout import PartFile, parts_of, read_run
from leverarm.simulation.trajectories.records import Event, Records, concatenated, first_not_finite
from leverarm.simulation.trajectories.trajectory import Trajectory

Between = tuple[float, float] | None


def load_trajectory(
    path: str | os.PathLike[str], arm: Arm | None = None, *, between: Between = None, every: int = 1
) -> Trajectory:
    """The trajectory in a .parquet, .npz or .csv file, bit for bit, or the complete parts of a streamed run.

    `arm` is needed for files that leverarm did not write: columns t, q.<joint>, qd.<joint>, qdd.<joint>, tau.<joint>.
    `between` = (t0, t1) [s] and `every` = k, each k-th row, keep a long run small: of a folder, one part at a time is
    read. For a folder `about["complete"]` says whether the run was finished.
    """
    codec, place = codec_of(path), Path(path)
    _check(between, every)
    if arm is not None and not isinstance(arm, Arm):
        raise InputError(f"arm = {arm!r} was given; it must be an arm, as from la.load('elbow').")
    try:
        is_folder, is_file = place.is_dir(), place.is_file()
    except (OSError, ValueError):
        is_folder = is_file = False
    if not (is_folder or is_file):
        raise FormatError("there is no such file.", str(place)[:200])
    if is_folder:
        return _from_folder(place, arm, between, every)
    header, records_for = codec.read(place)
    arm = arm or (header.arm(str(place)) if header else None)
    if arm is None:
        raise FormatError("was not written by leverarm and names no arm. Give the arm it is of: arm=...", str(place))
    records = records_for(arm)
    if header is not None and header.rows != len(records):
        raise FormatError(f"has {len(records)} rows of {header.rows}; it is cut short or was edited.", str(place))
    kept = _picked(records, 0, between, every)
    events = _events(header.events, between) if header else ()
    return _built(place, arm, [kept], {**header.about} if header else {}, events, between)


def _from_folder(folder: Path, arm: Arm | None, between: Between, every: int) -> Trajectory:
    run = read_run(folder)
    parts = parts_of(run)
    arm = arm or arm_from(run.arm_text, str(folder))
    kept = [_picked(_read(part, arm), part.part.first_row, between, every) for part in parts if _meets(part, between)]
    events = tuple(event for part in parts for event in _events(part.header.events, between))
    if not parts:
        raise FormatError("holds no complete part yet. Resume the run.", str(folder))
    about = {**run.about, "complete": run.is_complete}
    return _built(folder, arm, [part for part in kept if len(part)], about, events, between)


def _read(part: PartFile, arm: Arm) -> Records:
    records = codec_of(part.path).read(part.path)[1](arm)
    if len(records) != part.header.rows:
        raise FormatError(f"does not hold the {part.header.rows} rows that it should; it is damaged.", str(part.path))
    return records


def _built(
    place: Path, arm: Arm, kept: list[Records], about: dict[str, object], events: tuple[Event, ...], between: Between
) -> Trajectory:
    if not any(len(part) for part in kept):
        wanted = f" between {between[0]!r} and {between[1]!r} s" if between else ""
        raise FormatError(f"has no row{wanted}. Choose other times or more rows.", str(place))
    return Trajectory(arm, concatenated(kept), about, events)


def _check(between: Between, every: int) -> None:
    whole("every", every, "a positive whole number: 1 for each row, 10 for each tenth")
    try:
        is_fine = between is None or float(between[0]) <= float(between[1])
    except (TypeError, ValueError, IndexError, KeyError):
        is_fine = False
    if not is_fine:
        raise InputError(f"between = {between!r}; it must be two times in seconds, such as (2.0, 5.0).")


def _meets(part: PartFile, between: Between) -> bool:
    span = part.part.span
    return span is not None and (between is None or (span[0] <= between[1] and span[1] >= between[0]))


def _picked(records: Records, first_row: int, between: Between, every: int) -> Records:
    """The selected rows, copied so that the others can be freed; `first_row` counts from the start of the run."""
    if between is None and every == 1:
        return records
    rows = np.arange(-first_row % every, len(records), every)
    if between is not None:
        rows = rows[(records.t[rows] >= between[0]) & (records.t[rows] <= between[1])]
    return records[rows]


def _events(events: tuple[Event, ...], between: Between) -> tuple[Event, ...]:
    return tuple(event for event in events if between is None or between[0] <= event.t <= between[1])


def save_trajectory(trajectory: Trajectory, path: str | os.PathLike[str]) -> None:
    """Writes .parquet, .npz or .csv; an existing file is replaced atomically."""
    codec = codec_of(path)
    check_is_finite(trajectory.records)
    arm = trajectory.arm
    header = Header(text_of_arm(arm), arm.joint_names, trajectory.about, trajectory.events, len(trajectory))
    with atomic_file(path) as stream:
        codec.write(stream, trajectory.records, arm, header)


def check_is_finite(records: Records) -> None:
    """Raises NotFiniteError where a number is NaN or infinite: such a file could not be loaded."""
    found = first_not_finite(records)
    if found is not None:
        name, row = found
        raise NotFiniteError(
            f"{name} is not finite at t = {float(records.t[row])!r} s (row {row}); such a run is not written. "
            "Take a smaller step, or write the rows before it."
        )
