"""Writing leverarm's own format. Reading it back gives an equal arm, symbols and all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from leverarm.formats.native.reader import SCHEMA_VERSION
from leverarm.formats.toml_text import joint_settings, mass_fields, placement_fields, toml_lines
from leverarm.model import Arm, Body, Joint, MassProperties, Placement, free_joints
from leverarm.spatial import Vec3


def toml_from_arm(arm: Arm) -> str:
    """The arm as a native TOML document; fields at their default value are left out."""
    return "\n".join(_lines(arm)) + "\n"


def _lines(arm: Arm) -> Iterator[str]:
    texts = {key: text for key in ("title", "source", "licence") if (text := getattr(arm, key))}
    yield from toml_lines({"leverarm": SCHEMA_VERSION, "name": arm.name, **texts, "gravity": arm.gravity})
    if arm.coordinates != free_joints(arm.bodies):
        yield from toml_lines({"coordinates": arm.coordinates})
    if arm.symbols:
        yield "\n[symbols]"
        yield from toml_lines(dict(arm.symbols))
    if arm.base != "base" or arm.base_placement != Placement():
        yield "\n[base]"
        yield from toml_lines({"name": arm.base, **placement_fields(arm.base_placement)})
    for body in arm.bodies:
        yield from _body(body)
    for frame in arm.named_frames:
        yield "\n[[frame]]"
        yield from toml_lines({"name": frame.name, "body": frame.body, **placement_fields(frame.placement)})


def _body(body: Body) -> Iterator[str]:
    yield "\n[[body]]"
    yield from toml_lines({"name": body.name, "parent": body.parent, **_mass(body.mass_properties)})
    yield "[body.joint]"
    yield from toml_lines(_joint(body.joint))


def _mass(mp: MassProperties) -> dict[str, Any]:
    """mass, com and the table `inertia`, which here also holds about and rpy."""
    fields = mass_fields(mp)
    inertia = fields.pop("inertia", {}) | {key: fields.pop(key) for key in ("about", "rpy") if key in fields}
    return fields | ({"inertia": inertia} if inertia else {})


def _joint(joint: Joint) -> dict[str, Any]:
    fields = {"name": joint.name, "kind": str(joint.kind), **placement_fields(joint.placement)}
    if joint.axis != Vec3(0, 0, 1):
        fields["axis"] = joint.axis
    if joint.pitch != 0:
        fields["pitch"] = joint.pitch
    fields |= joint_settings(joint.limits, joint.friction, joint.motor)
    if joint.coupling is not None:
        fields["coupling"] = dict(joint.coupling)
    if joint.offset != 0:
        fields["offset"] = joint.offset
    return fields | {key: value for key in ("locked", "force") if (value := getattr(joint, key)) is not None}
