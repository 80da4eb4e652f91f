"""The structure of an arm: its base (minimal) inertial, friction and drive parameters."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from leverarm.errors import InputError, unknown_name
from leverarm.identification.structure.base_parameters import Structure
from leverarm.identification.structure.drives import with_drives, with_two_way_friction
from leverarm.identification.structure.exact_route import exact_structure, geometry_of
from leverarm.identification.structure.numeric_route import numeric_structure
from leverarm.identification.structure.squaring import squared_up
from leverarm.mechanics.regressor import KINDS
from leverarm.model import LAWS, Arm

ALL_KINDS = ("inertial", "rotor", *(law.name for law in LAWS))


def structure(arm: Arm, kinds: Sequence[str] = ALL_KINDS) -> Structure:
    """The base (minimal) parameters of an arm: exact where possible, else by numeric rank.

    The parameters are those of `regressor(arm, ..., kinds)`: rotors only where the arm has motors, so add all drives
    first (`with_drives`). Rounded angles are read as the multiples of 15 degrees they stand for (`squared_up`). Cached
    for arms that differ only in masses and friction. Raises InputError for an unknown kind.
    """
    for kind in kinds:
        if kind not in KINDS:
            raise InputError(unknown_name("kind of parameter", str(kind), KINDS))
    return _structure(geometry_of(arm), tuple(kinds))


@lru_cache(maxsize=64)
def _structure(geometry: Arm, kinds: tuple[str, ...]) -> Structure:
    exact = exact_structure(geometry, kinds)
    return numeric_structure(geometry, kinds) if exact is None else exact


__all__ = ["ALL_KINDS", "Structure", "squared_up", "structure", "with_drives", "with_two_way_friction"]
