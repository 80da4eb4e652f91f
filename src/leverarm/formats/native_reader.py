"""Reading leverarm's own format, TOML. The schema is documented in docs/format.md."""

from __future__ import annotations

from typing import Literal, cast

from leverarm.errors import FormatError, LeverarmError
from leverarm.formats.toml_table import TomlTable, read_toml
from leverarm.model import (
    Arm,
    Body,
    Frame,
    Friction,
    Joint,
    JointKind,
    Limits,
    MassProperties,
    Motor,
    Placement,
)
from leverarm.model.arm import STANDARD_GRAVITY
from leverarm.spatial import NO_SYMMETRIC3, ORIGIN, Symmetric3, Vec3

SCHEMA_VERSION = 1


def arm_from_toml(text: str, file: str | None = None) -> Arm:
    """The arm a native TOML document describes."""
    return arm_from_table(read_toml(text, file), file)


def arm_from_table(top: TomlTable, file: str | None = None) -> Arm:
    version = top.take("leverarm")
    if version != SCHEMA_VERSION:
        raise top.fail(
            f"leverarm = {version!r} was given as the schema version; it must be {SCHEMA_VERSION}. "
            "Every arm file starts with `leverarm = 1`.",
            "leverarm",
        )
    base = top.table("base")
    symbols = top.table("symbols")
    fields = {
        "name": top.text("name"),
        "title": top.text("title", ""),
        "source": top.text("source", ""),
        "licence": top.text("licence", ""),
        "gravity": top.vector("gravity", Vec3(0, 0, -STANDARD_GRAVITY)),
        "symbols": tuple((name, _literal(symbols, name)) for name in list(symbols.keys())) if symbols else (),
        "coordinates": top.texts("coordinates"),
        "base": base.text("name", "base") if base else "base",
        "base_placement": _placement(base) if base else Placement(),
        "bodies": tuple(_body(table) for table in top.tables("body")),
        "named_frames": tuple(_frame(table) for table in top.tables("frame")),
    }
    if base:
        base.finish("[base]")
    top.finish("the arm")
    try:
        return Arm(**fields)  # type: ignore[arg-type]
    except FormatError:
        raise
    except LeverarmError as problem:
        raise FormatError(str(problem), file) from None


def _literal(symbols: TomlTable, name: str) -> int | float:
    value = symbols.take(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise symbols.fail(f"symbol {name} = {value!r} was given; a default value is a number.", name)
    return value


def _placement(table: TomlTable) -> Placement:
    return Placement(table.vector("xyz", ORIGIN), table.vector("rpy", ORIGIN))


def _body(table: TomlTable) -> Body:
    name = table.text("name")
    joint = table.table("joint")
    if joint is None:
        raise table.fail(f"body {name!r} has no joint; add a table [body.joint] with at least a name and a kind.")
    body = Body(name, table.text("parent", "base"), _joint(joint), _mass_properties(table))
    table.finish(f"body {name!r}")
    return body


def _mass_properties(table: TomlTable) -> MassProperties:
    mass, com = table.quantity("mass"), table.vector("com", ORIGIN)
    inertia = table.table("inertia")
    if inertia is None:
        return MassProperties(mass, com, NO_SYMMETRIC3)
    entries = Symmetric3(*(inertia.quantity(key) for key in ("xx", "xy", "yy", "xz", "yz", "zz")))
    about = cast(Literal["com", "origin"], inertia.choice("about", ("com", "origin"), "com"))
    result = MassProperties(mass, com, entries, about, inertia.vector("rpy", ORIGIN))
    inertia.finish("inertia")
    return result


def _joint(table: TomlTable) -> Joint:
    name = table.text("name")
    joint = Joint(
        name=name,
        kind=JointKind(table.choice("kind", tuple(JointKind))),
        placement=_placement(table),
        axis=table.vector("axis", Vec3(0, 0, 1)),
        pitch=table.quantity("pitch"),
        limits=_limits(table.table("limits")),
        friction=_friction(table.table("friction")),
        motor=_motor(table.table("motor")),
        coupling=table.ratios("coupling"),
        offset=table.quantity("offset"),
        locked=table.optional_quantity("locked"),
        force=table.text("force") if "force" in table else None,
    )
    table.finish(f"joint {name!r}")
    return joint


def _limits(table: TomlTable | None) -> Limits:
    if table is None:
        return Limits()
    limits = Limits(*(table.optional_quantity(key) for key in ("lower", "upper", "velocity", "effort")))
    table.finish("limits")
    return limits


def _friction(table: TomlTable | None) -> Friction | None:
    if table is None:
        return None
    friction = Friction(
        table.quantity("viscous"),
        table.quantity("coulomb"),
        table.optional_quantity("viscous_negative"),
        table.optional_quantity("coulomb_negative"),
        table.optional_quantity("smoothing"),
        table.quantity("offset"),
    )
    table.finish("friction")
    return friction


def _motor(table: TomlTable | None) -> Motor | None:
    if table is None:
        return None
    motor = Motor(table.quantity("inertia"), table.quantity("gear", 1), table.ratios("also") or ())
    table.finish("motor")
    return motor


def _frame(table: TomlTable) -> Frame:
    name = table.text("name")
    frame = Frame(name, table.text("body"), _placement(table))
    table.finish(f"frame {name!r}")
    return frame
