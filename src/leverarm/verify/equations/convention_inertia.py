"""Masses described otherwise: inertia about the joint, centres of mass from the far end, no rotors, no friction."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from leverarm.model import Arm, Body, Joint, Quantity, format_quantity, has_friction, symbols_of, without_friction
from leverarm.spatial import Symmetric3, Vec3
from leverarm.verify.equations.alternative import Alternative, with_bodies, with_joints

POINTS = {"com": "the joint, not the centre of mass", "origin": "the centre of mass, not the joint"}


def inertia_alternatives(arm: Arm) -> Iterator[Alternative]:
    """The other ways to describe links and what acts in the joints."""
    turned = [body for body in arm.bodies if _depends_on_point(body)]
    for bodies in dict.fromkeys([tuple(turned), *((body,) for body in turned)]):
        if bodies:
            yield _about_other_point(bodies, "inertia" if bodies == tuple(turned) else "the inertia of one link")
    ended = {body.name: end for body in arm.bodies if (end := _far_end(arm, body)) is not None}
    for names in dict.fromkeys([tuple(ended), *((name,) for name in ended)]):
        if names:
            about = "centres of mass" if names == tuple(ended) else "the centre of mass of one link"
            yield _from_far_end(arm, {name: ended[name] for name in names}, about)
    if has_friction(arm):
        yield Alternative("friction is left out", "friction", frozenset(), without_friction)
    if any(body.joint.motor is not None for body in arm.bodies):
        yield Alternative(
            "the rotors' inertia is left out",
            "rotors",
            frozenset(),
            lambda arm: with_joints(arm, _without_rotor),
        )


def _without_rotor(joint: Joint) -> Joint:
    """The joint with a motor that has no inertia; its friction stays."""
    return replace(joint, motor=joint.motor and replace(joint.motor, inertia=0))


def _depends_on_point(body: Body) -> bool:
    """Whether the body's moments would be others about the other point: it has some, and they are not at one place."""
    properties = body.mass_properties
    return any(x != 0 for x in _moments(body)) and any(x != 0 for x in properties.com)


def _moments(body: Body) -> list[Quantity]:
    return [getattr(body.mass_properties.inertia, entry) for entry in Symmetric3.__slots__]


def _about_other_point(bodies: tuple[Body, ...], about: str) -> Alternative:
    letters = [name for body in bodies for x in _moments(body) for name in symbols_of(x)]
    called = " and ".join(dict.fromkeys(letters)) or " and ".join(f"the inertia of {body.name}" for body in bodies)
    chosen = {body.name for body in bodies}

    def change(body: Body) -> Body:
        if body.name not in chosen:
            return body
        properties = body.mass_properties
        point: Literal["com", "origin"] = "origin" if properties.about == "com" else "com"
        return replace(body, mass_properties=replace(properties, about=point))

    several = " and " in called
    return Alternative(
        f"{called} {'are moments' if several else 'is the moment'} of inertia about "
        f"{POINTS[bodies[0].mass_properties.about]}",
        about,
        frozenset(letters),
        lambda arm: with_bodies(arm, change),
    )


def _far_end(arm: Arm, body: Body) -> Vec3 | None:
    """Where the next joint, or else the tool, is on a body whose centre of mass lies on the way there."""
    com = body.mass_properties.com
    ends = [child.joint.placement.xyz for child in arm.bodies if child.parent == body.name]
    ends += [frame.placement.xyz for frame in arm.named_frames if frame.body == body.name]
    for end in ends:
        along = [k for k, x in enumerate(end) if x != 0]
        if len(along) == 1 and com != end and [k for k, x in enumerate(com) if x != 0] == along:
            return end
    return None


def _from_far_end(arm: Arm, ends: dict[str, Vec3], about: str) -> Alternative:
    words: list[str] = []
    letters: set[str] = set()
    for body in arm.bodies:
        if body.name in ends:
            com, end = (_only(v) for v in (body.mass_properties.com, ends[body.name]))
            words.append(
                f"{format_quantity(com)} is measured from the far end of {body.name} (the arm's "
                f"{format_quantity(com)} is {format_quantity(end)} - {format_quantity(com)})"
            )
            letters.update(symbols_of(com))

    def change(body: Body) -> Body:
        if body.name not in ends:
            return body
        properties = body.mass_properties
        parts = (b - a if b != 0 else 0 for a, b in zip(properties.com, ends[body.name], strict=True))
        return replace(body, mass_properties=replace(properties, com=Vec3(*parts)))

    return Alternative(" and ".join(words), about, frozenset(letters), lambda arm: with_bodies(arm, change))


def _only(v: Vec3) -> Quantity:
    only: Quantity = next(x for x in v if x != 0)
    return only
