"""Tables of screws, from plain numbers: home poses, screw axes and spatial inertias, as in the product of exponentials.

The 6 x 6 spatial inertia of a link has its angular part first:
G = [[I, S(h)], [S(h)^T, m 1]] with h = m c, all about the link frame's origin (Lynch and Park 2017, section 8.2.2;
Featherstone 2008, eq. 2.63). In a frame at the centre of mass it is the book's diag(I, m, m, m).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from leverarm.errors import ArmError
from leverarm.formats.plain_parts import mass_properties, matrix, parts_of, quantity
from leverarm.formats.rigid import has_symbols, value_of
from leverarm.formats.serial_table import SerialTable
from leverarm.model import Friction, JointKind, Limits, MassProperties, Motor, Quantity, Spring, to_float
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
    force: str | None = None
    spring: Spring | None = None


@dataclass(frozen=True, slots=True)
class ScrewTable(SerialTable):
    """A serial arm by its screws (Lynch and Park 2017, Modern Robotics, chapters 4 and 8).

    All poses are in the base frame; `tool` is the tool's home pose M. The screws are in the base frame (form "space")
    or in the tool frame (form "body"). `base` is world_from_base.
    """

    links: tuple[ScrewLink, ...]
    tool: Pose
    form: Form = "space"

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


UNIT = 1e-6
"""How far the length of a typed screw may be from 1, and its pitch [m/rad] from none."""


@dataclass(frozen=True, slots=True)
class ScrewAxis:
    """The line a joint moves about or along: kind, unit direction, a point, and the advance per radian."""

    kind: JointKind
    direction: Vec3
    pitch: Quantity
    foot: Vec3
    """w x v: where the line passes nearest to the origin. A sliding joint has no place, and any point will do."""

    def point_nearest(self, point: Vec3) -> Vec3:
        """The point of the line nearest to a given one."""
        if self.kind.only_slides:
            return point
        along = self.direction * (self.direction @ point)
        return Vec3(self.foot.x + along.x, self.foot.y + along.y, self.foot.z + along.z)


def read_screws(given: Any, n: int) -> tuple[Motion, ...]:
    """n screws: a list of n Motions or lists of 6, or the 6 x n matrix with a screw in each column.

    Where n = 6 that could be either, the one whose screws are all normalised is meant.
    """
    listed = parts_of(given)
    if all(isinstance(screw, Motion) for screw in listed) and len(listed) == n:
        return tuple(listed)
    rows = [parts_of(row) for row in listed]
    is_list, is_matrix = ([len(row) for row in rows] == [width] * height for width, height in ((6, n), (n, 6)))
    if not is_list and not is_matrix:
        shape = f"{len(rows)} x {len(rows[0]) if rows else 0}"
        raise ArmError(f"screws: {shape} numbers were given for {n} inertias; give {n} lists of 6 or a 6 x {n} matrix.")
    by_row = _screws(rows) if is_list else None
    by_column = _screws(list(zip(*rows, strict=True))) if is_matrix else None
    if by_row is None or by_column is None:
        return by_row or by_column or ()
    if _are_unit(by_row) and _are_unit(by_column) and by_row != by_column:
        raise ArmError(
            "screws: the rows and the columns of the 6 x 6 matrix are both normalised screws. Say which is meant by "
            "giving a list of Motion(angular, linear)."
        )
    return by_column if _are_unit(by_column) else by_row


def _screws(rows: Sequence[Sequence[Any]]) -> tuple[Motion, ...]:
    return tuple(read_screw(row, f"screw {i}") for i, row in enumerate(rows, 1))


def read_screw(given: Any, where: str) -> Motion:
    """A screw from six numbers, angular part first."""
    parts = parts_of(given)
    if len(parts) != 6:
        raise ArmError(f"{where}: {given!r} was given; a screw is six numbers, w and then v.")
    numbers = [quantity(part, where) for part in parts]
    return Motion(Vec3(*numbers[:3]), Vec3(*numbers[3:]))


def _are_unit(screws: Sequence[Motion]) -> bool:
    for screw in screws:
        part = screw.angular if any(x != 0 for x in screw.angular) else screw.linear
        if has_symbols(*part) or abs(_length(part) - 1) > UNIT:
            return False
    return True


def screw_axis(screw: Motion, where: str, values: Mapping[str, Number]) -> ScrewAxis:
    """What a screw (w, v) says: v = -w x q + pitch w for a line through q; w = 0, v along it for a sliding joint."""
    w, v = screw.angular, screw.linear
    if has_symbols(*w):
        raise ArmError(f"{where}: its angular part must be numbers; only the linear part of a screw may hold symbols.")
    length = _length(w)
    if length <= UNIT:
        if has_symbols(*v):
            raise ArmError(f"{where}: the direction in which a joint slides must be numbers, not symbols.")
        _check_unit(_length(v), where, "v, since w is zero,")
        return ScrewAxis(JointKind.PRISMATIC, v, 0, Vec3(0, 0, 0))
    _check_unit(length, where, "w")
    direction = Vec3(*(x if isinstance(x, int) else to_float(x, {}) / length for x in w))
    pitch = direction @ v
    if abs(value_of(pitch, values, where)) <= UNIT:
        return ScrewAxis(JointKind.REVOLUTE, direction, 0, direction.cross(v))
    return ScrewAxis(JointKind.HELICAL, direction, pitch, direction.cross(v))


def _check_unit(length: float, where: str, what: str) -> None:
    if not abs(length - 1) <= UNIT:
        remedy = "divide all six numbers by it (the joint variable grows by as much)" if length else "give an axis"
        raise ArmError(f"{where} is not normalised: {what} has length {length:.7g}; it must be 1, so {remedy}.")


def _length(v: Vec3) -> float:
    return math.hypot(*(to_float(x, {}) for x in v))
