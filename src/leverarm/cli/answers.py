"""What `eval` prints: a value with names for its rows and columns, and its units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import leverarm as la

AXES = ("wx", "wy", "wz", "x", "y", "z")
"""Rows of a Jacobian: angular, then linear, in world axes."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A number, vector, matrix or stack of matrices as nested lists, with labels and units.

    `unit` is one text, or one per row. `layers` names the matrices of a stack, or the entries of a mapping.
    """

    value: Any
    unit: str | tuple[str, ...] = ""
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()

    @property
    def labels(self) -> dict[str, list[str]]:
        named = {"layers": self.layers, "rows": self.rows, "columns": self.columns}
        return {axis: list(names) for axis, names in named.items() if names}


def slides(arm: la.Arm) -> tuple[bool, ...]:
    """For each coordinate, whether it is a length: that of the joint with its name, or of the first joint it drives."""
    kinds: dict[str, str] = {}
    for body in arm.bodies:
        for name, _ in body.joint.coupling or ((body.joint.name, 1),):
            if name == body.joint.name:
                kinds[name] = body.joint.kind
            else:
                kinds.setdefault(name, body.joint.kind)
    return tuple(kinds.get(name) == "prismatic" for name in arm.joint_names)


def by_joint(arm: la.Arm, turning: str, sliding: str) -> tuple[str, ...]:
    """A unit per coordinate."""
    return tuple(sliding if slide else turning for slide in slides(arm))


def forces(arm: la.Arm, value: Any) -> Answer:
    """One generalized force per coordinate."""
    return Answer(value.tolist(), by_joint(arm, "N m", "N"), arm.joint_names)


def joint_matrix(arm: la.Arm, value: Any, per: str = "") -> Answer:
    """A matrix over the coordinates whose entries are kg m^2, less one metre for every coordinate that is a length."""
    names = arm.joint_names
    found = slides(arm)
    units = dict.fromkeys(_mass_unit(a + b) + per for a in found for b in found)
    return Answer(value.tolist(), ", ".join(units), names, names)


def joint_stack(arm: la.Arm, value: Any) -> Answer:
    """The same with three indices."""
    names = arm.joint_names
    found = slides(arm)
    units = dict.fromkeys(_mass_unit(a + b + c) for a in found for b in found for c in found)
    return Answer(value.tolist(), ", ".join(units), names, names, names)


def _mass_unit(lengths: int) -> str:
    return ("kg m^2", "kg m", "kg", "kg/m")[lengths]


def at_frame(value: Any, axes: Sequence[str], angular: str, linear: str) -> Answer:
    """One number per direction of a frame."""
    units = tuple(angular if axis.startswith("w") else linear for axis in axes)
    return Answer(value.tolist(), units, tuple(axes))


def poses(arm: la.Arm, q: Sequence[float], frame: str | None) -> Answer:
    """One pose as a 4 x 4 matrix, or all of them by name."""
    columns = ("x-axis", "y-axis", "z-axis", "origin")
    if frame is not None:
        return Answer(la.forward_kinematics(arm, q, frame).tolist(), "m", ("x", "y", "z", ""), columns)
    found = {name: pose.tolist() for name, pose in la.forward_kinematics(arm, q).items()}
    return Answer(found, "m", ("x", "y", "z", ""), columns, tuple(found))
