"""An arm with a motor and friction in every joint: what is to be identified needs a column of its own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from leverarm.errors import InputError
from leverarm.model import LAWS, Arm, Body, Friction, Joint, JointKind, Motor


def with_drives(arm: Arm, ratio: ArrayLike | None = None) -> Arm:
    """The same arm, with a motor and friction, both of size zero, in every free joint that has none yet.

    A joint is free where it is a coordinate of its own: a coupled joint has the drives of others. `ratio` holds the
    gears, one per coordinate or a matrix with motor speeds = ratio @ qd; without it a rotor's inertia is that at the
    joint. Where a motor turns with several joints, its own joint gets one more rotor, for what turns with that joint
    alone; it sits on a body without mass named after the joint, as in "joint6_gear".
    """
    gears = None if ratio is None else _gears(arm, ratio)
    driven = replace(arm, bodies=tuple(replace(body, joint=_driven(body.joint, gears)) for body in arm.bodies))
    alone = {turned[0] for body in driven.bodies if len(turned := _turned_by_motor(body.joint)) == 1}
    added = [_own_gear(driven, body) for body in driven.bodies if body.joint.motor and _is_free(body.joint, alone)]
    return replace(driven, bodies=(*driven.bodies, *added)) if added else driven


def with_two_way_friction(arm: Arm) -> Arm:
    """The same arm, with friction that is alike in both directions: one viscous and one Coulomb number per joint."""
    return replace(arm, bodies=tuple(replace(b, joint=_alike_both_ways(b.joint)) for b in arm.bodies))


def _gears(arm: Arm, ratio: ArrayLike) -> dict[str, dict[str, float]]:
    """Of the motor of each coordinate, how fast it turns per unit speed of each."""
    given = np.asarray(ratio, dtype=np.float64)
    R = np.diag(given) if given.ndim == 1 else given
    n = arm.dof
    if R.shape != (n, n) or not np.isfinite(R).all() or not np.diag(R).all():
        raise InputError(
            f"ratio: an array of shape {given.shape} was given; {arm.name!r} takes {n} gears, or a {n} x {n} matrix "
            "with motor speeds = ratio @ qd, finite and with no zero on its diagonal."
        )
    names = arm.coordinates
    return {names[i]: {names[j]: float(R[i, j]) for j in range(n) if R[i, j]} for i in range(n)}


def _driven(joint: Joint, gears: dict[str, dict[str, float]] | None) -> Joint:
    if not _is_free(joint):
        return joint
    own = {joint.name: 1} if gears is None else gears[joint.name]
    also = tuple((name, gear) for name, gear in own.items() if name != joint.name)
    motor = joint.motor or Motor(inertia=0, gear=own[joint.name], also=also)
    return replace(joint, motor=motor, friction=joint.friction or Friction())


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
    return replace(joint, friction=replace(joint.friction, **{name: None for law in LAWS for name in law.fields[1:]}))
