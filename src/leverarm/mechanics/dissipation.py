"""Friction in the joints: F(qd) = F_v qd + F_d(qd), as in Table 3.3.1 of Lewis, Dawson and Abdallah 2004."""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.model import FrictionTerm, Mechanism
from leverarm.scalars import Scalar, half, sign, tanh


def friction(arm: Mechanism, qd: Sequence[Scalar]) -> list[Scalar]:
    """The friction force along each coordinate [N m or N]: viscous, Coulomb and constant parts."""
    if not any(arm.frictions):
        return [0] * arm.dof
    speeds = arm.joint_values(qd)
    return arm.generalised_forces(
        [0 if term is None else joint_friction(term, speed) for term, speed in zip(arm.frictions, speeds, strict=True)]
    )


def joint_friction(term: FrictionTerm, speed: Scalar) -> Scalar:
    """Friction of one joint: viscous speed + coulomb s + offset, with s = sgn(speed) or tanh(steepness speed)."""
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
