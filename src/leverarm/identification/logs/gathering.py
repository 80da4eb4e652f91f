"""Where a log comes from: one file, several side by side, or arrays by name; as one table."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from leverarm.errors import InputError, path_text
from leverarm.findings import Finding
from leverarm.identification.logs.column_roles import named_after_file
from leverarm.identification.logs.files.array_files import table_from_arrays
from leverarm.identification.logs.files.file_kinds import read_table
from leverarm.identification.logs.files.table import Table
from leverarm.identification.logs.log import rows_in_words
from leverarm.identification.logs.names import ROLES

File = str | os.PathLike[str]
Source = File | Mapping[str, ArrayLike] | Sequence[File]


def gathered(source: Source, joints: Sequence[str]) -> Table:
    """The table of a source; of several files, their columns side by side, row by row."""
    if isinstance(source, Mapping):
        return _from_arrays(source, len(joints))
    if isinstance(source, (str, os.PathLike)):
        return read_table(Path(path_text(source, "log.csv")))
    if isinstance(source, Sequence) and source and all(isinstance(file, (str, os.PathLike)) for file in source):
        return _side_by_side([read_table(Path(path_text(file, "log.csv"))) for file in source], joints)
    valid = "a file, a tuple of files with columns side by side, or arrays by name: {'t': ..., 'q': ..., 'tau': ...}"
    raise InputError(f"a log was given as {type(source).__name__}; valid: {valid}.")


def file_findings(table: Table) -> Iterator[Finding]:
    """Rows that reading the file dropped, by reason, and its other notes."""
    by_reason: dict[str, list[int]] = {}
    for dropped in table.dropped:
        by_reason.setdefault(dropped.why.rstrip("."), []).append(dropped.row)
    shown = sorted(by_reason.items(), key=lambda reason: reason[1][0])
    if len(shown) > 8:
        shown = [*shown[:8], ("not readable", [row for _, rows in shown[8:] for row in rows])]
    for why, rows in shown:
        where = rows_in_words(np.array(rows, dtype=np.int64), table.name)
        yield Finding("warning", where, f"dropped: {why}.", "Check these lines of the file.")
    for note in table.notes:
        yield Finding("note", "the file", note, "Nothing needs to be done unless it was to be used.")


def _from_arrays(source: Mapping[str, ArrayLike], joints: int) -> Table:
    arrays: dict[str, Any] = {}
    for key, given in source.items():
        if given is None:
            continue
        try:
            arrays[str(key)] = np.asarray(given)
        except ValueError:
            raise InputError(f"{key!r} is no array: its rows have different lengths.") from None
        held = arrays[str(key)].dtype
        if held.kind not in "biufmM":
            raise InputError(f"{key!r} does not hold numbers but {held}; a log takes arrays of numbers.")
    if not arrays:
        raise InputError("a log of no arrays was given; it takes {'t': ..., 'q': ..., 'tau': ...}.")
    rows = max((array.shape[0] for array in arrays.values() if array.ndim), default=0)
    for role in ROLES:
        array = arrays.get(role)
        if array is None or (role == "t" and array.ndim == 0):
            continue
        valid = [(rows,)] if role == "t" else [(rows, joints)] + [(rows,)] * (joints == 1)
        if array.shape not in valid and np.squeeze(array).shape != (rows,):
            raise InputError(
                f"{role!r} has shape {array.shape}; valid: {' or '.join(map(str, valid))}, one row per time"
                f"{'' if role == 't' else f', one column for each of {joints} joints'}."
                + (" Transpose it." if array.ndim == 2 and array.shape[::-1] in valid else _fewer(array, rows, joints))
            )
        if role != "t" and array.ndim == 1 and joints > 1:
            raise InputError(f"{role!r} has shape {array.shape}; an arm of {joints} joints needs ({rows}, {joints}).")
    return table_from_arrays("the arrays", arrays, "the arrays")


def _fewer(array: Any, rows: int, joints: int) -> str:
    """The remedy where the arm has more joints than were logged."""
    if array.ndim != 2 or array.shape[0] != rows or array.shape[1] >= joints:
        return ""
    lock = "la.lock(arm, {'joint': 0.0}) or leverarm convert --lock joint=0"
    return f" Joints that were not logged and did not move can be locked: {lock}."


def _side_by_side(tables: Sequence[Table], joints: Sequence[str]) -> Table:
    if len(tables) == 1:
        return tables[0]
    shared = tables[0].rows
    for table in tables[1:]:
        shared = np.intersect1d(shared, table.rows)
    longest = max(map(len, tables))
    if len(shared) < 0.5 * longest:
        sizes = ", ".join(f"{table.name} {len(table)}" for table in tables)
        raise InputError(f"files side by side must have the same rows; given: {sizes}. Give files of one recording.")
    columns: dict[str, Any] = {}
    for table in tables:
        stem = table.name.split(".")[0]
        names = named_after_file(table.columns, joints, stem)
        keep = np.isin(table.rows, shared)
        for name, values in zip(names, table.columns.values(), strict=True):
            columns[name if name not in columns else f"{stem}.{name}"] = values[keep]
    notes = tuple(note for table in tables for note in table.notes)
    if len(shared) < longest:
        lacking = longest - len(shared)
        rows, were = ("row is", "was") if lacking == 1 else ("rows are", "were")
        notes += (f"{lacking} {rows} not in all of the files, and {were} left out.",)
    return replace(
        tables[0],
        name=" + ".join(table.name for table in tables),
        columns=columns,
        rows=shared,
        dropped=tuple(row for table in tables for row in table.dropped),
        has_header=all(table.has_header for table in tables) or any("." in name for name in columns),
        repaired=tuple(row for table in tables for row in table.repaired),
        notes=notes,
    )
