"""Friction in the joints: F(qd) = F_v qd + F_d(qd), as in Table 3.3.1 of Lewis, Dawson and Abdallah 2004.

A motor's shaft has friction of its own, f(s) at its speed s = N qd, felt by the coordinates as N^T f(s).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from leverarm.mechanics.matrices import Matrix
from leverarm.mechanics.rotors import rotor_speed, through_gears
from leverarm.model import FRICTIONLESS, LAWS, SHAFT_LAWS, FrictionTerm, Mechanism, Sliding
from leverarm.scalars import Scalar, half, is_zero, sign, tanh


def friction(arm: Mechanism, qd: Sequence[Scalar], directions: Mapping[int, Scalar] | None = None) -> list[Scalar]:
    """The friction force along each coordinate [N m or N]: viscous, Coulomb and constant parts.

    `directions` gives some joints, by number, the way they slide: 1, -1, or 0 for those that do not, in place of the
    sign of their speed. Through a step in time it stays, so that the force is smooth where the speed comes to zero.
    The rotors are counted on from the joints.
    """
    if not arm.has_friction:
        return [0] * arm.dof
    given, forces = directions or {}, []
    for k, (term, speed) in enumerate(zip(arm.frictions, arm.joint_values(qd), strict=True)):
        forces.append(0 if term is None else joint_friction(term, speed, given.get(k)))
    along = arm.generalised_forces(forces)
    for k, rotor in enumerate(arm.rotors, start=len(arm.links)):
        if rotor.has_friction:
            force = joint_friction(rotor.friction, rotor_speed(rotor, qd), given.get(k))
            for j, gear in rotor.gears:
                along[j] = along[j] + gear * force
    return along


def joint_friction(term: FrictionTerm, speed: Scalar, s: Scalar | None = None) -> Scalar:
    """Friction of one joint by all laws, in the direction s, that of its speed unless given."""
    if s is None:
        s = direction(term, speed)
    at = Sliding(speed, s, 0)
    coefficients = zip(LAWS, term.along(s), strict=True)
    return sum((x * law.force(at) for law, x in coefficients if not is_zero(x)), start=0)


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


def friction_slopes(arm: Mechanism, qd: Sequence[Scalar]) -> list[Scalar]:
    """dF/d(speed) of each joint, not of each coordinate [N m s or N s/m]; a sign counts as constant."""
    speeds = arm.joint_values(qd)
    return [0 if term is None else _slope(term, speed) for term, speed in zip(arm.frictions, speeds, strict=True)]


def shaft_slopes(arm: Mechanism, qd: Sequence[Scalar]) -> Matrix:
    """dF/dqd of the friction on the motors' shafts, n x n [N m s or N s/m]; a sign counts as constant."""
    slopes = [_slope(r.friction, rotor_speed(r, qd)) if r.has_friction else 0 for r in arm.rotors]
    return through_gears(arm, slopes)


def _slope(term: FrictionTerm, speed: Scalar) -> Scalar:
    """dF/d(speed) of one joint, where ds/d(speed) = steepness (1 - s^2) for s = tanh(steepness speed)."""
    s = direction(term, speed)
    s_slope = 0 if term.steepness is None else term.steepness * (1 - s * s)
    at = Sliding(speed, s, 0)
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
