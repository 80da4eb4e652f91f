"""DH tables as files, CSV and TOML."""

from __future__ import annotations

from leverarm.errors import ArmError, FormatError
from leverarm.formats.dh.builder import arm_from_dh
from leverarm.formats.dh.csv import csv_from_table, table_from_csv
from leverarm.formats.dh.export import to_dh
from leverarm.formats.dh.rows import Convention, DHTable
from leverarm.formats.dh.toml import table_from_toml, toml_from_table
from leverarm.formats.toml_table import read_toml
from leverarm.model import Arm


def arm_from_dh_csv(text: str, file: str | None = None) -> Arm:
    """The arm a CSV table describes: columns as in `columns.COLUMNS`, settings as `# key = value`."""
    table = table_from_csv(text, file)
    try:
        return arm_from_dh(table)
    except ArmError as problem:
        row = _row_of(problem, table)
        raise FormatError(str(problem), file, None if row is None else _line_of_row(text, row)) from None


def dh_csv_from_arm(arm: Arm, convention: Convention = "standard") -> str:
    """The arm as a CSV table."""
    return csv_from_table(to_dh(arm, convention))


def arm_from_dh_toml(text: str, file: str | None = None) -> Arm:
    """The arm a TOML table describes: settings on top, then one [[row]] per joint with the fields of `DHRow`."""
    table = table_from_toml(text, file)
    try:
        return arm_from_dh(table)
    except ArmError as problem:
        row, top = _row_of(problem, table), read_toml(text, file)
        raise (top if row is None else top.tables("row")[row]).fail(str(problem)) from None


def dh_toml_from_arm(arm: Arm, convention: Convention = "standard") -> str:
    """The arm as a TOML table."""
    return toml_from_table(to_dh(arm, convention))


def _row_of(problem: ArmError, table: DHTable) -> int | None:
    """The row that a problem of the arm is about: the last one whose joint or link it names."""
    found = None
    for i, row in enumerate(table.rows):
        names = {"joint": row.name or f"joint{i + 1}", "body": row.link or f"link{i + 1}"}
        if problem.part is not None and names.get(problem.part[0]) == problem.part[1]:
            found = i
    return found


def _line_of_row(text: str, row: int) -> int:
    """The line of a row of a CSV table: after the header, without comments and empty lines."""
    lines = [n for n, line in enumerate(text.splitlines(), 1) if line.strip() and not line.lstrip().startswith("#")]
    return lines[row + 1]
