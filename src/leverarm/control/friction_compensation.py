"""The friction that a law makes up for.

A law that took the sign of the measured velocity would push back and forth at rest, where friction holds and that sign
is noise. So dry friction is compensated in the direction in which the reference moves, as a feedforward
(Armstrong-Helouvry, Dupont and Canudas de Wit 1994, "A survey of models, analysis tools and compensation methods for
the control of machines with friction"); whatever is smooth, with the measured velocity. Where both velocities have one
sign this is F(qd).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from leverarm.mechanics.dissipation import direction, shares
from leverarm.model import FrictionTerm, Mechanism
from leverarm.scalars import Scalar


def compensated_friction(model: Mechanism, qd: Sequence[Scalar], wanted: Sequence[Scalar]) -> list[Scalar]:
    """F(qd) with the sign of the wanted velocity, along each coordinate [N m or N]; no dry friction where that is 0."""
    if not any(model.frictions):
        return [0] * model.dof
    speeds, directions = model.joint_values(qd), model.joint_values(wanted)
    return model.generalised_forces(
        [
            0 if term is None else _joint_friction(term, speed, towards)
            for term, speed, towards in zip(model.frictions, speeds, directions, strict=True)
        ]
    )


def _joint_friction(term: FrictionTerm, speed: Scalar, towards: Scalar) -> Scalar:
    s = direction(term, towards if term.steepness is None else speed)
    forward, backward = shares(s)
    viscous, coulomb = term.viscous, term.coulomb
    if term.is_asymmetric:
        viscous = viscous * forward + term.viscous_negative * backward
        coulomb = coulomb * forward + term.coulomb_negative * backward
    return viscous * speed + coulomb * s + term.offset


def without_friction(model: Mechanism) -> Mechanism:
    """The same arm with joints that slide freely."""
    return replace(model, frictions=(None,) * len(model.frictions))
