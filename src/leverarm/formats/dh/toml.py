"""DH tables as TOML: settings on top, then one [[row]] per joint with the fields of `DHRow`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from leverarm.errors import LeverarmError
from leverarm.formats.dh.rows import CONVENTIONS, DHFrame, DHRow, DHTable, check_convention, read_row
from leverarm.formats.plain_parts import AngleUnit, FieldError, vector
from leverarm.formats.table_settings import (
    SCHEMA_VERSION,
    check_version,
    pose_in,
    pose_of,
    symbols_in,
    texts_in,
    texts_of,
)
from leverarm.formats.toml_table import TomlTable, read_toml
from leverarm.formats.toml_text import joint_settings, mass_fields, placement_fields, toml_lines


def table_from_toml(text: str, file: str | None = None) -> DHTable:
    """Reads a table. `angles = "deg"` on top makes plain numbers that are angles degrees."""
    top = read_toml(text, file)
    check_version(top, "dh")
    unit: AngleUnit = "deg" if top.choice("angles", ("rad", "deg"), "rad") == "deg" else "rad"
    convention = check_convention(top.choice("convention", CONVENTIONS, "standard"))
    rows = [_row(table, i, unit) for i, table in enumerate(top.tables("row"), 1)]
    table = DHTable(
        rows=tuple(rows),
        convention=convention,
        gravity=top.read("gravity", vector, DHTable(()).gravity),
        base=pose_in(top, "base", unit),
        tool=pose_in(top, "tool", unit),
        frames=tuple(_frame(frame, unit) for frame in top.tables("frame")),
        symbols=symbols_in(top),
        coordinates=top.texts("coordinates"),
        **texts_in(top),
    )
    top.finish("the DH table")
    return table


def _row(table: TomlTable, number: int, unit: AngleUnit) -> DHRow:
    try:
        return read_row({key: table.take(key) for key in list(table.keys())}, f"row {number}", unit)
    except FieldError as problem:
        raise table.fail(str(problem), problem.field) from None
    except LeverarmError as problem:
        raise table.fail(str(problem)) from None


def _frame(table: TomlTable, unit: AngleUnit) -> DHFrame:
    name, row = table.text("name"), table.take("row")
    if not isinstance(row, int) or isinstance(row, bool):
        raise table.fail(f"frame {name!r}: row = {row!r} was given; it is the number of a row, 0 for the base.", "row")
    frame = DHFrame(name, row, pose_of(table, unit))
    table.finish(f"frame {name!r}")
    return frame


def toml_from_table(table: DHTable) -> str:
    """The table as text; `table_from_toml` reads the same numbers back."""
    return "\n".join(_lines(table)) + "\n"


def _lines(table: DHTable) -> Iterator[str]:
    yield f"dh = {SCHEMA_VERSION}"
    yield from toml_lines({"convention": table.convention, **texts_of(table), "gravity": table.gravity})
    yield from toml_lines({key: pose for key in ("base", "tool") if (pose := placement_fields(getattr(table, key)))})
    if table.coordinates:
        yield from toml_lines({"coordinates": table.coordinates})
    if table.symbols:
        yield "\n[symbols]"
        yield from toml_lines(dict(table.symbols))
    for row in table.rows:
        yield "\n[[row]]"
        yield from toml_lines(_row_fields(row))
    for frame in table.frames:
        yield "\n[[frame]]"
        yield from toml_lines({"name": frame.name, "row": frame.row, **placement_fields(frame.placement)})


def _row_fields(row: DHRow) -> dict[str, Any]:
    texts = {"name": row.name, "link": row.link, "kind": str(row.kind), "force": row.force}
    parameters = {key: getattr(row, key) for key in ("theta", "d", "a", "alpha")}
    return {
        **{key: text for key, text in texts.items() if text is not None},
        **parameters,
        **mass_fields(row.mass_properties),
        **joint_settings(row.limits, row.friction, row.motor),
    }
