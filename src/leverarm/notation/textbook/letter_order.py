"""The letters of a printed form: symbols, cosines and sines of sums of angles, roots and other functions.

A printed form is first a polynomial in these letters. They are numbered in the order in which factors are written, so
that the letters of one kind (parameters, lengths, trig, speeds ...) stand together.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from leverarm.notation.elements import letter_node
from leverarm.notation.names import split_dots
from leverarm.notation.tree import Node, Trig
from leverarm.notation.vocabulary import Angle, Role, Vocabulary
from leverarm.scalars import Scalar
from leverarm.scalars.exact import Application, Generator, Root


@dataclass(frozen=True, slots=True)
class TrigLetter:
    """The cosine or sine of a sum of angles."""

    function: Literal["cos", "sin"]
    angle: Angle


SortKey = tuple[int, tuple[int, ...], str]


@dataclass(frozen=True, slots=True)
class Letter:
    """How a letter is written, what it stands for, and where it stands: by role, then by number, then by name."""

    node: Node
    role: Role
    in_product: SortKey
    in_sum: SortKey
    """Which of two terms comes first, by a letter of each: lower numbers, then coordinates before lengths."""
    angle: Angle | None = None
    moves: bool = False
    """Whether it is a speed or acceleration itself, not a function of one such as sgn(qd1)."""


def described(
    given: Generator | TrigLetter, vocabulary: Vocabulary, write: Callable[[Scalar, Vocabulary], Node]
) -> Letter:
    """A letter as it is written; `write` gives the formula of what a function is of."""
    key: SortKey
    match given:
        case TrigLetter(function=function, angle=angle):
            places = tuple(_place(name, vocabulary) for name, _ in angle)
            key = Role.TRIG, places, f"{'a' if function == 'sin' else 'b'}{angle}"
            printed = tuple((vocabulary.printed.get(name, name), k) for name, k in angle)
            return Letter(Trig(function, printed), Role.TRIG, key, key, angle)
    node, (name, dots) = letter_node(given, vocabulary, write), split_dots(given.name)
    match given:
        case Root(square=square):
            key = Role.MASS - 1, (square,), given.name
            return Letter(node, Role.OTHER, key, key)
        case Application():
            key = Role.SPEED, (_place(name, vocabulary), 1), given.name
            return Letter(node, Role.SPEED, key, key)
    if dots:
        role = Role.SPEED if dots == 1 else Role.ACCELERATION
    elif name in vocabulary.coordinates:
        role = Role.COORDINATE
    else:
        role = vocabulary.roles.get(name, Role.OTHER)
    key = role, (trailing_number(name),), name
    if name in vocabulary.coordinates:
        key = role, (_place(name, vocabulary), 0), given.name
    in_sum: SortKey = key
    if role == Role.COORDINATE:
        in_sum = Role.LENGTH, (trailing_number(name), 0), name
    elif role == Role.LENGTH:
        in_sum = role, (*key[1], 1), name
    return Letter(node, role, key, in_sum, moves=dots > 0)


def angle_key(name: str, vocabulary: Vocabulary) -> tuple[int, str]:
    """The order of angles: coordinates in theirs, then constants."""
    return _place(name, vocabulary), name


def _place(coordinate: str, vocabulary: Vocabulary) -> int:
    try:
        return vocabulary.coordinates.index(coordinate)
    except ValueError:
        return len(vocabulary.coordinates) + trailing_number(coordinate)


@lru_cache(maxsize=4096)
def trailing_number(name: str) -> int:
    """The number a name ends with: 2 of m2; 0 where it ends with none."""
    digits = re.search(r"(\d+)\D*$", name)
    return int(digits.group(1)) if digits else 0
