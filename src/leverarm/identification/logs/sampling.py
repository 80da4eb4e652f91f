"""When the rows of a log were taken: stamps in seconds and in order, on an even clock, in pieces without gaps."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from leverarm.errors import InputError
from leverarm.findings import Finding
from leverarm.identification.logs.clock import Stretch, stretches
from leverarm.identification.logs.columns import Chosen
from leverarm.identification.logs.files.table import Table
from leverarm.identification.logs.names import Role
from leverarm.identification.logs.repair import FEWEST, long_enough, told_clock, told_order
from leverarm.identification.logs.signals import Signals
from leverarm.identification.logs.time_stamps import in_order, is_coarse, seconds_per_stamp, spread, told_stuck

RATE_NAMES = ("rate", "fs", "f_s", "frequency", "sample_rate", "hz")
STEP_NAMES = ("dt", "ts", "t_s", "step", "sample_time")


def rate_of(table: Table, rate: float | None, has_time: bool) -> float | None:
    """The rate [Hz] given, or the one that stands in the file beside the columns; needed if there are no times."""
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
    raise InputError(
        f"{table.name}: there is no column of times (t, time, timestamp) among {', '.join(list(table.columns)[:40])}, "
        "and no rate. Give rate=... [Hz], or columns={'t': 'name'}."
    )


def in_seconds(
    signals: Signals, chosen: Chosen, said: Mapping[Role, tuple[str, ...]], rate: float | None
) -> tuple[Signals, list[Finding]]:
    """The times in seconds; their unit as declared, named or guessed."""
    if "t" not in chosen.roles:
        return signals, []
    stuck = list(told_stuck(signals.t, signals.name, rate))
    if stuck and rate:
        return signals.in_time(np.arange(len(signals.t)) / rate), stuck
    unit = next(iter(said.get("t", ())), chosen.roles["t"].units[0])
    q, qd = signals.values["q"], signals.values.get("qd")
    factor, told = seconds_per_stamp(signals.t, unit, q, qd, rate, signals.name)
    return (signals if factor == 1 else signals.in_time(signals.t * factor)), told


def on_a_clock(signals: Signals) -> tuple[Signals, float, list[Stretch], list[Finding]]:
    """The rows in the order of time, the step [s], the pieces of even times, and what was done to have them."""
    findings: list[Finding] = []
    if is_coarse(signals.t):
        signals = signals.in_time(spread(signals.t))
        each = f"{1 / (signals.t[1] - signals.t[0]):.6g} Hz"
        told = f"many rows share a stamp: the clock is coarser than the rows, which were spread evenly, {each}."
        findings.append(Finding("warning", "time stamps", told, "Record times with more digits, or give the rate=..."))
    ordered = in_order(signals.t)
    findings += told_order(ordered, signals.rows, signals.name)
    if len(ordered.kept) < FEWEST:
        raise InputError(
            f"{signals.name}: only {len(ordered.kept)} of {len(signals.t)} rows have growing time stamps; a log needs "
            f"{FEWEST}. Sort the rows by time, or give rate=... and leave the stamps out: columns={{'t': []}}."
        )
    if len(ordered.kept) < len(signals.t):
        signals = signals.at(ordered.kept)
    step, pieces = stretches(signals.t, ordered.begins)
    findings += told_clock(pieces, signals.t, signals.rows, step, signals.name)
    kept, short = long_enough(pieces, signals.rows, signals.name)
    return signals, step, kept, findings + short
