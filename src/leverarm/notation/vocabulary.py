"""What the letters of an arm's closed forms are, and how they are written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Literal

Angle = tuple[tuple[str, int], ...]
"""A sum of whole multiples of named angles: (("theta1", 1), ("theta2", 1))."""


class Role(IntEnum):
    """What a symbol stands for. Within a product, factors are written in this order."""

    MASS = 0
    INERTIA = 1
    OTHER = 2
    GRAVITY = 3
    LENGTH = 4
    COORDINATE = 5
    TRIG = 6
    SPEED = 7
    ACCELERATION = 8


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The letters of one arm: its coordinates, which of them turn about parallel axes, and the roles of its symbols.

    Names are those of the exact ring: coordinate "joint1" has the letters "cos(joint1)" and "sin(joint1)", or "joint1"
    where it slides; its speed and acceleration are "joint1.d" and "joint1.dd".
    """

    coordinates: tuple[str, ...]
    printed: Mapping[str, str]
    """The name each coordinate is written by: "joint1" as "q1"."""
    parallel: tuple[tuple[Angle, ...], ...]
    """Groups of links that turn about parallel axes, each link by the angle it is turned by in all: theta1 and
    theta1 + theta2 of relative angles, theta1 and theta2 of absolute ones. Their differences are natural angles."""
    roles: Mapping[str, Role]
    """Of the arm's symbols. Coordinates, speeds and accelerations are known by their names."""
    decimals: frozenset[Role] = frozenset()
    """What the arm gives as decimals, masses or lengths, say: then numbers that come from them are decimals too."""
    functions: frozenset[str] = frozenset()
    """Functions of formulas beyond those of arms, such as exp; where there are any, a cosine may be of any formula."""

    @property
    def chains(self) -> tuple[Angle, ...]:
        """Coordinates that each turn one link against one before it, with their senses, from the base outwards."""
        chains: list[dict[str, int]] = []
        for group in self.parallel:
            behind: dict[Angle, dict[str, int]] = {}
            for angle in dict.fromkeys(group):
                for before, chain in (*behind.items(), ((), {})):
                    step = between(before, angle)
                    if len(step) == 1 and abs(step[0][1]) == 1:
                        if not chain:
                            chains.append(chain)
                        chain.setdefault(*step[0])
                        behind[angle] = chain
                        break
        return tuple(tuple(chain.items()) for chain in chains)


def between(a: Angle, b: Angle) -> Angle:
    """The angle from a to b."""
    times = dict(b)
    for name, k in a:
        times[name] = times.get(name, 0) - k
    return tuple((name, k) for name, k in times.items() if k)


@dataclass(frozen=True, slots=True)
class Writing:
    """How trees are typeset: cosines of numbered angles as c1, s12, or written out.

    `index` gives the number of each printed coordinate that may be shortened: {"theta1": "1", "theta2": "2"}. A sum of
    such angles is short when it holds each once, in order, and every number is one digit; else it is written out.
    """

    angles: Literal["short", "expanded"] = "short"
    index: Mapping[str, str] = field(default_factory=dict)
