"""Trajectories as NPZ files of NumPy: the arrays t, q, qd, qdd, tau, K, P, W.torque and the like, held, tip."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from leverarm.errors import FormatError
from leverarm.model import Arm
from leverarm.numpy_files import read_arrays
from leverarm.simulation.trajectories.files.columns import (
    PER_JOINT,
    TIP,
    WORK,
    columns_of,
    first_fault,
    records_from,
    used_names,
)
from leverarm.simulation.trajectories.files.header import KEY, Header, header_from, header_text
from leverarm.simulation.trajectories.records import Records

STACKED = (*PER_JOINT, "held")
"""Arrays (N, n), in a file as well."""


def write(stream: BinaryIO, records: Records, arm: Arm, header: Header) -> None:
    columns = columns_of(records, arm)
    arrays = {name: getattr(records, name) for name in STACKED}
    arrays |= {name: values for name, values in columns.items() if name in ("t", "K", "P") or name.startswith(WORK)}
    arrays["tip"] = np.stack([columns[name] for name in TIP], axis=1)
    arrays[KEY] = np.array(header_text(header, arm, records.works))
    np.savez(stream, **arrays)


def read_header(path: Path) -> Header | None:
    return _header(_arrays(path, (KEY,)), str(path))


def read(path: Path) -> tuple[Header | None, Callable[[Arm], Records]]:
    """The header, if there is one, and the records for an arm."""
    file, arrays = str(path), _arrays(path)
    header = _header(arrays, file)

    def records(arm: Arm) -> Records:
        if header and header.joints != arm.joint_names:
            theirs, ours = ", ".join(header.joints), ", ".join(arm.joint_names)
            raise FormatError(f"is of an arm with the joints {theirs}; arm {arm.name!r} has {ours}.", file)
        columns = _columns({name: array for name, array in arrays.items() if name != KEY}, arm, file)
        used_names(list(columns), arm, header is None, file)
        if fault := first_fault(columns):
            raise FormatError(f"row {fault.row}: {fault.message}", file)
        return records_from(columns, arm)

    return header, records


def _columns(arrays: dict[str, NDArray[Any]], arm: Arm, file: str) -> dict[str, NDArray[Any]]:
    columns: dict[str, NDArray[Any]] = {}
    rows = arrays["t"].shape if "t" in arrays else (0,)
    for name, array in arrays.items():
        wanted = arm.joint_names if name in STACKED else tuple(TIP) if name == "tip" else None
        shape = rows + ((len(wanted),) if wanted else ())
        if array.dtype.kind not in "biuf" or array.shape != shape or len(rows) != 1:
            raise FormatError(
                f"{name} is an array of {array.dtype} of shape {array.shape}; with this t and arm {arm.name!r} it must "
                f"hold numbers and have shape {shape}.",
                file,
            )
        if name == "tip":
            columns |= {column: array[:, k] for k, column in enumerate(TIP)}
        elif wanted:
            columns |= {f"{name}.{joint}": array[:, k] for k, joint in enumerate(wanted)}
        else:
            columns[name] = array
    return columns


def _header(arrays: dict[str, NDArray[Any]], file: str) -> Header | None:
    return header_from(str(arrays[KEY]), file) if KEY in arrays else None


def _arrays(path: Path, only: tuple[str, ...] | None = None) -> dict[str, NDArray[Any]]:
    arrays, pickled = read_arrays(path, only)
    if pickled or "" in arrays:
        what = f"{pickled[0]!r} holds pickled objects" if pickled else "it holds one array"
        raise FormatError(f"cannot be read as NPZ of a trajectory: {what}. Save it again as numbers.", str(path))
    return arrays
