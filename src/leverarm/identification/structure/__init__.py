"""The structure of an arm: its base (minimal) inertial, friction and drive parameters.

`with_drives` is the arm with a motor and friction in every joint: what is to be identified needs a column of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from leverarm.errors import require_known
from leverarm.identification.structure.exact_route import Structure, exact_structure, geometry_of
from leverarm.identification.structure.numeric_route import numeric_structure
from leverarm.identification.structure.squaring import squared_up
from leverarm.mechanics.regressor import KINDS
from leverarm.model import LAWS, UNLOADED_LAWS, Arm, Body, Friction, Joint, JointKind, Motor

ALL_KINDS = ("inertial", "rotor", *(law.name for law in UNLOADED_LAWS))


def structure(arm: Arm, kinds: Sequence[str] = ALL_KINDS) -> Structure:
    """The base (minimal) parameters of an arm: exact where possible, else by numeric rank.

    The parameters are those of `regressor(arm, ..., kinds)`: rotors only where the arm has motors, so add all drives
    first (`with_drives`). Rounded angles are read as the multiples of 15 degrees they stand for (`squared_up`). Cached
    for arms that differ only in masses and friction. Raises InputError for an unknown kind.
    """
    for kind in kinds:
        require_known("kind of parameter", kind, KINDS)
    return _structure(geometry_of(arm), tuple(kinds))


@lru_cache(maxsize=64)
def _structure(geometry: Arm, kinds: tuple[str, ...]) -> Structure:
    exact = exact_structure(geometry, kinds)
    return numeric_structure(geometry, kinds) if exact is None else exact


def with_drives(arm: Arm) -> Arm:
    """The same arm, with a motor and friction, both of size zero, in every free joint that has none yet.

    A joint is free where it is a coordinate of its own: a coupled joint has the drives of others. A rotor's inertia is
    that at the joint. Where a motor turns with several joints, its own joint gets one more rotor, for what turns with
    that joint alone; it sits on a body without mass named after the joint, as in "joint6_gear".
    """
    driven = replace(arm, bodies=tuple(replace(body, joint=_driven(body.joint)) for body in arm.bodies))
    alone = {turned[0] for body in driven.bodies if len(turned := _turned_by_motor(body.joint)) == 1}
    added = [_own_gear(driven, body) for body in driven.bodies if body.joint.motor and _is_free(body.joint, alone)]
    return replace(driven, bodies=(*driven.bodies, *added)) if added else driven


def with_two_way_friction(arm: Arm) -> Arm:
    """The same arm, with friction that is alike in both directions: one viscous and one Coulomb number per joint."""
    return replace(arm, bodies=tuple(replace(b, joint=_alike_both_ways(b.joint)) for b in arm.bodies))


def _driven(joint: Joint) -> Joint:
    if not _is_free(joint):
        return joint
    return replace(joint, motor=joint.motor or Motor(inertia=0), friction=joint.friction or Friction())


def _is_free(joint: Joint, but: set[str] | frozenset[str] = frozenset()) -> bool:
    return not joint.is_fixed and joint.coupling is None and joint.name not in but


def _turned_by_motor(joint: Joint) -> tuple[str, ...]:
    """The joints that a joint's motor turns with."""
    if joint.motor is None:
        return ()
    own = () if joint.is_fixed else (joint.name,)
    return (*own, *(name for name, _ in joint.motor.also))


def _own_gear(arm: Arm, body: Body) -> Body:
    """A rotor that turns with a joint alone, as fast as it."""
    name = f"{body.joint.name}_gear"
    taken = {*arm.frames, *(other.joint.name for other in arm.bodies)}
    while name in taken:
        name += "_"
    motor = Motor(inertia=0, also=((body.joint.name, 1),))
    return Body(name, body.name, Joint(name, JointKind.FIXED, motor=motor))


def _alike_both_ways(joint: Joint) -> Joint:
    if joint.friction is None:
        return joint
    alike: dict[str, Any] = {name: None for law in LAWS for name in law.fields[1:]}
    return replace(joint, friction=replace(joint.friction, **alike))


__all__ = ["ALL_KINDS", "Structure", "squared_up", "structure", "with_drives", "with_two_way_friction"]
