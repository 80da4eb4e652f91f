"""URDF text as an arm on a fixed base. Meshes, visuals, collisions, transmissions and simulator tags are not read.

The root link is the base; its inertia never moves and is left out. A link on a fixed joint stays a body, so its frame
keeps its name. Links and joints must form one tree from one root, and mimics must end at a free joint. What URDF cannot
express is in `extension`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping

from leverarm.errors import ArmError, unknown_name
from leverarm.formats.follower import Follower, resolve
from leverarm.formats.urdf.extension import read_friction, read_motor, read_role, read_settings, read_spring
from leverarm.formats.xml_tree import XmlElement, parse_xml, walk
from leverarm.model import Arm, Body, Frame, Joint, JointKind, Limits, MassProperties, Placement
from leverarm.spatial import Symmetric3, Vec3

Named = Mapping[str, XmlElement]


def by_name(robot: XmlElement, tag: str) -> dict[str, XmlElement]:
    """The links or the joints of a robot by name, in the order of the text."""
    found: dict[str, XmlElement] = {}
    for element in robot.all(tag):
        name = element.required("name")
        if name in found:
            raise element.error(
                f"a second {tag} is named {name!r}; the first is in line {found[name].line}. "
                "Give each a name of its own."
            )
        found[name] = element
    return found


def parent_of(joint: XmlElement) -> str:
    return joint.required_child("parent").required("link")


def child_of(joint: XmlElement) -> str:
    return joint.required_child("child").required("link")


def root_of(robot: XmlElement, links: Named, joints: Named) -> str:
    """The link that no joint moves. Raises FormatError unless every link hangs on it by exactly one path."""
    if not links:
        raise robot.error("<robot> has no <link>; an arm needs a base and at least one moving link.")
    carrier: dict[str, str] = {}
    for name, joint in joints.items():
        for end in (joint.required_child("parent"), joint.required_child("child")):
            if end.required("link") not in links:
                raise end.error(f"joint {name!r}: " + unknown_name("link", end.required("link"), links))
        child = child_of(joint)
        if child in carrier:
            first = carrier[child]
            raise joint.error(
                f"link {child!r} is the child of joint {name!r} and of joint {first!r} (line {joints[first].line}). "
                "An arm is a tree, so a link has one parent: remove one of the joints, or cut the loop."
            )
        carrier[child] = name
    roots = [name for name in links if name not in carrier]
    if len(roots) > 1:
        raise links[roots[1]].error(
            f"{len(roots)} links have no parent: {', '.join(map(repr, roots[:10]))}. An arm has one root: connect the "
            "others with joints (type fixed where nothing moves), or remove them."
        )
    _check_no_cycle(links, joints, carrier, roots)
    return roots[0]


def _check_no_cycle(links: Named, joints: Named, carrier: Mapping[str, str], roots: list[str]) -> None:
    children: dict[str, list[str]] = {name: [] for name in links}
    for joint in joints.values():
        children[parent_of(joint)].append(child_of(joint))
    reached, waiting = set(roots), list(roots)
    while waiting:
        below = children[waiting.pop()]
        reached.update(below)
        waiting.extend(below)
    stray = [name for name in links if name not in reached]
    if stray:
        raise joints[carrier[stray[0]]].error(
            f"the links {', '.join(map(repr, stray[:10]))} form a cycle with no root. Remove the joint that closes it."
        )


def resolve_mimics(joints: Named) -> dict[str, Follower]:
    """For each moving joint with a <mimic>: the free joint at the end of the chain, with the ratios multiplied up."""
    followers: dict[str, Follower] = {}
    for name, joint in joints.items():
        mimic = joint.one("mimic")
        if mimic is None or _is_fixed(joint):
            continue
        leader = mimic.required("joint")
        if leader not in joints:
            raise mimic.error(f"joint {name!r} mimics an unknown joint: " + unknown_name("joint", leader, joints))
        if _is_fixed(joints[leader]):
            raise mimic.error(f"joint {name!r} mimics {leader!r}, which is fixed; make it mimic a joint that moves.")
        followers[name] = Follower(leader, mimic.number("multiplier", 1.0), mimic.number("offset", 0.0))
    resolved = resolve(followers)
    circle = next((name for name in followers if name not in resolved), None)
    if circle is not None:
        raise joints[circle].error(
            f"joint {circle!r} mimics {followers[circle].leader!r}, and the chain of mimics is a cycle. "
            "Remove the <mimic> of the joint that is driven."
        )
    return resolved


def _is_fixed(joint: XmlElement) -> bool:
    return joint.attributes.get("type") == "fixed"


UNLIMITED = 1e300
"""A limit at least this large is none: URDF demands numbers even where there is no limit."""

_ZERO = (0.0, 0.0, 0.0)
_KINDS = {kind.traits.urdf: kind for kind in JointKind if kind.traits.urdf}
_REFUSED = {
    "floating": "leverarm reads arms on a fixed base: make the joint fixed, or remove it and its parent link",
    "planar": "leverarm's joints have one degree of freedom: write it as two prismatic joints and a revolute one, with "
    "links without <inertial> between them",
}


def arm_from_urdf(text: str, file: str | None = None) -> Arm:
    """The arm that a URDF text describes. Raises FormatError with file and line.

    Coordinates come in the order of the joints in the text, parents first. A joint that mimics is coupled to the
    coordinate at the end of its chain of mimics. No tool frame is invented.
    """
    robot = parse_xml(text, file)
    _check_is_urdf(robot)
    links, joints = by_name(robot, "link"), by_name(robot, "joint")
    root = root_of(robot, links, joints)
    roles = _roles(root, links, joints)
    base_joint = next((joints[name] for name, role in roles.items() if role == "base"), None)
    mimics = resolve_mimics(joints)
    try:
        return Arm(
            name=robot.required("name"),
            bodies=tuple(_body(name, joints, links, mimics) for name in joints if name not in roles),
            base=root if base_joint is None else child_of(base_joint),
            base_placement=Placement() if base_joint is None else _placement(base_joint),
            named_frames=tuple(
                Frame(child_of(joints[name]), parent_of(joints[name]), _placement(joints[name]))
                for name, role in roles.items()
                if role == "frame"
            ),
            **read_settings(robot),
        )
    except ArmError as problem:
        kind, name = problem.part or ("", "")
        about = {"joint": joints, "body": links}.get(kind, {}).get(name, robot)
        raise about.error(str(problem)) from None


def _check_is_urdf(robot: XmlElement) -> None:
    if robot.tag != "robot":
        remedy = {
            "mujoco": "This is MJCF: read it as such (with the extra leverarm[mjcf]).",
            "sdf": "This is SDF, which is not read; export the robot as URDF.",
        }
        raise robot.error(
            f"the outermost element is <{robot.tag}>; a URDF has <robot>. " + remedy.get(robot.tag, "Check the file.")
        )
    for element in walk(robot):
        unfinished = [text for text in element.attributes.values() if "${" in text or "$(arg" in text]
        if element.tag.startswith("xacro:") or unfinished:
            what = f"<{element.tag}>" if element.tag.startswith("xacro:") else repr(unfinished[0][:60])
            raise element.error(f"{what} is xacro, which is not yet URDF. Run first: xacro robot.xacro > robot.urdf")


def _roles(root: str, links: Named, joints: Named) -> dict[str, str]:
    """The fixed joints that stand for a named frame or for the placement of the base, as `writer` marks them.

    A mark counts only where it still fits: a frame has no mass and carries nothing, the base's parent nothing else.
    """
    parents = Counter(parent_of(joint) for joint in joints.values())
    roles: dict[str, str] = {}
    for name, joint in joints.items():
        role, link = read_role(joint), links[child_of(joint)]
        if joint.attributes.get("type") != "fixed":
            continue
        is_bare = child_of(joint) not in parents and link.one("inertial") is None
        is_only = parent_of(joint) == root and parents[root] == 1
        if (role == "frame" and is_bare) or (role == "base" and is_only):
            roles[name] = role
    return roles


def _body(name: str, joints: Named, links: Named, mimics: dict[str, Follower]) -> Body:
    joint = joints[name]
    child = child_of(joint)
    return Body(child, parent_of(joint), _joint(name, joint, mimics.get(name)), _mass_properties(links[child]))


def _joint(name: str, joint: XmlElement, mimic: Follower | None) -> Joint:
    kind = _kind(name, joint)
    if not kind.moves:
        motor = read_motor(joint)  # it may turn with other joints, with friction that is smooth
        friction = None if motor is None else read_friction(joint)
        return Joint(name, kind, _placement(joint), friction=friction, motor=motor)
    return Joint(
        name=name,
        kind=kind,
        placement=_placement(joint),
        axis=_axis(joint),
        limits=_limits(joint, kind),
        friction=read_friction(joint),
        motor=read_motor(joint),
        spring=read_spring(joint),
        coupling=None if mimic is None or mimic.leader is None else ((mimic.leader, mimic.ratio),),
        offset=0 if mimic is None else mimic.offset,
    )


def _kind(name: str, joint: XmlElement) -> JointKind:
    given = joint.required("type")
    if given in _REFUSED:
        raise joint.error(f"joint {name!r} is {given}; {_REFUSED[given]}.")
    if given not in _KINDS:
        raise joint.error(f"joint {name!r}: " + unknown_name("joint type", given, _KINDS))
    return _KINDS[given]


def _placement(element: XmlElement) -> Placement:
    origin = element.one("origin")
    if origin is None:
        return Placement()
    return Placement(Vec3(*origin.three_numbers("xyz", _ZERO)), Vec3(*origin.three_numbers("rpy", _ZERO)))


def _axis(joint: XmlElement) -> Vec3:
    """The axis in the joint frame; URDF's is x where none is given."""
    axis = joint.one("axis")
    direction = (1.0, 0.0, 0.0) if axis is None else axis.three_numbers("xyz", (1.0, 0.0, 0.0))
    if axis is not None and math.hypot(*direction) < 1e-9:
        raise axis.error('the axis has length zero; give a direction such as xyz="0 0 1".')
    return Vec3(*direction)


def _limits(joint: XmlElement, kind: JointKind) -> Limits:
    """The limits; a continuous joint has none of position, and in others a missing one of the two is zero."""
    limit = joint.one("limit")
    if limit is None:
        return Limits()
    has_range = not kind.traits.is_endless and ("lower" in limit.attributes or "upper" in limit.attributes)
    lower, upper = (_limit(limit, name) if name in limit.attributes else 0.0 for name in ("lower", "upper"))
    if has_range and lower is not None and upper is not None and lower > upper:
        raise limit.error(f"the lower limit {lower!r} is above the upper limit {upper!r}; exchange them.")
    return Limits(
        lower if has_range else None, upper if has_range else None, _limit(limit, "velocity"), _limit(limit, "effort")
    )


def _limit(limit: XmlElement, name: str) -> float | None:
    text = limit.attributes.get(name)
    if text is None or text.strip().lower().lstrip("+-") in ("inf", "infinity"):
        return None
    value = limit.number(name)
    return None if abs(value) >= UNLIMITED else value


def _mass_properties(link: XmlElement) -> MassProperties:
    """Mass, centre of mass and the tensor about it; a link without <inertial> has no mass."""
    inertial = link.one("inertial")
    if inertial is None:
        return MassProperties()
    origin = _placement(inertial)
    tensor = inertial.required_child("inertia")
    entries = (tensor.number(f"i{entry}") for entry in ("xx", "xy", "yy", "xz", "yz", "zz"))
    mass = inertial.required_child("mass").magnitude("value")
    return MassProperties(mass, origin.xyz, Symmetric3(*entries), "com", origin.rpy)
