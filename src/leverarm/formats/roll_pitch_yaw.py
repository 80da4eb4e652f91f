"""From a rotation of floats back to roll, pitch and yaw, exact to rounding even where two of the axes fall together."""

from __future__ import annotations

import math

from leverarm.model import Placement
from leverarm.spatial import Matrix3, Pose, Vec3

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
