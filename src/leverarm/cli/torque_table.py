"""Forces in time from a CSV file: the first column is t [s], then one column per joint; a line of names may come first.

A file that `leverarm simulate -o run.csv` wrote is such a table too: its columns are found by their names.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import leverarm as la
from leverarm.errors import FormatError

Line = tuple[int, list[str]]
"""The number of a line, and its cells."""


def torque_table(path: str, arm: la.Arm, until: float) -> la.Signal:
    """The forces [N m or N] in a file, straight between its rows; FormatError names the file and the line."""
    lines = list(_lines(path))
    if not lines:
        raise FormatError("is empty. Give rows of a time [s] and one number per joint.", path)
    names = None if all(map(_is_number, lines[0][1])) else lines[0][1]
    columns = _columns(path, lines[0], names, arm)
    rows = lines if names is None else lines[1:]
    numbers = [_numbers(path, line, columns, arm, len(lines[0][1])) for line in rows]
    if len(numbers) < 2:
        raise FormatError(f"has {len(numbers)} rows of numbers; a table takes two or more, each at a later time.", path)
    for k in range(1, len(numbers)):
        t, before = numbers[k][0], numbers[k - 1][0]
        if t <= before:
            raise FormatError(
                f"t = {t:g} s comes after t = {before:g} s. Times must increase from line to line.", path, rows[k][0]
            )
    begin, end = numbers[0][0], numbers[-1][0]
    if begin > 0 or end < until:
        gap = f"begins at t = {begin:g} s" if begin > 0 else f"ends at t = {end:g} s"
        raise FormatError(f"{gap}, and the run goes from 0 to {until:g} s. Add rows, or give another --until.", path)
    return la.table([row[0] for row in numbers], [row[1:] for row in numbers])


def _lines(path: str) -> Iterator[Line]:
    """The lines that are neither empty nor remarks."""
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as stream:
            numbered = ((k, line) for k, line in enumerate(stream, start=1))
            for k, line in numbered:
                if line.strip() and not line.lstrip().startswith("#"):
                    yield k, [cell.strip() for cell in next(csv.reader([line]))]
    except (OSError, UnicodeError, csv.Error) as problem:
        why = getattr(problem, "strerror", None) or problem
        raise FormatError(f"cannot be read: {why}. Give a CSV file of times and forces, or numbers.", path) from None


def _is_number(cell: str) -> bool:
    try:
        float(cell or "nan")
    except ValueError:
        return False
    return True


def _columns(path: str, first: Line, names: Sequence[str] | None, arm: la.Arm) -> list[int]:
    """The place of the force of each joint among the columns: by name where the joints are named, else in order."""
    line, cells = first
    if names is not None:
        for prefix in ("tau.", ""):
            wanted = [f"{prefix}{joint}" for joint in arm.joint_names]
            missing = [name for name in wanted if name not in names]
            if not missing:
                return [names.index(name) for name in wanted]
            if len(missing) < len(wanted):
                raise FormatError(
                    f"there is no column {missing[0]!r}. Give one for each joint: {', '.join(wanted)}.", path, line
                )
    if len(cells) != arm.dof + 1:
        raise FormatError(
            f"there are {len(cells)} columns; arm {arm.name!r} takes {arm.dof + 1}: t, {', '.join(arm.joint_names)}.",
            path,
            line,
        )
    return list(range(1, arm.dof + 1))


def _numbers(path: str, line: Line, columns: Sequence[int], arm: la.Arm, width: int) -> list[float]:
    """The time and the forces of a line."""
    number, cells = line
    if len(cells) != width:
        raise FormatError(f"there are {len(cells)} numbers in this line, and {width} columns.", path, number)
    values = []
    for column, name in zip((0, *columns), ("t", *arm.joint_names), strict=True):
        text = cells[column]
        if not _is_number(text):
            raise FormatError(f"{text!r} is no number, in the column of {name}.", path, number)
        value = float(text or "nan")
        if not math.isfinite(value):
            what = f"{text} is given" if text else "there is a gap"
            raise FormatError(f"{what} in the column of {name}. Fill it in, or leave the line out.", path, number)
        values.append(value)
    return values
