"""The arm as the algorithms see it: moving links only, every number a scalar of one type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leverarm.errors import InputError
from leverarm.model.friction import FrictionTerm
from leverarm.scalars import Scalar, as_length, cos_sin, is_one, is_zero, sign
from leverarm.spatial import IDENTITY, ORIGIN, Inertia, Motion, Pose, Vec3, rotation_about

WORLD = -1
"""The parent index of a link that hangs on the base. Lists over links keep the world last, so index -1 finds it."""

Row = tuple[tuple[int, Scalar], ...]
"""A sparse row: (index of a coordinate, ratio) pairs."""


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
        return Motion(self.axis if self.turns else ORIGIN, self.axis * self.slide)

    def pose(self, x: Scalar) -> Pose:
        """parent_from_body at joint position x: turned about the axis and advanced along it."""
        rotation = rotation_about(self.axis, *cos_sin(x)) if self.turns else IDENTITY
        return self.placement * Pose(rotation, self.axis * (self.slide * as_length(x)))


@dataclass(frozen=True, slots=True)
class SpringTerm:
    """A spring of one joint, its rest position counted as the mechanism counts: without the offset of a coupling."""

    stiffness: Scalar
    rest: Scalar


@dataclass(frozen=True, slots=True)
class RotorTerm:
    """A rotor of some inertia, and how fast it turns per unit speed of each coordinate that drives it.

    `friction` acts on the rotor's own speed, alike both ways and without offset; there is none unless `has_friction`.
    """

    joint: str
    inertia: Scalar
    gears: Row
    friction: FrictionTerm
    has_friction: bool

    @property
    def has_friction_parameters(self) -> bool:
        """Whether its friction has columns of its own in the regressor: there is some, or it drives several joints."""
        return self.has_friction or len(self.gears) > 1


@dataclass(frozen=True, slots=True)
class Attachment:
    """A frame fixed to a link (or to the world): link_from_frame."""

    link: int
    pose: Pose


@dataclass(frozen=True, slots=True)
class Mechanism:
    """Moving links with parents before children, gravity, attached frames, and the map from coordinates to joints.

    Joint i is at the sum of ratio q_j over couplings[i]; constant offsets are part of its placement.
    """

    name: str
    links: tuple[Link, ...]
    gravity: Vec3
    coordinates: tuple[str, ...]
    couplings: tuple[Row, ...]
    frictions: tuple[FrictionTerm | None, ...]
    springs: tuple[SpringTerm | None, ...]
    rotors: tuple[RotorTerm, ...]
    attachments: Mapping[str, Attachment]
    tool: str

    @property
    def dof(self) -> int:
        return len(self.coordinates)

    @property
    def has_friction(self) -> bool:
        """Whether some joint or some motor's shaft has friction."""
        return any(self.frictions) or any(rotor.has_friction for rotor in self.rotors)

    @property
    def has_springs(self) -> bool:
        """Whether some joint has a spring."""
        return any(self.springs)

    @property
    def loaded_joints(self) -> tuple[str, ...]:
        """The joints whose friction depends on their load."""
        terms = zip(self.links, self.frictions, strict=True)
        return tuple(link.joint for link, term in terms if term is not None and term.is_loaded)

    @property
    def own_joints(self) -> dict[int, int]:
        """Coordinate -> joint of those joints that are a coordinate of their own."""
        found = {}
        for k, (row, link) in enumerate(zip(self.couplings, self.links, strict=True)):
            if len(row) == 1 and is_one(row[0][1]) and link.joint == self.coordinates[row[0][0]]:
                found[row[0][0]] = k
        return found

    @property
    def is_coupled(self) -> bool:
        """Whether some joint is not simply a coordinate of its own, in order."""
        return len(self.links) != self.dof or any(
            len(row) != 1 or row[0][0] != i or not is_one(row[0][1]) for i, row in enumerate(self.couplings)
        )

    def joint_values(self, q: Sequence[Scalar]) -> list[Scalar]:
        """Coordinates to joints: positions, velocities or accelerations alike, since the map is linear."""
        return [weighted_sum(row, q) for row in self.couplings]

    def load_sizes(self, load: Sequence[Scalar] | None) -> list[Scalar]:
        """The magnitudes of the joints' loads, sgn(tau) tau; 0 where none is given and friction does not depend on it.

        Raises InputError where it does.
        """
        loaded, count = self.loaded_joints, len(self.links)
        if load is None and loaded:
            raise InputError(
                f"arm {self.name!r}: the friction of joint {loaded[0]!r} depends on its load. Give `load`, what each "
                "joint transmits without acceleration, as la.quantities.joint_loads(arm, q, qd) finds it."
            )
        if load is not None and len(load) != count:
            raise InputError(f"load: {len(load)} numbers were given; it takes {count}, one for each joint that moves.")
        return [0] * count if load is None else [sign(x) * x for x in load]

    def generalised_forces(self, tau: Sequence[Scalar]) -> list[Scalar]:
        """Joint forces to forces along the coordinates: the transpose of `joint_values`, so that power is the same."""
        forces: list[Scalar] = [0] * self.dof
        for row, force in zip(self.couplings, tau, strict=True):
            for j, ratio in row:
                forces[j] = _plus(forces[j], _times(ratio, force))
        return forces


def weighted_sum(row: Row, terms: Sequence[Scalar]) -> Scalar:
    """The sum of ratio * term over a sparse row; a term with ratio one is taken as it is."""
    total: Scalar = 0
    for j, ratio in row:
        total = _plus(total, _times(ratio, terms[j]))
    return total


def _times(ratio: Scalar, term: Scalar) -> Scalar:
    return term if is_one(ratio) else ratio * term


def _plus(total: Scalar, term: Scalar) -> Scalar:
    return term if is_zero(total) else total + term
