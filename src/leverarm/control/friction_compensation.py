"""The friction that a law makes up for.

A law that took the sign of the measured velocity would push back and forth at rest, where friction holds and that sign
is noise. So dry friction is compensated in the direction in which the reference moves, as a feedforward
(Armstrong-Helouvry, Dupont and Canudas de Wit 1994, "A survey of models, analysis tools and compensation methods for
the control of machines with friction"); whatever is smooth, with the measured velocity. Where both velocities have one
sign this is F(qd).
"""

from __future__ import annotations

from collections.abc import Sequence

from leverarm import mechanics
from leverarm.model import Mechanism
from leverarm.scalars import Scalar, sign


def compensated_friction(model: Mechanism, qd: Sequence[Scalar], wanted: Sequence[Scalar]) -> list[Scalar]:
    """F(qd) with the sign of the wanted velocity, along each coordinate [N m or N]; no dry friction where that is 0."""
    terms = [*model.frictions, *(rotor.friction if rotor.has_friction else None for rotor in model.rotors)]
    steps = [k for k, term in enumerate(terms) if term is not None and term.steepness is None]
    speeds = [*model.joint_values(wanted), *(mechanics.rotor_speed(rotor, wanted) for rotor in model.rotors)]
    return mechanics.friction(model, qd, {k: sign(speeds[k]) for k in steps})
