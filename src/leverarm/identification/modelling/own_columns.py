"""Columns that a user adds to the model: springs, and torques of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from leverarm.arrays import Array
from leverarm.errors import InputError, unknown_name
from leverarm.identification.modelling.columns import UserColumn
from leverarm.lint.finding import Finding, listed
from leverarm.model import Arm


def springs(arm: Arm, joints: Sequence[str]) -> dict[str, UserColumn]:
    """Columns of springs: a torque that grows with the position of one joint."""
    found: dict[str, UserColumn] = {}
    for joint in joints:
        if joint not in arm.joint_names:
            raise InputError(unknown_name("joint", joint, arm.joint_names))
        j = arm.joint_names.index(joint)

        def pull(q: Array, qd: Array, qdd: Array, j: int = j) -> Array:
            torque = np.zeros_like(q)
            torque[:, j] = q[:, j]
            return torque

        found[f"{joint}.spring"] = pull
    return found


def unwritten(own: Mapping[str, UserColumn]) -> list[Finding]:
    """A note on what the written arm cannot hold."""
    if not own:
        return []
    return [
        Finding(
            "note",
            listed("column", list(own)),
            "is no part of the arm that is written: a description has no place for it.",
            "Take torques from `result.torque`, or add it to those of the arm.",
        )
    ]
