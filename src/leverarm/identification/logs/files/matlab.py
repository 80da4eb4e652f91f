"""Logs as MATLAB files: up to version 7 through scipy (the extra `fit`), version 7.3, which is HDF5, through h5py."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leverarm.errors import FormatError
from leverarm.identification.logs.files.array_files import table_from_arrays
from leverarm.identification.logs.files.table import Table
from leverarm.late_import import installed

HDF5 = b"\x89HDF\r\n\x1a\n"
_HDF5_PLACES = (0, 512, 1024, 2048)
_DEEPEST = 20


def read(path: Path) -> Table:
    """The columns that the variables of a .mat file hold; field q of struct log is log.q, of the only struct q.

    Raises MissingExtraError, FormatError.
    """
    variables = _from_hdf5(path) if _is_hdf5(path) else _from_matlab(path)
    start = _shared_start(list(variables))
    arrays = {name.removeprefix(start): array for name, array in variables.items()}
    notes = (
        ()
        if all(array.dtype.kind != "O" for array in arrays.values())
        else (
            "Objects of MATLAB (table, timetable, timeseries) cannot be read; save plain arrays or a struct of arrays.",
        )
    )
    return table_from_arrays(path.name, arrays, str(path), notes)


def _is_hdf5(path: Path) -> bool:
    with path.open("rb") as stream:
        begin = stream.read(_HDF5_PLACES[-1] + len(HDF5))
    return any(begin[place : place + len(HDF5)] == HDF5 for place in _HDF5_PLACES)


def _shared_start(names: list[str]) -> str:
    """The struct that every variable is in, with its dot, or nothing."""
    starts = {name.rpartition(".")[0] for name in names}
    return f"{starts.pop()}." if len(starts) == 1 and "" not in starts else ""


def _from_matlab(path: Path) -> dict[str, NDArray[Any]]:
    io = installed(
        "scipy.io",
        "MATLAB files need",
        "Run: pip install 'leverarm[fit]'; or save the log as text: writematrix(log, 'log.csv').",
    )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = io.loadmat(path)
    except Exception as problem:  # scipy raises anything at all of a damaged file
        raise _damaged(path, problem) from None
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
            yield from (
                _plain(part, np.asarray(inner), depth + 1) if np.asarray(inner).ndim else [(part, np.asarray(inner))]
            )


def _from_hdf5(path: Path) -> dict[str, NDArray[Any]]:
    h5py = installed(
        "h5py",
        "MATLAB files of version 7.3 need",
        "Run: pip install h5py; or save with save('log.mat', ..., '-v7') in MATLAB.",
    )
    try:
        with h5py.File(path, "r") as file:
            return {
                name: array
                for key in file
                if not key.startswith("#")
                for name, array in _stored(h5py, file, key, file[key], 0)
            }
    except Exception as problem:  # h5py too
        raise _damaged(path, problem) from None


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


def _damaged(path: Path, problem: Exception) -> FormatError:
    reason = (str(problem) or type(problem).__name__).splitlines()[0][:200]
    return FormatError(f"cannot be read as a MATLAB file ({reason}); it is damaged or something else.", str(path))
