"""The conditions without which a description is not an arm. Lint, which only warns, is elsewhere."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from leverarm.errors import ArmError, ExpressionError, unknown_name
from leverarm.model.expression import Quantity, symbol, symbols_of, to_float
from leverarm.model.parts import Body, JointKind

if TYPE_CHECKING:
    from leverarm.model.arm import Arm


def check_arm(arm: Arm) -> None:
    """Raises ArmError unless names are unique and known, numbers finite, masses not negative and axes not zero."""
    _check_names(arm)
    _check_symbols(arm)
    values = arm.defaults
    for where, quantity in quantities(arm):
        number = to_float(quantity, values)
        if not math.isfinite(number):
            raise ArmError(f"arm {arm.name!r}: {where} is {number}; it must be a finite number.")
    for body in arm.bodies:
        _check_body(arm, body)
    if not arm.coordinates:
        raise ArmError(f"arm {arm.name!r} has no joint that moves; at least one is needed.")


def quantities(arm: Arm) -> Iterator[tuple[str, Quantity]]:
    """Every number of the description with words for where it stands."""
    yield from _vector("gravity", arm.gravity)
    yield from _vector("base xyz", arm.base_placement.xyz)
    yield from _vector("base rpy", arm.base_placement.rpy)
    for body in arm.bodies:
        name, mp, joint = f"body {body.name!r}", body.mass_properties, body.joint
        yield f"{name} mass", mp.mass
        yield from _vector(f"{name} com", mp.com)
        yield from _vector(f"{name} inertia rpy", mp.rpy)
        for entry in ("xx", "xy", "yy", "xz", "yz", "zz"):
            yield f"{name} inertia {entry}", getattr(mp.inertia, entry)
        name = f"joint {joint.name!r}"
        yield from _vector(f"{name} xyz", joint.placement.xyz)
        yield from _vector(f"{name} rpy", joint.placement.rpy)
        yield from _vector(f"{name} axis", joint.axis)
        yield f"{name} pitch", joint.pitch
        yield f"{name} offset", joint.offset
        parts = [("limits", joint.limits), ("friction", joint.friction), ("motor", joint.motor)]
        for part_name, part in parts:
            for field in part.__dataclass_fields__ if part is not None else ():
                value = getattr(part, field)
                if value is not None and field != "also":
                    yield f"{name} {part_name} {field}", value
        for other, ratio in (*(joint.coupling or ()), *(joint.motor.also if joint.motor else ())):
            yield f"{name} ratio to {other!r}", ratio
        if joint.locked is not None:
            yield f"{name} locked value", joint.locked
    for frame in arm.named_frames:
        yield from _vector(f"frame {frame.name!r} xyz", frame.placement.xyz)
        yield from _vector(f"frame {frame.name!r} rpy", frame.placement.rpy)


def _vector(where: str, vector: Iterable[Quantity]) -> Iterator[tuple[str, Quantity]]:
    for axis, quantity in zip("xyz", vector, strict=True):
        yield f"{where} {axis}", quantity


def _check_names(arm: Arm) -> None:
    for kind, names in (
        ("body or frame", arm.frames),
        ("joint", [b.joint.name for b in arm.bodies]),
        ("symbol", [name for name, _ in arm.symbols]),
        ("coordinate", arm.coordinates),
    ):
        for name, count in Counter(names).items():
            if count > 1:
                raise ArmError(f"arm {arm.name!r}: {count} {kind}s are named {name!r}; each needs a name of its own.")
            if not name:
                raise ArmError(f"arm {arm.name!r}: a {kind} has an empty name; give it one.")
    bodies = [arm.base, *(b.name for b in arm.bodies)]
    for frame in arm.named_frames:
        if frame.body not in bodies:
            raise ArmError(
                f"arm {arm.name!r}: frame {frame.name!r} is on no body: " + unknown_name("body", frame.body, bodies)
            )
    moving = [b.joint.name for b in arm.bodies if not b.joint.is_fixed]
    driving = {name for b in arm.bodies for name, _ in b.joint.coupling or ()} | set(moving)
    for name in arm.coordinates:
        if name not in driving:
            raise ArmError(
                f"arm {arm.name!r}: coordinate {name!r} moves no joint. Name a joint that moves, or let some joint's "
                "coupling follow it."
            )
    for body in arm.bodies:
        for coordinate, _ in body.joint.coupling or ():
            if coordinate not in arm.coordinates:
                raise ArmError(
                    f"joint {body.joint.name!r} follows an unknown coordinate: "
                    + unknown_name("coordinate", coordinate, arm.coordinates)
                )
        for other, _ in body.joint.motor.also if body.joint.motor else ():
            if other not in [b.joint.name for b in arm.bodies]:
                raise ArmError(
                    f"the motor of joint {body.joint.name!r} also turns with an unknown joint: "
                    + unknown_name("joint", other, moving)
                )
        if not body.joint.is_fixed and body.joint.coupling is None and body.joint.name not in arm.coordinates:
            raise ArmError(
                f"joint {body.joint.name!r} is neither one of the coordinates ({', '.join(arm.coordinates)}) nor "
                "coupled to them. Add it to the coordinates or give it a coupling."
            )


def _check_symbols(arm: Arm) -> None:
    defined = arm.defaults
    for name in defined:
        try:
            symbol(name)
        except ExpressionError as problem:
            raise ArmError(f"arm {arm.name!r}: {problem}") from None
    for where, quantity in quantities(arm):
        for name in symbols_of(quantity):
            if name not in defined:
                raise ArmError(
                    f"arm {arm.name!r}: {where} uses {name!r}: "
                    + unknown_name("symbol", name, defined)
                    + " Give it a default value among the symbols."
                )


def _check_body(arm: Arm, body: Body) -> None:
    values, joint = arm.defaults, body.joint
    mass = to_float(body.mass_properties.mass, values)
    if mass < 0:
        raise ArmError(f"body {body.name!r} has mass {mass:g} kg; a mass is zero or positive.")
    if joint.kind.moves and math.hypot(*(to_float(x, values) for x in joint.axis)) < 1e-9:
        raise ArmError(f"joint {joint.name!r} has an axis of length zero; give a direction such as [0, 0, 1].")
    if joint.kind is not JointKind.HELICAL and to_float(joint.pitch, values) != 0:
        raise ArmError(f"joint {joint.name!r} is {joint.kind} and has a pitch; only a helical joint has one.")
    if joint.coupling is None and joint.offset != 0:
        raise ArmError(f"joint {joint.name!r} has an offset but no coupling; move it into the joint's placement.")
    friction = joint.friction
    if friction is not None:
        for field in ("viscous", "coulomb", "viscous_negative", "coulomb_negative"):
            value = getattr(friction, field)
            if value is not None and to_float(value, values) < 0:
                raise ArmError(
                    f"joint {joint.name!r}: {field} friction is {value}; it is a magnitude, zero or positive."
                )
        if friction.smoothing is not None and to_float(friction.smoothing, values) <= 0:
            raise ArmError(f"joint {joint.name!r}: the smoothing speed is {friction.smoothing}; it must be positive.")
    if joint.motor is not None and to_float(joint.motor.inertia, values) < 0:
        raise ArmError(f"joint {joint.name!r}: the rotor inertia is {joint.motor.inertia}; it is zero or positive.")
    lower, upper = joint.limits.lower, joint.limits.upper
    if lower is not None and upper is not None and to_float(lower, values) > to_float(upper, values):
        raise ArmError(f"joint {joint.name!r}: its lower limit {lower} is above its upper limit {upper}.")
