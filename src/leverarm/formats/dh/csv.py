"""DH tables as CSV: one line per joint, units in the column names, settings in comment lines `# key = value`."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from leverarm.errors import FormatError, LeverarmError, unknown_name
from leverarm.formats.dh.columns import COLUMNS, Column, column_named, row_fields, row_values
from leverarm.formats.dh.rows import DHFrame, DHRow, DHTable, check_convention, read_row
from leverarm.formats.plain_parts import gravity, symbols, vector
from leverarm.model import Friction, Motor, Placement, format_quantity

_SETTING = re.compile(r"#\s*(\w+)\s*=(.*)$")
_NAMED = re.compile(r"#\s*(symbol|frame)\s+(\S.*?)\s*=([^=]*)$")
_TEXTS = ("name", "title", "source", "licence", "base_name")
_SETTINGS = ("convention", *_TEXTS, "gravity", "base", "tool", "coordinates")


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
        raise FormatError("there is no row; give a line of column names and then one line per joint.", file)
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
                self.table = replace(self.table, frames=(*self.table.frames, _frame(name, value)))
        elif setting := _SETTING.match(line):
            key = _known(setting[1])
            self.table = replace(self.table, **{key: _setting(key, setting[2].strip())})

    def cells(self, cells: list[str]) -> None:
        if self.columns is None:
            self.columns = [column_named(cell) for cell in cells]
            names = [column.field for column in self.columns]
            for name in names:
                if names.count(name) > 1:
                    raise FormatError(f"two columns mean {name!r}; keep one.")
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
    if key in _TEXTS:
        return value
    parts = [part.strip() for part in value.split(",")]
    if key == "coordinates":
        return tuple(parts)
    return gravity(parts) if key == "gravity" else _pose(key, parts)


def _pose(where: str, parts: list[str]) -> Placement:
    if len(parts) != 6:
        raise FormatError(f"{where}: {', '.join(parts)!r} was given; a pose is x, y, z, roll, pitch, yaw [m, rad].")
    return Placement(vector(parts[:3], where), vector(parts[3:], where))


def _frame(name: str, value: str) -> DHFrame:
    row, *pose = (part.strip() for part in value.split(","))
    if not row.isdigit():
        raise FormatError(f"frame {name}: {value!r} was given; it is row, x, y, z, roll, pitch, yaw (row 0: the base).")
    return DHFrame(name, int(row), _pose(f"frame {name}", pose))


def csv_from_table(table: DHTable) -> str:
    """The table as text; `table_from_csv` reads the same numbers back."""
    return "\n".join(_lines(table)) + "\n"


def _lines(table: DHTable) -> Iterator[str]:
    yield f"# convention = {table.convention}"
    for key in _TEXTS:
        if (value := getattr(table, key)) != getattr(DHTable(()), key) or key == "name":
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
    silent = [row_values(row) for row in (DHRow(), DHRow(friction=Friction(), motor=Motor(0)))]
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
