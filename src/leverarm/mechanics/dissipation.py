"""Friction in the joints: F(qd) = F_v qd + F_d(qd), as in Table 3.3.1 of Lewis, Dawson and Abdallah 2004."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from leverarm.model import FrictionTerm, Mechanism
from leverarm.scalars import Scalar, half, sign, tanh


def friction(arm: Mechanism, qd: Sequence[Scalar], directions: Mapping[int, Scalar] | None = None) -> list[Scalar]:
    """The friction force along each coordinate [N m or N]: viscous, Coulomb and constant parts.

    `directions` gives some joints, by number, the way they slide: 1, -1, or 0 for those that do not, in place of the
    sign of their speed. Through a step in time it stays, so that the force is smooth where the speed comes to zero.
    """
    if not any(arm.frictions):
        return [0] * arm.dof
    given, forces = directions or {}, []
    for k, (term, speed) in enumerate(zip(arm.frictions, arm.joint_values(qd), strict=True)):
        forces.append(0 if term is None else joint_friction(term, speed, given.get(k)))
    return arm.generalised_forces(forces)


def joint_friction(term: FrictionTerm, speed: Scalar, s: Scalar | None = None) -> Scalar:
    """Friction of one joint: viscous speed + coulomb s + offset, in the direction s, that of its speed unless given."""
    if s is None:
        s = direction(term, speed)
    if not term.is_asymmetric:
        return term.viscous * speed + term.coulomb * s + term.offset
    forward, backward = shares(s)
    viscous = term.viscous * forward + term.viscous_negative * backward
    coulomb = term.coulomb * forward + term.coulomb_negative * backward
    return viscous * speed + coulomb * s + term.offset


def direction(term: FrictionTerm, speed: Scalar) -> Scalar:
    """Which way the joint moves, s: sgn(speed), or its smooth form tanh(steepness speed)."""
    return sign(speed) if term.steepness is None else tanh(term.steepness * speed)


def shares(s: Scalar) -> tuple[Scalar, Scalar]:
    """How much of a direction is forward and how much backward: (1, 0) and (0, 1) at s = 1 and -1."""
    return half(1 + s), half(1 - s)


def without_friction(arm: Mechanism) -> Mechanism:
    """The same arm with joints that move freely."""
    return replace(arm, frictions=(None,) * len(arm.frictions))


def friction_slopes(arm: Mechanism, qd: Sequence[Scalar]) -> list[Scalar]:
    """dF/d(speed) of each joint, not of each coordinate [N m s or N s/m]; a sign counts as constant."""
    speeds = arm.joint_values(qd)
    return [0 if term is None else _slope(term, speed) for term, speed in zip(arm.frictions, speeds, strict=True)]


def _slope(term: FrictionTerm, speed: Scalar) -> Scalar:
    """d(viscous speed + coulomb s)/d(speed), where ds/d(speed) = steepness (1 - s^2) for s = tanh(steepness speed)."""
    s = direction(term, speed)
    s_slope = 0 if term.steepness is None else term.steepness * (1 - s * s)
    if not term.is_asymmetric:
        return term.viscous + term.coulomb * s_slope
    forward, backward = shares(s)
    viscous = term.viscous * forward + term.viscous_negative * backward
    coulomb = term.coulomb * forward + term.coulomb_negative * backward
    turning = half(term.viscous - term.viscous_negative) * speed + half(term.coulomb - term.coulomb_negative) * s
    return viscous + (turning + coulomb) * s_slope
