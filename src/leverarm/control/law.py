"""What a control law is: joint forces from a reference and the state, over any scalar, so that it can be compiled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from leverarm.compiler import Array
from leverarm.model import Arm, Mechanism
from leverarm.scalars import Scalar, as_length
from leverarm.signals import Moment

Data = Mapping[str, Sequence[Scalar]]
"""The scalars of each of a law's arrays, flattened."""


class Law(Protocol):
    """The structure of a control law: frozen and hashable, its numbers come as data.

    `repr` tells laws apart that need different code.
    """

    def reference(self, arm: Arm) -> Array:
        """What the law follows: the numbers of its reference."""
        ...

    def arrays(self, arm: Arm) -> tuple[Array, ...]:
        """The law's data, by name. Raises InputError where the law does not fit the arm."""
        ...

    def torque(
        self, model: Mechanism, data: Data, wanted: Moment, q: Sequence[Scalar], qd: Sequence[Scalar]
    ) -> list[Scalar]:
        """The joint forces at a state [N m or N], by a law that takes `model` for the arm."""
        ...


def per_coordinate(arm: Arm, name: str, meaning: str) -> Array:
    """An array of one number per coordinate."""
    return Array(name, (arm.dof,), meaning, arm.joint_names)


def errors(wanted: Sequence[Scalar], found: Sequence[Scalar]) -> list[Scalar]:
    """How far each number is from where it should be."""
    return [as_length(a) - as_length(b) for a, b in zip(wanted, found, strict=True)]


def weighted(gains: Sequence[Scalar], terms: Sequence[Scalar]) -> list[Scalar]:
    """Each term times its gain."""
    return [gain * term for gain, term in zip(gains, terms, strict=True)]


def total(*terms: Sequence[Scalar]) -> list[Scalar]:
    """The sum of several lists, entry by entry."""
    return [sum(parts, start=0) for parts in zip(*terms, strict=True)]
