"""Logs as arrays of NumPy: .npz with an array for each quantity, .npy with one table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leverarm.errors import FormatError
from leverarm.logs.files.arrays import table_from_arrays
from leverarm.logs.files.table import Table

_BEGINNINGS = (b"PK", b"\x93NUMPY")
_PICKLE = b"\x80"


def read(path: Path) -> Table:
    """The columns in an .npz or .npy file. Nothing pickled is loaded: that would run what the file says."""
    arrays, notes = _arrays(path)
    if set(arrays) not in ({""}, {"arr_0"}):
        return table_from_arrays(path.name, arrays, str(path), notes)
    (only,) = arrays.values()
    if only.dtype.names:
        return table_from_arrays(path.name, {"": only}, str(path), notes)
    table = table_from_arrays(path.name, {"column": only}, str(path), notes)
    columns = {str(place): values for place, values in enumerate(table.columns.values(), start=1)}
    return replace(table, columns=columns, has_header=False)


def _arrays(path: Path) -> tuple[dict[str, NDArray[Any]], tuple[str, ...]]:
    with path.open("rb") as stream:
        begin = stream.read(8)
    if not begin.startswith(_BEGINNINGS):
        raise _pickled(path) if begin.startswith(_PICKLE) else _damaged(path, "it does not begin as one")
    found: dict[str, NDArray[Any]] = {}
    notes = []
    try:
        opened = np.load(path, allow_pickle=False)
        if isinstance(opened, np.ndarray):
            return {"": opened}, ()
        with opened as archive:
            for key in archive.files:
                try:
                    member = archive[key]
                    if isinstance(member, np.ndarray):  # anything else in a zip file comes as bytes
                        found[key] = member
                except ValueError as problem:
                    if "pickle" not in str(problem):
                        raise
                    notes.append(f"{key!r} holds pickled objects, which are never loaded, and was left out.")
    except Exception as problem:  # zipfile, zlib and NumPy raise almost anything of a damaged file
        if "pickle" in str(problem):
            raise _pickled(path) from None
        raise _damaged(path, problem) from None
    if notes and not found:
        raise _pickled(path)
    return found, tuple(notes)


def _pickled(path: Path) -> FormatError:
    return FormatError(
        "holds pickled objects, which could run anything when loaded, so they are not. Save plain arrays: "
        "np.savez('log.npz', t=t, q=q, tau=tau).",
        str(path),
    )


def _damaged(path: Path, problem: object) -> FormatError:
    return FormatError(f"cannot be read as NPZ or NPY ({problem}); it is damaged or something else.", str(path))
