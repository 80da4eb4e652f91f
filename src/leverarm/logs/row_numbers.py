"""Rows of a file in words."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SHOWN = 6


def rows_in_words(rows: NDArray[np.int64], file: str) -> str:
    """Rows of a source as a reader looks them up: "rows 12-14, 20 of log.csv"; the first six stretches of many."""
    rows = np.unique(rows)
    parts = np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1)
    shown = ", ".join(f"{part[0]}-{part[-1]}" if len(part) > 1 else str(part[0]) for part in parts[:SHOWN])
    left = sum(map(len, parts[SHOWN:]))
    more = f" and {left} more" if left else ""
    return f"row{'s' * (len(rows) > 1)} {shown}{more} of {file}"
