"""Trajectories as CSV: the header as comment lines `# ` at the top, column names, then one line per row.

Numbers are written with enough digits to be read back bit for bit.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO, TextIO

import numpy as np
from numpy.typing import NDArray

from leverarm.errors import FormatError
from leverarm.model import Arm
from leverarm.simulation.trajectories.files.columns import Fault, columns_of, first_fault, records_from, used_names
from leverarm.simulation.trajectories.files.header import Header, header_from, header_text
from leverarm.simulation.trajectories.records import Records

COMMENT = "# "
ROWS_AT_ONCE = 4096


def write(stream: BinaryIO, records: Records, arm: Arm, header: Header) -> None:
    columns = columns_of(records, arm)
    for line in header_text(header, arm, records.works).splitlines():
        stream.write(f"{COMMENT}{line}\n".encode())
    names = io.StringIO()
    csv.writer(names, lineterminator="\n").writerow(columns)
    stream.write(names.getvalue().encode())
    for start in range(0, len(records), ROWS_AT_ONCE):
        cells = [_texts(values[start : start + ROWS_AT_ONCE]) for values in columns.values()]
        stream.write("".join(f"{','.join(row)}\n" for row in zip(*cells, strict=True)).encode())


def _texts(values: NDArray[Any]) -> list[str]:
    plain = values.astype(np.int64) if values.dtype == np.bool_ else values
    return [repr(value) for value in plain.tolist()]


def read_header(path: Path) -> Header | None:
    try:
        with path.open(encoding="utf-8-sig") as stream:
            return _top(stream, str(path))[0]
    except (OSError, UnicodeError) as problem:
        raise _unreadable(path, problem) from None


def read(path: Path) -> tuple[Header | None, Callable[[Arm], Records]]:
    """The header, if there is one, and the records for an arm."""
    return read_header(path), partial(_records, path)


def _records(path: Path, arm: Arm) -> Records:
    file = str(path)
    try:
        with path.open(encoding="utf-8-sig") as stream:
            header, names, line = _top(stream, file)
            wanted = used_names(names, arm, header is None, file, line)
            used = [k for k, name in enumerate(names) if name in wanted]
            table = _numbers(stream, used, len(names))
    except (OSError, UnicodeError) as problem:
        raise _unreadable(path, problem) from None
    if header and table is not None:
        _check_is_whole(path, header, len(table), line)
    columns = {names[k]: table[:, place] for place, k in enumerate(used)} if table is not None else {}
    fault = first_fault(columns) if columns else _unreadable_row(path, line, names, used)
    if fault:
        raise FormatError(fault.message, file, _line_of(path, line, fault.row))
    return records_from(columns, arm)


def _top(stream: TextIO, file: str) -> tuple[Header | None, list[str], int]:
    """The header if the file has ours, the names of the columns, and the line that they are in."""
    comments: list[str] = []
    line = 0
    for line, text in enumerate(stream, start=1):
        if not text.startswith("#"):
            names = [name.strip() for name in next(csv.reader([text]), [])]
            return _header(comments, file), names, line
        comments.append(text.removeprefix("#").removeprefix(" "))
    raise FormatError("ends before the names of the columns; it is cut short.", file, line or None)


def _header(comments: list[str], file: str) -> Header | None:
    """Comments of other programs are no header; ours begin with a brace."""
    return header_from("".join(comments), file) if comments and comments[0].startswith("{") else None


def _numbers(stream: TextIO, used: list[int], width: int) -> NDArray[np.float64] | None:
    """The numbers of the columns that are used, or None if some line is not a row of numbers."""
    first = stream.readline()
    if not first.strip():
        return np.empty((0, len(used))) if not stream.read().strip() else None
    if len(first.split(",")) != width:
        return None
    try:
        picked = used if len(used) < width else None  # without a choice, a row of another width is an error
        return np.loadtxt(chain([first], stream), delimiter=",", comments=None, usecols=picked, ndmin=2)
    except ValueError:
        return None


def _rows(path: Path, names_line: int) -> Iterator[tuple[int, str]]:
    """The lines below the names that are not empty, with their numbers."""
    with path.open(encoding="utf-8-sig") as stream:
        for number, text in islice(enumerate(stream, start=1), names_line, None):
            if text.strip():
                yield number, text


def _unreadable_row(path: Path, names_line: int, names: list[str], used: list[int]) -> Fault:
    for row, (_, text) in enumerate(_rows(path, names_line)):
        cells = text.rstrip("\n").split(",")
        if len(cells) != len(names):
            return Fault(row, f"has {len(cells)} cells; there are {len(names)} columns. The file may be cut short.")
        for k in used:
            try:
                float(cells[k])
            except ValueError:
                return Fault(row, f"{names[k]} is {cells[k]!r}; it must be a number.")
    return Fault(0, "cannot be read as a table of numbers.")


def _check_is_whole(path: Path, header: Header, rows: int, names_line: int) -> None:
    """A file of ours says how many rows it has and ends with a line's end."""
    with path.open("rb") as stream:
        stream.seek(-1, os.SEEK_END)
        is_ended = stream.read(1) == b"\n"
    if rows != header.rows or not is_ended:
        raise FormatError(
            f"ends after {rows} rows of {header.rows}; it is cut short or was edited.",
            str(path),
            _line_of(path, names_line, rows - 1),
        )


def _line_of(path: Path, names_line: int, row: int) -> int:
    if row < 0:
        return names_line
    return next((number for number, _ in islice(_rows(path, names_line), row, None)), names_line)


def _unreadable(path: Path, problem: Exception) -> FormatError:
    reason = "it is not text in UTF-8" if isinstance(problem, UnicodeError) else getattr(problem, "strerror", problem)
    return FormatError(f"cannot be read: {reason}.", str(path))
