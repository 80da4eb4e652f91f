"""What stands above the rows of a table of DH parameters or screws in TOML, read and written."""

from __future__ import annotations

from typing import Any

from leverarm.formats.plain_parts import AngleUnit, literal, placement, vector
from leverarm.formats.toml_table import TomlTable
from leverarm.model import Placement
from leverarm.scalars import Number

TEXTS = {"name": "arm", "title": "", "source": "", "licence": "", "base_name": "base"}
"""The texts a table may carry, and what they are when left out."""
SCHEMA_VERSION = 1


def check_version(top: TomlTable, key: str) -> None:
    """A table may say which version of the schema it follows, as in `dh = 1`."""
    if (version := top.take(key)) not in (None, SCHEMA_VERSION):
        raise top.fail(f"{key} = {version!r} was given as the schema version; it must be {SCHEMA_VERSION}.", key)


def texts_in(top: TomlTable) -> dict[str, str]:
    return {key: top.text(key, default) for key, default in TEXTS.items()}


def texts_of(table: Any) -> dict[str, str]:
    """The texts of a table that are not left at their default; the name always."""
    return {key: text for key, default in TEXTS.items() if (text := getattr(table, key)) != default or key == "name"}


def pose_in(top: TomlTable, key: str, unit: AngleUnit = "rad") -> Placement:
    """A pose as { xyz, rpy } or a 4 x 4 matrix."""
    pose: Placement = top.read(key, lambda value, where: placement(value, where, unit), Placement())
    return pose


def pose_of(table: TomlTable, unit: AngleUnit = "rad") -> Placement:
    """A pose whose xyz and rpy stand in the table itself."""
    return Placement(**table.fields({"xyz": vector, "rpy": lambda value, where: vector(value, where, unit)}))


def symbols_in(top: TomlTable) -> tuple[tuple[str, Number], ...]:
    """The default values of symbols."""
    table = top.table("symbols")
    return () if table is None else tuple((name, table.read(name, literal)) for name in list(table.keys()))
