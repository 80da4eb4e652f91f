"""The torques that hold each link's numbers up against gravity along each axis of the world."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from leverarm import mechanics
from leverarm.arrays import Array
from leverarm.model import Arm, Mechanism, bind
from leverarm.scalars import Scalar, Turn
from leverarm.spatial import Vec3


def gravity_columns(arm: Arm, q: Array) -> Array:
    """Columns (3, m, n, 10 links) of the inertial numbers at rest, for a free fall of 1 m/s^2 along x, y and z.

    The regressor is linear in gravity at rest, so these three give it for any. The mechanics run over arrays: each
    joint's angle is held as its cosines and sines at all m positions.
    """
    mechanism = bind(arm)
    joints = mechanism.joint_values(list(q.T))
    states = [
        Turn(np.cos(x), np.sin(x), x) if link.turns else x for link, x in zip(mechanism.links, joints, strict=True)
    ]
    apart = _uncoupled(mechanism)
    at_rest: list[Scalar] = [0] * apart.dof
    along = []
    for axis in (Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)):
        rows = mechanics.regressor(replace(apart, gravity=axis), states, at_rest, at_rest, ("inertial",))
        forces = [mechanism.generalised_forces([row[p] for row in rows]) for p in range(10 * len(mechanism.links))]
        along.append([[np.broadcast_to(entry, len(q)) for entry in column] for column in forces])
    return np.ascontiguousarray(np.array(along, float).transpose(0, 3, 2, 1))


def _uncoupled(mechanism: Mechanism) -> Mechanism:
    """Every joint as a coordinate of its own, without friction and motors: gears would need multiples of angles."""
    alone = tuple(((i, 1),) for i in range(len(mechanism.links)))
    names = tuple(link.joint for link in mechanism.links)
    return replace(mechanism, coordinates=names, couplings=alone, rotors=(), frictions=(None,) * len(names))
