"""Control laws: joint forces from a reference and the state, over any scalar, so that they compile with the arm.

Any law can be saturated at effort limits and can compensate friction. Using the sign of the measured velocity would
chatter at rest, where friction holds and that sign is noise. So dry friction is compensated in the direction in which
the reference moves, as a feedforward (Armstrong-Helouvry, Dupont and Canudas de Wit 1994, "A survey of models, analysis
tools and compensation methods for the control of machines with friction"); smooth friction, with the measured velocity.
Where both velocities have one sign this is F(qd).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from leverarm import mechanics
from leverarm.compiler import Array
from leverarm.control.signals import Moment
from leverarm.model import Arm, Mechanism
from leverarm.scalars import Scalar, as_length, half, sign

Data = Mapping[str, Sequence[Scalar]]
"""The scalars of each of a law's arrays, flattened."""


class Law(Protocol):
    """The structure of a control law: frozen and hashable, its numbers come as data.

    Laws that need different code differ in their `repr`.
    """

    def reference(self, arm: Arm) -> Array:
        """The reference that the law tracks."""
        ...

    def arrays(self, arm: Arm) -> tuple[Array, ...]:
        """The law's data, by name. Raises InputError where the law does not fit the arm."""
        ...

    def torque(
        self, model: Mechanism, data: Data, wanted: Moment, q: Sequence[Scalar], qd: Sequence[Scalar]
    ) -> list[Scalar]:
        """The joint forces at a state [N m or N], computed with `model` as the model of the arm."""
        ...


def per_coordinate(arm: Arm, name: str, meaning: str) -> Array:
    """An array of one number per coordinate."""
    return Array(name, (arm.dof,), meaning, arm.joint_names)


def errors(wanted: Sequence[Scalar], found: Sequence[Scalar]) -> list[Scalar]:
    """Desired minus actual, entry by entry."""
    return [as_length(a) - as_length(b) for a, b in zip(wanted, found, strict=True)]


def weighted(gains: Sequence[Scalar], terms: Sequence[Scalar]) -> list[Scalar]:
    """Each term times its gain."""
    return [gain * term for gain, term in zip(gains, terms, strict=True)]


def total(*terms: Sequence[Scalar]) -> list[Scalar]:
    """The sum of several lists, entry by entry."""
    return [sum(parts, start=0) for parts in zip(*terms, strict=True)]


EFFORT = "effort"
"""The name of the limits among a law's data."""


@dataclass(frozen=True, slots=True)
class Saturated:
    """A law whose joint forces saturate at the effort limits, joint by joint."""

    law: Law

    def reference(self, arm: Arm) -> Array:
        return self.law.reference(arm)

    def arrays(self, arm: Arm) -> tuple[Array, ...]:
        return (*self.law.arrays(arm), per_coordinate(arm, EFFORT, "greatest force"))

    def torque(
        self, model: Mechanism, data: Data, wanted: Moment, q: Sequence[Scalar], qd: Sequence[Scalar]
    ) -> list[Scalar]:
        free = self.law.torque(model, data, wanted, q, qd)
        return [clipped(force, limit) for force, limit in zip(free, data[EFFORT], strict=True)]


def clipped(x: Scalar, limit: Scalar) -> Scalar:
    """x between -limit and limit: (x (s - r) + limit (s + r)) / 2 with the signs r of x - limit and s of x + limit.

    Within the limits s - r = 2 and s + r = 0, beyond them the other way round, so floats come back bit for bit. Ring,
    and `sign`.
    """
    r, s = sign(x - limit), sign(x + limit)
    return half(x * (s - r) + limit * (s + r))


def compensated_friction(
    model: Mechanism, q: Sequence[Scalar], qd: Sequence[Scalar], wanted: Sequence[Scalar]
) -> list[Scalar]:
    """F with the sign of the desired velocity, by coordinate [N m or N]; no dry friction where that is 0."""
    terms = [*model.frictions, *(rotor.friction if rotor.has_friction else None for rotor in model.rotors)]
    steps = [k for k, term in enumerate(terms) if term is not None and term.steepness is None]
    speeds = [*model.joint_values(wanted), *(mechanics.rotor_speed(rotor, wanted) for rotor in model.rotors)]
    load = mechanics.joint_loads(model, q, qd) if model.loaded_joints else None
    return mechanics.friction(model, qd, {k: sign(speeds[k]) for k in steps}, load)
