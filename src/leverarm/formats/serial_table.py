"""What a DH table and a table of screws have in common: everything but their rows.

Both describe a serial arm row by row, with the same settings above the rows and the same named frames below them. Here
`table` is a `DHTable` or a `ScrewTable`, and `row_key` what a row is called in TOML: "row" or "link".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from leverarm.errors import ArmError
from leverarm.formats.plain_parts import AngleUnit, vector
from leverarm.formats.serial import SerialChain
from leverarm.formats.toml import TomlTable, placement_fields, pose_in, symbols_in, toml_lines
from leverarm.model import Arm
from leverarm.model.arm import STANDARD_GRAVITY
from leverarm.spatial import Vec3

SCHEMA_VERSION = 1
TEXTS = {"name": "arm", "title": "", "source": "", "licence": "", "base_name": "base"}
"""The texts that a table may carry, with their defaults."""


def arm_settings(table: Any) -> dict[str, Any]:
    """What the table says about the whole arm, as arguments of `Arm`."""
    same = {key: getattr(table, key) for key in ("name", "gravity", "symbols", "coordinates", *_CREDITS)}
    return {"base": table.base_name, "base_placement": table.base, **same}


def table_settings(arm: Arm, chain: SerialChain) -> dict[str, Any]:
    """The inverse of `arm_settings`, without symbols; coordinates only where their order is not that of the joints."""
    in_order = arm.coordinates == tuple(link.joint.name for link in chain.links)
    return {
        "name": arm.name,
        "gravity": chain.gravity,
        "base": chain.base,
        "coordinates": () if in_order else arm.coordinates,
        "base_name": arm.base,
        **{key: getattr(arm, key) for key in _CREDITS},
    }


_CREDITS = ("title", "source", "licence")


def read_settings(top: TomlTable, format_key: str, unit: AngleUnit = "rad") -> dict[str, Any]:
    """The settings above the rows, as fields of a table; `format_key` may give the schema version, as in `dh = 1`."""
    if (version := top.take(format_key)) not in (None, SCHEMA_VERSION):
        message = f"{format_key} = {version!r} was given as the schema version; it must be {SCHEMA_VERSION}."
        raise top.fail(message, format_key)
    return {
        "gravity": top.read("gravity", vector, Vec3(0, 0, -STANDARD_GRAVITY)),
        "base": pose_in(top, "base", unit),
        "symbols": symbols_in(top),
        "coordinates": top.texts("coordinates"),
        **{key: top.text(key, default) for key, default in TEXTS.items()},
    }


def read_frame_place(table: TomlTable, row_key: str) -> tuple[str, int]:
    """The name of a frame and the number of the row that it is fixed to."""
    name, number = table.text("name"), table.take(row_key)
    if not isinstance(number, int) or isinstance(number, bool):
        raise table.fail(
            f"frame {name!r}: {row_key} = {number!r} was given; it is the number of a {row_key}, 0 for the base.",
            row_key,
        )
    return name, number


def table_lines(
    table: Any, head: Mapping[str, Any], row_key: str, rows: Iterable[Mapping[str, Any]], poses: Mapping[str, Any]
) -> Iterator[str]:
    """The TOML text of a table: its head and texts, gravity, poses, coordinates and symbols, rows and frames."""
    texts = {key: text for key, default in TEXTS.items() if (text := getattr(table, key)) != default or key == "name"}
    yield from toml_lines({**head, **texts, "gravity": table.gravity, **poses})
    if table.coordinates:
        yield from toml_lines({"coordinates": table.coordinates})
    if table.symbols:
        yield "\n[symbols]"
        yield from toml_lines(dict(table.symbols))
    for row in rows:
        yield f"\n[[{row_key}]]"
        yield from toml_lines(row)
    for frame in table.frames:
        yield "\n[[frame]]"
        place = {"name": frame.name, row_key: getattr(frame, row_key)}
        yield from toml_lines({**place, **placement_fields(frame.placement)})


def row_at_fault(problem: ArmError, rows: Sequence[Any]) -> int | None:
    """The row that a problem of the arm is about: the last one whose joint or link it names."""
    found = None
    for i, row in enumerate(rows):
        names = {"joint": row.name or f"joint{i + 1}", "body": row.link or f"link{i + 1}"}
        if problem.part is not None and names.get(problem.part[0]) == problem.part[1]:
            found = i
    return found
