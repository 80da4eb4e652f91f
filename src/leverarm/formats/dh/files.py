"""DH tables as files.

TOML has settings on top, then one [[row]] per joint with the fields of `DHRow`. CSV has one line per joint, units in
the column names, and settings in comment lines `# key = value`.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from leverarm.errors import ArmError, FormatError, LeverarmError, unknown_name
from leverarm.formats.dh.builder import arm_from_dh
from leverarm.formats.dh.columns import COLUMNS, Column, column_named, row_fields, row_values
from leverarm.formats.dh.export import to_dh
from leverarm.formats.dh.rows import CONVENTIONS, Convention, DHRow, DHTable, check_convention, read_row
from leverarm.formats.plain_parts import AngleUnit, gravity, symbols, vector
from leverarm.formats.serial_table import (
    SCHEMA_VERSION,
    TEXTS,
    RowFrame,
    arm_in_toml,
    frames_in,
    read_settings,
    row_at_fault,
    row_in,
    row_lines,
    table_lines,
)
from leverarm.formats.toml import TomlTable, mass_fields, placement_fields, pose_in, read_toml
from leverarm.model import Arm, Friction, Motor, Placement, Spring, format_quantity


def table_from_toml(text: str, file: str | None = None) -> DHTable:
    """Reads a table. `angles = "deg"` on top makes plain numbers that are angles degrees."""
    top = read_toml(text, file)
    unit: AngleUnit = "deg" if top.choice("angles", ("rad", "deg"), "rad") == "deg" else "rad"
    settings = read_settings(top, "dh", unit)
    convention = check_convention(top.choice("convention", CONVENTIONS, "standard"))
    rows = [_row(row, f"row {i}", unit) for i, row in enumerate(top.tables("row"), 1)]
    tool, frames = pose_in(top, "tool", unit), frames_in(top, "row", unit)
    top.finish("the DH table")
    return DHTable(tuple(rows), convention, tool, frames=frames, **settings)


def _row(table: TomlTable, where: str, unit: AngleUnit) -> DHRow:
    row: DHRow = row_in(table, lambda given: read_row(given, where, unit))
    return row


def toml_from_table(table: DHTable) -> str:
    """The table as text; `table_from_toml` reads the same numbers back."""
    poses = {key: pose for key in ("base", "tool") if (pose := placement_fields(getattr(table, key)))}
    head = {"dh": SCHEMA_VERSION, "convention": table.convention}
    return "\n".join(table_lines(table, head, "row", map(_row_fields, table.rows), poses)) + "\n"


def _row_fields(row: DHRow) -> dict[str, Any]:
    parameters = {key: getattr(row, key) for key in ("theta", "d", "a", "alpha")}
    return row_lines(row, parameters | mass_fields(row.mass_properties))


_SETTING = re.compile(r"#\s*(\w+)\s*=(.*)$")
_NAMED = re.compile(r"#\s*(symbol|frame)\s+(\S.*?)\s*=([^=]*)$")
_SETTINGS = ("convention", *TEXTS, "gravity", "base", "tool", "coordinates")


def table_from_csv(text: str, file: str | None = None) -> DHTable:
    """Reads a table. Comment lines that are no setting are skipped; the convention is standard unless one says."""
    reading = _Reading(DHTable(()))
    for number, line in enumerate(text.splitlines(), 1):
        try:
            if line.lstrip().startswith("#"):
                reading.comment(line.strip())
            elif line.strip(" ,\t"):
                reading.cells([cell.strip() for cell in next(csv.reader([line], strict=True))])
        except (LeverarmError, csv.Error) as problem:
            raise FormatError(str(problem), file, number) from None
    if not reading.table.rows:
        raise FormatError("the table has no row; give a line of column names and then one line per joint.", file)
    return reading.table


@dataclass(slots=True)
class _Reading:
    table: DHTable
    columns: list[Column] | None = None

    def comment(self, line: str) -> None:
        if named := _NAMED.match(line):
            kind, name, value = named[1], named[2], named[3].strip()
            if kind == "symbol":
                self.table = replace(self.table, symbols=(*self.table.symbols, *symbols({name: value})))
            else:
                self.table = replace(self.table, frames=(*self.table.frames, _csv_frame(name, value)))
        elif setting := _SETTING.match(line):
            key = _known(setting[1])
            self.table = replace(self.table, **{key: _setting(key, setting[2].strip())})

    def cells(self, cells: list[str]) -> None:
        if self.columns is None:
            self.columns = [column_named(cell) for cell in cells]
            names = [column.field for column in self.columns]
            for name in names:
                if names.count(name) > 1:
                    raise FormatError(f"two columns mean {name!r}; keep one of them.")
            return
        if len(cells) != len(self.columns):
            raise FormatError(
                f"the row has {len(cells)} cells but there are {len(self.columns)} columns; give one for each."
            )
        row = len(self.table.rows) + 1
        given = {column: cell for column, cell in zip(self.columns, cells, strict=True) if cell}
        read = read_row(row_fields(given, f"row {row}"), f"row {row}")
        self.table = replace(self.table, rows=(*self.table.rows, read))


def _known(key: str) -> str:
    if key not in _SETTINGS:
        valid = (*_SETTINGS, "symbol NAME", "frame NAME")
        raise FormatError(unknown_name("setting", key, valid) + " A plain comment has no '=' after its first word.")
    return key


def _setting(key: str, value: str) -> Any:
    if key == "convention":
        return check_convention(value)
    if key in TEXTS:
        return value
    parts = [part.strip() for part in value.split(",")]
    if key == "coordinates":
        return tuple(parts)
    return gravity(parts) if key == "gravity" else _pose(key, parts)


def _pose(where: str, parts: list[str]) -> Placement:
    if len(parts) != 6:
        raise FormatError(f"{where}: {', '.join(parts)!r} was given; a pose is x, y, z, roll, pitch, yaw [m, rad].")
    return Placement(vector(parts[:3], where), vector(parts[3:], where))


def _csv_frame(name: str, value: str) -> RowFrame:
    row, *pose = (part.strip() for part in value.split(","))
    if not row.isdigit():
        raise FormatError(f"frame {name}: {value!r} was given; it is row, x, y, z, roll, pitch, yaw (row 0: the base).")
    return RowFrame(name, int(row), _pose(f"frame {name}", pose))


def csv_from_table(table: DHTable) -> str:
    """The table as text; `table_from_csv` reads the same numbers back."""
    return "\n".join(_csv_lines(table)) + "\n"


def _csv_lines(table: DHTable) -> Iterator[str]:
    yield f"# convention = {table.convention}"
    for key, default in TEXTS.items():
        if (value := getattr(table, key)) != default or key == "name":
            yield f"# {key} = {' '.join(value.split())}"
    yield f"# gravity = {_listed(table.gravity)}"
    for key in ("base", "tool"):
        yield f"# {key} = {_listed((*getattr(table, key).xyz, *getattr(table, key).rpy))}"
    if table.coordinates:
        yield f"# coordinates = {', '.join(table.coordinates)}"
    for name, number in table.symbols:
        yield f"# symbol {name} = {format_quantity(number)}"
    for frame in table.frames:
        yield f"# frame {frame.name} = {frame.row}, {_listed((*frame.placement.xyz, *frame.placement.rpy))}"
    rows = [row_values(row) for row in table.rows]
    silent = [row_values(row) for row in (DHRow(), DHRow(friction=Friction(), motor=Motor(0), spring=Spring(0)))]
    used = [name for name in COLUMNS if name in _ALWAYS or any(_says(name, row, silent) for row in rows)]
    yield ",".join(used)
    for row in rows:
        yield ",".join(_cell(row[name]) for name in used)


_ALWAYS = ("joint", "kind", "theta", "d", "a", "alpha", "mass", "com_x", "com_y", "com_z", "ixx", "iyy", "izz")


def _says(name: str, row: dict[str, str], silent: list[dict[str, str]]) -> bool:
    return all(row[name] != other[name] for other in silent)


def _listed(quantities: Any) -> str:
    return ", ".join(format_quantity(x) for x in quantities)


def _cell(text: str) -> str:
    """Quoted where a comma, a quote or the comment sign asks for it."""
    text = " ".join(text.split())
    return '"' + text.replace('"', '""') + '"' if any(mark in text for mark in ',"#') else text


def arm_from_dh_csv(text: str, file: str | None = None) -> Arm:
    """The arm a CSV table describes: columns as in `columns.COLUMNS`, settings as `# key = value`."""
    table = table_from_csv(text, file)
    try:
        return arm_from_dh(table)
    except ArmError as problem:
        row = row_at_fault(problem, table.rows)
        raise FormatError(str(problem), file, None if row is None else _line_of_row(text, row)) from None


def dh_csv_from_arm(arm: Arm, convention: Convention = "standard") -> str:
    """The arm as a CSV table."""
    return csv_from_table(to_dh(arm, convention))


def arm_from_dh_toml(text: str, file: str | None = None) -> Arm:
    """The arm a TOML table describes: settings on top, then one [[row]] per joint with the fields of `DHRow`."""
    table = table_from_toml(text, file)
    return arm_in_toml(lambda: arm_from_dh(table), table.rows, "row", text, file)


def dh_toml_from_arm(arm: Arm, convention: Convention = "standard") -> str:
    """The arm as a TOML table."""
    return toml_from_table(to_dh(arm, convention))


def _line_of_row(text: str, row: int) -> int:
    """The line of a row of a CSV table: after the header, without comments and empty lines."""
    lines = [n for n, line in enumerate(text.splitlines(), 1) if line.strip() and not line.lstrip().startswith("#")]
    return lines[row + 1]
