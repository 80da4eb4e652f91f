"""Poses, Jacobians and accelerations of frames: arrays of floats in, arrays out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import overload

from numpy.typing import ArrayLike

from leverarm import mechanics
from leverarm.arrays import Array
from leverarm.model import Arm
from leverarm.quantities.arrays import array, attachment, coordinates, frame_name, matrix4, over_floats


@overload
def forward_kinematics(arm: Arm, q: ArrayLike) -> dict[str, Array]: ...
@overload
def forward_kinematics(arm: Arm, q: ArrayLike, frame: str) -> Array: ...
def forward_kinematics(arm: Arm, q: ArrayLike, frame: str | None = None) -> dict[str, Array] | Array:
    """The pose in the world, 4 x 4, of one frame, or of every body and frame by name."""
    poses = mechanics.forward_kinematics(over_floats(arm), coordinates(arm, "q", q))
    if frame is not None:
        return matrix4(poses[frame_name(arm, frame)])
    return {name: matrix4(pose) for name, pose in poses.items()}


def jacobian(arm: Arm, q: ArrayLike, frame: str | None = None, point: ArrayLike | None = None) -> Array:
    """J, 6 x n: [w; v] = J qd with the frame's angular velocity and its origin's velocity in world axes.

    J_w = J[:3], J_v = J[3:]. The frame is the tool unless named; `point` is a point of it, in its own coordinates.
    """
    at = attachment(arm, frame, point)
    return array(mechanics.point_jacobian(over_floats(arm), coordinates(arm, "q", q), at))


def jacobian_dot(
    arm: Arm, q: ArrayLike, qd: ArrayLike, frame: str | None = None, point: ArrayLike | None = None
) -> Array:
    """dJ/dt along qd, 6 x n: the acceleration of the frame (or of a point of it) is J qdd + Jdot qd."""
    at, here, rate = attachment(arm, frame, point), coordinates(arm, "q", q), coordinates(arm, "qd", qd)
    return array(mechanics.point_jacobian_dot(over_floats(arm), here, rate, at))


def velocity(arm: Arm, q: ArrayLike, qd: ArrayLike, frame: str | None = None, point: ArrayLike | None = None) -> Array:
    """Angular velocity of a frame and velocity of its origin (or of a point of it), 6, world axes [rad/s, m/s]."""
    return jacobian(arm, q, frame, point) @ array(coordinates(arm, "qd", qd))


@dataclass(frozen=True, slots=True)
class FrameAcceleration:
    """Six numbers each, angular then linear, in world axes, without gravity; `total` is their sum."""

    joint: Array
    centripetal: Array
    coriolis: Array

    @property
    def total(self) -> Array:
        return self.joint + self.centripetal + self.coriolis


def acceleration(arm: Arm, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, frame: str | None = None) -> FrameAcceleration:
    """The acceleration of a frame split by cause: J qdd, terms with qd_k^2, terms with qd_j qd_k."""
    state = coordinates(arm, "q", q), coordinates(arm, "qd", qd), coordinates(arm, "qdd", qdd)
    parts = mechanics.acceleration(over_floats(arm), *state, frame_name(arm, frame))
    return FrameAcceleration(array(parts.joint), array(parts.centripetal), array(parts.coriolis))
