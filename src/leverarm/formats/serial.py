"""An arm as one chain of moving links, in numbers: what DH tables and tables of screws are computed from."""

from __future__ import annotations

import math
from collections.abc import Container
from dataclasses import dataclass, replace
from typing import TypeVar

from leverarm.errors import FormatError
from leverarm.formats.rigid import has_symbols
from leverarm.model import Arm, Friction, Joint, Limits, MassProperties, Placement, Quantity, Spring, bind, to_float
from leverarm.model.parts import MOTOR_NUMBERS
from leverarm.spatial import ORIGIN, Inertia, Pose, Symmetric3, Vec3, point_inertia

_ROUNDING = 1e-15
Settings = TypeVar("Settings", Limits, Friction, Spring)


@dataclass(frozen=True, slots=True)
class SerialLink:
    """A moving link: its joint without symbols, where it is when all joints are at zero, and its axis there."""

    name: str
    joint: Joint
    base_from_link: Pose
    axis: Vec3
    """Unit vector in base axes."""
    slide: float
    inertia: Inertia
    """About the link's origin, in link axes; fixed bodies included."""


@dataclass(frozen=True, slots=True)
class SerialFrame:
    """A named frame on a link, counted from 1; link 0 is the base."""

    name: str
    link: int
    base_from_frame: Pose
    """With all joints at zero."""


@dataclass(frozen=True, slots=True)
class SerialChain:
    """The links from base to tip, the tool and the other named frames, gravity and base without symbols."""

    links: tuple[SerialLink, ...]
    tool: SerialFrame
    frames: tuple[SerialFrame, ...]
    gravity: Vec3
    base: Placement
    world_from_base: Pose
    size: float
    """A length of the arm's own scale [m]."""


def serial_chain(arm: Arm, form: str) -> SerialChain:
    """The arm as a chain, symbols at their defaults. Raises FormatError where it is none; `form` says what for."""
    mechanism = bind(arm)
    joints = {body.joint.name: body.joint for body in arm.bodies}
    for i, link in enumerate(mechanism.links):
        if link.parent != i - 1:
            raise _refusal(arm, form, f"body {link.name!r} branches off; only a chain of bodies can be")
        if joints[link.joint].coupling is not None:
            raise _refusal(arm, form, f"joint {link.joint!r} is coupled to others; only independent joints can be")
    moving = [link.joint for link in mechanism.links]
    for joint in joints.values():
        if joint.is_fixed and joint.motor and any(name in moving for name, _ in joint.motor.also):
            raise _refusal(arm, form, f"the motor of the fixed joint {joint.name!r} turns with others; that cannot be")
    world_from_base = mechanism.attachments[arm.base].pose
    here = base_from_world = world_from_base.inverse()
    homes, links = [], []
    for link in mechanism.links:
        here = here * link.placement
        homes.append(here)
        joint = _settled_joint(arm, joints[link.joint], moving)
        name = link.name if link.name != "tool" else "tool_link"
        axis = here.rotation @ link.axis
        links.append(SerialLink(name, joint, here, axis, float(link.slide), link.inertia))
    skipped = {arm.base, *(link.name for link in mechanism.links)}
    frames = {
        name: SerialFrame(name, at.link + 1, (homes[at.link] if at.link >= 0 else base_from_world) * at.pose)
        for name, at in mechanism.attachments.items()
    }
    tool = frames.get("tool", frames[arm.tool])
    positions = [home.position for home in homes] + [frame.base_from_frame.position for frame in frames.values()]
    return SerialChain(
        links=tuple(links),
        tool=replace(tool, name="tool"),
        frames=tuple(frame for name, frame in frames.items() if name not in skipped and name != "tool"),
        gravity=_settled_vector(arm, arm.gravity),
        base=Placement(_settled_vector(arm, arm.base_placement.xyz), _settled_vector(arm, arm.base_placement.rpy)),
        world_from_base=world_from_base,
        size=max((abs(x) for p in positions for x in p), default=0) or 1.0,
    )


def settled(arm: Arm, quantity: Quantity) -> Quantity:
    """The quantity with its symbols at their defaults; without symbols it stays as it is written."""
    return to_float(quantity, arm.defaults) if has_symbols(quantity) else quantity


def _settled_vector(arm: Arm, vector: Vec3) -> Vec3:
    return Vec3(*(settled(arm, part) for part in vector))


def about_com(inertia: Inertia, frame_from_link: Pose) -> MassProperties:
    """The mass properties in another frame, the tensor about the centre of mass; rounding noise is removed."""
    if inertia.m == 0:
        return MassProperties(0, ORIGIN, _tidy_tensor(inertia.I.rotated(frame_from_link.rotation), inertia.I))
    com = Vec3(*(float(x) / float(inertia.m) for x in inertia.h))
    central = (inertia.I - point_inertia(com) * inertia.m).rotated(frame_from_link.rotation)
    scale = max(abs(x) for x in (*com, *frame_from_link.position))
    moved = Vec3(*(tidy(x, scale) for x in frame_from_link @ com))
    return MassProperties(float(inertia.m), moved, _tidy_tensor(central, inertia.I))


def tidy(x: float, scale: float) -> Quantity:
    """A float without rounding noise: the decimal of 12 digits that it nearly is, for numbers of this scale."""
    if not math.isfinite(scale) or not math.isfinite(x):
        raise FormatError("a number of the arm is too large to be written as a table.")
    if scale == 0:
        return 0
    near = round(float(x), 12 - math.floor(math.log10(scale)))
    if abs(near - x) > _ROUNDING * scale:
        return float(x)
    return near if near else 0


def _tidy_tensor(tensor: Symmetric3, about_origin: Symmetric3) -> Symmetric3:
    """Noise is judged by the moments about the origin, which the central ones are small differences of."""
    scale = max(abs(about_origin.xx), abs(about_origin.yy), abs(about_origin.zz))
    t = tensor
    return Symmetric3(*(tidy(x, scale) for x in (t.xx, t.xy, t.yy, t.xz, t.yz, t.zz)))


def _settled_joint(arm: Arm, joint: Joint, moving: list[str]) -> Joint:
    motor = joint.motor and replace(
        joint.motor,
        **{name: settled(arm, getattr(joint.motor, name)) for name in MOTOR_NUMBERS},
        also=tuple((name, settled(arm, ratio)) for name, ratio in joint.motor.also if name in moving),
    )
    friction = joint.friction and _settled_fields(arm, joint.friction)
    return Joint(
        joint.name,
        joint.kind,
        limits=_settled_fields(arm, joint.limits),
        friction=friction,
        motor=motor,
        spring=joint.spring and _settled_fields(arm, joint.spring),
        force=joint.force,
        pitch=settled(arm, joint.pitch),
    )


def _settled_fields(arm: Arm, part: Settings) -> Settings:
    values = {name: getattr(part, name) for name in part.__dataclass_fields__}
    return replace(part, **{name: settled(arm, x) for name, x in values.items() if x is not None})


def _refusal(arm: Arm, form: str, reason: str) -> FormatError:
    return FormatError(f"arm {arm.name!r}: {reason} written as {form}. Write TOML (.toml) or URDF (.urdf) instead.")


def unused_name(name: str, taken: Container[str]) -> str:
    """The name itself, or the first of name_2, name_3, ... that is not taken."""
    if name not in taken:
        return name
    number = 2
    while f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}"
