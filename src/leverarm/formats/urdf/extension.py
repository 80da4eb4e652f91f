"""What URDF cannot express: <leverarm> elements, which other readers of URDF skip.

    <robot>  <leverarm gravity="0 0 -9.81" title="" source="" licence=""> <coordinate name=""/> ... </leverarm>
    <joint>  <leverarm viscous_negative="" coulomb_negative="" smoothing="" offset="" rotor_inertia="" gear=""
                       motor_viscous="" motor_coulomb="" spring_stiffness="" spring_rest="">
                 <also joint="" ratio=""/> ... </leverarm>
    <joint>  <leverarm role="frame"/> or <leverarm role="base"/>

Gravity [m/s^2]; the coordinates in the order of q, where it is not the order of the joints; the asymmetric, smooth and
constant parts of friction, beside <dynamics>; the motor and the friction on its shaft; the spring; and which fixed
joints are none of the arm's own but stand for a named frame or for the placement of the base.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from leverarm.errors import unknown_name
from leverarm.formats.xml_tree import XmlElement
from leverarm.model import SHAFT_LAWS, Arm, Friction, Joint, Motor, Quantity, Spring, free_joints, to_float
from leverarm.model.arm import STANDARD_GRAVITY
from leverarm.model.friction import FRICTION_NUMBERS, NO_FRICTION
from leverarm.scalars import Number
from leverarm.spatial import Vec3

TAG = "leverarm"
ROLES = ("frame", "base")
DYNAMICS = {"damping": "viscous", "friction": "coulomb"}
"""The attributes of <dynamics>, and the numbers of friction that they are."""
BEYOND_DYNAMICS = tuple(name for name in FRICTION_NUMBERS if name not in DYNAMICS.values())
_SHAFT = {f"motor_{law.name}": law.name for law in SHAFT_LAWS}
_SPRING = {"spring_stiffness": "stiffness", "spring_rest": "rest"}
_JOINT_ATTRIBUTES = (*BEYOND_DYNAMICS, "rotor_inertia", "gear", *_SHAFT, *_SPRING, "role")
_ROBOT_TEXTS = ("title", "source", "licence")
_NOTHING = XmlElement(TAG, {})
_STANDARD = (0.0, 0.0, -STANDARD_GRAVITY)


def read_settings(robot: XmlElement) -> dict[str, Any]:
    """Gravity, credits, and the coordinates where their order is not that of the joints, as fields of an arm."""
    extension = _known(robot.one(TAG), ("gravity", *_ROBOT_TEXTS), "coordinate")
    return {
        "gravity": Vec3(*extension.three_numbers("gravity", _STANDARD)),
        "coordinates": tuple(element.required("name") for element in extension.all("coordinate")),
        **{name: extension.attributes.get(name, "") for name in _ROBOT_TEXTS},
    }


def read_role(joint: XmlElement) -> str | None:
    """Whether a fixed joint stands for a named frame or for the placement of the base."""
    extension = _joint_extension(joint)
    role = extension.attributes.get("role")
    if role is not None and role not in ROLES:
        raise extension.error(unknown_name("role", role, ROLES))
    return role


def read_friction(joint: XmlElement) -> Friction | None:
    """<dynamics> and what goes beyond it; None where all of it is zero."""
    dynamics = joint.one("dynamics") or _NOTHING
    extension = _joint_extension(joint)
    given = {name: extension.number(name) for name in BEYOND_DYNAMICS if name in extension.attributes}
    plain = {name: dynamics.magnitude(attribute, 0.0) for attribute, name in DYNAMICS.items()}
    return Friction(**plain, **given) if given or any(plain.values()) else None


def read_motor(joint: XmlElement) -> Motor | None:
    extension = _joint_extension(joint)
    if "rotor_inertia" not in extension.attributes:
        return None
    also = tuple((other.required("joint"), other.number("ratio")) for other in extension.all("also"))
    friction = {field: extension.magnitude(name) for name, field in _SHAFT.items() if name in extension.attributes}
    return Motor(extension.magnitude("rotor_inertia"), extension.number("gear", 1.0), also, **friction)


def read_spring(joint: XmlElement) -> Spring | None:
    extension = _joint_extension(joint)
    if "spring_stiffness" not in extension.attributes:
        return None
    return Spring(extension.number("spring_stiffness"), extension.number("spring_rest", 0.0))


def robot_extension(arm: Arm) -> tuple[XmlElement, ...]:
    """Gravity, texts and the order of the coordinates, where they are not what a reader would assume."""
    attributes = {name: getattr(arm, name) for name in _ROBOT_TEXTS if getattr(arm, name)}
    if not has_standard_gravity(arm):
        attributes = {"gravity": format_numbers(arm.gravity, arm.defaults), **attributes}
    order = () if arm.coordinates == free_joints(arm.bodies) else arm.coordinates
    return _unless_empty(attributes, tuple(XmlElement("coordinate", {"name": name}) for name in order))


def has_standard_gravity(arm: Arm) -> bool:
    """Whether gravity is what a reader assumes where a file does not say."""
    return tuple(to_float(part, arm.defaults) for part in arm.gravity) == _STANDARD


def joint_extension(joint: Joint, values: Mapping[str, Number]) -> tuple[XmlElement, ...]:
    """Friction beyond <dynamics>, the motor, and the spring."""
    attributes: dict[str, str] = {}
    also: tuple[XmlElement, ...] = ()
    if joint.friction is not None and (joint.motor is not None or not joint.is_fixed):
        attributes |= {name: format_number(x, values) for name, x in beyond_dynamics(joint.friction).items()}
    if joint.motor is not None:
        attributes["rotor_inertia"] = format_number(joint.motor.inertia, values)
        attributes["gear"] = format_number(joint.motor.gear, values)
        shaft = {name: getattr(joint.motor, field) for name, field in _SHAFT.items()}
        attributes |= {name: format_number(x, values) for name, x in shaft.items() if x != 0}
        also = tuple(
            XmlElement("also", {"joint": name, "ratio": format_number(ratio, values)})
            for name, ratio in joint.motor.also
        )
    if joint.spring is not None and not joint.is_fixed:
        spring = {name: getattr(joint.spring, field) for name, field in _SPRING.items()}
        attributes |= {name: format_number(x, values) for name, x in spring.items()}
    return _unless_empty(attributes, also)


def beyond_dynamics(friction: Friction) -> dict[str, Quantity]:
    """The numbers of friction for which <dynamics> has no place, where they are not what they are by default."""
    return {name: x for name in BEYOND_DYNAMICS if (x := getattr(friction, name)) != getattr(NO_FRICTION, name)}


def format_number(quantity: Quantity, values: Mapping[str, Number]) -> str:
    """The shortest decimal that reads back as the same float."""
    return repr(to_float(quantity, values) + 0.0).removesuffix(".0")


def format_numbers(vector: Vec3, values: Mapping[str, Number]) -> str:
    return " ".join(format_number(part, values) for part in vector)


def _unless_empty(attributes: Mapping[str, str], children: tuple[XmlElement, ...]) -> tuple[XmlElement, ...]:
    return (XmlElement(TAG, attributes, children),) if attributes or children else ()


def _joint_extension(joint: XmlElement) -> XmlElement:
    return _known(joint.one(TAG), _JOINT_ATTRIBUTES, "also")


def _known(extension: XmlElement | None, attributes: tuple[str, ...], child: str) -> XmlElement:
    """The extension, after a check that all of its attributes and elements are known."""
    if extension is None:
        return _NOTHING
    for name in extension.attributes:
        if name not in attributes:
            raise extension.error(f"<{TAG}>: " + unknown_name("attribute", name, attributes))
    for element in extension.children:
        if element.tag != child:
            raise element.error(f"<{TAG}>: " + unknown_name("element", element.tag, (child,)))
    return extension
