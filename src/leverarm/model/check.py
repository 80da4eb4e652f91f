"""The conditions without which a description is not an arm. Lint, which only warns, is elsewhere."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from leverarm.errors import ArmError, ExpressionError, unknown_name
from leverarm.model.expression import Expression, Quantity, symbol, symbols_of, to_float
from leverarm.model.parts import Body, Friction, Joint, JointKind
from leverarm.model.quantities import quantities
from leverarm.scalars import Number

if TYPE_CHECKING:
    from leverarm.model.arm import Arm


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
    if joint.kind is not JointKind.HELICAL and to_float(joint.pitch, values) != 0:
        raise ArmError(f"joint {joint.name!r} is {joint.kind} and has a pitch; only a helical joint has one.", part)
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
    for field in ("viscous", "coulomb", "viscous_negative", "coulomb_negative"):
        value = getattr(friction, field)
        if value is not None and to_float(value, arm.defaults) < 0:
            raise ArmError(
                f"joint {joint.name!r}: {field} friction is {value}; it is a magnitude, zero or positive.", part
            )
    if friction.smoothing is not None and to_float(friction.smoothing, arm.defaults) <= 0:
        raise ArmError(f"joint {joint.name!r}: the smoothing speed is {friction.smoothing}; it must be positive.", part)
