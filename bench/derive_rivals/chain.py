"""The arm as the rivals get it: plain data, and the motion of its links written out in whatever algebra they bring."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import leverarm as la

Vector = list[Any]


@dataclass(frozen=True, slots=True)
class ChainLink:
    """A link on a revolute joint along its z: where the joint sits in the link before, and the link's own numbers.

    Entries are numbers or names of symbols.
    """

    rotation: tuple[tuple[int, ...], ...]
    position: tuple[str, ...]
    mass: str
    com: tuple[str, ...]
    moments: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Chain:
    """A serial arm of revolute joints; gravity along one axis of the world."""

    coordinates: tuple[str, ...]
    symbols: tuple[str, ...]
    gravity: tuple[str, ...]
    links: tuple[ChainLink, ...]
    moments_about: str
    """"com" or "origin"."""


def chain_of(arm: la.Arm) -> Chain:
    """A serial arm as data."""
    links = []
    for body, link in zip(arm.bodies, la.equations(arm).exact.mechanism.links, strict=True):
        mp, xyz = body.mass_properties, body.joint.placement.xyz
        moments = mp.inertia
        assert link.turns and link.parent == len(links) - 1 and tuple(link.axis) == (0, 0, 1)
        rows = ("xx", "xy", "xz"), ("xy", "yy", "yz"), ("xz", "yz", "zz")
        links.append(
            ChainLink(
                rotation=tuple(tuple(row) for row in link.placement.rotation.rows()),
                position=tuple(map(la.model.format_quantity, xyz)),
                mass=la.model.format_quantity(mp.mass),
                com=tuple(map(la.model.format_quantity, mp.com)),
                moments=tuple(tuple(la.model.format_quantity(getattr(moments, name)) for name in row) for row in rows),
            )
        )
    gravity = tuple(map(la.model.format_quantity, arm.gravity))
    (about,) = {body.mass_properties.about for body in arm.bodies}
    return Chain(arm.coordinates, tuple(arm.defaults), gravity, tuple(links), about)


def read(entry: str, symbols: Mapping[str, Any]) -> Any:
    """An entry of a chain in the rival's algebra: a symbol, minus a symbol, or a number."""
    if entry.startswith("-") and entry[1:] in symbols:
        return -symbols[entry[1:]]
    return symbols[entry] if entry in symbols else int(float(entry)) if float(entry).is_integer() else float(entry)


@dataclass(frozen=True, slots=True)
class LinkState:
    """A link in motion, in its own axes: angular velocity, velocity and height (times -g) of the centre of mass."""

    mass: Any
    moments: list[Vector]
    omega: Vector
    velocity: Vector
    weight: Vector
    potential: Any


def motions(
    chain: Chain, symbols: Mapping[str, Any], q: Sequence[Any], qd: Sequence[Any], cos: Callable, sin: Callable
) -> Iterator[LinkState]:
    """Velocities carried from link to link in body axes, which keeps nested expressions smallest."""
    assert chain.moments_about == "com"
    omega, velocity, depth = [0, 0, 0], [0, 0, 0], 0
    g = [read(x, symbols) for x in chain.gravity]
    for link, angle, rate in zip(chain.links, q, qd, strict=True):
        p, r = ([read(x, symbols) for x in entries] for entries in (link.position, link.com))
        mass, moments = read(link.mass, symbols), [[read(x, symbols) for x in row] for row in link.moments]
        velocity = plus(velocity, cross(omega, p))
        depth = depth + dot(g, p)
        turn = joint_rotation(link, cos(angle), sin(angle))
        omega, velocity, g = (transposed_times(turn, x) for x in (omega, velocity, g))
        omega = plus(omega, [0, 0, rate])
        at_com = plus(velocity, cross(omega, r))
        yield LinkState(mass, moments, omega, at_com, [mass * x for x in g], -mass * (depth + dot(g, r)))


def lagrangian(states: Iterator[LinkState], half: Any) -> Any:
    """K - P."""
    total = 0
    for state in states:
        turning = dot(state.omega, [dot(row, state.omega) for row in state.moments])
        total = total + half * (state.mass * dot(state.velocity, state.velocity) + turning) - state.potential
    return total


def joint_rotation(link: ChainLink, c: Any, s: Any) -> list[Vector]:
    """parent_from_link."""
    return [[row[0] * c + row[1] * s, row[1] * c - row[0] * s, row[2]] for row in link.rotation]


def dot(a: Sequence[Any], b: Sequence[Any]) -> Any:
    return _sum(x * y for x, y in zip(a, b, strict=True) if not (_is_zero(x) or _is_zero(y)))


def cross(a: Sequence[Any], b: Sequence[Any]) -> Vector:
    return [dot((a[1], -a[2]), (b[2], b[1])), dot((a[2], -a[0]), (b[0], b[2])), dot((a[0], -a[1]), (b[1], b[0]))]


def plus(a: Sequence[Any], b: Sequence[Any]) -> Vector:
    return [_sum((x, y)) for x, y in zip(a, b, strict=True)]


def transposed_times(matrix: Sequence[Sequence[Any]], a: Sequence[Any]) -> Vector:
    return [dot(column, a) for column in zip(*matrix, strict=True)]


def _sum(terms: Any) -> Any:
    total: Any = 0
    for term in terms:
        if not _is_zero(term):
            total = term if _is_zero(total) else total + term
    return total


def _is_zero(x: Any) -> bool:
    return isinstance(x, int) and x == 0
