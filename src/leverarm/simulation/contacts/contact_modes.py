"""When a contact mode must change, and forward dynamics with some coordinates held.

Margins are negative, and conditions 1, where a mode is no longer valid. A coordinate held by friction bears any load
within -coulomb_negative ... coulomb; on a stop it also bears any load into it. A sliding coordinate moves in its
sliding direction. A free one is not moving outward beyond a stop. At exactly zero speed the acceleration decides.
Held coordinates do not accelerate; the others move as if those were welded.

Choices are made without branches, by conditions that are the numbers 0 and 1, over any scalar. Each condition is a sign
of signs, which a compiler does not expand into the terms that it selects: x * 1 + y * 0 is x to the last bit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

from leverarm import mechanics
from leverarm.mechanics import Matrix
from leverarm.model import LAWS, Sliding
from leverarm.scalars import HALF, Scalar, is_zero, sign
from leverarm.simulation.contacts.joints import Contact


def is_positive(x: Scalar) -> Scalar:
    """1 where x > 0, else 0."""
    return sign(1 + sign(sign(x) - HALF))


def is_at_least_zero(x: Scalar) -> Scalar:
    """1 where x >= 0, else 0."""
    return sign(1 + sign(x))


def is_nought(x: Scalar) -> Scalar:
    """1 where x is 0, else 0."""
    s = sign(x)
    return sign(1 - s * s)


def negated(condition: Scalar) -> Scalar:
    """1 where a condition is 0, and 0 where it is 1."""
    return sign(1 - condition)


def either(*conditions: Scalar) -> Scalar:
    """1 where any of some conditions is 1."""
    return sign(sum(conditions, start=0))


def chosen(condition: Scalar, a: Scalar, b: Scalar) -> Scalar:
    """A where the condition holds, else b; both must be finite."""
    return condition * a + negated(condition) * b


def least(a: Scalar, b: Scalar) -> Scalar:
    """The smaller of two numbers."""
    return chosen(is_positive(b - a), a, b)


def greatest(a: Scalar, b: Scalar) -> Scalar:
    """The larger of two numbers."""
    return chosen(is_positive(a - b), a, b)


SIDES = (1, -1)
"""The upper and the lower stop."""


def guard(contacts: Sequence[Contact]) -> Scalar:
    """The least of all margins: negative where a contact mode must change. Zero is no violation."""
    return reduce(least, [margin(contact) for contact in contacts])


def margin(contact: Contact) -> Scalar:
    """The margin of one coordinate before its contact mode changes, in the unit of the quantity that changes it."""
    of_free: list[Scalar] = []
    if contact.friction is not None:
        of_free.append(sliding_margin(contact))
    if contact.stop is not None:
        of_free.extend(stop_margin(contact, side) for side in SIDES)
    return chosen(contact.held, load_margin(contact), reduce(least, of_free))


def load_margin(contact: Contact) -> Scalar:
    """What friction or the stop could bear beyond the load of a held coordinate [N m or N]."""
    s = sign(contact.hold)
    load = s * contact.hold
    spare = friction_range(contact, s) - load
    if contact.stop is None:
        return spare
    return chosen(is_positive(s * contact.resting), load, spare)


def friction_range(contact: Contact, s: Scalar) -> Scalar:
    """The largest load in a direction that dry friction bears [N m or N]."""
    if contact.friction is None:
        return 0
    at = Sliding(0, 1, contact.load)
    coefficients = zip(LAWS, contact.friction.along(s), strict=True)
    return sum((x * law.force(at) for law, x in coefficients if law.is_dry and not is_zero(x)), start=0)


def sliding_margin(contact: Contact) -> Scalar:
    """The speed in the direction of sliding; at rest, an acceleration against it counts."""
    return contact.qd * contact.direction + is_nought(contact.qd) * least(0, contact.qdd * contact.direction)


def stop_margin(contact: Contact, side: int) -> Scalar:
    """The gap to a stop, or, beyond it, the speed inward; at rest on it, an acceleration outward counts."""
    distance, speed = gap(contact, side), side * contact.qd
    at_rest = is_nought(contact.qd) * is_at_least_zero(-distance) * least(0, -(side * contact.qdd))
    touching = is_nought(distance) * is_positive(speed) * speed
    return greatest(distance, -speed) + at_rest - touching


def gap(contact: Contact, side: int) -> Scalar:
    """How far it is to a stop [rad or m]; negative beyond it."""
    assert contact.stop is not None
    return contact.stop.upper - contact.q if side > 0 else contact.q - contact.stop.lower


def is_overloaded(contact: Contact) -> Scalar:
    """Held, with a load beyond what can be borne."""
    return contact.held * is_positive(-load_margin(contact))


def is_crossed(contact: Contact) -> Scalar:
    """Sliding against its own direction: the speed went through zero."""
    return is_positive(-(contact.qd * contact.direction))


def is_turning(contact: Contact) -> Scalar:
    """At rest, free, and accelerating against its direction of sliding."""
    return negated(contact.held) * is_nought(contact.qd) * is_positive(-(contact.qdd * contact.direction))


def is_striking(contact: Contact, side: int, qd: Scalar) -> Scalar:
    """At a stop or beyond it, and on the way out at this speed."""
    return is_at_least_zero(-gap(contact, side)) * is_positive(side * qd)


def is_leaning(contact: Contact, side: int) -> Scalar:
    """At a stop, at rest, free, and accelerating outward."""
    at_rest = negated(contact.held) * is_nought(contact.qd)
    return at_rest * is_at_least_zero(-gap(contact, side)) * is_positive(side * contact.qdd)


def with_held(M: Matrix, held: Mapping[int, Scalar]) -> tuple[Matrix, list[Scalar]]:
    """The mass matrix of the free coordinates, with rows of the unit matrix for those that are held; and 1 or 0: free.

    `held` is 1 or 0 for the coordinates that can be held.
    """
    n = range(len(M))
    free = [negated(held[i]) if i in held else 1 for i in n]
    masked = [[free[i] * (free[j] * M[i][j]) for j in n] for i in n]
    for i in n:
        masked[i][i] = free[i] * M[i][i] + held.get(i, 0)
    return masked, free


def held_accelerations(
    M: Matrix, rhs: Sequence[Scalar], held: Mapping[int, Scalar]
) -> tuple[list[Scalar], list[Scalar]]:
    """qdd, zero where held, and the load on what holds each coordinate: rhs - M qdd, zero where free. Field, O(n^3)."""
    masked, free = with_held(M, held)
    qdd = _among_free(masked, free, rhs)
    needed = mechanics.apply(M, qdd)
    return qdd, [held[i] * (rhs[i] - needed[i]) if i in held else 0 for i in range(len(M))]


def held_velocities(M: Matrix, qd: Sequence[Scalar], held: Mapping[int, Scalar]) -> list[Scalar]:
    """Velocities after the held coordinates stop, the momenta of the others unchanged. Field, O(n^3)."""
    masked, free = with_held(M, held)
    return _among_free(masked, free, mechanics.apply(M, qd))


def _among_free(masked: Matrix, free: Sequence[Scalar], rhs: Sequence[Scalar]) -> list[Scalar]:
    x = mechanics.factorise(masked).solve([f * r for f, r in zip(free, rhs, strict=True)])
    return [f * value for f, value in zip(free, x, strict=True)]
