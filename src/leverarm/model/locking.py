"""Locking joints: the same arm with some coordinates fixed at a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from leverarm.errors import ArmError, unknown_name
from leverarm.model.arm import Arm
from leverarm.model.expression import Quantity, add, multiply
from leverarm.model.parts import Body, as_quantity


def lock(arm: Arm, values: Mapping[str, Quantity | str]) -> Arm:
    """The arm with these coordinates fixed at a value, and the joints that are coupled to them where that takes them.

    A value is a number [rad or m] or a text such as "90 deg". The bodies stay. Raises ArmError.
    """
    if not isinstance(values, Mapping):
        raise ArmError(f"lock: {values!r} was given; it must map joints to values, as in {{'joint1': 0.5}}.")
    held = {name: as_quantity(value) for name, value in values.items()}
    for name in held:
        if name not in arm.coordinates:
            raise ArmError(f"arm {arm.name!r}, lock: {_not_a_coordinate(arm, name)}")
    return replace(
        arm,
        bodies=tuple(_locked(body, held) for body in arm.bodies),
        coordinates=tuple(name for name in arm.coordinates if name not in held),
    )


def _not_a_coordinate(arm: Arm, name: str) -> str:
    """Why a joint cannot be locked, and what to lock instead."""
    joint = next((body.joint for body in arm.bodies if body.joint.name == name), None)
    if joint is None or not (joint.coupling or joint.is_fixed):
        return unknown_name("joint that moves", name, arm.coordinates)
    if not joint.coupling:
        return f"joint {name!r} does not move. Lock one that does: {', '.join(arm.coordinates) or '(none)'}."
    leaders = " and ".join(repr(leader) for leader, _ in joint.coupling)
    return f"joint {name!r} follows {leaders}, so it has no position of its own. Lock {leaders} instead."


def _locked(body: Body, values: Mapping[str, Quantity]) -> Body:
    joint = body.joint
    if joint.coupling is None:
        if joint.is_fixed or joint.name not in values:
            return body
        return replace(body, joint=replace(joint, locked=values[joint.name]))
    remaining = tuple((name, ratio) for name, ratio in joint.coupling if name not in values)
    offset = joint.offset
    for name, ratio in joint.coupling:
        if name in values:
            offset = add(offset, multiply(ratio, values[name]))
    if remaining:
        return replace(body, joint=replace(joint, coupling=remaining, offset=offset))
    return replace(body, joint=replace(joint, coupling=None, offset=0, locked=offset))
