"""Times in a first column whose name does not say so."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from leverarm.lint.finding import Finding
from leverarm.logs.columns import Chosen, Taken
from leverarm.logs.files.table import Table

EVEN = 0.5
"""Of the median step: how far a step may be from it."""
MOSTLY = 0.9
"""Share of the steps that must be even."""


def with_unnamed_time(table: Table, chosen: Chosen) -> Chosen:
    """The columns chosen, with the first one as times if it is no other and grows as times do; else as they are.

    Whole numbers that count the rows are no times.
    """
    first = next(iter(table.columns))
    if "t" in chosen.roles or any(first in taken.columns for taken in chosen.roles.values()):
        return chosen
    steps = np.diff(table.columns[first])
    steps = steps[np.isfinite(steps)]
    median = float(np.median(steps)) if len(steps) else 0.0
    if median <= 0 or median == 1 or np.mean(np.abs(steps / median - 1) < EVEN) < MOSTLY:
        return chosen
    told = f"{first!r} is taken for the times: it grows evenly from row to row, and no name says which the times are."
    remedy = "Say columns={'t': 'name'}, or columns={'t': []} and rate=... [Hz], if that is wrong."
    roles = {**chosen.roles, "t": Taken((first,), (None,))}
    return replace(chosen, roles=roles, findings=(*chosen.findings, Finding("note", "columns", told, remedy)))
