"""Values as TOML text: quantities, texts, vectors, and the parts of an arm as small tables within a line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from leverarm.model import Expression, Friction, Limits, MassProperties, Motor, Placement, format_quantity
from leverarm.spatial import NO_SYMMETRIC3, Symmetric3


def toml_lines(values: Mapping[str, Any]) -> list[str]:
    """One `key = value` line for each."""
    return [f"{_key(key)} = {toml_value(value)}" for key, value in values.items()]


def toml_value(value: Any) -> str:
    """One value: a text, a quantity (a literal where TOML has one), a list, or a mapping as an inline table."""
    match value:
        case str():
            return quoted(value)
        case Expression() | Fraction():
            return quoted(format_quantity(value))
        case float():
            return repr(float(value))
        case Mapping():
            inside = ", ".join(f"{_key(key)} = {toml_value(part)}" for key, part in value.items())
            return f"{{ {inside} }}" if inside else "{}"
        case Iterable():
            return f"[{', '.join(toml_value(part) for part in value)}]"
    return repr(value)


def quoted(text: str) -> str:
    """A TOML basic string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in escaped) + '"'


def _key(key: str) -> str:
    return key if key.isascii() and key.replace("_", "").replace("-", "").isalnum() else quoted(key)


def settings(part: Limits | Friction | Symmetric3 | Placement, default: Any) -> dict[str, Any]:
    """The fields of a part that differ from the default one, by name."""
    values = {name: getattr(part, name) for name in part.__dataclass_fields__}
    return {name: value for name, value in values.items() if value != getattr(default, name)}


def placement_fields(placement: Placement) -> dict[str, Any]:
    """xyz and rpy where they are not zero."""
    return settings(placement, Placement())


def joint_settings(limits: Limits, friction: Friction | None, motor: Motor | None) -> dict[str, Any]:
    """The tables limits, friction and motor of a joint, each where there is something to say."""
    tables: dict[str, Any] = {}
    if limits != Limits():
        tables["limits"] = settings(limits, Limits())
    if friction is not None:
        tables["friction"] = settings(friction, Friction())
    if motor is not None:
        tables["motor"] = {"inertia": motor.inertia, "gear": motor.gear}
        tables["motor"] |= {"also": dict(motor.also)} if motor.also else {}
        tables["motor"] |= {name: x for name in ("viscous", "coulomb") if (x := getattr(motor, name)) != 0}
    return tables


def mass_fields(mp: MassProperties) -> dict[str, Any]:
    """mass, com, inertia, about and rpy where they differ from the default."""
    default = MassProperties()
    names = [name for name in default.__dataclass_fields__ if getattr(mp, name) != getattr(default, name)]
    return {name: getattr(mp, name) if name != "inertia" else settings(mp.inertia, NO_SYMMETRIC3) for name in names}
