"""The friction of each joint as the data show it: the torque that the rest of the model leaves, over speed."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from leverarm.arrays import Array
from leverarm.identification.fitting.rows import Mask
from leverarm.identification.modelling.columns import Columns
from leverarm.identification.modelling.modelled_arm import DriveModel
from leverarm.identification.motions import Motion
from leverarm.identification.result import JointFriction

BINS = 24
FEWEST = 5
"""Samples in a bin, at least."""


def joint_frictions(
    motion: Motion, columns: Columns, values: Array, drives: DriveModel, rests: Mask, joints: tuple[str, ...]
) -> tuple[JointFriction, ...]:
    """The friction of every joint: its numbers from the model's values, its curve from the torques."""
    number = dict(zip(columns.names, values.tolist(), strict=True))
    found = []
    for j, (joint, model) in enumerate(zip(joints, drives.joints, strict=True)):
        rubbing = [shaft for shaft in columns.shafts if shaft.rubs]
        share = sum(number[f"{shaft.joint}.motor_viscous"] * shaft.gear_of(j) ** 2 for shaft in rubbing)
        viscous, coulomb = number[f"{joint}.viscous"] + share, number[f"{joint}.coulomb"]
        backwards = number[f"{joint}.viscous_negative"] + share if model.is_asymmetric else None
        found.append(
            JointFriction(
                joint=joint,
                model=str(model),
                viscous=viscous,
                coulomb=coulomb,
                viscous_negative=backwards,
                coulomb_negative=coulomb if model.is_asymmetric else None,
                smoothing=model.smoothing,
                offset=number[f"{joint}.offset"],
                curve=_curve(j, motion, columns, values, rests[:, j]),
            )
        )
    return tuple(found)


def _curve(j: int, motion: Motion, columns: Columns, values: Array, rests: Mask) -> tuple[Array, Array, Array]:
    """Speeds, mean torques that the model without the joint's own friction leaves, their standard errors, in bins."""
    own = np.array([kind in ("viscous", "coulomb", "offset") for kind in columns.kinds])
    own &= np.array([np.any(columns.W[:, j, i]) for i in range(len(columns))])
    left = motion.tau[:, j] - columns.W[:, j, ~own] @ values[~own]
    speed = motion.qd[:, j]
    edges = np.unique(np.quantile(speed[~rests], np.linspace(0, 1, BINS + 1))) if (~rests).any() else np.zeros(1)
    rows = []
    for low, high in pairwise(edges):
        inside = ~rests & (speed >= low) & (speed <= high)
        if inside.sum() >= FEWEST:
            spread = left[inside].std() / np.sqrt(inside.sum() / FEWEST)
            rows.append((speed[inside].mean(), left[inside].mean(), spread))
    table = np.array(rows).reshape(-1, 3)
    return table[:, 0], table[:, 1], table[:, 2]
