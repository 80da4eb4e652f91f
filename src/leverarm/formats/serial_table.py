"""What a DH table and a table of screws have in common: everything but their rows.

Both describe a serial arm row by row, with the same settings above the rows and the same named frames below them. Here
`table` is a `DHTable` or a `ScrewTable`, and `row_key` what a row is called in TOML: "row" or "link".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from leverarm.errors import ArmError, LeverarmError
from leverarm.formats.plain_parts import AngleUnit, FieldError, Reader, friction, limits, motor, spring, text
from leverarm.formats.serial import SerialChain, SerialLink
from leverarm.formats.toml import (
    CREDITS,
    TomlTable,
    joint_settings,
    placement_fields,
    pose_in,
    pose_of,
    read_toml,
    settings_in,
    settings_lines,
    toml_lines,
)
from leverarm.model import Arm, Joint, JointKind, Placement
from leverarm.model.arm import STANDARD_GRAVITY
from leverarm.scalars import Number
from leverarm.spatial import Vec3

Values = Mapping[str, Any]
SCHEMA_VERSION = 1
STANDARD = Vec3(0, 0, -STANDARD_GRAVITY)
TEXTS = {"name": "arm", "title": "", "source": "", "licence": "", "base_name": "base"}
"""The texts that a table may carry, with their defaults."""


@dataclass(frozen=True, slots=True)
class RowFrame:
    """A named frame fixed to the frame of a row, counted from 1; row 0 is the base."""

    name: str
    row: int
    placement: Placement = Placement()


@dataclass(frozen=True, slots=True, kw_only=True)
class SerialTable:
    """What both tables say besides their rows; `base` is where the base, or frame 0, is in the world."""

    name: str = "arm"
    gravity: Vec3 = STANDARD
    base: Placement = Placement()
    frames: tuple[RowFrame, ...] = ()
    symbols: tuple[tuple[str, Number], ...] = ()
    coordinates: tuple[str, ...] = ()
    base_name: str = "base"
    title: str = ""
    source: str = ""
    licence: str = ""


JOINT_READERS: dict[str, Reader] = {
    "name": text,
    "link": text,
    "limits": limits,
    "friction": friction,
    "motor": motor,
    "spring": spring,
    "force": text,
}
"""What a row says about its joint and its link besides their geometry."""
_OF_JOINT = ("limits", "friction", "motor", "spring", "force")


def joint_of(row: Any, number: int, kind: JointKind, placement: Placement, **motion: Any) -> Joint:
    """The joint of a row, counted from 1."""
    parts = {key: getattr(row, key) for key in _OF_JOINT}
    return Joint(row.name or f"joint{number}", kind, placement, **motion, **parts)


def row_of(link: SerialLink) -> dict[str, Any]:
    """The fields of a row that do not depend on its geometry, from a link of a chain."""
    joint = link.joint
    return {"name": joint.name, "link": link.name, "kind": joint.kind} | {k: getattr(joint, k) for k in _OF_JOINT}


def row_lines(row: Any, geometry: Values) -> dict[str, Any]:
    """The fields of a row as they are written in TOML."""
    texts = {"name": row.name, "link": row.link, "kind": row.kind and str(row.kind), "force": row.force}
    given = {key: text for key, text in texts.items() if text is not None}
    return {**given, **geometry, **joint_settings(row.limits, row.friction, row.motor, row.spring)}


def row_in(table: TomlTable, read: Callable[[dict[str, Any]], Any]) -> Any:
    """What is made of all keys of a row in TOML; errors name the line."""
    try:
        return read({key: table.take(key) for key in list(table.keys())})
    except FieldError as problem:
        raise table.fail(str(problem), problem.field) from None
    except LeverarmError as problem:
        raise table.fail(str(problem)) from None


def arm_in_toml(build: Callable[[], Arm], rows: Sequence[Any], row_key: str, document: str, file: str | None) -> Arm:
    """The arm of a table that was read from a document; errors name the line of the row at fault."""
    try:
        return build()
    except ArmError as problem:
        row, top = row_at_fault(problem, rows), read_toml(document, file)
        raise (top if row is None else top.tables(row_key)[row]).fail(str(problem)) from None


def arm_settings(table: SerialTable) -> dict[str, Any]:
    """What the table says about the whole arm, as arguments of `Arm`."""
    same = {key: getattr(table, key) for key in ("name", "gravity", "symbols", "coordinates", *CREDITS)}
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
        **{key: getattr(arm, key) for key in CREDITS},
    }


def read_settings(top: TomlTable, format_key: str, unit: AngleUnit = "rad") -> dict[str, Any]:
    """The settings above the rows, as fields of a table; `format_key` may give the schema version, as in `dh = 1`."""
    if (version := top.take(format_key)) not in (None, SCHEMA_VERSION):
        message = f"{format_key} = {version!r} was given as the schema version; it must be {SCHEMA_VERSION}."
        raise top.fail(message, format_key)
    names = {key: top.text(key, TEXTS[key]) for key in ("name", "base_name")}
    return {**settings_in(top), "base": pose_in(top, "base", unit), **names}


def frames_in(top: TomlTable, row_key: str, unit: AngleUnit = "rad") -> tuple[RowFrame, ...]:
    """The named frames, each with the number of the row that it is fixed to."""
    return tuple(_frame(table, row_key, unit) for table in top.tables("frame"))


def _frame(table: TomlTable, row_key: str, unit: AngleUnit) -> RowFrame:
    name, number = table.text("name"), table.take(row_key)
    if not isinstance(number, int) or isinstance(number, bool):
        what = f"{row_key} = {number!r} was given; it is the number of a {row_key}, 0 for the base."
        raise table.fail(f"frame {name!r}: {what}", row_key)
    frame = RowFrame(name, number, pose_of(table, unit))
    table.finish(f"frame {name!r}")
    return frame


def table_lines(
    table: SerialTable,
    head: Mapping[str, Any],
    row_key: str,
    rows: Iterable[Mapping[str, Any]],
    poses: Mapping[str, Any],
) -> Iterator[str]:
    """The TOML text of a table: its head and texts, gravity, poses, coordinates and symbols, rows and frames."""
    names = {"name": table.name} | ({"base_name": table.base_name} if table.base_name != "base" else {})
    yield from settings_lines({**head, **names}, table, table.coordinates, poses)
    for row in rows:
        yield f"\n[[{row_key}]]"
        yield from toml_lines(row)
    for frame in table.frames:
        yield "\n[[frame]]"
        yield from toml_lines({"name": frame.name, row_key: frame.row, **placement_fields(frame.placement)})


def row_at_fault(problem: ArmError, rows: Sequence[Any]) -> int | None:
    """The row that a problem of the arm is about: the last one whose joint or link it names."""
    found = None
    for i, row in enumerate(rows):
        names = {"joint": row.name or f"joint{i + 1}", "body": row.link or f"link{i + 1}"}
        if problem.part is not None and names.get(problem.part[0]) == problem.part[1]:
            found = i
    return found
