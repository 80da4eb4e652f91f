"""Joints that are named in columns of words beside numbered columns, as ROS writes its joint states to text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from leverarm.logs.files.table import Table

_NUMBERED = re.compile(r"(.*?)[._\[(]?(\d+)[\])]?")
_NAMES = re.compile(r"names?$|joints?$", re.IGNORECASE)


def named_by_words(table: Table) -> Table:
    """The table with name0 = "elbow" and position0 read as position.elbow; as it is where no words name joints.

    Columns take part whose numbers are those of the words. Names may stand in any order, ROS has them by the alphabet.
    """
    joints = _joints(table.words)
    if not joints:
        return table
    stems: dict[str, dict[int, str]] = {}
    for column in table.columns:
        if parts := _NUMBERED.fullmatch(column):
            stems.setdefault(parts[1], {})[int(parts[2])] = column
    fresh = {
        column: f"{stem}.{joints[number]}"
        for stem, numbers in stems.items()
        if stem and numbers.keys() == joints.keys()
        for number, column in numbers.items()
    }
    if not fresh or set(fresh.values()) & set(table.columns):
        return table
    told = (
        f"the joints {', '.join(joints.values())} are named in words; columns with their numbers were taken for them."
    )
    columns = {fresh.get(name, name): values for name, values in table.columns.items()}
    return replace(table, columns=columns, notes=(*table.notes, told))


def _joints(words: Mapping[str, str]) -> dict[int, str]:
    """The joint of each number, where columns of words name several, each its own."""
    found: dict[str, dict[int, str]] = {}
    for column, word in words.items():
        parts = _NUMBERED.fullmatch(column)
        if parts and _NAMES.search(parts[1]):
            found.setdefault(parts[1], {})[int(parts[2])] = word
    named = [each for each in found.values() if len(each) > 1 and len(set(each.values())) == len(each)]
    return named[0] if len(named) == 1 else {}
