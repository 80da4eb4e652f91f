"""DH tables as files, CSV and TOML."""

from __future__ import annotations

from leverarm.errors import FormatError, LeverarmError
from leverarm.formats.dh.builder import arm_from_dh
from leverarm.formats.dh.csv import csv_from_table, table_from_csv
from leverarm.formats.dh.export import to_dh
from leverarm.formats.dh.rows import Convention, DHTable
from leverarm.formats.dh.toml import table_from_toml, toml_from_table
from leverarm.model import Arm


def arm_from_dh_csv(text: str, file: str | None = None) -> Arm:
    """The arm a CSV table describes: columns as in `columns.COLUMNS`, settings as `# key = value`."""
    return _arm(table_from_csv(text, file), file)


def dh_csv_from_arm(arm: Arm, convention: Convention = "standard") -> str:
    """The arm as a CSV table."""
    return csv_from_table(to_dh(arm, convention))


def arm_from_dh_toml(text: str, file: str | None = None) -> Arm:
    """The arm a TOML table describes: settings on top, then one [[row]] per joint with the fields of `DHRow`."""
    return _arm(table_from_toml(text, file), file)


def dh_toml_from_arm(arm: Arm, convention: Convention = "standard") -> str:
    """The arm as a TOML table."""
    return toml_from_table(to_dh(arm, convention))


def _arm(table: DHTable, file: str | None) -> Arm:
    try:
        return arm_from_dh(table)
    except LeverarmError as problem:
        raise FormatError(str(problem), file) from None
