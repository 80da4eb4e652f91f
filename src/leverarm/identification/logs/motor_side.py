"""From the motors to the joints: gear ratios, coupled wrists, drive gains, joint zeros; joints that are not logged."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from leverarm.arrays import Array
from leverarm.errors import InputError
from leverarm.identification.logs.gathering import Source, gathered
from leverarm.identification.logs.names import Role, meaning, named_by_words
from leverarm.model import Arm

MOTIONS: tuple[Role, ...] = ("q", "qd", "qdd")


@dataclass(frozen=True, slots=True)
class Drives:
    """Transmissions between motors and joints: motor position = ratios q, joint torque = ratios^T gains current.

    Both follow from conservation of power: tau . qd = tau_motor . qd_motor. `zero` [rad or m] is added to the joint
    positions.
    """

    ratios: Array
    """(n, n)."""
    motor_side: frozenset[str]
    gains: Array | None
    zero: Array | None

    @property
    def is_geared(self) -> bool:
        """Whether motors and joints differ at all."""
        return bool(np.any(self.ratios != np.eye(len(self.ratios))))

    def joint_side(self, role: Role, values: Array) -> Array:
        """Values at the joints (k, n) of a quantity measured at the motors or already at the joints."""
        if role not in self.motor_side or not self.is_geared:
            return values
        diagonal = np.diag(self.ratios)
        is_coupled = np.any(self.ratios != np.diag(diagonal))
        if role in MOTIONS:
            return np.asarray(np.linalg.solve(self.ratios, values.T).T) if is_coupled else values / diagonal
        return np.asarray(values @ self.ratios) if is_coupled else values * diagonal


def drives_of(
    joints: int, ratio: ArrayLike | None, motor_side: Collection[str], gains: ArrayLike | None, zero: ArrayLike | None
) -> Drives:
    """Checked. `ratio` holds for the quantities named in `motor_side`; without it motors and joints are one."""
    valid = (*MOTIONS, "tau")
    if isinstance(motor_side, str) or not set(motor_side) <= set(valid):
        raise InputError(f"motor_side = {motor_side!r} was given; it is a tuple of some of {', '.join(valid)}.")
    return Drives(
        np.eye(joints) if ratio is None else _ratios(ratio, joints),
        frozenset(motor_side),
        None if gains is None else _per_joint("gains", gains, joints, "N m per A"),
        None if zero is None else _per_joint("zero", zero, joints, "rad or m"),
    )


def _ratios(ratio: ArrayLike, joints: int) -> Array:
    given = _numbers("ratio", ratio)
    if given.ndim < 2:
        given = np.diag(_per_joint("ratio", ratio, joints, "motor turns per joint turn"))
    if given.shape != (joints, joints):
        valid = f"a number for each of {joints} joints, or a matrix R ({joints}, {joints}) with motor positions = R q"
        raise InputError(f"ratio has shape {given.shape}; it is {valid}.")
    if np.linalg.matrix_rank(given) < joints:
        raise InputError("ratio is singular: some motion of the joints moves no motor. Check its rows: motors = R q.")
    return given


def _per_joint(name: str, given: ArrayLike, joints: int, unit: str) -> Array:
    values = _numbers(name, given)
    if values.ndim == 0:
        values = np.full(joints, float(values))
    if values.shape != (joints,):
        raise InputError(f"{name} has shape {values.shape}; give one number [{unit}] for each of {joints} joints.")
    return values


def _numbers(name: str, given: ArrayLike) -> Array:
    try:
        values = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name} = {given!r} was given; it takes numbers, one for each joint.") from None
    if not np.isfinite(values).all():
        raise InputError(f"{name} = {given!r} was given; its numbers must be finite.")
    return values


def unlogged_joints(source: Source, arm: Arm) -> tuple[str, ...]:
    """The joints without a column, where positions and torques of all others are named after them; else none.

    Such as the fingers of a gripper, or the head of a robot whose arm was logged. Raises what reading the file raises.
    """
    joints = arm.coordinates
    table = named_by_words(gathered(source, joints))
    read = [found for name in table.columns if (found := meaning(name, joints))]
    roles: tuple[Role, ...] = ("q", "tau")
    named = [{found.joint for found in read if found.role == role and found.joint is not None} for role in roles]
    if not named[0] or named[0] != named[1]:
        return ()
    return tuple(joint for i, joint in enumerate(joints) if i not in named[0])
