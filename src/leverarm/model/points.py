"""Points of an arm as frames of their own: a point of a frame, the centre of mass of a body."""

from __future__ import annotations

from dataclasses import replace

from leverarm.errors import InputError, require_known
from leverarm.model.arm import Arm
from leverarm.model.binding import bind
from leverarm.model.expression import format_quantity
from leverarm.model.inertias import centre_of_mass
from leverarm.model.parts import Frame, Placement, pose_of
from leverarm.spatial import Vec3


def with_point(arm: Arm, frame: str, point: Vec3, name: str = "") -> tuple[Arm, str]:
    """The arm with one more frame, at a point of another one [m] and parallel to it; and the new frame's name."""
    require_known("frame", frame, arm.frames, f"arm {arm.name!r}")
    known = {each.name: each for each in arm.named_frames}
    at = known[frame] if frame in known else Frame(frame, frame)
    place = Placement(pose_of(at.placement) @ point, at.placement.rpy)
    name = name or f"{frame} + ({', '.join(format_quantity(part) for part in point)})"
    return replace(arm, named_frames=(*arm.named_frames, Frame(name, at.body, place))), name


def with_centre_of_mass(arm: Arm, body: str) -> tuple[Arm, str]:
    """The arm with one more frame, at the centre of mass of a moving body and of all that is welded to it."""
    moving = [each for each in arm.bodies if not each.joint.is_fixed]
    require_known("moving body", body, [each.name for each in moving], f"arm {arm.name!r}")
    return with_point(arm, body, _centre_of_mass(arm, body), f"com of {body}")


def _centre_of_mass(arm: Arm, body: str) -> Vec3:
    """In the body's frame: as it is written where nothing is welded to the body, else in numbers."""
    own = next(each for each in arm.bodies if each.name == body)
    welded = [each.name for each in arm.bodies if each.joint.is_fixed and _carrier(arm, each.name) == body]
    (link,) = (link for link in bind(arm).links if link.name == body)
    if link.inertia.m == 0:
        raise InputError(f"body {body!r} has no mass and so no centre of mass. Give a --point of it instead.")
    if not welded:
        return own.mass_properties.com
    if arm.symbols:
        raise InputError(
            f"{', '.join(welded)} of arm {arm.name!r} are welded to {body!r}, and the arm has symbols: the common "
            "centre of mass is not written anywhere. Give a --point instead."
        )
    return centre_of_mass(link.inertia)


def _carrier(arm: Arm, body: str) -> str:
    """The moving body that carries one, or the base."""
    parents = {each.name: each.parent for each in arm.bodies if each.joint.is_fixed}
    while body in parents:
        body = parents[body]
    return body
