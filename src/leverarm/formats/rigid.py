"""Rigid displacements: poses and mass properties in another frame, symbols included.

Rotations of floats become roll, pitch and yaw to the last digit, at gimbal lock too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from leverarm.errors import ArmError, unknown_name
from leverarm.model import MassProperties, Placement, Quantity, symbols_of, to_float
from leverarm.model.parts import pose_of, turn
from leverarm.scalars import Number
from leverarm.spatial import ORIGIN, Matrix3, Pose, Vec3, point_inertia, rotation_from_rpy

_ROUNDING = 1e-15
"""What is left of a zero after a few products of rotations; angles are read to 1e-9 anyway (see conventions)."""


def rpy_from_rotation(R: Matrix3) -> Vec3:
    """Roll, pitch, yaw [rad] with R = Rz(yaw) Ry(pitch) Rx(roll); pitch within [-pi/2, pi/2].

    Where |pitch| = pi/2 only the sum or difference of roll and yaw matters, and yaw is taken as zero. Roll is read off
    Ry(-pitch) Rz(-yaw) R, which undoes whatever yaw was chosen: so no rotation is badly conditioned.
    """
    across = math.hypot(R.r0.x, R.r1.x)
    pitch = math.atan2(-R.r2.x, across)
    yaw = math.atan2(R.r1.x, R.r0.x) if across > _ROUNDING else 0.0
    c, s = math.cos(yaw), math.sin(yaw)
    roll = math.atan2(s * R.r0.z - c * R.r1.z, c * R.r1.y - s * R.r0.y)
    return Vec3(_tidy(roll), _tidy(pitch), _tidy(yaw))


def placement_from_pose(pose: Pose) -> Placement:
    """A pose of floats as position and roll, pitch, yaw."""
    return Placement(Vec3(*(float(part) for part in pose.position)), rpy_from_rotation(pose.rotation))


def _tidy(angle: float) -> float:
    """A multiple of pi/2 without its rounding noise."""
    quarters = round(angle / (math.pi / 2))
    return quarters * (math.pi / 2) if abs(angle - quarters * (math.pi / 2)) < _ROUNDING else angle


RIGID = 1e-6
"""How far a typed rotation matrix may be from orthonormal: six digits after the point."""


def has_symbols(*quantities: Quantity) -> bool:
    return any(True for quantity in quantities for _ in symbols_of(quantity))


def value_of(quantity: Quantity, values: Mapping[str, Number], where: str) -> float:
    """The quantity with its symbols at their defaults. Raises ArmError where one has none."""
    for name in symbols_of(quantity):
        if name not in values:
            raise ArmError(
                f"{where} uses {name!r}: " + unknown_name("symbol", name, values) + " Give it a default value."
            )
    return to_float(quantity, values)


def pose_from_matrix(rows: Sequence[Sequence[Quantity]], where: str) -> Pose:
    """A 4 x 4 matrix as a pose. Raises ArmError unless it is a rotation and a position; only that holds symbols."""
    entries = [entry for row in rows[:3] for entry in row[:3]] + list(rows[3])
    if has_symbols(*entries):
        raise ArmError(f"{where}: the rotation of a pose must be numbers; only its position may hold symbols.")
    if any(abs(to_float(x, {}) - last) > RIGID for x, last in zip(rows[3], (0, 0, 0, 1), strict=True)):
        raise ArmError(f"{where}: the last row of the 4 x 4 matrix is {_listed(rows[3])}; it must be [0, 0, 0, 1].")
    x, y, z = (Vec3(*(to_float(entry, {}) for entry in row[:3])) for row in rows[:3])
    lengths, angles = (x @ x, y @ y, z @ z), (x @ y, y @ z, z @ x)
    if max(abs(part - 1) for part in lengths) > RIGID or max(map(abs, angles)) > RIGID:
        raise ArmError(
            f"{where}: the upper left 3 x 3 block is not a rotation, its rows are not orthonormal (lengths squared "
            f"{_listed(lengths)}). Give a rigid pose with at least 7 digits."
        )
    if x.cross(y) @ z < 0:
        raise ArmError(f"{where}: the upper left 3 x 3 block is a reflection (determinant -1); swap or flip one axis.")
    numbers = [[entry if isinstance(entry, int) else to_float(entry, {}) for entry in row[:3]] for row in rows[:3]]
    return Pose(Matrix3(*(Vec3(*row) for row in numbers)), Vec3(*(row[3] for row in rows[:3])))


def placement_from_matrix(rows: Sequence[Sequence[Quantity]], where: str) -> Placement:
    """A 4 x 4 matrix as position and roll, pitch, yaw."""
    pose = pose_from_matrix(rows, where)
    return Placement(pose.position, rpy_from_rotation(pose.rotation))


def compose(outer: Placement, inner: Placement) -> Placement:
    """a_from_b after b_from_c. The outer rotation may hold symbols only where the inner one is none."""
    xyz = pose_of(outer) @ inner.xyz
    if inner.rpy == ORIGIN:
        return Placement(xyz, outer.rpy)
    if outer.rpy == ORIGIN:
        return Placement(xyz, inner.rpy)
    if has_symbols(*outer.rpy, *inner.rpy):
        raise ArmError("two rotations with symbols in them have no roll, pitch and yaw in closed form.")
    return Placement(xyz, rpy_from_rotation(pose_of(outer).rotation * pose_of(inner).rotation))


def moved(mp: MassProperties, body_from_link: Placement) -> MassProperties:
    """Mass properties given in a link frame, described in the body frame instead.

    The tensor keeps its numbers, and `rpy` gives its axes. Only a tensor about the link's origin, where that
    is not the body's, is first moved to the centre of mass (I_com = I_origin + m S(c) S(c)).
    """
    inertia, point = mp.inertia, mp.about
    rpy = body_from_link.rpy if mp.rpy == ORIGIN else mp.rpy
    if mp.rpy != ORIGIN and (body_from_link.rpy != ORIGIN or point == "origin"):
        inertia, rpy = inertia.rotated(rotation_from_rpy(*(turn(part) for part in mp.rpy))), body_from_link.rpy
    if point == "origin" and body_from_link.xyz != ORIGIN:
        inertia, point = inertia - point_inertia(mp.com) * mp.mass, "com"
    return replace(mp, com=pose_of(body_from_link) @ mp.com, inertia=inertia, about=point, rpy=rpy)


def _listed(numbers: Sequence[Quantity]) -> str:
    return "[" + ", ".join(f"{to_float(x, {}):.6g}" for x in numbers) + "]"
