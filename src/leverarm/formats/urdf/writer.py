"""An arm as URDF text, every number in full precision. Symbols take their default values.

Locked joints become fixed ones at the locked pose, named frames become links without mass, and a base away from the
world's origin is fixed to a link for the world. What URDF cannot express is in `extension`; a comment at the top of the
file says what other programs will not see.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from leverarm.errors import FormatError
from leverarm.formats.rigid import placement_from_pose
from leverarm.formats.serial import unused_name
from leverarm.formats.urdf.extension import (
    DYNAMICS,
    TAG,
    beyond_dynamics,
    format_number,
    format_numbers,
    has_standard_gravity,
    joint_extension,
    robot_extension,
)
from leverarm.formats.urdf.reader import UNLIMITED
from leverarm.formats.xml_tree import XmlElement, format_xml
from leverarm.model import (
    Arm,
    Body,
    Frame,
    Joint,
    JointKind,
    MassProperties,
    Placement,
    Quantity,
    Valuation,
    free_joints,
    to_float,
)
from leverarm.scalars import FLOAT
from leverarm.spatial import IDENTITY, NO_SYMMETRIC3, ORIGIN, Pose, Symmetric3, Vec3, point_inertia, rotation_about


def unseen_by_others(arm: Arm) -> tuple[str, ...]:
    """What only <leverarm> elements express and affects the motion, in words; empty where URDF expresses all of it."""
    found = []
    if not has_standard_gravity(arm):
        found.append(f"gravity ({format_numbers(arm.gravity, arm.defaults).replace(' ', ', ')}) m/s^2")
    found += _of_joints(arm, "the rotor inertia at", lambda j: j.motor is not None and j.motor.inertia != 0)
    on_shaft = "friction on the motor's shaft at"
    found += _of_joints(arm, on_shaft, lambda j: j.motor is not None and j.motor.has_friction)
    found += _of_joints(arm, "friction that is constant, smooth or differs by direction at", _is_more_than_dynamics)
    found += _of_joints(arm, "the spring at", _has_spring)
    if arm.coordinates != free_joints(arm.bodies):
        found.append(f"the order {', '.join(arm.coordinates)} of the coordinates")
    return tuple(found)


def _of_joints(arm: Arm, what: str, has_it: Callable[[Joint], bool]) -> list[str]:
    names = [body.joint.name for body in arm.bodies if has_it(body.joint)]
    return [f"{what} {', '.join(names)}"] if names else []


def _has_spring(joint: Joint) -> bool:
    return joint.spring is not None and not joint.is_fixed


def _is_more_than_dynamics(joint: Joint) -> bool:
    """Whether friction goes beyond the damping and the friction of <dynamics>."""
    return joint.friction is not None and not joint.is_fixed and bool(beyond_dynamics(joint.friction))


def urdf_from_arm(arm: Arm) -> str:
    """The URDF text of an arm; `arm_from_urdf` reads it back to one with the same coordinates, forces and frames.

    Raises FormatError for what URDF cannot express: helical joints, and joints that follow several coordinates.
    """
    valuation = Valuation.of(arm, FLOAT, {})
    links = [_link(arm.base)]
    joints: list[XmlElement] = []
    taken = {body.joint.name for body in arm.bodies}
    if _origin(arm.base_placement, valuation):
        world = unused_name("world", set(arm.frames))
        links.insert(0, _link(world))
        joints.append(_mark("base", Frame(arm.base, world, arm.base_placement), taken, valuation))
    for body in arm.bodies:
        links.append(_link(body.name, *_inertial(body.mass_properties, valuation)))
        joints.append(_joint(arm, body, valuation))
    for frame in arm.named_frames:
        links.append(_link(frame.name))
        joints.append(_mark("frame", frame, taken, valuation))
    return format_xml(XmlElement("robot", {"name": arm.name}, (*robot_extension(arm), *links, *joints)), _remark(arm))


def _remark(arm: Arm) -> str:
    unseen = "; ".join(unseen_by_others(arm))
    return f"Programs other than leverarm skip its elements, and with them: {unseen}." if unseen else ""


def _link(name: str, *inertial: XmlElement) -> XmlElement:
    return XmlElement("link", {"name": name}, inertial)


def _mark(role: str, frame: Frame, taken: set[str], valuation: Valuation) -> XmlElement:
    """A fixed joint that is none of the arm's own."""
    name = unused_name(f"{frame.body}_to_{frame.name}", taken)
    taken.add(name)
    return _joint_element(name, "fixed", frame, valuation, XmlElement(TAG, {"role": role}))


def _joint(arm: Arm, body: Body, valuation: Valuation) -> XmlElement:
    joint = body.joint
    extension = joint_extension(joint, arm.defaults)
    if joint.is_fixed:
        frame = Frame(body.name, body.parent, _fixed_placement(joint, valuation))
        return _joint_element(joint.name, "fixed", frame, valuation, *extension)
    if joint.kind.traits.urdf is None:
        raise FormatError(
            f"arm {arm.name!r}: joint {joint.name!r} is {joint.kind}, and URDF has no such joints. "
            "Write the arm as TOML, or lock the joint."
        )
    # A revolute joint must have a range in URDF; one without is there called continuous.
    has_range = joint.limits.lower is not None or joint.limits.upper is not None
    kind = JointKind.CONTINUOUS if joint.kind is JointKind.REVOLUTE and not has_range else joint.kind
    parts = [XmlElement("axis", {"xyz": format_numbers(_unit(joint.axis, valuation), {})})]
    parts += _limit(joint, kind, valuation)
    if joint.friction is not None:
        plain = {attribute: getattr(joint.friction, name) for attribute, name in DYNAMICS.items()}
        parts.append(XmlElement("dynamics", _numbers(valuation, **plain)))
    parts += _mimic(arm, joint, valuation)
    frame = Frame(body.name, body.parent, joint.placement)
    return _joint_element(joint.name, str(kind.traits.urdf), frame, valuation, *parts, *extension)


def _joint_element(name: str, kind: str, frame: Frame, valuation: Valuation, *parts: XmlElement) -> XmlElement:
    ends = (XmlElement("parent", {"link": frame.body}), XmlElement("child", {"link": frame.name}))
    return XmlElement("joint", {"name": name, "type": kind}, (*_origin(frame.placement, valuation), *ends, *parts))


def _fixed_placement(joint: Joint, valuation: Valuation) -> Placement:
    """Where a joint without freedom holds its body: its placement, moved on to where it is locked."""
    if joint.locked is None or joint.locked == 0:
        return joint.placement
    axis = valuation.direction(joint.axis)
    rotation = rotation_about(axis, *valuation.angle(joint.locked)) if joint.kind.turns else IDENTITY
    moved = Pose(rotation, axis * (valuation.advance(joint) * valuation.number(joint.locked)))
    return placement_from_pose(valuation.pose(joint.placement) * moved)


def _unit(axis: Vec3, valuation: Valuation) -> Vec3:
    """The axis with length one; unchanged where it has that already, so that it stays the same from file to file."""
    given = Vec3(*(to_float(part, valuation.defaults) for part in axis))
    return given if abs(math.hypot(*given) - 1) < 1e-15 else valuation.direction(axis)


def _limit(joint: Joint, kind: JointKind, valuation: Valuation) -> list[XmlElement]:
    """All four numbers, as readers of URDF demand them; UNLIMITED where the arm has none."""
    limits = joint.limits
    rates = {"effort": limits.effort, "velocity": limits.velocity}
    if kind.traits.is_endless:
        if limits.effort is None and limits.velocity is None:
            return []
        bounds: dict[str, Quantity] = {}
    else:
        bounds = {
            "lower": -UNLIMITED if limits.lower is None else limits.lower,
            "upper": UNLIMITED if limits.upper is None else limits.upper,
        }
    bounds |= {name: UNLIMITED if value is None else value for name, value in rates.items()}
    return [XmlElement("limit", _numbers(valuation, **bounds))]


def _mimic(arm: Arm, joint: Joint, valuation: Valuation) -> list[XmlElement]:
    if joint.coupling is None:
        return []
    free = free_joints(arm.bodies)
    followed = [name for name, _ in joint.coupling]
    if len(followed) != 1 or followed[0] not in free:
        raise FormatError(
            f"arm {arm.name!r}: joint {joint.name!r} follows {', '.join(followed) or 'no coordinate'}. In URDF a joint "
            f"follows exactly one other joint that moves freely ({', '.join(free[:10]) or 'here there is none'}). "
            "Write the arm as TOML."
        )
    ((name, ratio),) = joint.coupling
    return [XmlElement("mimic", {"joint": name} | _numbers(valuation, multiplier=ratio, offset=joint.offset))]


def _inertial(mp: MassProperties, valuation: Valuation) -> list[XmlElement]:
    """Mass, centre of mass and the tensor about it; nothing for a body without."""
    tensor = _symmetric(mp.inertia, valuation)
    mass = to_float(mp.mass, valuation.defaults)
    if mass == 0 and tensor == NO_SYMMETRIC3:
        return []
    if mp.about == "origin":
        com = valuation.pose(Placement(ORIGIN, mp.rpy)).rotation.transpose_apply(valuation.vector(mp.com))
        tensor = tensor - point_inertia(com) * mass
    entries = {f"i{entry}": getattr(tensor, entry) for entry in ("xx", "xy", "xz", "yy", "yz", "zz")}
    parts = (
        *_origin(Placement(mp.com, mp.rpy), valuation),
        XmlElement("mass", _numbers(valuation, value=mass)),
        XmlElement("inertia", _numbers(valuation, **entries)),
    )
    return [XmlElement("inertial", {}, parts)]


def _symmetric(tensor: Symmetric3, valuation: Valuation) -> Symmetric3:
    entries = (tensor.xx, tensor.xy, tensor.yy, tensor.xz, tensor.yz, tensor.zz)
    return Symmetric3(*(valuation.number(entry) for entry in entries))


def _origin(placement: Placement, valuation: Valuation) -> list[XmlElement]:
    values = valuation.defaults
    parts = {"xyz": placement.xyz, "rpy": placement.rpy}
    given = {name: format_numbers(v, values) for name, v in parts.items() if not _is_zero(v, valuation)}
    return [XmlElement("origin", given)] if given else []


def _numbers(valuation: Valuation, **quantities: Quantity) -> dict[str, str]:
    return {name: format_number(quantity, valuation.defaults) for name, quantity in quantities.items()}


def _is_zero(v: Vec3, valuation: Valuation) -> bool:
    return all(to_float(part, valuation.defaults) == 0 for part in v)
