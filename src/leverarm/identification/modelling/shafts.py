"""The motors' shafts of an arm: what each turns with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from leverarm.arrays import Array
from leverarm.identification.modelling.drives import Coupling
from leverarm.identification.modelling.modelled_arm import with_couplings
from leverarm.identification.structure import with_drives
from leverarm.model import Arm, bind, to_float


@dataclass(frozen=True, slots=True)
class Shaft:
    """A motor's shaft: the joint it is named after, and (coordinate, gear) pairs of all that it turns with.

    `motor` is the coordinate of that joint and `gear` how many times faster the shaft turns; None for a shaft on a
    joint that is no coordinate. `rubs` says whether it has friction of its own, which a joint's could not stand for.
    """

    joint: str
    gears: tuple[tuple[int, float], ...]
    motor: int | None
    gear: float
    rubs: bool

    def turned(self, x: Array) -> Array:
        """The shaft's speeds (k,) at speeds x (k, n) of the coordinates, or its accelerations likewise."""
        speeds = np.zeros(len(x))
        for j, gear in self.gears:
            speeds += gear * x[:, j]
        return speeds

    def felt(self, torque: Array) -> dict[int, Array]:
        """A torque (k,) on the shaft as the coordinates feel it: through the same gears, so that power is the same."""
        return {j: gear * torque for j, gear in self.gears}

    def gear_of(self, j: int) -> float:
        """How fast the shaft turns per unit speed of one coordinate."""
        return dict(self.gears).get(j, 0.0)


@lru_cache(maxsize=32)
def shafts_of(arm: Arm, couplings: tuple[Coupling, ...]) -> tuple[Shaft, ...]:
    """The shafts of an arm with these couplings: every coordinate has one that turns with it."""
    driven = with_drives(with_couplings(arm, couplings))
    place = {name: j for j, name in enumerate(driven.joint_names)}
    motors = {body.joint.name: body.joint.motor for body in driven.bodies}
    found = []
    for rotor in bind(driven).rotors:
        motor = motors[rotor.joint]
        gear = 1.0 if motor is None else to_float(motor.gear, driven.defaults)
        gears = tuple((j, float(ratio)) for j, ratio in rotor.gears)
        found.append(Shaft(rotor.joint, gears, place.get(rotor.joint), gear, rotor.is_told_apart))
    return tuple(found)
