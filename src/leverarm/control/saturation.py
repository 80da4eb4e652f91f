"""Joint forces held within limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from leverarm.compiler import Array
from leverarm.control.law import Data, Law, per_coordinate
from leverarm.model import Arm, Mechanism
from leverarm.scalars import Scalar, half, sign
from leverarm.signals import Moment

EFFORT = "effort"
"""The name of the limits among a law's data."""


@dataclass(frozen=True, slots=True)
class Saturated:
    """A law whose forces stop at the limits of effort, joint by joint."""

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
