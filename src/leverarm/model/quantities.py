"""Every number of a description, with where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverarm.model.expression import Quantity
from leverarm.model.parts import Body, Placement

if TYPE_CHECKING:
    from leverarm.model.arm import Arm


@dataclass(frozen=True, slots=True)
class Place:
    """A number's place: the part of the arm it belongs to, such as ("joint", "elbow"), and which number of it."""

    part: tuple[str, str] | None
    number: str

    def __str__(self) -> str:
        return self.number if self.part is None else f"{self.part[0]} {self.part[1]!r} {self.number}"


def quantities(arm: Arm) -> Iterator[tuple[Place, Quantity]]:
    """Every number of the arm and its place."""
    yield from _vector(None, "gravity", arm.gravity)
    yield from _placement(None, arm.base_placement, "base ")
    for body in arm.bodies:
        yield from _body(body)
        yield from _joint(body)
    for frame in arm.named_frames:
        yield from _placement(("frame", frame.name), frame.placement)


def _body(body: Body) -> Iterator[tuple[Place, Quantity]]:
    part, mp = ("body", body.name), body.mass_properties
    yield Place(part, "mass"), mp.mass
    yield from _vector(part, "com", mp.com)
    yield from _vector(part, "inertia rpy", mp.rpy)
    for entry in ("xx", "xy", "yy", "xz", "yz", "zz"):
        yield Place(part, f"inertia {entry}"), getattr(mp.inertia, entry)


def _joint(body: Body) -> Iterator[tuple[Place, Quantity]]:
    joint = body.joint
    part = ("joint", joint.name)
    yield from _placement(part, joint.placement)
    yield from _vector(part, "axis", joint.axis)
    yield Place(part, "pitch"), joint.pitch
    yield Place(part, "offset"), joint.offset
    for name, settings in (("limits", joint.limits), ("friction", joint.friction), ("motor", joint.motor)):
        if settings is None:
            continue
        for field in settings.__dataclass_fields__:
            value = getattr(settings, field)
            may_be_absent = settings.__dataclass_fields__[field].default is None
            if field != "also" and not (value is None and may_be_absent):
                yield Place(part, f"{name} {field}"), value
    for other, ratio in (*(joint.coupling or ()), *(joint.motor.also if joint.motor else ())):
        yield Place(part, f"ratio to {other!r}"), ratio
    if joint.locked is not None:
        yield Place(part, "locked value"), joint.locked


def _placement(
    part: tuple[str, str] | None, placement: Placement, prefix: str = ""
) -> Iterator[tuple[Place, Quantity]]:
    yield from _vector(part, f"{prefix}xyz", placement.xyz)
    yield from _vector(part, f"{prefix}rpy", placement.rpy)


def _vector(part: tuple[str, str] | None, what: str, vector: Iterable[Quantity]) -> Iterator[tuple[Place, Quantity]]:
    for axis, quantity in zip("xyz", vector, strict=True):
        yield Place(part, f"{what} {axis}"), quantity
