"""Values as TOML text: quantities, texts, vectors and the small tables within a line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from leverarm.formats.native_writer import number, quoted
from leverarm.model import Friction, Limits, MassProperties, Motor, Placement
from leverarm.spatial import NO_SYMMETRIC3, Symmetric3


def toml_value(value: Any) -> str:
    """One value: a text, a quantity, a list, or a mapping as an inline table."""
    match value:
        case str():
            return quoted(value)
        case Mapping():
            inside = ", ".join(f"{_key(key)} = {toml_value(part)}" for key, part in value.items())
            return f"{{ {inside} }}" if inside else "{}"
        case float() if value == 0:
            return "0"  # without the sign that a rounding may leave
        case Iterable():
            return f"[{', '.join(toml_value(part) for part in value)}]"
    return number(value)


def toml_lines(values: Mapping[str, Any]) -> list[str]:
    """One `key = value` line for each."""
    return [f"{_key(key)} = {toml_value(value)}" for key, value in values.items()]


def _key(key: str) -> str:
    return key if key.isascii() and key.replace("_", "").replace("-", "").isalnum() else quoted(key)


def settings(part: Limits | Friction | Motor | Symmetric3, default: Any) -> dict[str, Any]:
    """The fields of a part that differ from the default one, by name."""
    values = {name: getattr(part, name) for name in part.__dataclass_fields__}
    return {name: value for name, value in values.items() if value != getattr(default, name)}


def joint_settings(limits: Limits, friction: Friction | None, motor: Motor | None) -> dict[str, Any]:
    """The tables limits, friction and motor of a joint, each where there is something to say."""
    tables = {"limits": settings(limits, Limits())}
    if friction is not None:
        tables["friction"] = settings(friction, Friction())
    if motor is not None:
        tables["motor"] = settings(motor, Motor(0)) | ({"also": dict(motor.also)} if motor.also else {})
    return {key: table for key, table in tables.items() if table}


def mass_fields(mp: MassProperties) -> dict[str, Any]:
    """mass, com, inertia, about and rpy where they differ from the default."""
    default = MassProperties()
    names = [name for name in default.__dataclass_fields__ if getattr(mp, name) != getattr(default, name)]
    return {name: getattr(mp, name) if name != "inertia" else settings(mp.inertia, NO_SYMMETRIC3) for name in names}


def placement_fields(placement: Placement) -> dict[str, Any]:
    default = Placement()
    return {key: value for key in ("xyz", "rpy") if (value := getattr(placement, key)) != getattr(default, key)}
