"""Contact resets: impacts at stops, joints that come to rest, and holds that give way.

They are resolved in this order; a lane in which an earlier kind happens leaves the later ones to the next reset.

- An impact acts on all coordinates, since dry friction cannot hold against it: an impulse sends the joint back, or lets
  it rest, and moves the others along. Several impacts are resolved one after the other.
- Where a sliding speed crosses zero, or a stop is touched too slowly for a bounce, the coordinate stops and the momenta
  of the free ones are unchanged. As that speed goes to zero, so does the change.
- Of holds that give way, or that start at zero speed, one changes per reset, the first: that order of pivots terminates
  because the mass matrix is positive definite (Murty 1974, "Note on a Bard-type scheme for solving the complementarity
  problem").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from leverarm import mechanics
from leverarm.mechanics import Matrix
from leverarm.mechanics.matrices import dot
from leverarm.model import Mechanism
from leverarm.scalars import Scalar, divide, half, sign
from leverarm.simulation.contacts.contact_modes import (
    SIDES,
    chosen,
    either,
    gap,
    held_velocities,
    is_at_least_zero,
    is_crossed,
    is_leaning,
    is_nought,
    is_overloaded,
    is_positive,
    is_striking,
    is_turning,
    negated,
)
from leverarm.simulation.contacts.joints import Contact

Marks = tuple[Scalar, Scalar, Scalar]
"""Held, direction, resting."""


@dataclass(slots=True)
class Impacts:
    """Velocities while impacts are resolved; which coordinates hit a stop, and on which side they came to rest."""

    qd: list[Scalar]
    struck: dict[int, Scalar]
    landed: dict[int, Scalar]


def is_bounce(contact: Contact, touching: Mapping[int, Scalar]) -> Scalar:
    """Whether a stop is struck at the rest speed or faster, and the bounce can be resolved.

    A stop that is detected late, after a whole step, is passed by some depth. A joint that is pushed outward by an
    acceleration a and is no faster than 2 sqrt(2 a depth) would fall back about as soon as the stop was found.
    """
    assert contact.stop is not None
    fast = []
    for side, touches in touching.items():
        speed, depth = side * contact.qd, -gap(contact, side)
        is_seen = is_at_least_zero(speed * speed - 8 * (side * contact.qdd) * depth)
        fast.append(touches * is_at_least_zero(speed - contact.stop.rest_speed) * is_seen)
    return either(*fast)


def dealt(M: Matrix, with_stops: Sequence[Contact], qd: Sequence[Scalar]) -> Impacts:
    """Each coordinate moving outward gets the impulse that sends it back, e times as fast, or lets it rest."""
    impacts = Impacts(list(qd), {}, {})
    if not with_stops:
        return impacts
    inverse = mechanics.factorise(M).inverse()
    for c in with_stops:
        assert c.stop is not None
        i, before = c.index, impacts.qd[c.index]
        upper, lower = (is_striking(c, side, before) for side in SIDES)
        struck = either(upper, lower)
        rebound = c.stop.restitution * before
        lands = struck * is_positive(c.stop.rest_speed - sign(before) * rebound)
        change = struck * (-(negated(lands) * rebound) - before)
        impacts.qd = [v + divide(inverse[k][i], inverse[i][i]) * change for k, v in enumerate(impacts.qd)]
        impacts.qd[i] = chosen(struck, -(negated(lands) * rebound), before)
        impacts.struck[i], impacts.landed[i] = struck, lands * (upper - lower)
    return impacts


def marks_after_impact(c: Contact, impacts: Impacts) -> Marks:
    """Contact modes after impacts: moving coordinates are free; others are held by friction or rest on a stop."""
    speed = impacts.qd[c.index]
    is_at_rest = is_nought(speed)
    resting: Scalar = 0
    if c.stop is not None:
        resting = is_at_rest * chosen(impacts.struck[c.index], impacts.landed[c.index], c.resting)
    return (resting * resting, 0, resting) if c.friction is None else (is_at_rest, sign(speed), resting)


@dataclass(frozen=True, slots=True)
class Jump:
    """The state after a reset, and the energy that the stops and friction added to the arm [J]."""

    q: list[Scalar]
    qd: list[Scalar]
    held: list[Scalar]
    direction: list[Scalar]
    resting: list[Scalar]
    by_stops: Scalar
    by_friction: Scalar


Sides = dict[int, dict[int, Scalar]]
"""Coordinate -> stop, 1 or -1 -> a condition."""


@dataclass(frozen=True, slots=True)
class _Happening:
    """The kind of reset: impacts, coordinates that come to rest, or neither; exactly one of the three is 1.

    By coordinate, `touching` and `leaning` are the stop it is at, `ending` whether it comes to rest unless struck.
    """

    touching: Sides
    leaning: Sides
    ending: Mapping[int, Scalar]
    is_touch: Scalar
    is_impact: Scalar
    is_end: Scalar
    is_quiet: Scalar

    @staticmethod
    def at(contacts: Sequence[Contact]) -> _Happening:
        with_stops = [c for c in contacts if c.stop is not None]
        leaning = {c.index: {side: is_leaning(c, side) for side in SIDES} for c in with_stops}
        touching = {c.index: {side: is_striking(c, side, c.qd) for side in SIDES} for c in with_stops}
        crossed = {c.index: is_crossed(c) for c in contacts if c.friction is not None}
        is_touch = either(*(x for sides in touching.values() for x in sides.values()))
        is_impact = either(*(is_bounce(c, touching[c.index]) for c in with_stops))
        is_end = negated(is_impact) * either(is_touch, *crossed.values())
        ending = {c.index: either(crossed.get(c.index, 0), *touching.get(c.index, {}).values()) for c in contacts}
        return _Happening(touching, leaning, ending, is_touch, is_impact, is_end, negated(either(is_impact, is_end)))


def swept(mechanism: Mechanism, contacts: Sequence[Contact], q: Sequence[Scalar], qd: Sequence[Scalar]) -> Jump:
    """The state after one reset: unchanged, to the last bit, where every contact mode is valid. Field, O(n^3)."""
    with_stops = [c for c in contacts if c.stop is not None]
    now = _Happening.at(contacts)
    at = _put_back(q, with_stops, now.leaning, now.touching)
    M = mechanics.mass_matrix(mechanism, at)
    impacts = dealt(M, with_stops, qd)
    ended = held_velocities(M, qd, {c.index: either(c.held, now.ending[c.index]) for c in contacts})
    cases = zip(impacts.qd, ended, qd, strict=True)
    after = [now.is_impact * b + now.is_end * e + now.is_quiet * v for b, e, v in cases]

    lost = _kinetic(M, ended) - _kinetic(M, qd)
    by_stops: Scalar = 0
    if with_stops:
        is_moved = either(now.is_touch, *(x for sides in now.leaning.values() for x in sides.values()))
        faster = _kinetic(M, qd) - mechanics.kinetic_energy(mechanism, q, qd)
        lifted = mechanics.potential_energy(mechanism, at) - mechanics.potential_energy(mechanism, q)
        by_impacts = now.is_impact * (_kinetic(M, impacts.qd) - _kinetic(M, qd))
        by_stops = is_moved * (faster + lifted) + by_impacts + now.is_end * (now.is_touch * lost)
    by_friction = now.is_end * (negated(now.is_touch) * lost)
    held, direction, resting = _spread(_marks_after(contacts, now, impacts), len(q))
    return Jump(at, after, held, direction, resting, by_stops, by_friction)


def _marks_after(contacts: Sequence[Contact], now: _Happening, impacts: Impacts) -> dict[int, Marks]:
    """The new contact modes by kind of reset; without impacts or stops, only the first invalid one changes."""
    marks: dict[int, Marks] = {}
    earlier: Scalar = 0
    for c in contacts:
        upper, lower = now.leaning.get(c.index, {1: 0, -1: 0}).values()
        overloaded, turning = is_overloaded(c), is_turning(c) if c.friction is not None else 0
        is_first = is_nought(earlier)
        earlier = earlier + overloaded + turning + upper + lower
        is_released, is_caught = is_first * overloaded, is_first * either(turning, upper, lower)
        touched, ending = now.touching.get(c.index, {1: 0, -1: 0}), now.ending[c.index]
        before = (c.held, c.direction, c.resting)
        marks[c.index] = _chosen_marks(
            (now.is_impact, marks_after_impact(c, impacts)),
            (now.is_end * ending, (1, 0, touched[1] - touched[-1])),
            (now.is_end * negated(ending), before),
            (now.is_quiet * is_released, (0, sign(c.hold) if c.friction is not None else 0, 0)),
            (now.is_quiet * is_caught, (1, 0, upper - lower)),
            (now.is_quiet * negated(either(is_released, is_caught)), before),
        )
    return marks


def _put_back(q: Sequence[Scalar], with_stops: Sequence[Contact], leaning: Sides, touching: Sides) -> list[Scalar]:
    """Positions, with those that touch or lean on a stop set to it."""
    at = list(q)
    for c in with_stops:
        assert c.stop is not None
        upper, lower = (either(touching[c.index][side], leaning[c.index][side]) for side in SIDES)
        at[c.index] = upper * c.stop.upper + lower * c.stop.lower + negated(upper + lower) * c.q
    return at


def _chosen_marks(*cases: tuple[Scalar, Marks]) -> Marks:
    """The contact mode of the one case whose condition is 1."""
    held, direction, resting = (sum((case * marks[k] for case, marks in cases), start=0) for k in range(3))
    return held, direction, resting


def _spread(marks: Mapping[int, Marks], n: int) -> list[list[Scalar]]:
    """The three mode variables, each for all coordinates that can be held."""
    return [[marks[i][k] if i in marks else 0 for i in range(n)] for k in range(3)]


def _kinetic(M: Matrix, qd: Sequence[Scalar]) -> Scalar:
    return half(dot(qd, mechanics.apply(M, qd)))
