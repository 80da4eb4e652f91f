"""A table of screws: home poses, screw axes and spatial inertias, as in the product of exponentials.

The 6 x 6 spatial inertia of a link has its angular part first:
G = [[I, S(h)], [S(h)^T, m 1]] with h = m c, all about the link frame's origin (Lynch and Park 2017, section 8.2.2;
Featherstone 2008, eq. 2.63). In a frame at the centre of mass it is the book's diag(I, m, m, m).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from leverarm.errors import ArmError
from leverarm.formats.plain_parts import mass_properties, matrix
from leverarm.formats.rigid import value_of
from leverarm.model import Friction, JointKind, Limits, MassProperties, Motor, Placement, Quantity, Spring
from leverarm.model.arm import STANDARD_GRAVITY
from leverarm.model.expression import divide
from leverarm.model.parts import turn
from leverarm.scalars import Number
from leverarm.spatial import HERE, ORIGIN, Motion, Pose, Symmetric3, Vec3, point_inertia, rotation_from_rpy, skew

Matrix6 = tuple[tuple[Quantity, ...], ...]
_SYMMETRY = 1e-9


def link_mass_properties(given: Any, where: str, values: Mapping[str, Number]) -> MassProperties:
    """From a 6 x 6 matrix, a MassProperties or a mapping, all in the link frame; None is a link without mass."""
    if given is None or isinstance(given, MassProperties | Mapping):
        return mass_properties(given, where)
    G = matrix(given, 6, where)
    _check_rigid([[value_of(x, values, where) for x in row] for row in G], where)
    m = G[3][3]
    h = Vec3(G[2][4], G[0][5], G[1][3])
    tensor = Symmetric3(G[0][0], G[0][1], G[1][1], G[0][2], G[1][2], G[2][2])
    if h == ORIGIN:
        return MassProperties(m, ORIGIN, tensor)
    return MassProperties(m, Vec3(*(divide(part, m) for part in h)), tensor, "origin")


def _check_rigid(G: list[list[float]], where: str) -> None:
    """Raises ArmError unless the matrix has the form above."""
    m = G[3][3]
    scale = [max(abs(G[i][i]) for i in block) for block in (range(3), range(3, 6))]
    mixed = max(abs(G[i][j]) for i in range(3) for j in range(3, 6))
    for i in range(6):
        for j in range(6):
            size = scale[0] if max(i, j) < 3 else scale[1] if min(i, j) > 2 else mixed
            if abs(G[i][j] - G[j][i]) > _SYMMETRY * size:
                raise ArmError(
                    f"{where}: the 6 x 6 inertia is not symmetric, entries {i + 1},{j + 1} and {j + 1},{i + 1} differ."
                )
            if min(i, j) > 2 and abs(G[i][j] - (m if i == j else 0)) > _SYMMETRY * size:
                raise ArmError(
                    f"{where}: the lower right 3 x 3 block of the 6 x 6 inertia must be the mass times the identity "
                    f"(entry {i + 1},{j + 1} is {G[i][j]:g}). The angular part comes first."
                )
            if i < 3 <= j and abs(G[i][j] + G[j - 3][i + 3]) > _SYMMETRY * size:
                raise ArmError(
                    f"{where}: the upper right 3 x 3 block of the 6 x 6 inertia must be skew, S(m c) "
                    f"(entry {i + 1},{j + 1} is {G[i][j]:g})."
                )
    if m == 0 and mixed > 0:
        raise ArmError(f"{where}: the mass is zero but the first moment m c is not; one of them is wrong.")


def spatial_inertia(mp: MassProperties) -> Matrix6:
    """The 6 x 6 matrix about the frame that the mass properties are given in."""
    tensor = mp.inertia
    if mp.rpy != ORIGIN:
        tensor = tensor.rotated(rotation_from_rpy(*(turn(part) for part in mp.rpy)))
    if mp.about == "com":
        tensor = tensor + point_inertia(mp.com) * mp.mass
    I, S = tensor.full().rows(), skew(mp.com * mp.mass).rows()  # noqa: E741 - the letters of the book
    upper = tuple((*I[i], *S[i]) for i in range(3))
    lower = tuple((*(S[j][i] for j in range(3)), *(mp.mass if i == j else 0 for j in range(3))) for i in range(3))
    return upper + lower


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
    spring: Spring | None = None
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
