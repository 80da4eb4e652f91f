"""What there is to draw of an arm in one pose: links, joints, frames and centres of mass, in space, as plain data."""

from __future__ import annotations

import math
from dataclasses import dataclass

from leverarm.model import JointKind
from leverarm.spatial import Vec3


@dataclass(frozen=True, slots=True)
class JointMark:
    """A joint: its name, how it moves, a point of its axis where it is shown, and the axis as a unit vector."""

    name: str
    kind: JointKind
    at: Vec3
    axis: Vec3


@dataclass(frozen=True, slots=True)
class LinkPath:
    """A piece of a body as a chain of points. `is_rod` marks the part that slides out of a prismatic joint."""

    body: str
    points: tuple[Vec3, ...]
    is_rod: bool = False


@dataclass(frozen=True, slots=True)
class Triad:
    """A frame: the names that share it, its origin, and its axes as unit vectors."""

    names: tuple[str, ...]
    origin: Vec3
    axes: tuple[Vec3, Vec3, Vec3]


@dataclass(frozen=True, slots=True)
class MassDot:
    """The centre of mass of a body, its mass [kg], and the body's origin."""

    body: str
    at: Vec3
    mass: float
    origin: Vec3


@dataclass(frozen=True, slots=True)
class Scene:
    """An arm in one pose, in world coordinates [m].

    `mark` is the size of a joint's marker [m]. The base comes first in `triads`.
    """

    name: str
    title: str
    coordinates: tuple[str, ...]
    q: tuple[float, ...]
    links: tuple[LinkPath, ...]
    joints: tuple[JointMark, ...]
    triads: tuple[Triad, ...]
    masses: tuple[MassDot, ...]
    gravity: Vec3
    mark: float

    @property
    def base(self) -> Triad:
        return self.triads[0]

    @property
    def up(self) -> Vec3:
        """Against gravity; the base's z where there is none."""
        strength = math.hypot(*self.gravity)
        return self.gravity * (-1 / strength) if strength else self.base.axes[2]

    @property
    def points(self) -> tuple[Vec3, ...]:
        """Every point of the arm itself."""
        return (
            *(point for link in self.links for point in link.points),
            *(joint.at for joint in self.joints),
            *(triad.origin for triad in self.triads),
            *(dot.at for dot in self.masses),
        )
