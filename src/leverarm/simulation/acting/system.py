"""A system: an arm and the kinds of forces on it, the structure for which code is compiled once.

All its numbers are data, fed to the code row by row: signals and gains, the payload, and those parameters of the arm
(masses, friction, lengths) that a run overrides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from leverarm import mechanics
from leverarm.compiler import Array
from leverarm.control.signals.checked import number_array
from leverarm.errors import InputError
from leverarm.model import Arm, Mechanism
from leverarm.runtime.parameters import bound, parameter_array, parameter_inputs, present_values
from leverarm.scalars import Tape
from leverarm.simulation import contacts
from leverarm.simulation.acting.feeds import Rows, Source
from leverarm.simulation.acting.forces import AppliedForce
from leverarm.simulation.acting.payloads import Payload, carried

FRICTION = "friction"
STOPS = "stops"
TORQUE = "torque"


@dataclass(frozen=True)
class System:
    """The arm, the forces on it, and which of its parameters are data (a payload, masses that differ by environment).

    `stops` are the numbers of the coordinates that run into stops at the ends of their ranges. Systems that need
    different code differ in their `repr`.
    """

    arm: Arm
    forces: tuple[AppliedForce, ...] = ()
    parameters: tuple[str, ...] = ()
    stops: tuple[int, ...] = ()
    has_ledger: bool = True

    def __post_init__(self) -> None:
        rubbing = [rotor for rotor in self._mechanism.rotors if rotor.has_friction]
        stuck = [rotor.joint for rotor in rubbing if rotor.friction.is_dry]
        if stuck:
            raise InputError(
                f"arm {self.arm.name!r}: the motor of joint {stuck[0]!r} has Coulomb friction and does not turn with "
                "that joint alone; joints that stick together by their motor are not simulated. Give the joint's "
                "friction a `smoothing`, a small speed such as 1e-3 rad/s, which also smooths that of the motor."
            )

    @cached_property
    def accounts(self) -> tuple[str, ...]:
        """Where energy comes from and goes to, in the order of the sums."""
        if not self.has_ledger:
            return ()
        named = dict.fromkeys(force.account for force in self.forces)
        if self._has_friction:
            named[FRICTION] = None
        if self.stops:
            named[STOPS] = None
        return tuple(named)

    @cached_property
    def feeds(self) -> tuple[Array, ...]:
        """The arrays of data, force by force (each name with the number of its force), the parameters, the stops."""
        of_forces = [
            replace(array, name=f"{array.name}#{k}") for k, f in enumerate(self.forces) for array in f.arrays(self.arm)
        ]
        parameters = [parameter_array(self.arm, name) for name in self.parameters]
        return (*of_forces, *parameters, *(contacts.stop_arrays(self.stops) if self.stops else ()))

    @cached_property
    def dry(self) -> tuple[int, ...]:
        """The coordinates whose own joint has dry friction in which it can stick."""
        return tuple(sorted(contacts.dry_joints(self._mechanism)))

    @cached_property
    def marks(self) -> tuple[Array, ...]:
        """What is carried with the state besides q, qd and the sums: nothing where no joint can be held."""
        return contacts.mark_arrays(self.arm) if self.dry or self.stops else ()

    @cached_property
    def _has_friction(self) -> bool:
        return self._mechanism.has_friction

    @cached_property
    def _mechanism(self) -> Mechanism:
        """The arm with its parameters as they are given: a friction that is data is friction."""
        tape = Tape()
        arrays = [parameter_array(self.arm, name) for name in self.parameters]
        given = {a.name: tape.inputs_of(a.name, a.size) for a in arrays}
        return mechanics.with_shafts_at_joints(bound(self.arm, given))


PAYLOAD = "payload"


def parameter_sources(
    arm: Arm, given: Mapping[str, ArrayLike] | None, payload: Payload | Sequence[Payload] | None, begin: float
) -> tuple[dict[str, Source], tuple[float, ...]]:
    """The parameters of the arm that are data, by name, and when the payload changes."""
    sources: dict[str, Source] = {}
    given = {} if given is None else given
    if not isinstance(given, Mapping):
        raise InputError(f"parameters: {given!r} was given; it takes values by name, such as {{'masses': [...]}}.")
    inputs = parameter_inputs(arm, tuple(given))
    if several := [name for name in given if name not in inputs]:
        raise InputError(
            f"parameters: {several[0]} stands for more than one of them. Give each by its own name: "
            f"{', '.join(name for name in inputs if name not in given)}."
        )
    for name in inputs:
        size = len(present_values(arm, name))
        values = number_array(f"parameters: {name}", given[name], f"{size} finite numbers")
        if values.shape[-1:] != (size,):
            values = values[..., None] if size == 1 else values
        if values.shape[-1:] != (size,) or not np.isfinite(values).all():
            raise InputError(f"parameters: {name} takes {size} finite numbers, and {values!r} was given.")
        sources[name] = Rows.constant(values.reshape(-1, size) if values.ndim > 2 else values)
    payloads = tuple(payload) if isinstance(payload, list | tuple) else () if payload is None else (payload,)
    if not payloads:
        return sources, ()
    if wrong := [p for p in payloads if not isinstance(p, Payload)]:
        raise InputError(f"payload: {wrong[0]!r} was given; it takes la.payload(mass, com=..., at=...), or several.")
    if PAYLOAD in sources:
        raise InputError("the payload is given twice: among the parameters and as payload. Leave one out.")
    begins, rows = carried(payloads, begin)
    sources[PAYLOAD] = Rows(begins, rows)
    return sources, tuple(begins[1:].tolist())
