"""The signals of a table, by what they are: as they stand in it, before anything is known of their units or times."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array
from leverarm.identification.logs.columns import Chosen
from leverarm.identification.logs.files.table import Table
from leverarm.identification.logs.names import Role

Index = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Signals:
    """Times (k,), values (k, n) of q, tau and what else there is, the rows of the source, and names for messages."""

    name: str
    t: Array
    values: Mapping[Role, Array]
    columns: Mapping[Role, tuple[str, ...]]
    rows: Index

    @staticmethod
    def of(table: Table, chosen: Chosen, step: float) -> Signals:
        """The columns chosen; without times, `step` [s] from row to row."""
        values: dict[Role, Array] = {
            role: np.stack([table.columns[column] for column in taken.columns], axis=1)
            for role, taken in chosen.roles.items()
            if role != "t"
        }
        columns = {role: taken.columns for role, taken in chosen.roles.items()}
        time = chosen.roles.get("t")
        if time is None:
            return Signals(
                table.name, np.asarray(np.arange(len(table)) * step, dtype=np.float64), values, columns, table.rows
            )
        t = table.columns[time.columns[0]]
        finite = t[np.isfinite(t)]
        # counted from the first stamp, so that fractions of a step keep their digits
        if len(finite) and (time.fraction or abs(finite[0]) > 1e3 * np.ptp(finite)):
            t = t - finite[0]
        if time.fraction:
            t = t + 1e-9 * table.columns[time.fraction]
        return Signals(table.name, t, values, columns, table.rows)

    def at(self, places: Index) -> Signals:
        """Some of the rows."""
        kept = {role: array[places] for role, array in self.values.items()}
        return replace(self, t=self.t[places], values=kept, rows=self.rows[places])

    def with_values(self, values: Mapping[Role, Array]) -> Signals:
        return replace(self, values=values)

    def in_time(self, t: Array) -> Signals:
        return replace(self, t=t)
