"""Parameters written into an arm: its bound mechanism then has exactly these values."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from leverarm import model
from leverarm.errors import InputError, require_known
from leverarm.mechanics.regressor import INERTIAL_NAMES
from leverarm.model import Arm, Joint, Mechanism, bind
from leverarm.model.friction import FRICTION_NUMBERS
from leverarm.model.friction import MAGNITUDES as OF_FRICTION
from leverarm.spatial import ORIGIN, Symmetric3, Vec3

MOTOR_NAMES = {"rotor": "inertia"} | {f"motor_{law.name}": law.name for law in model.SHAFT_LAWS}
"""Of parameters, and the field of a motor that each is."""
MAGNITUDES = {"m", "smoothing", *OF_FRICTION, *MOTOR_NAMES}


def with_parameters(arm: Arm, values: Mapping[str, float]) -> Arm:
    """The arm with these parameters, named as the regressor's columns: "link2.Ixy", "joint3.viscous", "joint3.rotor".

    Inertial numbers [kg, kg m, kg m^2] are those of a link, about its origin: of the moving body with everything fixed
    to it. They are written to that body, and what is fixed to it has no mass any more; parameters that are not
    given stay. A link without any given number is left as it is. Friction [N m s, N m]: viscous or coulomb without its
    `_negative` holds both ways; "joint3.smoothing" [rad/s] is the width of tanh, 0 for sgn. A rotor [kg m^2] and its
    motor_viscous, motor_coulomb are at the motor's own speed; a joint without a motor gets one of gear 1. A stiffness,
    "joint3.spring" [N m/rad], is that of a spring which rests where the joint's own does, or at zero. Symbols that
    stood only in replaced numbers are dropped.

    Raises InputError for a name the arm does not have, a number that is not finite, a mass, a friction or a rotor below
    zero, and a link with a first moment but no mass.
    """
    mechanism = bind(arm)
    numbers = _numbers(arm, mechanism, values)
    masses = _mass_properties(arm, mechanism, numbers)
    bodies = tuple(
        replace(body, mass_properties=masses.get(body.name, body.mass_properties), joint=_joint(body.joint, numbers))
        for body in arm.bodies
    )
    written = replace(arm, bodies=bodies)
    gone = set(_symbols_in_use(arm)) - set(_symbols_in_use(written))
    return replace(written, symbols=tuple((name, value) for name, value in arm.symbols if name not in gone))


def parameter_places(mechanism: Mechanism) -> dict[str, str]:
    """Every parameter name that `with_parameters` accepts for an arm, with its kind."""
    places = {f"{link.name}.{number}": number for link in mechanism.links for number in INERTIAL_NAMES}
    for link in mechanism.links:
        places |= {f"{link.joint}.{number}": number for number in (*FRICTION_NUMBERS, *MOTOR_NAMES, "spring")}
    return places | {f"{rotor.joint}.{number}": number for rotor in mechanism.rotors for number in MOTOR_NAMES}


def _numbers(arm: Arm, mechanism: Mechanism, values: Mapping[str, float]) -> dict[str, float]:
    known = parameter_places(mechanism)
    numbers = {}
    for name, value in values.items():
        require_known("parameter", name, known, f"arm {arm.name!r}")
        number = float(value)
        if not math.isfinite(number):
            raise InputError(f"parameter {name!r} is {number}; it must be a finite number.")
        if number < 0 and known[name] in MAGNITUDES:
            valid = "a mass, a rotor's inertia and friction are zero or positive"
            raise InputError(f"parameter {name!r} is {number:.6g}; {valid}. Write the physically consistent values.")
        numbers[name] = number
    return numbers


def _mass_properties(arm: Arm, mechanism: Mechanism, numbers: Mapping[str, float]) -> dict[str, model.MassProperties]:
    """For every link with a given parameter: its own body has it all, and the bodies fixed to it nothing."""
    masses: dict[str, model.MassProperties] = {}
    for i, link in enumerate(mechanism.links):
        names = [f"{link.name}.{number}" for number in INERTIAL_NAMES]
        if not any(name in numbers for name in names):
            continue
        for body in arm.bodies:
            if mechanism.attachments[body.name].link == i:
                masses[body.name] = model.MassProperties()
        own = [float(number) for number in link.inertia.numbers()]
        masses[link.name] = _of_link(link, [numbers.get(name, x) for name, x in zip(names, own, strict=True)])
    return masses


def _of_link(link: model.Link, ten: list[float]) -> model.MassProperties:
    m, *h = ten[:4]
    if m == 0 and any(h):
        remedy = "Write the physically consistent values, or give it a mass."
        raise InputError(f"link {link.name!r} has no mass but the first moment {h} kg m, which no body has. {remedy}")
    com = Vec3(*(part / m for part in h)) if m else ORIGIN
    return model.MassProperties(m, com, Symmetric3(*ten[4:]), "origin")


def _joint(joint: Joint, numbers: Mapping[str, float]) -> Joint:
    """The joint with its given parameters; zeros do not add friction or a motor that it does not have."""
    names = (*FRICTION_NUMBERS, *MOTOR_NAMES)
    own = {name: numbers[key] for name in names if (key := f"{joint.name}.{name}") in numbers}
    of_friction = {name: own[name] for name in FRICTION_NUMBERS if name in own}
    of_motor: dict[str, Any] = {field: own[name] for name, field in MOTOR_NAMES.items() if name in own}
    if of_friction and (joint.friction is not None or any(of_friction.values())):
        joint = replace(joint, friction=_friction(joint.friction or model.Friction(), of_friction))
    if of_motor and (joint.motor is not None or any(of_motor.values())):
        joint = replace(joint, motor=replace(joint.motor or model.Motor(0.0), **of_motor))
    stiffness = numbers.get(f"{joint.name}.spring")
    if stiffness is not None and (joint.spring is not None or stiffness):
        joint = replace(joint, spring=replace(joint.spring or model.Spring(0.0), stiffness=stiffness))
    return joint


def _friction(friction: model.Friction, given: Mapping[str, float]) -> model.Friction:
    changes: dict[str, Any] = dict(given)
    for law in model.LAWS:
        if law.is_two_sided and law.name in given:
            changes.setdefault(law.fields[1], None)
    if given.get("smoothing") == 0:
        changes["smoothing"] = None
    return replace(friction, **changes)


def _symbols_in_use(arm: Arm) -> Iterator[str]:
    for _, quantity in model.quantities(arm):
        yield from model.symbols_of(quantity)
