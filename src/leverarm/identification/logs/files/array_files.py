"""Files that hold named arrays, as tables: NumPy (.npz, .npy), Parquet, MATLAB, and the folders of streamed runs.

Parquet needs pyarrow (extra `parquet`), MATLAB files scipy (extra `fit`), those of version 7.3, which are HDF5, h5py.
"""

from __future__ import annotations

import json
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array
from leverarm.errors import FormatError
from leverarm.identification.logs.files.table import Table, damaged, numbered, table_of
from leverarm.late_import import installed
from leverarm.numpy_files import read_arrays

TRAJECTORY = "leverarm"
"""The key that marks a trajectory of leverarm."""


def table_from_arrays(name: str, arrays: Mapping[str, NDArray[Any]], file: str, notes: tuple[str, ...] = ()) -> Table:
    """The columns of arrays: (k,) is one, (k, n) or (n, k) are n. k is the length that most arrays share.

    Single numbers become `scalars`; anything else is left out, with a note.
    """
    message = list(notes)
    joints = _joints_of(arrays)
    numeric: dict[str, Array] = {}
    words: dict[str, str] = {}
    for key, array in _fields(arrays).items():
        if key == TRAJECTORY and joints:
            continue
        if array.dtype.kind == "U" and 1 < array.size == max(array.shape) and "name" in key.lower():
            words |= {numbered(key, place): str(word) for place, word in enumerate(array.flat, start=1)}
        elif (values := _floats(array)) is None:
            message.append(f"{key!r} holds {_kind(array)}, not numbers, and was left out.")
        else:
            numeric[key] = np.squeeze(values)
    scalars = {key: float(values) for key, values in numeric.items() if values.ndim == 0}
    # the number of rows: the most common length of the arrays along some axis; the largest of several
    counts = Counter(size for values in numeric.values() if values.ndim in (1, 2) for size in set(values.shape))
    length = max(counts, key=lambda size: (counts[size], size), default=0)
    if length < 2:
        listed = ", ".join(map(repr, list(arrays)[:8])) or "nothing"
        raise FormatError(f"holds no arrays of numbers with one row per sample; it holds {listed}.", file)
    columns: dict[str, Array] = {}
    for key, values in numeric.items():
        if values.ndim in (1, 2) and length in values.shape:
            columns |= _columns(key, values if values.shape[0] == length else values.T, joints)
        elif values.ndim:
            message.append(f"{key!r} has shape {values.shape} where others have {length} rows, and was left out.")
    rows = np.arange(1, length + 1, dtype=np.int64)
    return table_of(name, columns, rows, scalars=scalars, notes=tuple(message), words=words)


def _columns(key: str, values: Array, joints: tuple[str, ...]) -> dict[str, Array]:
    if values.ndim == 1:
        return {key: values}
    if len(joints) == values.shape[1]:
        return {f"{key}.{joint}": values[:, place] for place, joint in enumerate(joints)}
    return {numbered(key, place + 1): values[:, place] for place in range(values.shape[1])}


def _fields(arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """The arrays, with structured ones split: an array with fields q and tau becomes the arrays q and tau."""
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
    """The columns in an .npz or .npy file. Pickled objects are not loaded: they could run any code."""
    with path.open("rb") as stream:
        is_pickle = stream.read(len(_PICKLE)) == _PICKLE
    arrays, pickled = read_arrays(path) if not is_pickle else ({}, ("",))
    if pickled and not arrays:
        raise FormatError(
            "holds pickled objects, which could run anything when loaded, so they are not. Save plain arrays: "
            "np.savez('log.npz', t=t, q=q, tau=tau).",
            str(path),
        )
    notes = tuple(f"{name!r} holds pickled objects, which are never loaded, and was left out." for name in pickled)
    if set(arrays) not in ({""}, {"arr_0"}):
        return table_from_arrays(path.name, arrays, str(path), notes)
    (only,) = arrays.values()
    if only.dtype.names:
        return table_from_arrays(path.name, {"": only}, str(path), notes)
    table = table_from_arrays(path.name, {"column": only}, str(path), notes)
    columns = {str(place): values for place, values in enumerate(table.columns.values(), start=1)}
    return replace(table, columns=columns, has_header=False)


def read_parquet(path: Path) -> Table:
    """The columns of a Parquet file; a column of lists of n numbers is n columns.

    Raises MissingExtraError, FormatError.
    """
    remedy = "Run: pip install 'leverarm[parquet]'; or give the log as .csv."
    pq = installed("pyarrow.parquet", "Parquet files need", remedy)
    try:
        with pq.ParquetFile(path) as opened:
            table = opened.read()
    except (OSError, ValueError) as problem:
        raise damaged(path, "as Parquet", problem) from None
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


HDF5 = b"\x89HDF\r\n\x1a\n"
_HDF5_PLACES = (0, 512, 1024, 2048)
_DEEPEST = 20


def read_matlab(path: Path) -> Table:
    """The columns that the variables of a .mat file hold; field q of struct log is log.q, of the only struct q.

    Raises MissingExtraError, FormatError.
    """
    with path.open("rb") as stream:
        begin = stream.read(_HDF5_PLACES[-1] + len(HDF5))
    is_hdf5 = any(begin[place : place + len(HDF5)] == HDF5 for place in _HDF5_PLACES)
    variables = _from_hdf5(path) if is_hdf5 else _from_matlab(path)
    starts = {name.rpartition(".")[0] for name in variables}
    # the struct that every variable is in, with its dot
    start = f"{starts.pop()}." if len(starts) == 1 and "" not in starts else ""
    arrays = {name.removeprefix(start): array for name, array in variables.items()}
    lost = "Objects of MATLAB (table, timetable, timeseries) cannot be read; save plain arrays or a struct of arrays."
    has_objects = any(array.dtype.kind == "O" for array in arrays.values())
    return table_from_arrays(path.name, arrays, str(path), (lost,) if has_objects else ())


def _from_matlab(path: Path) -> dict[str, NDArray[Any]]:
    remedy = "Run: pip install 'leverarm[fit]'; or save the log as text: writematrix(log, 'log.csv')."
    io = installed("scipy.io", "MATLAB files need", remedy)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = io.loadmat(path)
    except Exception as problem:  # scipy raises anything for a damaged file
        raise damaged(path, "as a MATLAB file", problem) from None
    return {
        name: array
        for key, value in found.items()
        if not key.startswith("__") and isinstance(value, np.ndarray)
        for name, array in _plain(key, value, 0)
    }


def _plain(name: str, value: NDArray[Any], depth: int) -> Iterator[tuple[str, NDArray[Any]]]:
    """The arrays in a variable: fields of structs after a dot, elements of arrays of structs and cells in brackets."""
    names = value.dtype.names or ()
    if depth > _DEEPEST or not (names or value.dtype == object) or isinstance(value, np.void):
        yield name, np.asarray(value)
        return
    elements = list(value.flat)
    for place, element in enumerate(elements, start=1):
        own = name if len(elements) == 1 else f"{name}({place})"
        parts = [(f"{own}.{part}", element[part]) for part in names] if names else [(own, element)]
        for part, inner in parts:
            array = np.asarray(inner)
            yield from _plain(part, array, depth + 1) if array.ndim else [(part, array)]


def _from_hdf5(path: Path) -> dict[str, NDArray[Any]]:
    remedy = "Run: pip install h5py; or save with save('log.mat', ..., '-v7') in MATLAB."
    h5py = installed("h5py", "MATLAB files of version 7.3 need", remedy)
    try:
        with h5py.File(path, "r") as file:
            return {
                name: array
                for key in file
                if not key.startswith("#")
                for name, array in _stored(h5py, file, key, file[key], 0)
            }
    except Exception as problem:  # h5py too
        raise damaged(path, "as a MATLAB file", problem) from None


def _stored(h5py: Any, file: Any, name: str, node: Any, depth: int) -> Iterator[tuple[str, NDArray[Any]]]:
    """The arrays below a node of HDF5. MATLAB counts down the columns, HDF5 along the rows, hence the transposes."""
    if depth > _DEEPEST:
        return
    if isinstance(node, h5py.Group):
        for key in node:
            yield from _stored(h5py, file, f"{name}.{key}", node[key], depth + 1)
    elif node.dtype == h5py.ref_dtype:
        pointers = list(np.asarray(node).T.flat)
        for place, pointer in enumerate(pointers, start=1):
            own = name if len(pointers) == 1 else f"{name}({place})"
            yield from _stored(h5py, file, own, file[pointer], depth + 1)
    elif node.attrs.get("MATLAB_class") == b"char":
        yield name, np.array("".join(map(chr, np.asarray(node).T.flat)))
    elif "MATLAB_empty" not in node.attrs:
        yield name, np.asarray(node).T
