"""The letters of a printed form: symbols, cosines and sines of sums of angles, roots and other functions.

A printed form is first a polynomial in these letters. They are numbered in the order in which factors are written, so
that the letters of one kind (parameters, lengths, trig, speeds ...) stand together.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from leverarm.notation.names import split_dots
from leverarm.notation.vocabulary import Angle, Role, Vocabulary
from leverarm.scalars.exact import Application, Generator, Root


@dataclass(frozen=True, slots=True)
class TrigLetter:
    """The cosine or sine of a sum of angles."""

    function: Literal["cos", "sin"]
    angle: Angle


Letter = Generator | TrigLetter

SortKey = tuple[int, tuple[int, ...], str]


def role_of(letter: Letter, vocabulary: Vocabulary) -> Role:
    """What a letter stands for."""
    if isinstance(letter, TrigLetter):
        return Role.TRIG
    if isinstance(letter, Application):
        return Role.SPEED
    if isinstance(letter, Root):
        return Role.OTHER
    name, dots = split_dots(letter.name)
    if dots:
        return Role.SPEED if dots == 1 else Role.ACCELERATION
    if name in vocabulary.coordinates:
        return Role.COORDINATE
    return vocabulary.roles.get(name, Role.OTHER)


def letter_key(letter: Letter, vocabulary: Vocabulary) -> SortKey:
    """Where a letter stands in a product: by role, then by number, then by name."""
    role = role_of(letter, vocabulary)
    if isinstance(letter, TrigLetter):
        places = tuple(_place(name, vocabulary) for name, _ in letter.angle)
        return role, places, f"{'a' if letter.function == 'sin' else 'b'}{letter.angle}"
    if isinstance(letter, Root):
        return Role.MASS - 1, (letter.square,), letter.name
    name, _ = split_dots(letter.name)
    if isinstance(letter, Application) or name in vocabulary.coordinates:
        return role, (_place(name, vocabulary), int(isinstance(letter, Application))), letter.name
    return role, (trailing_number(name),), name


def in_sum_key(letter: Letter, vocabulary: Vocabulary) -> SortKey:
    """Which of two terms comes first, by a letter of each: lower numbers, then coordinates before lengths."""
    role, number, name = letter_key(letter, vocabulary)
    if role == Role.COORDINATE and isinstance(letter, Generator):
        return Role.LENGTH, (trailing_number(letter.name), 0), name
    return (role, (*number, 1), name) if role == Role.LENGTH else (role, number, name)


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
