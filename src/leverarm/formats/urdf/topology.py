"""How the links and joints of a URDF hang together: one tree from one root, and mimics that end at a free joint."""

from __future__ import annotations

from collections.abc import Mapping

from leverarm.errors import unknown_name
from leverarm.formats.follower import Follower, resolve
from leverarm.formats.xml_tree import XmlElement

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
            f"the links {', '.join(map(repr, stray[:10]))} hang on each other in a cycle, and on no root. "
            "Remove the joint that closes it."
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
            f"joint {circle!r} mimics {followers[circle].leader!r}, and the chain of mimics comes back in a circle. "
            "Remove the <mimic> of the joint that is driven."
        )
    return resolved


def _is_fixed(joint: XmlElement) -> bool:
    return joint.attributes.get("type") == "fixed"
