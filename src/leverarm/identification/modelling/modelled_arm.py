"""An arm and the drives of a model: couplings as motors that turn with more joints, the numbers it describes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from leverarm.arrays import Array
from leverarm.identification.modelling.drives import Coupling
from leverarm.mechanics import parameters
from leverarm.model import Arm, Body, Motor, bind, to_float

OF_DRIVES = ("rotor", "viscous", "coulomb", "offset")


def drawn_values(arm: Arm, names: Sequence[str], bodies: Array) -> Array:
    """The numbers of these columns as an arm describes them, `bodies` those of its links; 0 where it says nothing."""
    described = {entry.name: float(entry.value) for entry in parameters(bind(arm), OF_DRIVES)}
    values = np.array([described.get(name, 0.0) for name in names])
    values[: len(bodies)] = bodies
    return values


def couplings_of(arm: Arm) -> tuple[Coupling, ...]:
    """The couplings an arm describes: motors of a joint that turn with other joints too."""
    place = {name: j for j, name in enumerate(arm.joint_names)}
    found = []
    for rotor in bind(arm).rotors:
        gears = {j: float(gear) for j, gear in rotor.gears}
        own = place.get(rotor.joint)
        if own is not None and gears.get(own):
            found += [Coupling(own, j, gear / gears[own]) for j, gear in gears.items() if j != own]
    return tuple(found)


def with_couplings(arm: Arm, couplings: Sequence[Coupling]) -> Arm:
    """The arm with motors that turn with more joints where the couplings say so; what it describes itself stays."""
    described = {(c.motor, c.also) for c in couplings_of(arm)}
    added: dict[str, list[Coupling]] = {}
    for coupling in couplings:
        if (coupling.motor, coupling.also) not in described:
            added.setdefault(arm.joint_names[coupling.motor], []).append(coupling)

    def changed(body: Body) -> Body:
        if body.joint.name not in added:
            return body
        motor = body.joint.motor or Motor(inertia=0)
        gear = to_float(motor.gear, arm.defaults)
        also = tuple((arm.joint_names[c.also], c.ratio * gear) for c in added[body.joint.name])
        return replace(body, joint=replace(body.joint, motor=replace(motor, also=(*motor.also, *also))))

    return replace(arm, bodies=tuple(changed(body) for body in arm.bodies)) if added else arm
