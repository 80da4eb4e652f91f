"""The contents of a log file: named columns of numbers, and which of its rows were dropped or repaired, and why.

Also how one cell of a text is read, and which numbers no sensor measures (infinite, or leftovers of memory as 1e254).
"""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from leverarm.arrays import Array, IntArray
from leverarm.errors import FormatError
from leverarm.findings import first_of


@dataclass(frozen=True, slots=True)
class Flaw:
    """A row of a file that was dropped, or kept with NaN for cells without a number: its line or row, and why."""

    row: int
    why: str


@dataclass(frozen=True, slots=True)
class Table:
    """The numbers of a log as in the file, in its units: columns of one length, NaN where there is none.

    `rows` says where each row stands: the line of a text, else the number of the row, from 1. Columns of a file
    without names are called "1", "2", ...; `has_header` is False then. An array q of shape (k, n) is q1, ..., qn.
    `scalars` are single numbers that stand beside the columns, such as a rate; `notes` say what was left out; `words`
    are columns that hold the same word in every row.
    """

    name: str
    columns: Mapping[str, Array]
    rows: IntArray
    dropped: tuple[Flaw, ...]
    has_header: bool
    repaired: tuple[Flaw, ...] = ()
    scalars: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.rows)


def table_of(name: str, columns: Mapping[str, Array], rows: IntArray, **more: Any) -> Table:
    """A table of columns with names, their garbage replaced by NaN; `more` are further fields."""
    values = np.stack(list(columns.values()), axis=1)
    repaired = blank_garbage(values, list(columns), rows)
    named = {column: np.ascontiguousarray(values[:, place]) for place, column in enumerate(columns)}
    return Table(name, named, rows, (), True, repaired, **more)


def damaged(path: Path, how: str, problem: object) -> FormatError:
    """For whatever a reader of files raises where one is damaged."""
    reason = (str(problem) or type(problem).__name__).splitlines()[0][:200]
    return FormatError(f"cannot be read {how} ({reason}); it is damaged or something else.", str(path))


def distinct(names: list[str]) -> list[str]:
    """Column names, unique and not empty: q, q, q becomes q1, q2, q3; an empty one is its number."""
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


LARGEST = 1e100
"""No quantity of a robot, in any unit, is larger."""
_SHOWN = 3
_NEARLY_FULL = 0.9


def blank_garbage(
    values: Array, names: Sequence[str], rows: IntArray, texts: Mapping[tuple[int, int], str] | None = None
) -> tuple[Flaw, ...]:
    """Replaces garbage by NaN, and returns the rows; `texts`: the cells without a number, by (row, column).

    An empty or NaN cell is reported only where the column is nearly full: others are sampled more slowly.
    """
    is_huge = np.abs(values) > LARGEST
    is_lost = is_huge | (np.isnan(values) & (np.isfinite(values).mean(axis=0) > _NEARLY_FULL))
    wrong: dict[int, list[str]] = {}
    texts = texts or {}
    for row, column in np.argwhere(is_lost).tolist():
        text = texts.get((row, column), "") or f"{values[row, column]:.6g}"
        wrong.setdefault(row, []).append(f"{names[column]} is {text}")
    for (row, column), text in texts.items():
        if not is_lost[row, column]:
            wrong.setdefault(row, []).append(f"{names[column]} is {text}")
    values[is_huge] = np.nan
    return tuple(Flaw(int(rows[row]), first_of(wrong[row], _SHOWN)) for row in sorted(wrong))


MISSING = frozenset({"", "nan", "-nan", "na", "n/a", "#n/a", "null", "none", "-", "--", "nil"})
_WORDS = {"true": 1.0, "false": 0.0}


def split(line: str, delimiter: str | None) -> list[str]:
    """The cells of a line, without blanks and quotes around them; no delimiter means any number of blanks."""
    if '"' in line:
        cells = next(csv.reader([line], delimiter=delimiter or " ", skipinitialspace=True), [])
        return [cell.strip() for cell in cells if cell or delimiter]
    return [cell.strip() for cell in line.split(delimiter)]


def number(cell: str) -> float | None:
    """The number in a cell, NaN where it is empty or marked as missing, None where it is something else."""
    try:
        return float(cell) if "_" not in cell else None
    except ValueError:
        word = cell.strip("' ").lower()
        return math.nan if word in MISSING else _WORDS.get(word)


def moment(cell: str) -> float | None:
    """Seconds since 1970 of a date with a time, or since midnight of a time alone, such as 12:30:05.25; else None."""
    text = cell.strip("'").replace("/", "-")
    if ":" not in text:
        return None
    text = text if "-" in text else f"1970-01-01T{text}"
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
