"""An arm with plain drives: what the first looks at a log are taken with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from leverarm.identification.modelling.base import Base, base_of
from leverarm.identification.modelling.columns import ColumnMaker, UserColumn
from leverarm.identification.modelling.drives import plain_drives
from leverarm.identification.structure import Structure, structure, with_drives
from leverarm.model import Arm


@dataclass(frozen=True, slots=True)
class PlainModel:
    """An arm with a motor and friction in every joint, its columns, its structure, and the base of both."""

    with_drives: Arm
    columns: ColumnMaker
    structure: Structure
    base: Base

    @staticmethod
    def of(arm: Arm, own: Mapping[str, UserColumn]) -> PlainModel:
        """For an arm, with columns of the user's own."""
        driven = with_drives(arm)
        columns = ColumnMaker.of(arm, own)
        found = structure(driven)
        still = np.zeros((1, arm.dof))
        names = columns.columns(still, still, still, plain_drives(arm.dof)).names
        return PlainModel(driven, columns, found, base_of(found, names))
