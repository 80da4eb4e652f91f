"""Numbers that no sensor measures: infinite, or so large that they are leftovers of memory, such as 1e254."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array
from leverarm.logs.files.table import Mended

LARGEST = 1e100
"""No quantity of a robot, in any unit, is larger."""
_SHOWN = 3
_NEARLY_FULL = 0.9


def mend(
    values: Array, names: Sequence[str], rows: NDArray[np.int64], texts: Mapping[tuple[int, int], str] | None = None
) -> tuple[Mended, ...]:
    """Puts NaN in place of garbage, and says in which rows; `texts`: the cells without a number, by (row, column).

    A cell that is empty or NaN is told only where the column is nearly full: others are sampled more slowly.
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
    return tuple(Mended(int(rows[row]), _few(wrong[row])) for row in sorted(wrong))


def _few(cells: list[str]) -> str:
    more = f" and {len(cells) - _SHOWN} more" if len(cells) > _SHOWN else ""
    return ", ".join(cells[:_SHOWN]) + more
