"""The arm as the algorithms see it: moving links only, every number a scalar of one type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leverarm.scalars import Scalar, as_length, cos_sin
from leverarm.spatial import IDENTITY, Inertia, Motion, Pose, Vec3, rotation_about

WORLD = -1
"""The parent index of a link that hangs on the base. Lists over links keep the world last, so index -1 finds it."""


@dataclass(frozen=True, slots=True)
class Link:
    """A moving body: where its joint sits in the parent, how the joint moves, and the inertia about its own origin."""

    name: str
    joint: str
    parent: int
    placement: Pose
    axis: Vec3
    turns: bool
    slide: Scalar
    inertia: Inertia

    @property
    def S(self) -> Motion:
        """The joint's motion at unit speed, in the body frame: constant, because the body frame is the joint frame."""
        return Motion(self.axis if self.turns else Vec3(0, 0, 0), self.axis * self.slide)

    def pose(self, x: Scalar) -> Pose:
        """parent_from_body at joint position x: turned about the axis and advanced along it."""
        rotation = rotation_about(self.axis, *cos_sin(x)) if self.turns else IDENTITY
        return self.placement * Pose(rotation, self.axis * (self.slide * as_length(x)))


@dataclass(frozen=True, slots=True)
class FrictionTerm:
    """Friction of one joint, forwards and (`_negative`) backwards; `steepness` is 1/w of the smooth form tanh(qd/w)."""

    viscous: Scalar
    viscous_negative: Scalar
    coulomb: Scalar
    coulomb_negative: Scalar
    offset: Scalar
    is_asymmetric: bool
    steepness: Scalar | None


@dataclass(frozen=True, slots=True)
class RotorTerm:
    """A rotor of some inertia, and how fast it turns per unit speed of each coordinate."""

    joint: str
    inertia: Scalar
    gears: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class Attachment:
    """A frame fixed to a link (or to the world): link_from_frame."""

    link: int
    pose: Pose


@dataclass(frozen=True, slots=True)
class Mechanism:
    """Moving links with parents before children, gravity, attached frames, and the map from coordinates to joints.

    Joint i is at sum over j of couplings[i][j] q_j; constant offsets are part of its placement.
    """

    name: str
    links: tuple[Link, ...]
    gravity: Vec3
    coordinates: tuple[str, ...]
    couplings: tuple[tuple[Scalar, ...], ...]
    frictions: tuple[FrictionTerm | None, ...]
    rotors: tuple[RotorTerm, ...]
    attachments: Mapping[str, Attachment]
    tool: str

    @property
    def dof(self) -> int:
        return len(self.coordinates)

    @property
    def is_coupled(self) -> bool:
        """Whether some joint is not simply a coordinate of its own."""
        return any(
            len(self.links) != self.dof or ratio != (1 if i == j else 0)
            for i, row in enumerate(self.couplings)
            for j, ratio in enumerate(row)
        )

    def joint_values(self, q: Sequence[Scalar]) -> list[Scalar]:
        """Coordinates to joints: positions, velocities or accelerations alike, since the map is linear."""
        return [weighted_sum(row, q) for row in self.couplings]

    def generalised_forces(self, tau: Sequence[Scalar]) -> list[Scalar]:
        """Joint forces to forces along the coordinates: the transpose of `joint_values`, so that power is the same."""
        return [weighted_sum([row[j] for row in self.couplings], tau) for j in range(self.dof)]


def weighted_sum(weights: Sequence[Scalar], terms: Sequence[Scalar]) -> Scalar:
    """The sum of weight * term over the weights that are not structurally zero."""
    total: Scalar = 0
    for weight, term in zip(weights, terms, strict=True):
        if type(weight) is int and weight == 0:
            continue
        product = term if type(weight) is int and weight == 1 else weight * term
        total = product if type(total) is int and total == 0 else total + product
    return total
