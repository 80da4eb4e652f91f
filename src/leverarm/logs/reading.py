"""A log from a file or from arrays: columns found, units settled, times and garbage mended, on the joints' side."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from leverarm.arrays import Array
from leverarm.errors import InputError
from leverarm.lint.finding import LEVELS, Finding, listed
from leverarm.logs.bounds import Bounds
from leverarm.logs.clock import Stretch
from leverarm.logs.column_words import Role
from leverarm.logs.columns import Chosen, columns_by_name, columns_by_place
from leverarm.logs.conversion import at_the_joints, in_named_units, in_si, told_currents
from leverarm.logs.declared import ColumnNames, declared_columns
from leverarm.logs.files.table import Table
from leverarm.logs.gathering import Source, gathered, told_by_file
from leverarm.logs.idle_columns import without_idle
from leverarm.logs.joint_names import named_by_words
from leverarm.logs.log import Log, Piece
from leverarm.logs.merged_clocks import on_one_clock
from leverarm.logs.motor_side import drives_of
from leverarm.logs.place_order import order_of_blocks
from leverarm.logs.plausibility import implausible
from leverarm.logs.repair import FEWEST, readable, unwrapped, without_empty_roles, without_spikes
from leverarm.logs.sampling import in_seconds, on_a_clock, rate_of
from leverarm.logs.signals import Signals
from leverarm.logs.units import declared_units
from leverarm.logs.unnamed_time import with_unnamed_time
from leverarm.model import Arm


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
    """The joints' motion and torques in SI units, on even times, with what was found and mended on the way.

    `source` is a file (CSV, NPZ, Parquet, MATLAB, ROS bags), a tuple of files whose columns stand side by side, or
    arrays by name: t (k,) [s], q (k, n), tau (k, n) and, where measured, qd and qdd. A Log comes back as it is.

    What names and numbers cannot tell is said. `columns` = {"q": ["a", "b"], "tau": "8-13", "t": 1}: by name, by number
    from 1, by range, or by a common beginning; an empty list for what is not to be used. `units` = {"q": "deg",
    "qd": "rpm", "tau": "A", "t": "ms"}. `rate` [Hz] where there are no times. `gains` [N m/A] where torques are
    currents. `ratio`, a number for each joint or a matrix R with motor positions = R q, holds for the quantities in
    `motor_side`: motions become R^-1 times, torques R^T times what was measured. `zero` [rad or m] is added to q.

    Raises InputError if there are no columns for every joint, no times and no rate, or fewer than 50 usable samples.
    """
    if not isinstance(arm, Arm):
        raise InputError(f"{arm!r} was given to read a log for; an arm is needed, as from la.load('panda').")
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
    if len(signals.rows) < FEWEST:
        has = "1 row" if len(signals.rows) == 1 else f"{len(signals.rows)} rows"
        raise InputError(f"{table.name}: {has}; a log needs {FEWEST}. Record for longer.")

    signals, known = in_named_units(signals, chosen, said, bounds.is_angle)
    signals, merged = on_one_clock(signals)
    signals, without = without_empty_roles(signals)
    signals, guessed = in_seconds(signals, chosen, said, rate)
    signals, lost = readable(signals, table.mended)
    signals, step, pieces, clock = on_a_clock(signals)
    signals, spikes = without_spikes(signals, pieces)
    signals, turned = at_the_joints(signals, drives, bounds, pieces)
    signals, meanings = in_si(signals, joints, bounds, known)
    q, wrapped = unwrapped(signals.values["q"], bounds, pieces)
    values = {**signals.values, "q": q if drives.zero is None else q + drives.zero}

    findings = [
        *told_by_file(table),
        *chosen.findings,
        *told_currents(chosen, said, drives),
        *merged,
        *without,
        *guessed,
        *lost,
    ]
    findings += [
        *clock,
        *spikes,
        *meanings,
        *_told_turns([joints[i] for i in sorted({*turned, *wrapped})]),
        *implausible(joints, bounds, values),
    ]
    findings.sort(key=lambda finding: LEVELS.index(finding.level))
    made = tuple(_piece(values, signals, piece) for piece in pieces)
    return Log(table.name, joints, 1 / step, made, tuple(dict.fromkeys(findings)))


def _chosen(table: Table, joints: Sequence[str], columns: Mapping[str, ColumnNames] | None, has_rate: bool) -> Chosen:
    names = list(table.columns)
    declared = declared_columns(columns, names, joints, table.name)
    if table.has_header:
        found = columns_by_name(names, joints, declared, table.name)
        return found if has_rate or "t" in declared else with_unnamed_time(table, found)
    grows = bool(np.mean(np.diff(table.columns[names[0]]) > 0) > 0.9)
    order = partial(order_of_blocks, table)
    return columns_by_place(names, len(joints), grows, declared, table.name, order)


def _told_turns(joints: Sequence[str]) -> list[Finding]:
    if not joints:
        return []
    told = "the angle jumps by a whole turn; the jumps were taken out."
    return [Finding("note", listed("joint", joints), told, "Nothing needs to be done.")]


def _piece(values: Mapping[Role, Array], signals: Signals, piece: Stretch) -> Piece:
    def sampled(role: Role) -> Array | None:
        return piece.sampled(values[role]) if role in values else None

    q, tau = piece.sampled(values["q"]), piece.sampled(values["tau"])
    return Piece(piece.t, q, sampled("qd"), sampled("qdd"), tau, signals.rows[piece.sources])
