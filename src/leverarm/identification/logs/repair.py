"""Rows that cannot be used and impossible times: dropped or repaired by stated rules, reported with their rows.

Among them spikes, single samples that jump and return at once, and angles that jump by a whole turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress, pairwise

import numpy as np

from leverarm.arrays import Array, BoolArray, IntArray
from leverarm.errors import InputError
from leverarm.findings import Finding
from leverarm.identification.logs.clock import JITTER, SILENT, Stretch
from leverarm.identification.logs.files.table import Flaw
from leverarm.identification.logs.log import Signals
from leverarm.identification.logs.names import Role
from leverarm.identification.logs.time_stamps import in_order
from leverarm.identification.logs.units import Bounds

SIGMAS = 20.0
"""A spike exceeds its neighbours by more than this many robust standard deviations of second differences."""
NEIGHBOURS = 8.0
"""And by more than this many times the largest difference among the neighbours: it returns at once."""
QUANTA = 8.0
"""And by more than this many quantisation steps of the channel."""
LEAST_SHARE = {"q": 1e-3, "qd": 0.05, "qdd": 0.05, "tau": 0.05}
"""And by more than this share of the channel's range; less for positions, which are differentiated twice."""
WHOLE_TURN = 2 * np.pi
NEAR_TURN = 1.0
"""rad: how close to a whole turn a jump must be."""
STEADY = 2.0
"""rad: the largest other step of an angle that can be unwrapped safely."""


def spikes(role: Role, x: Array) -> BoolArray:
    """Which samples (k, n) of a gapless stretch are spikes."""
    found = np.zeros(x.shape, dtype=bool)
    if len(x) < 7:
        return found
    before, after = x[1:-3], x[3:-1]
    apart = np.abs(x[2:-2] - predicted(x))
    near = np.maximum(np.abs(before - x[:-4]), np.abs(x[4:] - after))
    near = np.maximum(near, np.abs(after - before))
    candidates = apart > NEIGHBOURS * near
    for channel in np.flatnonzero(candidates.any(axis=0)):
        found[2:-2, channel] = candidates[:, channel] & (apart[:, channel] > _least(role, x[:, channel]))
    return found


def predicted(x: Array) -> Array:
    """The cubic prediction from the two samples before and after, from the third to the third last sample."""
    return np.asarray((4 * (x[1:-3] + x[3:-1]) - x[:-4] - x[4:]) / 6)


def _least(role: Role, channel: Array) -> float:
    low, high = np.quantile(channel, (0.005, 0.995))
    second = np.diff(channel, 2)
    deviation = 1.4826 * float(np.median(np.abs(second - np.median(second))))
    steps = np.abs(np.diff(channel))
    steps = steps[steps > 1e-9 * np.max(steps)]
    smallest = float(np.quantile(steps, 0.05)) if len(steps) else 0.0
    return max(SIGMAS * deviation, QUANTA * smallest, LEAST_SHARE[role] * float(high - low))


def turns(angle: Array) -> Array:
    """Whole turns [rad] to subtract from each sample of an angle (k,) that wraps; zeros elsewhere."""
    steps = np.diff(angle)
    is_jump = np.abs(np.abs(steps) - WHOLE_TURN) < NEAR_TURN
    if not is_jump.any() or np.max(np.abs(steps[~is_jump]), initial=0) > STEADY:
        return np.zeros_like(angle)
    return np.append(0.0, WHOLE_TURN * np.cumsum(np.sign(steps) * is_jump))


SHORTEST = 20
"""Samples: a shorter piece is dropped."""
FEWEST = 50
"""Samples that a log must have."""
SLOW = 0.5
"""Share of rows that must have a value of an optional quantity."""


def without_empty_roles(signals: Signals) -> Signals:
    """Without velocities and accelerations missing in most rows; raises InputError for empty positions or torques."""
    values = dict(signals.values)
    for role, array in signals.values.items():
        shares = np.isfinite(array).mean(axis=0)
        if role in ("q", "tau"):
            if np.any(shares == 0):
                names = list(compress(signals.columns[role], shares == 0))
                what = f"{', '.join(names)} {'holds' if len(names) == 1 else 'hold'} no number at all"
                raise InputError(f"{signals.name}: {what}. Name other columns: columns={{'{role}': [...]}}.")
        elif np.min(shares) < SLOW:
            del values[role]
            message = f"only {100 * np.min(shares):.0f} % of the rows have a number for {role}; it is not used."
            remedy = "Nothing needs to be done: it is computed from the positions."
            signals = signals.noting("warning", role, message, remedy)
    return signals.with_values(values)


def readable(signals: Signals, repaired: Sequence[Flaw]) -> Signals:
    """The rows without missing numbers; single dropped rows are interpolated later."""
    is_whole = np.isfinite(signals.t)
    for array in signals.values.values():
        is_whole &= np.isfinite(array).all(axis=1) & (np.abs(array) < 1e100).all(axis=1)
    if is_whole.all():
        return signals
    lost, count = np.flatnonzero(~is_whole), np.sum(is_whole)
    if count < FEWEST:
        few = f"only {count} of {len(signals.rows)} rows have a number for all of {', '.join(signals.values)}"
        remedy = "Resample them to one clock, or name other columns."
        raise InputError(f"{signals.name}: {few}; {FEWEST} are needed. {remedy}")
    reasons = {one.row: one.why for one in repaired}
    why = next((f" (row {row}: {reasons[row]})" for row in signals.rows[lost].tolist() if row in reasons), "")
    if len(lost) > 0.1 * len(signals.rows):
        message = f"{100 * len(lost) / len(signals.rows):.0f} % of the rows lack some number{why}; the others are used."
        remedy = "If the signals were sampled at different rates, resample them to one clock first."
    else:
        message = f"dropped: some value is not a number, or beyond 1e100{why}."
        remedy = "Check these rows; holes of one or two are interpolated, longer ones split the log."
    return signals.noting("warning", signals.where(lost), message, remedy).at(np.flatnonzero(is_whole))


def in_order_of_time(signals: Signals) -> tuple[Signals, IntArray]:
    """The rows whose stamps increase, and where among them a clock begins."""
    ordered = in_order(signals.t)
    remedy = "Check how the log was written; holes of one or two rows are interpolated, longer ones split it."
    said = signals
    if len(ordered.repeated):
        message = "dropped: same time stamp as the row before; the first row of each stamp is kept."
        said = said.noting("warning", signals.where(ordered.repeated), message, remedy)
    if len(ordered.backward):
        message = "dropped: the time stamp is earlier than one before it, or later than those after it."
        said = said.noting("warning", signals.where(ordered.backward), message, remedy)
    for place in ordered.begins[1:]:
        message = "the clock was set back here; a new piece of the log begins."
        where = signals.where(ordered.kept[place : place + 1])
        said = said.noting("warning", where, message, "Check that it is one log.")
    if len(ordered.kept) < FEWEST:
        few = f"only {len(ordered.kept)} of {len(signals.t)} rows have increasing time stamps"
        remedy = "Sort the rows by time, or give rate=... and leave the stamps out: columns={'t': []}."
        raise InputError(f"{signals.name}: {few}; a log needs {FEWEST}. {remedy}")
    return (said.at(ordered.kept) if len(ordered.kept) < len(signals.t) else said), ordered.begins


def clock_findings(signals: Signals, pieces: Sequence[Stretch], step: float) -> Iterator[Finding]:
    """What was done for uniform times: jitter removed, rows filled in, gaps, irregular rows interpolated."""
    nothing = "Nothing needs to be done."
    jitter = max((piece.scatter for piece in pieces if piece.kind == "jitter"), default=0.0)
    if jitter > SILENT:
        message = f"jitter of up to {jitter:.2f} of a step about a uniform clock of {1 / step:.6g} Hz, which was used."
        late = "Nothing needs to be done; stamps taken when a sample is written are late."
        yield Finding("note", "time stamps", message, late if jitter < JITTER else "Check them.")
    filled = [piece.sources[piece.filled] for piece in pieces if len(piece.filled)]
    if filled:
        after = np.concatenate(filled)
        many = f"{len(after)} samples after these are missing; they were"
        which = "the next sample is missing; it was" if len(after) == 1 else many
        yield Finding("note", signals.where(after), f"{which} filled in by cubic interpolation.", nothing)
    uneven = [piece for piece in pieces if piece.kind == "irregular"]
    if uneven:
        spread = f"steps of {step:.4g} s differ by up to {max(piece.scatter for piece in uneven):.1f} of it"
        message = f"the samples are irregular ({spread}); interpolated to {1 / step:.6g} Hz."
        yield Finding("warning", "time stamps", message, "Record at a uniform rate: interpolation blurs the signals.")
    crowded = np.concatenate([piece.crowded for piece in pieces])
    if len(crowded):
        message = f"dropped: closer than {JITTER:g} of a step to the row before."
        yield Finding("note", signals.where(crowded), message, nothing)
    ends = np.array([(before.used[-1], after.used[0]) for before, after in pairwise(pieces)], dtype=np.int64)
    ends = ends.reshape(-1, 2)
    lengths = np.diff(signals.t[ends])[:, 0]
    if (lengths > 0).any():
        longest = f"(the longest {lengths.max():.3g} s)"
        message = f"a gap of more than three steps follows {longest}; a new piece begins after it."
        remedy = "Nothing is interpolated; each piece is used by itself."
        yield Finding("warning", signals.where(ends[lengths > 0, 0]), message, remedy)


def long_enough(signals: Signals, pieces: Sequence[Stretch]) -> tuple[Signals, list[Stretch]]:
    """The pieces that are long enough."""
    kept = [piece for piece in pieces if len(piece) >= SHORTEST]
    if sum(map(len, kept)) < FEWEST:
        few = f"{sum(map(len, kept))} samples are left in pieces of {SHORTEST} or more"
        raise InputError(f"{signals.name}: {few}; a log needs {FEWEST}. Record for longer.")
    short = [piece.used for piece in pieces if len(piece) < SHORTEST]
    if short:
        message = f"dropped: pieces of fewer than {SHORTEST} samples between gaps."
        where = signals.where(np.concatenate(short))
        signals = signals.noting("note", where, message, "Nothing needs to be done.")
    return signals, kept


def without_spikes(signals: Signals, pieces: Sequence[Stretch]) -> Signals:
    """Spikes replaced by interpolation of their neighbours."""
    values: dict[Role, Array] = {}
    for role, array in signals.values.items():
        repaired, rows, channels = array, [], set()
        for piece in pieces:
            own = array[piece.used]
            found = spikes(role, own)
            if found.any():
                row, channel = np.nonzero(found)
                repaired = array.copy() if repaired is array else repaired
                repaired[piece.used[row], channel] = predicted(own)[row - 2, channel]
                rows.append(piece.used[row])
                channels |= {signals.columns[role][k] for k in channel}
        values[role] = repaired
        if rows:
            message = f"{', '.join(sorted(channels))}: spikes (single samples that jump and return) were interpolated."
            remedy = "Check the sensor's wiring if there are many."
            signals = signals.noting("warning", signals.where(np.concatenate(rows)), message, remedy)
    return signals.with_values(values)


def unwrapped(q: Array, bounds: Bounds, pieces: Sequence[Stretch]) -> tuple[Array, list[int]]:
    """Unwrapped positions [rad or m], in the turn of the limits, and which joints had wrapped."""
    repaired, jumped = q, set[int]()
    middles = bounds.middles
    for joint in np.flatnonzero(bounds.is_angle).tolist():
        for piece in pieces:
            whole = turns(q[piece.used, joint])
            if whole.any():
                repaired = q.copy() if repaired is q else repaired
                straight = q[piece.used, joint] - whole
                away = (straight.min() + straight.max()) / 2 - middles[joint]
                turn = WHOLE_TURN * round(away / WHOLE_TURN) if np.isfinite(away) else 0
                repaired[piece.used, joint] = straight - turn
                jumped.add(joint)
    return repaired, sorted(jumped)
