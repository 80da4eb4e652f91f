"""What the letters of an arm's closed forms are, and how they are written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Literal


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
    parallel: tuple[tuple[tuple[str, int], ...], ...]
    """Groups of coordinates that turn about parallel axes, in order, each with its sense (1 or -1) relative to the
    first of the group. Inside a group sums of angles are natural: cos(theta1 + theta2)."""
    roles: Mapping[str, Role]
    """Of the arm's symbols. Coordinates, speeds and accelerations are known by their names."""


@dataclass(frozen=True, slots=True)
class Writing:
    """How trees are typeset: cosines of numbered angles as c1, s12, or written out.

    `index` gives the number of each printed coordinate that may be shortened: {"theta1": "1", "theta2": "2"}. A sum of
    such angles is short when it holds each once, in order, and every number is one digit; else it is written out.
    """

    angles: Literal["short", "expanded"] = "short"
    index: Mapping[str, str] = field(default_factory=dict)
