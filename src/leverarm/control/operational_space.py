"""Operational-space control: the public constructor and its checks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from leverarm.arrays import Array
from leverarm.control.control import Control, made
from leverarm.control.gains import Target, finite, gains, listed, reference_of
from leverarm.control.operational_law import ANGULAR, LINEAR, OperationalSpace
from leverarm.control.signals import Signal, constant
from leverarm.errors import InputError
from leverarm.mechanics import ROWS
from leverarm.model import Arm
from leverarm.quantities.arrays import rows

ORTHONORMAL = 1e-6
"""Tolerance of R^T R = 1: orientations are often typed with six digits."""


def operational_space(
    target: Target | None,
    kp: ArrayLike,
    kd: ArrayLike,
    frame: str | None = None,
    axes: Sequence[str] | None = None,
    *,
    orientation: ArrayLike | None = None,
    null_damping: ArrayLike = 10.0,
    model: Arm | None = None,
    effort: ArrayLike | str | None = None,
) -> Control:
    """Joint forces that move a frame through the world as if it had unit mass: x_edd + Kd x_ed + Kp x_e = 0 [N m or N].

    Khatib 1987. `target` is a signal of the frame's position along the linear axes, or as many numbers [m]; angular
    axes hold `orientation`, a rotation matrix 3 x 3, world_from_frame. `axes` are some of wx wy wz x y z (world axes),
    in any order; by default x y z, and all six with an orientation. `kp` [1/s^2] and `kd` [1/s] are numbers, or one per
    axis. The null-space motion of a redundant arm is damped at the rate `null_damping` [1/s]. Viscous and smooth
    friction are compensated, dry friction is not. Where the frame cannot move along an axis (a singularity) the forces
    are infinite. `model` and `effort` as for `pd_gravity`; `frame` is the tool unless given.
    """
    usual = LINEAR if orientation is None else ROWS
    chosen = tuple(ROWS[r] for r in rows(usual if axes is None else axes))
    data = {name: gains(name, given, len(chosen)) for name, given in (("kp", kp), ("kd", kd))}
    data["null_damping"] = gains("null_damping", null_damping, 1)
    turns = any(axis in ANGULAR for axis in chosen)
    if turns != (orientation is not None):
        raise InputError(
            f"orientation: {'none' if turns else 'one'} was given, and the axes are {listed(chosen)}. Angular axes "
            "(wx, wy, wz) and an orientation (3 x 3, world_from_frame) go together."
        )
    if orientation is not None:
        data["orientation"] = _rotation(orientation)
    return made(OperationalSpace(frame, chosen), data, _reference(target, chosen), model, effort)


def _reference(target: Target | None, axes: Sequence[str]) -> Signal:
    linear = [axis for axis in axes if axis in LINEAR]
    if target is None and not linear:
        return constant([0.0])
    if target is None:
        raise InputError(f"target: none was given; it takes {len(linear)} numbers ({listed(linear)}), or a signal.")
    if not linear:
        raise InputError(f"target: one was given, but the axes {listed(axes)} only turn. Leave it out: target=None.")
    reference = reference_of(target)
    if reference.size != len(linear):
        raise InputError(
            f"target: {reference.size} numbers were given; the linear axes {listed(linear)} take {len(linear)}. Give "
            "one per axis, or name the axes that are meant, such as axes=('x', 'y')."
        )
    return reference


def _rotation(given: ArrayLike) -> Array:
    R = finite("orientation", given)
    if R.shape[-2:] != (3, 3):
        raise InputError(f"orientation: an array of shape {R.shape} was given; it takes a rotation matrix, 3 x 3.")
    off = np.abs(np.swapaxes(R, -1, -2) @ R - np.eye(3)).max()
    if off > ORTHONORMAL or (np.linalg.det(R) < 0).any():
        raise InputError(
            "orientation: the matrix given is no rotation. Its columns must have length one, be perpendicular to each "
            "other and right-handed; that of a pose is la.forward_kinematics(arm, q, frame)[:3, :3]."
        )
    return R.reshape(*R.shape[:-2], 9)
