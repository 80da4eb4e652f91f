"""What the description of an arm says about where its coordinates can be and how fast."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from leverarm.arrays import Array
from leverarm.model import Arm, JointKind, Quantity, to_float
from leverarm.runtime.units import Units

ENDLESS = 6 * np.pi
"""rad: how far a joint that turns without end may be from zero without raising doubt."""
SPEED = 20.0
"""rad/s: no joint of an arm is faster for long."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Of each coordinate: whether an angle, its range, the greatest distance from zero and speed [rad or m, per s]."""

    is_angle: tuple[bool, ...]
    lower: Array
    upper: Array
    reach: Array
    speed: Array

    @staticmethod
    def of(arm: Arm) -> Bounds:
        """Of a description, its symbols at their defaults; what it does not say is what arms usually are."""
        is_angle = Units.of(arm).is_angle
        joints = {body.joint.name: body.joint for body in arm.bodies if body.joint.coupling is None}

        def value(quantity: Quantity | None, missing: float) -> float:
            return missing if quantity is None else to_float(quantity, arm.defaults)

        rows = []
        for name, turns in zip(arm.coordinates, is_angle, strict=True):
            joint = joints.get(name)
            limits = joint.limits if joint else None
            lower = value(limits.lower if limits else None, -np.inf)
            upper = value(limits.upper if limits else None, np.inf)
            usual = 2 * np.pi if turns else 20.0
            if joint and joint.kind is JointKind.CONTINUOUS:
                lower, upper, usual = -np.inf, np.inf, ENDLESS
            far = max(abs(lower), abs(upper))
            speed = value(limits.velocity if limits else None, SPEED)
            rows.append((lower, upper, max(far, 1.0 if turns else 0.1) if np.isfinite(far) else usual, speed))
        lower, upper, reach, speed = np.array(rows, dtype=np.float64).T
        return Bounds(is_angle, lower, upper, reach, speed)

    @property
    def middles(self) -> Array:
        """Of the ranges; NaN where there is none."""
        has_range = np.isfinite(self.lower) & np.isfinite(self.upper)
        return np.where(has_range, np.where(has_range, self.lower, 0) + np.where(has_range, self.upper, 0), np.nan) / 2

    def endless(self) -> Bounds:
        """The same without ranges: those of joints do not hold for their motors."""
        nowhere = np.full(len(self.is_angle), np.inf)
        return replace(self, lower=-nowhere, upper=nowhere)
