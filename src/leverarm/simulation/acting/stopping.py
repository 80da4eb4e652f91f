"""Joint stops of a run: which joints have them, where, and their restitution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from leverarm.errors import InputError, require_known
from leverarm.model import Arm, to_float
from leverarm.simulation.acting.feeds import Rows, Source
from leverarm.simulation.acting.payloads import number_or_nan
from leverarm.simulation.contacts import NO_STOP

REST_SPEED = 1e-3
"""Below this impact speed [rad/s or m/s] a joint comes to rest on its stop."""


def stops_for(arm: Arm, given: Any, q0: Sequence[float] | Any) -> tuple[tuple[int, ...], dict[str, Source]]:
    """The coordinates with stops at their joint's limits, and the data of those; none where nothing is given.

    `given` is a restitution for every joint that has limits, or one for each joint named. InputError where a run would
    begin beyond a stop.
    """
    if given is None:
        return (), {}
    limits = _limits(arm)
    asked = dict(given) if isinstance(given, Mapping) else dict.fromkeys(limits, given)
    for name in asked:
        require_known("joint", name, arm.joint_names, "stops")
        if name not in limits:
            raise InputError(f"stops: {name} of arm {arm.name!r} has no limits. Give it some, or leave it out.")
    if not asked:
        raise InputError(f"stops: no joint of arm {arm.name!r} has limits. Give it some, or leave stops out.")
    restitution = [_restitution(name, value) for name, value in asked.items()]
    order = sorted(range(len(asked)), key=lambda k: arm.joint_names.index(list(asked)[k]))
    names = [list(asked)[k] for k in order]
    places = tuple(arm.joint_names.index(name) for name in names)
    lower, upper = (np.array([limits[name][side] for name in names]) for side in (0, 1))
    _check_start(names, np.asarray(q0, float)[..., list(places)], lower, upper)
    bounces = np.array([restitution[k] for k in order])
    data = {"lower": lower, "upper": upper, "restitution": bounces, "rest_speed": np.array([REST_SPEED])}
    return places, {name: Rows.constant(values) for name, values in data.items()}


def _limits(arm: Arm) -> dict[str, tuple[float, float]]:
    """Lower and upper limit of each coordinate whose own joint has one."""
    found = {}
    for body in arm.bodies:
        joint = body.joint
        ends = [None if x is None else to_float(x, arm.defaults) for x in (joint.limits.lower, joint.limits.upper)]
        if joint.name in arm.joint_names and joint.coupling is None and ends != [None, None]:
            lower, upper = (side if x is None else x for x, side in zip(ends, (-NO_STOP, NO_STOP), strict=True))
            found[joint.name] = (lower, upper)
    return found


def _restitution(name: str, given: Any) -> float:
    value = number_or_nan(given)
    if not 0 <= value <= 1:
        raise InputError(
            f"stops: {given!r} was given for {name}; it takes a restitution from 0 (no bounce) to 1 (no loss)."
        )
    return value


def _check_start(names: Sequence[str], q: Any, lower: Any, upper: Any) -> None:
    is_outside = (q < lower) | (q > upper)
    if is_outside.any():
        where = np.argwhere(is_outside)[0]
        k = int(where[-1])
        raise InputError(
            f"q0: {names[k]} = {q[tuple(where)]:g} is beyond its limits, {lower[k]:g} to {upper[k]:g}, and stops were "
            "given. Start inside, or leave stops out."
        )
