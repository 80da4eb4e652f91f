"""Blows at stops: impulses that send a joint back, or let it rest, and move all others along."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leverarm import mechanics
from leverarm.mechanics import Matrix
from leverarm.scalars import Scalar, divide, sign
from leverarm.simulation.contacts.choosing import chosen, either, is_at_least_zero, is_nought, is_positive, negated
from leverarm.simulation.contacts.conditions import SIDES, gap, is_striking
from leverarm.simulation.contacts.joints import Contact

Marks = tuple[Scalar, Scalar, Scalar]
"""Held, direction, resting."""


@dataclass(slots=True)
class Blows:
    """Velocities while blows are dealt; which coordinates were struck, and on which side they came to rest."""

    qd: list[Scalar]
    struck: dict[int, Scalar]
    landed: dict[int, Scalar]


def is_bounce(contact: Contact, touching: Mapping[int, Scalar]) -> Scalar:
    """Whether a stop is struck at the speed that ends bouncing, or faster, and the bounce is one that can be seen.

    A stop that is found late, after a whole step, is passed by some depth. A joint that is pushed outward by an
    acceleration a and is no faster than 2 sqrt(2 a depth) would fall back about as soon as the stop was found.
    """
    assert contact.stop is not None
    fast = []
    for side, touches in touching.items():
        speed, depth = side * contact.qd, -gap(contact, side)
        is_seen = is_at_least_zero(speed * speed - 8 * (side * contact.qdd) * depth)
        fast.append(touches * is_at_least_zero(speed - contact.stop.rest_speed) * is_seen)
    return either(*fast)


def dealt(M: Matrix, with_stops: Sequence[Contact], qd: Sequence[Scalar]) -> Blows:
    """Each coordinate that is on its way out gets the impulse that sends it back, e times as fast, or lets it rest."""
    blows = Blows(list(qd), {}, {})
    if not with_stops:
        return blows
    inverse = mechanics.factorise(M).inverse()
    for c in with_stops:
        assert c.stop is not None
        i, before = c.index, blows.qd[c.index]
        upper, lower = (is_striking(c, side, before) for side in SIDES)
        struck = either(upper, lower)
        rebound = c.stop.restitution * before
        lands = struck * is_positive(c.stop.rest_speed - sign(before) * rebound)
        change = struck * (-(negated(lands) * rebound) - before)
        blows.qd = [v + divide(inverse[k][i], inverse[i][i]) * change for k, v in enumerate(blows.qd)]
        blows.qd[i] = chosen(struck, -(negated(lands) * rebound), before)
        blows.struck[i], blows.landed[i] = struck, lands * (upper - lower)
    return blows


def marks_after_blow(c: Contact, blows: Blows) -> Marks:
    """What has speed is free; what has none is held by its friction, or rests where it did or landed."""
    speed = blows.qd[c.index]
    is_at_rest = is_nought(speed)
    resting: Scalar = 0
    if c.stop is not None:
        resting = is_at_rest * chosen(blows.struck[c.index], blows.landed[c.index], c.resting)
    return (resting * resting, 0, resting) if c.friction is None else (is_at_rest, sign(speed), resting)
