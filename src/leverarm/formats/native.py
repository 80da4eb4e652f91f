"""leverarm's own format, TOML: read, and written so that it reads back to an equal arm, symbols included.

docs/format.md documents the schema. A body may be given by its shape, [body.shape], or by several, [[body.shape]].
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from leverarm.errors import ArmError, LeverarmError
from leverarm.formats import plain_parts as plain
from leverarm.formats.toml import (
    TomlTable,
    joint_settings,
    mass_fields,
    placement_fields,
    pose_of,
    read_toml,
    settings_in,
    settings_lines,
    toml_lines,
)
from leverarm.model import Arm, Body, Frame, Joint, JointKind, MassProperties, Placement, free_joints, inertias
from leverarm.spatial import Inertia, Symmetric3, Vec3

SHAPES: dict[str, tuple[Callable[..., Inertia], tuple[str, ...]]] = {
    "point": (inertias.inertia_of_point, ()),
    "rod": (inertias.inertia_of_rod, ("length",)),
    "box": (inertias.inertia_of_box, ("x", "y", "z")),
    "sphere": (inertias.inertia_of_sphere, ("radius",)),
    "hollow-sphere": (inertias.inertia_of_hollow_sphere, ("inner_radius", "outer_radius")),
    "cylinder": (inertias.inertia_of_cylinder, ("radius", "length")),
    "hollow-cylinder": (inertias.inertia_of_hollow_cylinder, ("inner_radius", "outer_radius", "length")),
    "capsule": (inertias.inertia_of_capsule, ("radius", "length")),
    "cone": (inertias.inertia_of_cone, ("radius", "height")),
}
"""The shapes by name, with the measures each takes beside mass or density."""


def mass_properties_of_shapes(tables: list[TomlTable]) -> MassProperties:
    """The shapes of a body as one, each put at its xyz and rpy in the body frame."""
    return MassProperties.from_inertia(inertias.welded(*(_shape(table) for table in tables)))


def _shape(table: TomlTable) -> Inertia:
    kind = table.choice("kind", tuple(SHAPES))
    build, measures = SHAPES[kind]
    for measure in measures:
        if measure not in table:
            raise table.fail(f"a {kind} needs {', '.join(measures)}; {measure!r} is missing.")
    amounts = ("mass",) if kind == "point" else ("mass", "density")
    if not any(amount in table for amount in amounts):
        raise table.fail(f"a {kind} needs {' or '.join(amounts)}.")
    given: dict[str, Any] = table.fields(dict.fromkeys((*measures, *amounts), plain.quantity))
    place = pose_of(table)
    table.finish(f"shape {kind!r}")
    try:
        body = build(**given)
    except LeverarmError as problem:
        raise table.fail(f"shape {kind!r}: {problem}") from None
    return inertias.placed(body, place)


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
        **settings_in(top),
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
    """The table at fault: the last of that name, since a duplicate name is wrong the second time."""
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
                raise table.fail(f"{key!r} and a shape were both given; a shape gives all of them. Keep one.", key)
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
    "spring": plain.spring,
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


def toml_from_arm(arm: Arm) -> str:
    """The arm as a native TOML document; fields at their default value are left out."""
    return "\n".join(_lines(arm)) + "\n"


def _lines(arm: Arm) -> Iterator[str]:
    order = () if arm.coordinates == free_joints(arm.bodies) else arm.coordinates
    yield from settings_lines({"leverarm": SCHEMA_VERSION, "name": arm.name}, arm, order)
    if arm.base != "base" or arm.base_placement != Placement():
        yield "\n[base]"
        yield from toml_lines({"name": arm.base, **placement_fields(arm.base_placement)})
    for body in arm.bodies:
        yield from _written_body(body)
    for frame in arm.named_frames:
        yield "\n[[frame]]"
        yield from toml_lines({"name": frame.name, "body": frame.body, **placement_fields(frame.placement)})


def _written_body(body: Body) -> Iterator[str]:
    yield "\n[[body]]"
    yield from toml_lines({"name": body.name, "parent": body.parent, **_mass(body.mass_properties)})
    yield "[body.joint]"
    yield from toml_lines(_written_joint(body.joint))


def _mass(mp: MassProperties) -> dict[str, Any]:
    """mass, com and the table `inertia`, which here also holds about and rpy."""
    fields = mass_fields(mp)
    inertia = fields.pop("inertia", {}) | {key: fields.pop(key) for key in ("about", "rpy") if key in fields}
    return fields | ({"inertia": inertia} if inertia else {})


def _written_joint(joint: Joint) -> dict[str, Any]:
    fields = {"name": joint.name, "kind": str(joint.kind), **placement_fields(joint.placement)}
    if joint.axis != Vec3(0, 0, 1):
        fields["axis"] = joint.axis
    if joint.pitch != 0:
        fields["pitch"] = joint.pitch
    fields |= joint_settings(joint.limits, joint.friction, joint.motor, joint.spring)
    if joint.coupling is not None:
        fields["coupling"] = dict(joint.coupling)
    if joint.offset != 0:
        fields["offset"] = joint.offset
    return fields | {key: value for key in ("locked", "force") if (value := getattr(joint, key)) is not None}
