"""Which combinations of its parameters the equations of an arm see."""

from leverarm.identification.structure.choosing import ALL_KINDS, structure
from leverarm.identification.structure.drives import with_drives, with_two_way_friction
from leverarm.identification.structure.squaring import squared_up
from leverarm.identification.structure.table import Structure

__all__ = ["ALL_KINDS", "Structure", "squared_up", "structure", "with_drives", "with_two_way_friction"]
