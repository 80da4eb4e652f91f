"""Signals that were recorded at different times and stand in one table, each with holes where the others have rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array
from leverarm.lint.finding import Finding
from leverarm.logs.column_words import Role
from leverarm.logs.columns import QUANTITIES
from leverarm.logs.signals import Signals

WHOLE = 0.5
"""Share of rows that have every number, below which quantities are taken to have clocks of their own."""
FEWEST = 50
"""Rows that a quantity must have to be one with a clock of its own."""
REACH = 2.5
"""Median steps of a quantity between whose ends a value is filled in."""


def on_one_clock(signals: Signals) -> tuple[Signals, list[Finding]]:
    """Positions and torques at the times of the one with fewer rows, the others linear in between; else as they are.

    Only where most rows lack a quantity, each has rows enough, and the times grow.
    """
    has: dict[Role, NDArray[np.bool_]] = {role: _whole(array) for role, array in signals.values.items()}
    together = np.logical_and.reduce(list(has.values()))
    is_timed = bool(np.isfinite(signals.t).all() and np.all(np.diff(signals.t) >= 0))
    if together.mean() >= WHOLE or not is_timed or min(map(np.sum, has.values())) < FEWEST:
        return signals, []
    slowest: Role = "q" if has["q"].sum() <= has["tau"].sum() else "tau"
    begin = max(int(np.flatnonzero(each)[0]) for each in has.values())
    end = min(int(np.flatnonzero(each)[-1]) for each in has.values())
    rows = begin + np.flatnonzero(has[slowest][begin : end + 1])
    values = {role: _at(signals.t[rows], signals.t[has[role]], x[has[role]]) for role, x in signals.values.items()}
    moved = ", ".join(QUANTITIES[role] for role in values if role != slowest and not has[role][rows].all())
    told = f"{moved} stand in other rows than the {QUANTITIES[slowest]}; they were interpolated to the times of these."
    finding = Finding(
        "warning", "time stamps", told, "Record all at the same instants: what is interpolated is less sharp."
    )
    return signals.at(rows).with_values(values), [finding]


def _whole(values: Array) -> NDArray[np.bool_]:
    return np.asarray(np.isfinite(values).all(axis=1))


def _at(wanted: Array, t: Array, values: Array) -> Array:
    """Values (k, n) between the samples around each wanted time; NaN where these are too far apart."""
    after = np.clip(np.searchsorted(t, wanted), 1, len(t) - 1)
    apart: Array = t[after] - t[after - 1]
    steps = np.diff(t)
    is_near: NDArray[np.bool_] = apart <= REACH * np.median(steps[steps > 0])
    is_near &= (wanted >= t[0]) & (wanted <= t[-1])
    filled = np.stack([np.interp(wanted, t, column) for column in values.T], axis=1)
    filled[~is_near] = np.nan
    return filled
