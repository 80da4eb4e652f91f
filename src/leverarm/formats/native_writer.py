"""Writing leverarm's own format. Reading it back gives an equal arm, symbols and all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from leverarm.formats.native_reader import SCHEMA_VERSION
from leverarm.model import (
    Arm,
    Body,
    Expression,
    Friction,
    Joint,
    Limits,
    MassProperties,
    Motor,
    Placement,
    Quantity,
    format_quantity,
)
from leverarm.spatial import Vec3


def toml_from_arm(arm: Arm) -> str:
    """The arm as a native TOML document; fields at their default value are left out."""
    return "\n".join(_document(arm)) + "\n"


def _document(arm: Arm) -> Iterator[str]:
    yield f"leverarm = {SCHEMA_VERSION}"
    yield f"name = {quoted(arm.name)}"
    for key in ("title", "source", "licence"):
        if value := getattr(arm, key):
            yield f"{key} = {quoted(value)}"
    yield f"gravity = {vector(arm.gravity)}"
    own = tuple(b.joint.name for b in arm.bodies if not b.joint.is_fixed and b.joint.coupling is None)
    if arm.coordinates != own:
        yield f"coordinates = [{', '.join(quoted(name) for name in arm.coordinates)}]"
    if arm.symbols:
        yield "\n[symbols]"
        yield from (f"{name} = {value!r}" for name, value in arm.symbols)
    if arm.base != "base" or arm.base_placement != Placement():
        yield "\n[base]"
        yield f"name = {quoted(arm.base)}"
        yield from _placement(arm.base_placement)
    for body in arm.bodies:
        yield from _body(body)
    for frame in arm.named_frames:
        yield "\n[[frame]]"
        yield f"name = {quoted(frame.name)}"
        yield f"body = {quoted(frame.body)}"
        yield from _placement(frame.placement)


def _body(body: Body) -> Iterator[str]:
    yield "\n[[body]]"
    yield f"name = {quoted(body.name)}"
    yield f"parent = {quoted(body.parent)}"
    yield from _mass_properties(body.mass_properties)
    yield "[body.joint]"
    yield from _joint(body.joint)


def _mass_properties(mp: MassProperties) -> Iterator[str]:
    default = MassProperties()
    if mp.mass != default.mass:
        yield f"mass = {number(mp.mass)}"
    if mp.com != default.com:
        yield f"com = {vector(mp.com)}"
    entries = {key: getattr(mp.inertia, key) for key in ("xx", "yy", "zz", "xy", "xz", "yz")}
    parts = [f"{key} = {number(value)}" for key, value in entries.items() if value != 0]
    if mp.about != default.about:
        parts.append(f"about = {quoted(mp.about)}")
    if mp.rpy != default.rpy:
        parts.append(f"rpy = {vector(mp.rpy)}")
    if parts:
        yield f"inertia = {{ {', '.join(parts)} }}"


def _joint(joint: Joint) -> Iterator[str]:
    yield f"name = {quoted(joint.name)}"
    yield f"kind = {quoted(joint.kind)}"
    yield from _placement(joint.placement)
    if joint.axis != Vec3(0, 0, 1):
        yield f"axis = {vector(joint.axis)}"
    if joint.pitch != 0:
        yield f"pitch = {number(joint.pitch)}"
    if joint.limits != Limits():
        yield f"limits = {_fields(joint.limits, Limits())}"
    if joint.friction is not None:
        yield f"friction = {_fields(joint.friction, Friction())}"
    if joint.motor is not None:
        yield f"motor = {_motor(joint.motor)}"
    if joint.coupling is not None:
        yield f"coupling = {_ratios(joint.coupling)}"
    if joint.offset != 0:
        yield f"offset = {number(joint.offset)}"
    if joint.locked is not None:
        yield f"locked = {number(joint.locked)}"
    if joint.force is not None:
        yield f"force = {quoted(joint.force)}"


def _motor(motor: Motor) -> str:
    also = f", also = {_ratios(motor.also)}" if motor.also else ""
    return f"{{ inertia = {number(motor.inertia)}, gear = {number(motor.gear)}{also} }}"


def _placement(placement: Placement) -> Iterator[str]:
    default = Placement()
    if placement.xyz != default.xyz:
        yield f"xyz = {vector(placement.xyz)}"
    if placement.rpy != default.rpy:
        yield f"rpy = {vector(placement.rpy)}"


def _fields(part: Limits | Friction, default: Limits | Friction) -> str:
    names = [name for name in part.__dataclass_fields__ if getattr(part, name) != getattr(default, name)]
    inside = ", ".join(f"{name} = {number(getattr(part, name))}" for name in names)
    return f"{{ {inside} }}" if inside else "{}"


def _ratios(pairs: Iterable[tuple[str, Quantity]]) -> str:
    return "{ " + ", ".join(f"{quoted(name)} = {number(ratio)}" for name, ratio in pairs) + " }"


def number(quantity: Quantity) -> str:
    """A TOML value: a literal where TOML has one, a quoted expression otherwise."""
    if isinstance(quantity, Expression | Fraction):
        return quoted(format_quantity(quantity))
    return repr(quantity)


def vector(v: Vec3) -> str:
    return f"[{', '.join(number(part) for part in v)}]"


def quoted(text: str) -> str:
    """A TOML basic string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in escaped) + '"'
