"""Screws, from plain numbers to the axis, pitch and point of a joint."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from leverarm.errors import ArmError
from leverarm.formats.plain_parts import parts_of, quantity
from leverarm.formats.rigid import has_symbols, value_of
from leverarm.model import JointKind, Quantity, to_float
from leverarm.scalars import Number
from leverarm.spatial import Motion, Vec3

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
