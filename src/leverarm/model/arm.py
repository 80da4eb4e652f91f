"""What an arm is: an immutable tree of bodies, complete and checked, or not built at all.

`check_arm` refuses what cannot be an arm (lint, in `formats`, only warns); `quantities` lists every number of the
description with its place.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from leverarm.errors import ArmError, ExpressionError, unknown_name
from leverarm.model.expression import Expression, Quantity, symbol, symbols_of, to_float
from leverarm.model.friction import MAGNITUDES, SHAFT_LAWS, Friction
from leverarm.model.joint_kinds import JointKind
from leverarm.model.parts import Body, Frame, Joint, Placement, as_quantity
from leverarm.model.tree import free_joints, in_tree_order
from leverarm.scalars import Number
from leverarm.spatial import Vec3

STANDARD_GRAVITY = 9.81


@dataclass(frozen=True, slots=True, eq=True)
class Arm:
    """A tree of bodies on a base, with gravity and named frames. Data only: functions of it live elsewhere.

    `gravity` is the free-fall acceleration in the world [m/s^2]. `symbols` gives each symbol its default value.
    Bodies are put in an order in which parents come first; that is also the order of the coordinates q.
    """

    name: str
    bodies: tuple[Body, ...]
    gravity: Vec3 = Vec3(0, 0, -STANDARD_GRAVITY)
    base: str = "base"
    base_placement: Placement = Placement()
    named_frames: tuple[Frame, ...] = ()
    symbols: tuple[tuple[str, Number], ...] = ()
    coordinates: tuple[str, ...] = ()
    title: str = ""
    source: str = ""
    licence: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "bodies", in_tree_order(self.base, self.bodies))
        object.__setattr__(self, "coordinates", self.coordinates or free_joints(self.bodies))
        check_arm(self)

    def __hash__(self) -> int:
        """Cheap on purpose: equal arms have equal hashes, and a dict compares by identity first."""
        return hash((self.name, len(self.bodies), self.coordinates))

    @property
    def dof(self) -> int:
        """Number of coordinates."""
        return len(self.coordinates)

    @property
    def joint_names(self) -> tuple[str, ...]:
        """The names of the coordinates, in the order of q."""
        return self.coordinates

    @property
    def frames(self) -> tuple[str, ...]:
        """Every frame by name: the base, the bodies and the named frames."""
        return (self.base, *(b.name for b in self.bodies), *(f.name for f in self.named_frames))

    @property
    def tool(self) -> str:
        """The default frame: "tool" where there is one, else the last body."""
        return "tool" if any(f.name == "tool" for f in self.named_frames) else self.bodies[-1].name

    @property
    def defaults(self) -> dict[str, Number]:
        """The default value of each symbol."""
        return dict(self.symbols)


def with_values(arm: Arm, **values: Any) -> Arm:
    """The same arm with other default values, plain numbers, for some of its symbols."""
    known = arm.defaults
    for name in values:
        if name not in known:
            raise ArmError(f"arm {arm.name!r}: " + unknown_name("symbol", name, known))
    given: dict[str, Number] = {}
    for name, value in values.items():
        literal = as_quantity(value)
        if isinstance(literal, Expression):
            raise ArmError(f"arm {arm.name!r}: symbol {name!r} was given {value!r}; a value is a number.")
        given[name] = literal
    return replace(arm, symbols=tuple((known | given).items()))


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
    for name in ("limits", "friction", "motor", "spring"):
        if (settings := getattr(joint, name)) is None:
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


def check_arm(arm: Arm) -> None:
    """Raises ArmError unless names are unique and known, numbers finite, masses not negative and axes not zero."""
    if not arm.name.strip() or not arm.name.isprintable():
        raise ArmError(f"the arm is named {arm.name!r}; give it a name of printable characters.")
    _check_names(arm)
    _check_frames_and_couplings(arm)
    _check_numbers(arm)
    for body in arm.bodies:
        _check_body(arm, body)
        _check_joint(arm, body.joint)
    if not arm.coordinates:
        raise ArmError(f"arm {arm.name!r} has no joint that moves; at least one is needed.")


def _check_names(arm: Arm) -> None:
    for kind, names in (
        ("body", arm.frames),
        ("joint", [b.joint.name for b in arm.bodies]),
        ("symbol", [name for name, _ in arm.symbols]),
        ("coordinate", arm.coordinates),
    ):
        what = "body and frame" if kind == "body" else kind
        for name, count in Counter(names).items():
            if count > 1:
                raise ArmError(f"{count} times the {what} name {name!r}; each needs one of its own.", (kind, name))
            if not name.strip():
                raise ArmError(f"a {what} name is empty; give one.", (kind, name))
            if not name.isprintable():
                raise ArmError(f"the {what} name {name!r} holds a control character; rename it.", (kind, name))


def _check_frames_and_couplings(arm: Arm) -> None:
    bodies = [arm.base, *(b.name for b in arm.bodies)]
    for frame in arm.named_frames:
        if frame.body not in bodies:
            raise ArmError(
                f"frame {frame.name!r} is on no body: " + unknown_name("body", frame.body, bodies),
                ("frame", frame.name),
            )
    joints = [b.joint.name for b in arm.bodies]
    driving = {name for b in arm.bodies for name, _ in b.joint.coupling or ()}
    driving |= {b.joint.name for b in arm.bodies if not b.joint.is_fixed}
    for name in arm.coordinates:
        if name not in driving:
            raise ArmError(
                f"coordinate {name!r} moves no joint. Name a joint that moves, or let some joint's coupling follow it."
            )
    for joint in (b.joint for b in arm.bodies):
        part = ("joint", joint.name)
        for coordinate, _ in joint.coupling or ():
            if coordinate not in arm.coordinates:
                raise ArmError(
                    f"joint {joint.name!r} follows an unknown coordinate: "
                    + unknown_name("coordinate", coordinate, arm.coordinates),
                    part,
                )
        for other, _ in joint.motor.also if joint.motor else ():
            if other not in joints:
                raise ArmError(
                    f"the motor of joint {joint.name!r} also turns with an unknown joint: "
                    + unknown_name("joint", other, joints),
                    part,
                )
        if not joint.is_fixed and joint.coupling is None and joint.name not in arm.coordinates:
            raise ArmError(
                f"joint {joint.name!r} is neither one of the coordinates ({', '.join(arm.coordinates)}) nor coupled to "
                "them. Add it to the coordinates or give it a coupling.",
                part,
            )


def _check_numbers(arm: Arm) -> None:
    values = arm.defaults
    for name in values:
        try:
            symbol(name)
        except ExpressionError as problem:
            raise ArmError(str(problem), ("symbol", name)) from None
        _check_is_number(f"symbol {name!r}", values[name], ("symbol", name))
        _check_is_finite(f"symbol {name!r}", values[name], {}, ("symbol", name))
    for place, quantity in quantities(arm):
        _check_is_number(str(place), quantity, place.part)
        for name in symbols_of(quantity):
            if name not in values:
                raise ArmError(
                    f"{place} uses {name!r}: {unknown_name('symbol', name, values)} Give it a default value among the "
                    "symbols.",
                    place.part,
                )
        _check_is_finite(str(place), quantity, values, place.part)


def _check_is_number(where: str, value: object, part: tuple[str, str] | None) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction | Expression):
        raise ArmError(f"{where} is {value!r}; it must be a number.", part)


def _check_is_finite(
    where: str, quantity: Quantity, values: Mapping[str, Number], part: tuple[str, str] | None
) -> None:
    try:
        number = to_float(quantity, values)
    except ExpressionError as problem:
        raise ArmError(f"{where}: {problem}", part) from None
    if not math.isfinite(number):
        raise ArmError(f"{where} is {number}; it must be a finite number.", part)


def _check_body(arm: Arm, body: Body) -> None:
    mass = to_float(body.mass_properties.mass, arm.defaults)
    if mass < 0:
        raise ArmError(f"body {body.name!r} has mass {mass:g} kg; a mass is zero or positive.", ("body", body.name))
    about = body.mass_properties.about
    if about not in ("com", "origin"):
        raise ArmError(
            f"body {body.name!r}, inertia about: " + unknown_name("point", about, ("com", "origin")),
            ("body", body.name),
        )


def _check_joint(arm: Arm, joint: Joint) -> None:
    values, part = arm.defaults, ("joint", joint.name)
    if joint.kind.moves and math.hypot(*(to_float(x, values) for x in joint.axis)) < 1e-9:
        raise ArmError(f"joint {joint.name!r} has an axis of length zero; give a direction such as [0, 0, 1].", part)
    if not joint.kind.has_pitch and to_float(joint.pitch, values) != 0:
        screws = " or ".join(kind for kind in JointKind if kind.has_pitch)
        raise ArmError(f"joint {joint.name!r} is {joint.kind} and has a pitch; only a {screws} joint has one.", part)
    if joint.coupling is None and joint.offset != 0:
        raise ArmError(f"joint {joint.name!r} has an offset but no coupling; move it into the joint's placement.", part)
    if joint.friction is not None:
        _check_friction(arm, joint, joint.friction)
    limits = joint.limits
    magnitudes = [("velocity limit", limits.velocity), ("effort limit", limits.effort)]
    if joint.motor is not None:
        magnitudes += [("rotor inertia", joint.motor.inertia), ("motor's viscous friction", joint.motor.viscous)]
        magnitudes += [("motor's Coulomb friction", joint.motor.coulomb)]
    for what, value in magnitudes:
        if value is not None and to_float(value, values) < 0:
            raise ArmError(f"joint {joint.name!r}: its {what} is {value}; it is zero or positive.", part)
    if limits.lower is not None and limits.upper is not None:
        lower, upper = to_float(limits.lower, values), to_float(limits.upper, values)
        if lower > upper:
            raise ArmError(f"joint {joint.name!r}: its lower limit {lower:g} is above its upper limit {upper:g}.", part)


def _check_friction(arm: Arm, joint: Joint, friction: Friction) -> None:
    part = ("joint", joint.name)
    for field in MAGNITUDES:
        value = getattr(friction, field)
        if value is not None and to_float(value, arm.defaults) < 0:
            raise ArmError(
                f"joint {joint.name!r}: {field} friction is {value}; it is a magnitude, zero or positive.", part
            )
    if friction.smoothing is not None and to_float(friction.smoothing, arm.defaults) <= 0:
        raise ArmError(f"joint {joint.name!r}: the smoothing speed is {friction.smoothing}; it must be positive.", part)


def has_friction(arm: Arm) -> bool:
    """Whether friction is described for some joint or some motor's shaft, be it of size zero."""
    return any(_rubs(body.joint) for body in arm.bodies)


def without_friction(arm: Arm) -> Arm:
    """The arm with joints and motors that move freely; itself where they do."""
    if not has_friction(arm):
        return arm
    return replace(arm, bodies=tuple(replace(body, joint=_freed(body.joint)) for body in arm.bodies))


def _rubs(joint: Joint) -> bool:
    return joint.friction is not None or (joint.motor is not None and joint.motor.has_friction)


def _freed(joint: Joint) -> Joint:
    none: dict[str, Any] = {law.name: 0 for law in SHAFT_LAWS}
    motor = joint.motor and replace(joint.motor, **none)
    return replace(joint, friction=None, motor=motor)


def has_springs(arm: Arm) -> bool:
    """Whether some joint that moves has a spring."""
    return any(body.joint.spring is not None and not body.joint.is_fixed for body in arm.bodies)


def without_springs(arm: Arm) -> Arm:
    """The arm with joints without springs; itself where they have none."""
    if not has_springs(arm):
        return arm
    return replace(arm, bodies=tuple(replace(body, joint=replace(body.joint, spring=None)) for body in arm.bodies))
