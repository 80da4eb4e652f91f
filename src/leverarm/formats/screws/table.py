"""A table of screws: home poses, screw axes and inertias, as in the product of exponentials."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from leverarm.formats.screws.spatial_inertia import Matrix6, spatial_inertia
from leverarm.model import Friction, JointKind, Limits, MassProperties, Motor, Placement, Quantity
from leverarm.model.arm import STANDARD_GRAVITY
from leverarm.scalars import Number
from leverarm.spatial import HERE, Motion, Pose, Vec3

Form = Literal["space", "body"]
FORMS: tuple[Form, ...] = get_args(Form)
Matrix4 = tuple[tuple[Quantity, ...], ...]


@dataclass(frozen=True, slots=True)
class ScrewLink:
    """One link: its joint's screw, its frame's pose when all joints are at zero, its mass in that frame, its joint.

    `kind` is read off the screw where it is not given.
    """

    screw: Motion
    home: Pose = HERE
    mass_properties: MassProperties = MassProperties()
    name: str | None = None
    link: str | None = None
    kind: JointKind | None = None
    limits: Limits = Limits()
    friction: Friction | None = None
    motor: Motor | None = None
    force: str | None = None


@dataclass(frozen=True, slots=True)
class ScrewFrame:
    """A named frame fixed to the frame of a link, counted from 1; link 0 is the base."""

    name: str
    link: int
    placement: Placement = Placement()


@dataclass(frozen=True, slots=True)
class ScrewTable:
    """A serial arm by its screws (Lynch and Park 2017, Modern Robotics, chapters 4 and 8).

    All poses are in the base frame; `tool` is the tool's home pose M. The screws are in the base frame (form "space")
    or in the tool frame (form "body"). `base` is world_from_base.
    """

    links: tuple[ScrewLink, ...]
    tool: Pose
    form: Form = "space"
    name: str = "arm"
    gravity: Vec3 = Vec3(0, 0, -STANDARD_GRAVITY)
    base: Placement = Placement()
    frames: tuple[ScrewFrame, ...] = ()
    symbols: tuple[tuple[str, Number], ...] = ()
    coordinates: tuple[str, ...] = ()
    base_name: str = "base"
    title: str = ""
    source: str = ""
    licence: str = ""

    @property
    def home(self) -> tuple[Matrix4, ...]:
        """n + 1 matrices 4 x 4: the home poses of the link frames and, last, of the tool, all in the base frame."""
        return tuple(matrix_of(pose) for pose in (*(link.home for link in self.links), self.tool))

    @property
    def screws(self) -> tuple[tuple[Quantity, ...], ...]:
        """n screws of 6 numbers, angular part first."""
        return tuple((*link.screw.angular, *link.screw.linear) for link in self.links)

    @property
    def inertias(self) -> tuple[Matrix6, ...]:
        """n spatial inertias 6 x 6, each in its link's frame."""
        return tuple(spatial_inertia(link.mass_properties) for link in self.links)


def matrix_of(pose: Pose) -> Matrix4:
    """The pose as a 4 x 4 matrix, row by row."""
    rows = zip(pose.rotation.rows(), pose.position, strict=True)
    return (*((*row, x) for row, x in rows), (0, 0, 0, 1))
