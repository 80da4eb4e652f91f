"""A robot's log, ready for use: joint side, SI units, uniform times in every piece, the arm's order of joints.

`Signals` are its columns before units and times are settled.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from leverarm.arrays import Array, IntArray
from leverarm.findings import Finding, Level
from leverarm.identification.logs.column_roles import Chosen
from leverarm.identification.logs.files.table import Table
from leverarm.identification.logs.names import Role


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a log without gaps: uniform times [s], positions, speeds and accelerations where measured, torques.

    Arrays have shape (samples, joints). `rows` says which row of the source each sample comes from, counted from 1.
    """

    t: Array
    q: Array
    qd: Array | None
    qdd: Array | None
    tau: Array
    rows: IntArray

    def __len__(self) -> int:
        return len(self.t)


@dataclass(frozen=True, slots=True)
class Log:
    """Pieces of one rate [Hz], the joint names, and what was found and repaired while reading."""

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


def rows_in_words(rows: IntArray, file: str) -> str:
    """Rows of a source in words: "rows 12-14, 20 of log.csv"; the first six ranges of many."""
    rows = np.unique(rows)
    parts = np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1)
    shown = ", ".join(f"{part[0]}-{part[-1]}" if len(part) > 1 else str(part[0]) for part in parts[:SHOWN])
    left = sum(map(len, parts[SHOWN:]))
    more = f" and {left} more" if left else ""
    return f"row{'s' * (len(rows) > 1)} {shown}{more} of {file}"


@dataclass(frozen=True, slots=True)
class Signals:
    """Times (k,), values (k, n) of q, tau and what else there is, the rows of the source, names, and what was found."""

    name: str
    t: Array
    values: Mapping[Role, Array]
    columns: Mapping[Role, tuple[str, ...]]
    rows: IntArray
    findings: tuple[Finding, ...] = ()

    @staticmethod
    def of(table: Table, chosen: Chosen, step: float) -> Signals:
        """The columns chosen; without times, `step` [s] from row to row."""
        columns = {role: taken.columns for role, taken in chosen.roles.items()}
        values: dict[Role, Array] = {
            role: np.stack([table.columns[name] for name in names], axis=1)
            for role, names in columns.items()
            if role != "t"
        }
        time = chosen.roles.get("t")
        if time is None:
            t = np.asarray(np.arange(len(table)) * step, dtype=np.float64)
            return Signals(table.name, t, values, columns, table.rows)
        t = table.columns[time.columns[0]]
        finite = t[np.isfinite(t)]
        # counted from the first stamp, so that fractions of a step keep their digits
        if len(finite) and (time.fraction or abs(finite[0]) > 1e3 * np.ptp(finite)):
            t = t - finite[0]
        if time.fraction:
            t = t + 1e-9 * table.columns[time.fraction]
        return Signals(table.name, t, values, columns, table.rows)

    def at(self, places: IntArray) -> Signals:
        """Some of the rows."""
        kept = {role: array[places] for role, array in self.values.items()}
        return replace(self, t=self.t[places], values=kept, rows=self.rows[places])

    def with_values(self, values: Mapping[Role, Array]) -> Signals:
        return replace(self, values=values)

    def noting(self, level: Level, where: str, message: str, remedy: str) -> Signals:
        """The same with one more finding."""
        return replace(self, findings=(*self.findings, Finding(level, where, message, remedy)))

    def where(self, places: IntArray) -> str:
        """These rows in words."""
        return rows_in_words(self.rows[places], self.name)
