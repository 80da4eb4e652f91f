"""`read_log`: a log from a file or from arrays, with columns found, units settled, times and bad rows repaired.

The steps that need the whole log are here: the clock, unnamed time columns, the order of quantities in a table without
names (velocities are the slopes of positions), idle gripper columns, and signals that the arm cannot have.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import compress

import numpy as np
from numpy.typing import ArrayLike

from leverarm.arrays import Array
from leverarm.errors import InputError
from leverarm.findings import Finding, by_level, listed
from leverarm.identification.logs import column_roles, repair
from leverarm.identification.logs.clock import Stretch, on_one_clock, stretches
from leverarm.identification.logs.column_roles import Chosen, ColumnNames, Taken
from leverarm.identification.logs.conversion import at_the_joints, current_findings, in_named_units, in_si
from leverarm.identification.logs.files.table import Table
from leverarm.identification.logs.gathering import Source, file_findings, gathered
from leverarm.identification.logs.log import Log, Piece, Signals
from leverarm.identification.logs.motor_side import drives_of
from leverarm.identification.logs.names import Role, meaning, named_by_words
from leverarm.identification.logs.repair import unwrapped
from leverarm.identification.logs.time_stamps import in_seconds, is_coarse, spread
from leverarm.identification.logs.units import Bounds, agreement, declared_units
from leverarm.model import Arm

RATE_NAMES = ("rate", "fs", "f_s", "frequency", "sample_rate", "hz")
STEP_NAMES = ("dt", "ts", "t_s", "step", "sample_time")


def rate_of(table: Table, rate: float | None, has_time: bool) -> float | None:
    """The rate [Hz] given, or the one stored in the file beside the columns; needed if there are no times."""
    if rate is not None:
        if isinstance(rate, bool) or not isinstance(rate, (int, float, np.number)) or not 0 < float(rate) < np.inf:
            raise InputError(f"rate = {rate!r} was given; it is a number of samples in a second [Hz], above 0.")
        return float(rate)
    if has_time:
        return None
    beside = {name.lower(): value for name, value in table.scalars.items() if value > 0}
    for name in (*RATE_NAMES, *STEP_NAMES):
        if name in beside:
            return beside[name] if name in RATE_NAMES else 1 / beside[name]
    columns = ", ".join(list(table.columns)[:40])
    what = f"there is no column of times (t, time, timestamp) among {columns}, and no rate"
    raise InputError(f"{table.name}: {what}. Give rate=... [Hz], or columns={{'t': 'name'}}.")


def on_a_clock(signals: Signals) -> tuple[Signals, float, list[Stretch]]:
    """The rows in order of time, the step [s], and the pieces with uniform times."""
    if is_coarse(signals.t):
        signals = replace(signals, t=spread(signals.t))
        spaced = f"which were spaced evenly at {1 / (signals.t[1] - signals.t[0]):.6g} Hz"
        message = f"many rows share a time stamp: the clock is coarser than the rows, {spaced}."
        remedy = "Record times with more digits, or give rate=..."
        signals = signals.noting("warning", "time stamps", message, remedy)
    signals, begins = repair.in_order_of_time(signals)
    step, pieces = stretches(signals.t, begins)
    signals = replace(signals, findings=(*signals.findings, *repair.clock_findings(signals, pieces, step)))
    signals, kept = repair.long_enough(signals, pieces)
    return signals, step, kept


EVEN = 0.5
"""Of the median step: how far a step may be from it."""
MOSTLY = 0.9
"""Share of the steps that must be even."""


def with_unnamed_time(table: Table, chosen: Chosen) -> Chosen:
    """The chosen columns, with the first one as times if it has no other role and increases evenly; else unchanged.

    Row counters are no times.
    """
    first = next(iter(table.columns))
    if "t" in chosen.roles or any(first in taken.columns for taken in chosen.roles.values()):
        return chosen
    steps = np.diff(table.columns[first])
    steps = steps[np.isfinite(steps)]
    median = float(np.median(steps)) if len(steps) else 0.0
    if median <= 0 or median == 1 or np.mean(np.abs(steps / median - 1) < EVEN) < MOSTLY:
        return chosen
    message = f"{first!r} is read as the times: it increases evenly, and no column is named as the times."
    remedy = "Give columns={'t': 'name'}, or columns={'t': []} and rate=... [Hz], if that is wrong."
    roles = {**chosen.roles, "t": Taken((first,), (None,))}
    return Chosen(roles, (*chosen.findings, Finding("note", "columns", message, remedy)))


OUTSIDE = 0.05
"""Of the range of a joint: how far outside positions may be before the zero is in doubt."""


def implausible(joints: Sequence[str], bounds: Bounds, values: Mapping[Role, Array]) -> Iterator[Finding]:
    """Findings about positions [rad or m] and torques (k, n)."""
    if dead := list(compress(joints, np.ptp(values["tau"], axis=0) == 0)):
        message = "the torque is the same in all rows."
        remedy = "Check the column; friction and drive of this joint cannot be identified from it."
        yield Finding("warning", listed("joint", dead), message, remedy)
    low, high = values["q"].min(axis=0), values["q"].max(axis=0)
    with np.errstate(invalid="ignore"):
        slack = np.nan_to_num(OUTSIDE * (bounds.upper - bounds.lower), nan=np.inf, posinf=np.inf)
    outside = np.flatnonzero((low < bounds.lower - slack) | (high > bounds.upper + slack)).tolist()
    if outside:
        limits = [
            f"(limits {lower:.3g} to {upper:.3g})" for lower, upper in zip(bounds.lower, bounds.upper, strict=True)
        ]
        ranges = ", ".join(f"{joints[i]} {low[i]:.3g} to {high[i]:.3g} {limits[i]}" for i in outside)
        message = f"the positions are outside the joints' limits: {ranges}."
        remedy = "Check units, signs and the zeros of the description: zero=[...] is added to the positions."
        yield Finding("warning", listed("joint", [joints[i] for i in outside]), message, remedy)


ORDERS: dict[int, tuple[tuple[Role | None, ...], ...]] = {
    2: (("q", "tau"),),
    3: (("q", "qd", "tau"), ("q", "tau", "qd"), (None, "q", "tau")),
    4: (("q", "qd", "qdd", "tau"), (None, "q", "qd", "tau"), ("q", "qd", "tau", "qdd")),
}
"""Orders of blocks with one column per joint, likeliest first; None stands for commanded positions."""
SAME = 0.05
"""Of the range of a joint: the largest distance between commanded and measured positions."""


def order_of_blocks(table: Table, names: Sequence[Sequence[str]], time: str | None) -> tuple[Role | None, ...]:
    """The role of each block of columns: the first order that agrees with the numbers, or else the usual one."""
    blocks = [np.stack([table.columns[name] for name in block], axis=1) for block in names]
    t = table.columns[time] if time is not None else np.arange(len(table), dtype=np.float64)
    is_whole = np.isfinite(t) & np.logical_and.reduce([np.isfinite(block).all(axis=1) for block in blocks])
    usual, *others = ORDERS[len(blocks)]
    if np.sum(is_whole) < 3 or not np.any(np.diff(t[is_whole]) > 0):
        return usual
    t, blocks = t[is_whole], [block[is_whole] for block in blocks]

    def fits(order: Sequence[Role | None]) -> bool:
        q = blocks[order.index("q")]
        if None in order and np.any(np.abs(blocks[order.index(None)] - q) > SAME * np.ptp(q, axis=0).max()):
            return False
        return "qd" not in order or agreement(t, q, blocks[order.index("qd")]).is_alike

    return next((order for order in (usual, *others) if fits(order)), usual)


MOST = 3
"""Gripper columns that a log may have besides the joints."""
STILL = 0.02
"""Of the widest range of a position: a column with less does not move."""


def without_idle(table: Table, joints: Sequence[str]) -> Table:
    """The table without idle gripper columns: numbered after those of the arm's joints, and not moving."""
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
        each = (table.columns[name][np.isfinite(table.columns[name])] for _, name in columns)
        ranges = np.array([np.ptp(values) if len(values) else 0.0 for values in each])
        if np.any(ranges[len(joints) :] > STILL * ranges.max()):
            return table
    gone = [name for columns in numbered.values() if len(columns) == count for _, name in columns[len(joints) :]]
    kept = {name: values for name, values in table.columns.items() if name not in gone}
    message = f"{', '.join(gone)} do not move and exceed the arm's {len(joints)} joints: left out as a gripper's."
    return replace(table, columns=kept, notes=(*table.notes, message))


def read_log(
    source: Source | Log,
    arm: Arm,
    *,
    columns: Mapping[str, ColumnNames] | None = None,
    units: Mapping[str, str | Sequence[str]] | None = None,
    rate: float | None = None,
    ratio: ArrayLike | None = None,
    motor_side: Collection[str] = ("q", "qd", "qdd", "tau"),
    gains: ArrayLike | None = None,
    zero: ArrayLike | None = None,
) -> Log:
    """Reads a log: joint motion and torques in SI units at uniform times, with what was found and repaired.

    `source` is a file (CSV, NPZ, Parquet, MATLAB, ROS bags), a tuple of files whose columns stand side by side, or
    arrays by name: t (k,) [s], q (k, n), tau (k, n) and, where measured, qd and qdd. A Log is returned unchanged.

    Options give what names and numbers do not. `columns` = {"q": ["a", "b"], "tau": "8-13", "t": 1}: by name, by number
    from 1, by range, or by a common prefix; an empty list for what is not to be used. `units` = {"q": "deg",
    "qd": "rpm", "tau": "A", "t": "ms"}. `rate` [Hz] where there are no times. `gains` [N m/A] where torques are
    currents. `ratio`, a number for each joint or a matrix R with motor positions = R q, holds for the quantities in
    `motor_side`: motions become R^-1 times, torques R^T times what was measured. `zero` [rad or m] is added to q.

    Raises InputError if there are no columns for every joint, no times and no rate, or fewer than 50 usable samples.
    """
    if not isinstance(arm, Arm):
        raise InputError(f"{arm!r} was given; an arm is needed, as from la.load('panda').")
    if isinstance(source, Log):
        if len(source.joints) != arm.dof:
            raise InputError(f"log {source.name!r} is of {len(source.joints)} joints; arm {arm.name!r} has {arm.dof}.")
        return source
    drives = drives_of(arm.dof, ratio, motor_side, gains, zero)
    bounds, joints = Bounds.of(arm), arm.coordinates
    said = declared_units(units, bounds.is_angle)

    table = without_idle(named_by_words(gathered(source, joints)), joints)
    chosen = _chosen(table, joints, columns, rate is not None)
    rate = rate_of(table, rate, "t" in chosen.roles)
    signals = Signals.of(table, chosen, 1 / rate if rate else 1.0)
    if len(signals.rows) < repair.FEWEST:
        has = "1 row" if len(signals.rows) == 1 else f"{len(signals.rows)} rows"
        raise InputError(f"{table.name}: {has}; a log needs {repair.FEWEST}. Record for longer.")

    signals, known = in_named_units(signals, chosen, said, bounds.is_angle)
    findings = (*file_findings(table), *chosen.findings, *current_findings(chosen, said, drives))
    signals = repair.without_empty_roles(on_one_clock(replace(signals, findings=findings)))
    if "t" in chosen.roles:
        signals = in_seconds(signals, next(iter(said.get("t", ())), chosen.roles["t"].units[0]), rate)
    signals, step, pieces = on_a_clock(repair.readable(signals, table.repaired))
    signals, turned = at_the_joints(repair.without_spikes(signals, pieces), drives, bounds, pieces)
    signals = in_si(signals, joints, bounds, known)
    q, wrapped = unwrapped(signals.values["q"], bounds, pieces)
    if jumped := [joints[i] for i in sorted({*turned, *wrapped})]:
        message = "the angle jumps by a whole turn; it was unwrapped."
        signals = signals.noting("note", listed("joint", jumped), message, "Nothing needs to be done.")
    signals = signals.with_values({**signals.values, "q": q if drives.zero is None else q + drives.zero})
    findings = by_level([*signals.findings, *implausible(joints, bounds, signals.values)])
    return Log(table.name, joints, 1 / step, tuple(_piece(signals, piece) for piece in pieces), findings)


def _chosen(table: Table, joints: Sequence[str], columns: Mapping[str, ColumnNames] | None, has_rate: bool) -> Chosen:
    names = list(table.columns)
    declared = column_roles.declared_columns(columns, names, joints, table.name)
    if table.has_header:
        found = column_roles.columns_by_name(names, joints, declared, table.name)
        return found if has_rate or "t" in declared else with_unnamed_time(table, found)
    grows = bool(np.mean(np.diff(table.columns[names[0]]) > 0) > 0.9)
    order = partial(order_of_blocks, table)
    return column_roles.columns_by_place(names, len(joints), grows, declared, table.name, order)


def _piece(signals: Signals, piece: Stretch) -> Piece:
    found = {role: piece.sampled(values) for role, values in signals.values.items()}
    rows = signals.rows[piece.sources]
    return Piece(piece.t, found["q"], found.get("qd"), found.get("qdd"), found["tau"], rows)
