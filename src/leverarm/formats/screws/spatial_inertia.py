"""The 6 x 6 spatial inertia of a link, angular part first, to and from mass properties.

G = [[I, S(h)], [S(h)^T, m 1]] with h = m c, all about the link frame's origin (Lynch and Park 2017, section 8.2.2;
Featherstone 2008, eq. 2.63). In a frame at the centre of mass it is the book's diag(I, m, m, m).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from leverarm.errors import ArmError
from leverarm.formats.plain_parts import mass_properties, matrix
from leverarm.formats.rigid import value_of
from leverarm.model import MassProperties, Quantity
from leverarm.model.expression import divide
from leverarm.model.poses import turn
from leverarm.scalars import Number
from leverarm.spatial import ORIGIN, Symmetric3, Vec3, point_inertia, rotation_from_rpy, skew

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
