"""Friction in the joints: F(qd) = F_v qd + F_d(qd), as in Table 3.3.1 of Lewis, Dawson and Abdallah 2004.

A motor's shaft has friction of its own, f(s) at its speed s = N qd, felt by the coordinates as N^T f(s).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from leverarm.mechanics.matrices import Matrix
from leverarm.mechanics.rotors import rotor_speed, through_gears
from leverarm.model import FRICTIONLESS, LAWS, SHAFT_LAWS, FrictionLaw, FrictionTerm, Mechanism, Sliding
from leverarm.scalars import Scalar, half, is_zero, sign, tanh


def friction(
    arm: Mechanism,
    qd: Sequence[Scalar],
    directions: Mapping[int, Scalar] | None = None,
    load: Sequence[Scalar] | None = None,
    laws: Sequence[FrictionLaw] = LAWS,
) -> list[Scalar]:
    """The friction force along each coordinate [N m or N], by all laws or by some.

    `directions` gives some joints, by number, the way they slide: 1, -1, or 0 for those that do not, in place of the
    sign of their speed. Through a step in time it stays, so that the force is smooth where the speed comes to zero.
    The rotors are counted on from the joints. `load` is what each joint transmits, as `joint_loads` finds it; it is
    needed where friction depends on it (`arm.loaded_joints`).
    """
    if not arm.has_friction:
        return [0] * arm.dof
    given, forces, sizes = directions or {}, [], arm.load_sizes(load)
    for k, (term, speed) in enumerate(zip(arm.frictions, arm.joint_values(qd), strict=True)):
        forces.append(0 if term is None else joint_friction(term, speed, given.get(k), sizes[k], laws))
    along = arm.generalised_forces(forces)
    for k, rotor in enumerate(arm.rotors, start=len(arm.links)):
        if rotor.has_friction:
            force = joint_friction(rotor.friction, rotor_speed(rotor, qd), given.get(k), laws=laws)
            for j, gear in rotor.gears:
                along[j] = along[j] + gear * force
    return along


def joint_friction(
    term: FrictionTerm, speed: Scalar, s: Scalar | None = None, load: Scalar = 0, laws: Sequence[FrictionLaw] = LAWS
) -> Scalar:
    """Friction of one joint by these laws, in direction s, that of its speed unless given; `load` is a magnitude."""
    if s is None:
        s = direction(term, speed)
    at = Sliding(speed, s, load)
    coefficients = zip(LAWS, term.along(s), strict=True)
    return sum((x * law.force(at) for law, x in coefficients if law in laws and not is_zero(x)), start=0)


def direction(term: FrictionTerm, speed: Scalar) -> Scalar:
    """Which way the joint moves, s: sgn(speed), or its smooth form tanh(steepness speed)."""
    return sign(speed) if term.steepness is None else tanh(term.steepness * speed)


def without_friction(arm: Mechanism) -> Mechanism:
    """The same arm with joints and motors that move freely."""
    rotors = (replace(rotor, friction=FRICTIONLESS, has_friction=False) for rotor in arm.rotors)
    return replace(arm, frictions=(None,) * len(arm.frictions), rotors=tuple(rotors))


def with_shafts_at_joints(arm: Mechanism) -> Mechanism:
    """The same arm with the friction of each shaft that turns with one joint alone counted to that joint's.

    A shaft that turns g times as fast has g^2 of its viscous and |g| of its Coulomb coefficient there. What is smooth
    stays at the shaft unless the motor is the joint's own, whose smoothing it has.
    """
    frictions, rotors, own = list(arm.frictions), list(arm.rotors), arm.own_joints
    for i, rotor in enumerate(arm.rotors):
        (j, gear), *others = rotor.gears
        if not rotor.has_friction or others or j not in own:
            continue
        term, shaft = frictions[own[j]] or FRICTIONLESS, rotor.friction
        is_sign = term.steepness is None and shaft.steepness is None
        if not is_sign and arm.links[own[j]].joint != rotor.joint:
            continue
        for law in SHAFT_LAWS:
            size = gear * gear if law.speeds else sign(gear) * gear
            here, more = term[law.name], size * shaft[law.name].forward
            term = term.with_coefficient(law.name, here.forward + more, here.backward + more)
        frictions[own[j]] = term
        rotors[i] = replace(rotor, friction=FRICTIONLESS, has_friction=False)
    return replace(arm, frictions=tuple(frictions), rotors=tuple(rotors))


def friction_slopes(
    arm: Mechanism, qd: Sequence[Scalar], load: Sequence[Scalar] | None = None
) -> tuple[list[Scalar], list[Scalar]]:
    """dF/d(speed) [N m s or N s/m] and dF/d(load) of each joint, not of each coordinate; a sign counts as constant."""
    by_speed: list[Scalar] = [0] * len(arm.links)
    by_load: list[Scalar] = [0] * len(arm.links)
    sizes = arm.load_sizes(load)
    for k, (term, speed) in enumerate(zip(arm.frictions, arm.joint_values(qd), strict=True)):
        if term is not None:
            by_speed[k] = _slope(term, speed, sizes[k])
            if load is not None and term.is_loaded:
                by_load[k] = sign(load[k]) * _load_slope(term, speed, sizes[k])
    return by_speed, by_load


def shaft_slopes(arm: Mechanism, qd: Sequence[Scalar]) -> Matrix:
    """dF/dqd of the friction on the motors' shafts, n x n [N m s or N s/m]; a sign counts as constant."""
    slopes = [_slope(r.friction, rotor_speed(r, qd)) if r.has_friction else 0 for r in arm.rotors]
    return through_gears(arm, slopes)


def _slope(term: FrictionTerm, speed: Scalar, load: Scalar = 0) -> Scalar:
    """dF/d(speed) of one joint, where ds/d(speed) = steepness (1 - s^2) for s = tanh(steepness speed)."""
    s = direction(term, speed)
    s_slope = 0 if term.steepness is None else term.steepness * (1 - s * s)
    at = Sliding(speed, s, load)
    by_speed: Scalar = 0
    by_direction: Scalar = 0
    if term.is_asymmetric:
        two_sided = [(law, term[law.name]) for law in LAWS if law.is_two_sided]
        by_direction = sum((half(x.forward - x.backward) * law.force(at) for law, x in two_sided), start=0)
    for law, x in zip(LAWS, term.along(s), strict=True):
        gradient = law.gradient(at)
        by_speed = by_speed + x * gradient.speed
        by_direction = by_direction + x * gradient.direction
    return by_speed + by_direction * s_slope


def _load_slope(term: FrictionTerm, speed: Scalar, load: Scalar) -> Scalar:
    """dF/d|load| of one joint."""
    s = direction(term, speed)
    coefficients = zip(LAWS, term.along(s), strict=True)
    return sum((x * law.gradient(Sliding(speed, s, load)).load for law, x in coefficients), start=0)
