"""Logs that are arrays by name: NPZ and NPY, Parquet (extra `parquet`), and runs that leverarm streamed to a folder.

MATLAB files are read elsewhere, into the same arrays by name: `table_from_arrays` makes the table of a log of them.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array
from leverarm.errors import FormatError
from leverarm.identification.logs.files.table import Table, mend, numbered
from leverarm.late_import import installed
from leverarm.numpy_files import read_arrays

TRAJECTORY = "leverarm"
"""The key under which a trajectory of leverarm says what it is."""


def table_from_arrays(name: str, arrays: Mapping[str, NDArray[Any]], file: str, notes: tuple[str, ...] = ()) -> Table:
    """The columns that arrays hold: (k,) is one, (k, n) or (n, k) are n. k is the length that most arrays share.

    Single numbers become `scalars`; what is no array of numbers of that length is left out, with a note.
    """
    told = list(notes)
    joints = _joints_of(arrays)
    numeric: dict[str, Array] = {}
    words: dict[str, str] = {}
    for key, array in _fields(arrays).items():
        if key == TRAJECTORY and joints:
            continue
        if array.dtype.kind == "U" and 1 < array.size == max(array.shape) and "name" in key.lower():
            words |= {numbered(key, place): str(word) for place, word in enumerate(array.flat, start=1)}
        elif (values := _floats(array)) is None:
            told.append(f"{key!r} holds {_kind(array)}, not numbers, and was left out.")
        else:
            numeric[key] = np.squeeze(values)
    scalars = {key: float(values) for key, values in numeric.items() if values.ndim == 0}
    length = _length(numeric)
    if length < 2:
        listed = ", ".join(map(repr, list(arrays)[:8])) or "nothing"
        raise FormatError(f"holds no arrays of numbers with one row for each instant; it holds {listed}.", file)
    columns: dict[str, Array] = {}
    for key, values in numeric.items():
        if values.ndim in (1, 2) and length in values.shape:
            columns |= _columns(key, values if values.shape[0] == length else values.T, joints)
        elif values.ndim:
            told.append(f"{key!r} has shape {values.shape} where others have {length} rows, and was left out.")
    table = np.stack(list(columns.values()), axis=1)
    rows = np.arange(1, length + 1, dtype=np.int64)
    mended = mend(table, list(columns), rows)
    named = {column: np.ascontiguousarray(table[:, place]) for place, column in enumerate(columns)}
    return Table(name, named, rows, (), True, mended, scalars, tuple(told), words)


def _length(arrays: Mapping[str, Array]) -> int:
    """The number of rows: the length that most arrays have along some axis, of several the largest."""
    counts = Counter(length for values in arrays.values() if values.ndim in (1, 2) for length in set(values.shape))
    return max(counts, key=lambda length: (counts[length], length), default=0)


def _columns(key: str, values: Array, joints: tuple[str, ...]) -> dict[str, Array]:
    if values.ndim == 1:
        return {key: values}
    if len(joints) == values.shape[1]:
        return {f"{key}.{joint}": values[:, place] for place, joint in enumerate(joints)}
    return {numbered(key, place + 1): values[:, place] for place in range(values.shape[1])}


def _fields(arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """The arrays, those of records taken apart: an array with fields q and tau is the arrays q and tau."""
    found: dict[str, NDArray[Any]] = {}
    for key, array in arrays.items():
        names = array.dtype.names or ()
        found |= {f"{key}.{name}" if key else name: array[name] for name in names} if names else {key: array}
    return found


def _floats(array: NDArray[Any]) -> Array | None:
    """The numbers of an array, dates as seconds since 1970; None for anything else."""
    if array.dtype.kind in "mM":
        unit = "timedelta64[ns]" if array.dtype.kind == "m" else "datetime64[ns]"
        seconds = array.astype(unit).astype(np.int64) * 1e-9
        return np.where(np.isnat(array), np.nan, seconds)
    if array.dtype.kind not in "biuf" or not array.size:
        return None
    return array.astype(np.float64)


def _kind(array: NDArray[Any]) -> str:
    kinds = {"U": "text", "S": "text", "c": "complex numbers", "O": "objects"}
    if array.dtype.kind == "O" and array.size and isinstance(array.flat[0], str):
        return "text"
    return kinds.get(array.dtype.kind, str(array.dtype)) if array.size else "nothing"


def _joints_of(arrays: Mapping[str, NDArray[Any]]) -> tuple[str, ...]:
    """The joints whose columns the arrays of a trajectory of leverarm hold, from its header."""
    header = arrays.get(TRAJECTORY)
    if header is None or header.dtype.kind != "U" or header.ndim:
        return ()
    try:
        return tuple(str(joint) for joint in json.loads(str(header))["joints"])
    except (ValueError, TypeError, KeyError, RecursionError):
        return ()


_PICKLE = b"\x80"


def read_npz(path: Path) -> Table:
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
        is_pickle = stream.read(len(_PICKLE)) == _PICKLE
    arrays, pickled = read_arrays(path) if not is_pickle else ({}, ("",))
    if pickled and not arrays:
        raise FormatError(
            "holds pickled objects, which could run anything when loaded, so they are not. Save plain arrays: "
            "np.savez('log.npz', t=t, q=q, tau=tau).",
            str(path),
        )
    return arrays, tuple(
        f"{name!r} holds pickled objects, which are never loaded, and was left out." for name in pickled
    )


def read_parquet(path: Path) -> Table:
    """The columns of a Parquet file; a column of lists of n numbers is n columns.

    Raises MissingExtraError, FormatError.
    """
    pq = installed(
        "pyarrow.parquet", "Parquet files need", "Run: pip install 'leverarm[parquet]'; or give the log as .csv."
    )
    try:
        with pq.ParquetFile(path) as opened:
            table = opened.read()
    except (OSError, ValueError) as problem:
        reason = (str(problem) or type(problem).__name__).splitlines()[0][:200]
        raise FormatError(
            f"cannot be read as Parquet ({reason}); it is damaged or something else.", str(path)
        ) from None
    flat = table.flatten()
    return table_from_arrays(path.name, {name: _array(flat.column(name)) for name in flat.column_names}, str(path))


def _array(column: Any) -> NDArray[Any]:
    values = np.asarray(column.to_numpy())
    if values.dtype != object or not len(values):
        return values
    try:
        if isinstance(values[0], np.ndarray | list):
            return np.stack(list(values))
        return values.astype(np.float64)
    except (TypeError, ValueError):
        return values


RUN_FILE = "_run.json"
_PART = re.compile(r"part-\d{6,}\.\w+")


def read_run_folder(folder: Path, read_part: Callable[[Path], Table]) -> Table:
    """The columns of all parts, in order. Raises FormatError if there is none yet."""
    parts = [read_part(path) for path in sorted(folder.iterdir()) if _PART.fullmatch(path.name)]
    if not parts:
        raise FormatError("holds no complete part of a run yet.", str(folder))
    columns = {name: np.concatenate([part.columns[name] for part in parts]) for name in parts[0].columns}
    rows = np.arange(1, len(columns["t"]) + 1, dtype=np.int64)
    return replace(parts[0], name=folder.name, columns=columns, rows=rows)
