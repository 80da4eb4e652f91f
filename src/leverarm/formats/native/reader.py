"""Reading leverarm's own format, TOML. The schema is documented in docs/format.md."""

from __future__ import annotations

from typing import Any

from leverarm.errors import ArmError
from leverarm.formats import plain_parts as plain
from leverarm.formats.native.shapes import mass_properties_of_shapes
from leverarm.formats.table_settings import pose_of, symbols_in
from leverarm.formats.toml_table import TomlTable, read_toml
from leverarm.model import Arm, Body, Frame, Joint, JointKind, MassProperties, Placement
from leverarm.model.arm import STANDARD_GRAVITY
from leverarm.spatial import Symmetric3, Vec3

SCHEMA_VERSION = 1
_TENSOR = ("xx", "xy", "yy", "xz", "yz", "zz")


def arm_from_toml(text: str, file: str | None = None) -> Arm:
    """The arm a native TOML document describes."""
    top = read_toml(text, file)
    version = top.take("leverarm")
    if version != SCHEMA_VERSION:
        raise top.fail(
            f"leverarm = {version!r} was given as the schema version; it must be {SCHEMA_VERSION}. "
            "Every arm file starts with `leverarm = 1`.",
            "leverarm",
        )
    base = top.table("base")
    bodies, frames = top.tables("body"), top.tables("frame")
    fields: dict[str, Any] = {
        "name": top.text("name"),
        **{key: top.text(key, "") for key in ("title", "source", "licence")},
        "gravity": top.read("gravity", plain.vector, Vec3(0, 0, -STANDARD_GRAVITY)),
        "symbols": symbols_in(top),
        "coordinates": top.texts("coordinates"),
        "base": base.text("name", "base") if base else "base",
        "base_placement": pose_of(base) if base else Placement(),
        "bodies": tuple(_body(table) for table in bodies),
        "named_frames": tuple(_frame(table) for table in frames),
    }
    if base:
        base.finish("[base]")
    top.finish("the arm")
    try:
        return Arm(**fields)
    except ArmError as problem:
        raise _place_of(problem, top, bodies, frames).fail(str(problem)) from None


def _place_of(problem: ArmError, top: TomlTable, bodies: list[TomlTable], frames: list[TomlTable]) -> TomlTable:
    """The table that the problem is about: the last of that name, since a name used twice is wrong the second time."""
    kind, name = problem.part or ("", "")
    joints = [table for body in bodies if (table := body.table("joint")) is not None]
    named = {"body": (*bodies, *frames), "joint": joints, "frame": frames}.get(kind, ())
    found = [table for table in named if table.take("name") == name]
    symbols = top.table("symbols") if kind == "symbol" else None
    return found[-1] if found else symbols or top


def _body(table: TomlTable) -> Body:
    name = table.text("name")
    joint = table.table("joint")
    if joint is None:
        raise table.fail(f"body {name!r} has no joint; add a table [body.joint] with at least a name and a kind.")
    body = Body(name, table.text("parent", "base"), _joint(joint), _mass_properties(table))
    table.finish(f"body {name!r}")
    return body


def _mass_properties(table: TomlTable) -> MassProperties:
    """mass, com and the table `inertia`, which also says what point and axes it is about; or the body's shapes."""
    if shapes := table.one_or_more("shape"):
        for key in ("mass", "com", "inertia"):
            if key in table:
                raise table.fail(f"{key!r} and a shape were both given; a shape is all there is. Keep one.", key)
        return mass_properties_of_shapes(shapes)
    fields = table.fields({"mass": plain.quantity, "com": plain.vector})
    inertia = table.table("inertia")
    if inertia is not None:
        entries = dict.fromkeys(_TENSOR, 0) | inertia.fields(dict.fromkeys(_TENSOR, plain.quantity))
        fields |= {"inertia": Symmetric3(**entries)} | inertia.fields({"about": plain.about, "rpy": plain.vector})
        inertia.finish("inertia")
    return MassProperties(**fields)


def _joint(table: TomlTable) -> Joint:
    name = table.text("name")
    kind = JointKind(table.choice("kind", tuple(JointKind)))
    joint = Joint(name, kind, pose_of(table), **table.fields(_JOINT_FIELDS))
    table.finish(f"joint {name!r}")
    return joint


_JOINT_FIELDS: dict[str, plain.Reader] = {
    "axis": plain.vector,
    "pitch": plain.quantity,
    "limits": plain.limits,
    "friction": plain.friction,
    "motor": plain.motor,
    "coupling": plain.ratios,
    "offset": plain.quantity,
    "locked": plain.quantity,
    "force": plain.text,
}


def _frame(table: TomlTable) -> Frame:
    name = table.text("name")
    frame = Frame(name, table.text("body"), pose_of(table))
    table.finish(f"frame {name!r}")
    return frame
