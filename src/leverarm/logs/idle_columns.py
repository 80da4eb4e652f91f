"""Columns of a gripper after those of the arm: numbered on, but standing still."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from leverarm.arrays import Array
from leverarm.logs.files.table import Table
from leverarm.logs.names import meaning

MOST = 3
"""Fingers that a log may have besides the joints."""
STILL = 0.02
"""Of the widest range of a position: a column with less stands still."""


def without_idle(table: Table, joints: Sequence[str]) -> Table:
    """The table without the last numbered columns of each quantity where positions of too many joints are numbered, and
    those after the arm's stand still; as it is otherwise."""
    read = [found for name in table.columns if (found := meaning(name, joints))]
    if any(found.joint is not None for found in read) or len(joints) == 1:
        return table
    sets: dict[tuple[object, ...], list[tuple[int, str]]] = {}
    for found in read:
        if found.role != "t" and found.numbers:
            sets.setdefault((found.role, found.words), []).append((found.numbers[-1], found.column))
    numbered = {key: sorted(columns) for key, columns in sets.items()}
    positions = [columns for key, columns in numbered.items() if key[0] == "q"]
    count = max(map(len, positions), default=0)
    if not len(joints) < count <= len(joints) + MOST or min(map(len, positions)) < count:
        return table
    for columns in positions:
        ranges = np.array([_range(table.columns[name]) for _, name in columns])
        if np.any(ranges[len(joints) :] > STILL * ranges.max()):
            return table
    gone = [name for columns in numbered.values() if len(columns) == count for _, name in columns[len(joints) :]]
    kept = {name: values for name, values in table.columns.items() if name not in gone}
    told = f"{', '.join(gone)} stand still and are more than the arm's {len(joints)} joints: left out as a gripper's."
    return replace(table, columns=kept, notes=(*table.notes, told))


def _range(values: Array) -> float:
    finite = values[np.isfinite(values)]
    return float(np.ptp(finite)) if len(finite) else 0.0
