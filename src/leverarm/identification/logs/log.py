"""A robot's log, made ready: joint side, SI units, even times in every piece, in the order of the arm's coordinates.

Rows of a file in words.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array
from leverarm.findings import Finding


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a log without gaps: even times [s], positions, speeds and accelerations where measured, torques.

    Arrays have shape (samples, joints). `rows` says which row of the source each sample comes from, counted from 1.
    """

    t: Array
    q: Array
    qd: Array | None
    qdd: Array | None
    tau: Array
    rows: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.t)


@dataclass(frozen=True, slots=True)
class Log:
    """Pieces of one rate [Hz], the names of the joints, and what was found and mended while reading."""

    name: str
    joints: tuple[str, ...]
    rate: float
    pieces: tuple[Piece, ...]
    findings: tuple[Finding, ...] = ()

    def __len__(self) -> int:
        return sum(map(len, self.pieces))

    @property
    def duration(self) -> float:
        """Seconds of motion in all pieces together."""
        return len(self) / self.rate


SHOWN = 6


def rows_in_words(rows: NDArray[np.int64], file: str) -> str:
    """Rows of a source as a reader looks them up: "rows 12-14, 20 of log.csv"; the first six stretches of many."""
    rows = np.unique(rows)
    parts = np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1)
    shown = ", ".join(f"{part[0]}-{part[-1]}" if len(part) > 1 else str(part[0]) for part in parts[:SHOWN])
    left = sum(map(len, parts[SHOWN:]))
    more = f" and {left} more" if left else ""
    return f"row{'s' * (len(rows) > 1)} {shown}{more} of {file}"
