"""What a log file holds: columns of numbers by name, and which of its rows were dropped or mended, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array


@dataclass(frozen=True, slots=True)
class Dropped:
    """A row of a file that is not in the table: its line or row, counted from 1, and why."""

    row: int
    why: str


@dataclass(frozen=True, slots=True)
class Mended:
    """A row that is in the table with NaN for cells that held no usable number: its line or row, and which."""

    row: int
    why: str


@dataclass(frozen=True, slots=True)
class Table:
    """The numbers of a log as they stand in the file, in its units: columns of one length, NaN where there is none.

    `rows` says where each row stands: the line of a text, else the number of the row, from 1. Columns of a file
    without names are called "1", "2", ...; `has_header` is False then. An array q of shape (k, n) is q1, ..., qn.
    `scalars` are single numbers that stand beside the columns, such as a rate; `notes` say what was left out; `words`
    are columns that hold the same word in every row.
    """

    name: str
    columns: Mapping[str, Array]
    rows: NDArray[np.int64]
    dropped: tuple[Dropped, ...]
    has_header: bool
    mended: tuple[Mended, ...] = ()
    scalars: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.rows)


def distinct(names: list[str]) -> list[str]:
    """Names of columns, none twice and none empty: q, q, q becomes q1, q2, q3; an empty one is its number."""
    named = [name or str(place) for place, name in enumerate(names, start=1)]
    repeated = {name for name in named if named.count(name) > 1}
    taken = {name for name in named if name not in repeated}
    counts = dict.fromkeys(repeated, 0)
    for place, name in enumerate(named):
        if name in repeated:
            fresh = name
            while fresh == name or fresh in taken:
                counts[name] += 1
                fresh = numbered(name, counts[name])
            named[place] = fresh
            taken.add(fresh)
    return named


def numbered(name: str, number: int) -> str:
    """The name of one component of an array: q1 of q, and joint1.2 of joint1, so that it cannot mean joint 12."""
    return f"{name}.{number}" if name[-1:].isdigit() else f"{name}{number}"
