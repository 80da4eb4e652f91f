"""The drives of an arm: a friction model for every joint, couplings that were described or that data ask for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array
from leverarm.identification.choosing.coupling_choice import coupling_choice
from leverarm.identification.choosing.friction_choice import friction_choice
from leverarm.identification.fitting.rows import Mask
from leverarm.identification.modelling.base import base_of
from leverarm.identification.modelling.drives import Coupling, DriveModel, plain_drives
from leverarm.identification.motion import Motion
from leverarm.identification.motions.every_sample import EverySample
from leverarm.identification.plain_model import PlainModel


def drive_choice(
    motion: Motion,
    every: EverySample,
    plain: PlainModel,
    zone: Array,
    rests: Mask,
    block: NDArray[np.int64],
    friction: Sequence[str],
    described: tuple[Coupling, ...],
    looked_for: bool,
) -> DriveModel:
    """Friction of every joint and couplings: those described, or those looked for where there are none."""
    drives = DriveModel(plain_drives(motion.q.shape[1]).joints, described)

    def chosen(drives: DriveModel) -> DriveModel:
        columns = plain.columns.columns(motion.q, motion.qd, motion.qdd, drives)
        base = base_of(plain.structure, columns.names).columns
        return replace(drives, joints=friction_choice(motion, columns, base, zone, rests, block, friction, every))

    found = chosen(drives)
    if described or not looked_for:
        return found
    columns = plain.columns.columns(motion.q, motion.qd, motion.qdd, drives)
    base = base_of(plain.structure, columns.names).columns
    couplings = coupling_choice(motion, columns, base, found.joints, rests, block)
    return chosen(replace(drives, couplings=couplings)) if couplings else found
