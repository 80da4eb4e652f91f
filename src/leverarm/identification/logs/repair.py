"""Rows that cannot be used and times that cannot be true: dropped or mended by stated rules, told with their rows.

Single samples that no arm and no sensor can mean: a jump that returns at once. And angles that jump a whole turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array
from leverarm.errors import InputError
from leverarm.findings import Finding
from leverarm.identification.logs.clock import JITTER, SILENT, Stretch
from leverarm.identification.logs.files.table import Mended
from leverarm.identification.logs.log import rows_in_words
from leverarm.identification.logs.names import Role
from leverarm.identification.logs.signals import Index, Signals
from leverarm.identification.logs.time_stamps import Ordered
from leverarm.identification.logs.units import Bounds

SIGMAS = 20.0
"""A spike stands out from its neighbours by more than this many robust deviations of second differences."""
NEIGHBOURS = 8.0
"""And by more than this many times the largest difference among the neighbours themselves: what returns at once."""
QUANTA = 8.0
"""And by more than this many of the smallest steps that the channel makes."""
LEAST_SHARE = {"q": 1e-3, "qd": 0.05, "qdd": 0.05, "tau": 0.05}
"""And by more than this share of the channel's range; a position is differentiated twice, so less of it does harm."""
WHOLE_TURN = 2 * np.pi
NEAR_TURN = 1.0
"""rad: how near to a whole turn a jump must be."""
STEADY = 2.0
"""rad: the largest other step of an angle that can be unwrapped without doubt."""


def spikes(role: Role, x: Array) -> NDArray[np.bool_]:
    """Which samples (k, n) are spikes; x is a stretch of a log without holes."""
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
    """What a cubic through the two samples before and the two after says of each, from the third to the third last."""
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
    """Whole turns [rad] to take from each sample of an angle (k,) that jumps at the end of a turn; zeros elsewhere."""
    steps = np.diff(angle)
    is_jump = np.abs(np.abs(steps) - WHOLE_TURN) < NEAR_TURN
    if not is_jump.any() or np.max(np.abs(steps[~is_jump]), initial=0) > STEADY:
        return np.zeros_like(angle)
    return np.append(0.0, WHOLE_TURN * np.cumsum(np.sign(steps) * is_jump))


SHORTEST = 20
"""Samples: a shorter piece tells nothing and is dropped."""
FEWEST = 50
"""Samples that a log must have."""
SLOW = 0.5
"""Share of rows that must have a value of a quantity that can be done without."""


def without_empty_roles(signals: Signals) -> tuple[Signals, list[Finding]]:
    """Without velocities and accelerations that most rows do not have; refuses positions and torques without values."""
    findings, values = [], dict(signals.values)
    for role, array in signals.values.items():
        shares = np.isfinite(array).mean(axis=0)
        if role in ("q", "tau"):
            if np.any(shares == 0):
                names = [name for name, share in zip(signals.columns[role], shares, strict=True) if share == 0]
                raise InputError(
                    f"{signals.name}: {', '.join(names)} {'holds' if len(names) == 1 else 'hold'} no number at all. "
                    f"Name the columns that do: columns={{'{role}': [...]}}."
                )
        elif np.min(shares) < SLOW:
            del values[role]
            told = f"only {100 * np.min(shares):.0f} % of the rows have a number for {role}; it is not used."
            findings.append(
                Finding("warning", role, told, "Nothing needs to be done: it is computed from the positions.")
            )
    return signals.with_values(values), findings


def readable(signals: Signals, mended: Sequence[Mended]) -> tuple[Signals, list[Finding]]:
    """Rows in which every number is one; single rows that are left out are filled in later, by their neighbours."""
    is_whole = np.isfinite(signals.t)
    for array in signals.values.values():
        is_whole &= np.isfinite(array).all(axis=1) & (np.abs(array) < 1e100).all(axis=1)
    if is_whole.all():
        return signals, []
    lost = signals.rows[~is_whole]
    if np.sum(is_whole) < FEWEST:
        raise InputError(
            f"{signals.name}: only {np.sum(is_whole)} of {len(signals.rows)} rows have a number for all of "
            f"{', '.join(signals.values)}; {FEWEST} are needed. Bring the signals to one clock, or name other columns."
        )
    reasons = {one.row: one.why for one in mended}
    why = next((f" (row {row}: {reasons[row]})" for row in lost.tolist() if row in reasons), "")
    if len(lost) > 0.1 * len(signals.rows):
        told = f"{100 * len(lost) / len(signals.rows):.0f} % of the rows lack some number{why}; the others are used."
        remedy = "If the signals were sampled at different rates, bring them to one clock first."
    else:
        told = f"dropped: some value is not a number, or beyond 1e100{why}."
        remedy = "Look at these rows; holes of one or two are filled in, longer ones divide the log."
    return signals.at(np.flatnonzero(is_whole)), [Finding("warning", rows_in_words(lost, signals.name), told, remedy)]


def told_order(ordered: Ordered, rows: Index, name: str) -> Iterator[Finding]:
    """What was found about the order of time stamps."""
    remedy = "Look at how the log was written; holes of one or two rows are filled in, longer ones divide it."
    if len(ordered.repeated):
        told = "dropped: the time stamp is that of the row before; the first row of each stamp is kept."
        yield Finding("warning", rows_in_words(rows[ordered.repeated], name), told, remedy)
    if len(ordered.backward):
        told = "dropped: the time stamp is behind a time that was reached before, or ahead of those after it."
        yield Finding("warning", rows_in_words(rows[ordered.backward], name), told, remedy)
    for place in ordered.begins[1:]:
        told = "the clock was set back here; a new piece of the log begins."
        yield Finding(
            "warning", rows_in_words(rows[ordered.kept[place : place + 1]], name), told, "Check that it is one log."
        )


def told_clock(pieces: Sequence[Stretch], t: Array, rows: Index, step: float, name: str) -> Iterator[Finding]:
    """What was done to have even times: scatter taken out, rows filled in, gaps, uneven rows interpolated."""
    jitter = max((piece.scatter for piece in pieces if piece.kind == "jitter"), default=0.0)
    if jitter > SILENT:
        told = f"they scatter by up to {jitter:.2f} of a step about an even clock of {1 / step:.6g} Hz, which was used."
        note = (
            "Nothing needs to be done; stamps taken when a sample is written come late."
            if jitter < JITTER
            else "Check them."
        )
        yield Finding("note", "time stamps", told, note)
    filled = [rows[piece.sources[piece.filled]] for piece in pieces if len(piece.filled)]
    if filled:
        after = np.concatenate(filled)
        told = (
            "the next sample is missing; it was filled in by cubic interpolation."
            if len(after) == 1
            else f"{len(after)} samples after these are missing; they were filled in by cubic interpolation."
        )
        yield Finding("note", rows_in_words(after, name), told, "Nothing needs to be done.")
    uneven = [piece for piece in pieces if piece.kind == "irregular"]
    if uneven:
        worst = max(piece.scatter for piece in uneven)
        spread = f"steps of {step:.4g} s differ by up to {worst:.1f} of it"
        told = f"the samples are uneven ({spread}); interpolated to {1 / step:.6g} Hz."
        yield Finding("warning", "time stamps", told, "Record at an even rate: what is interpolated is less sharp.")
    crowded = [rows[piece.crowded] for piece in uneven if len(piece.crowded)]
    if crowded:
        told = f"dropped: nearer than {JITTER:g} of a step to the row before."
        yield Finding("note", rows_in_words(np.concatenate(crowded), name), told, "Nothing needs to be done.")
    ends = [(before.used[-1], after.used[0]) for before, after in pairwise(pieces)]
    gaps = [(last, first) for last, first in ends if t[first] > t[last]]
    if gaps:
        longest = max(float(t[first] - t[last]) for last, first in gaps)
        after = np.array([rows[last] for last, _ in gaps])
        told = f"a gap of more than three steps follows (the longest {longest:.3g} s); a new piece begins after it."
        yield Finding(
            "warning", rows_in_words(after, name), told, "Nothing is filled in; each piece is used by itself."
        )


def long_enough(pieces: Sequence[Stretch], rows: Index, name: str) -> tuple[list[Stretch], list[Finding]]:
    """Pieces of some length."""
    kept = [piece for piece in pieces if len(piece) >= SHORTEST]
    if sum(map(len, kept)) < FEWEST:
        raise InputError(
            f"{name}: {sum(map(len, kept))} samples are left in pieces of {SHORTEST} or more; a log needs {FEWEST}. "
            "Record for longer."
        )
    short = [rows[piece.used] for piece in pieces if len(piece) < SHORTEST]
    if not short:
        return kept, []
    told = f"dropped: pieces of fewer than {SHORTEST} samples between gaps."
    return kept, [Finding("note", rows_in_words(np.concatenate(short), name), told, "Nothing needs to be done.")]


def without_spikes(signals: Signals, pieces: Sequence[Stretch]) -> tuple[Signals, list[Finding]]:
    """Single samples beyond physics replaced by what their neighbours say."""
    values: dict[Role, Array] = {}
    findings = []
    for role, array in signals.values.items():
        mended, rows, channels = array, [], set()
        for piece in pieces:
            own = array[piece.used]
            found = spikes(role, own)
            if found.any():
                places = np.argwhere(found)
                if mended is array:
                    mended = array.copy()
                mended[piece.used[places[:, 0]], places[:, 1]] = predicted(own)[places[:, 0] - 2, places[:, 1]]
                rows.append(signals.rows[piece.used[places[:, 0]]])
                channels |= {signals.columns[role][channel] for channel in places[:, 1]}
        values[role] = mended
        if rows:
            told = f"{', '.join(sorted(channels))}: single samples that jump and return at once were interpolated."
            where = rows_in_words(np.concatenate(rows), signals.name)
            findings.append(Finding("warning", where, told, "Look at the sensor's wiring if there are many."))
    return signals.with_values(values), findings


def unwrapped(q: Array, bounds: Bounds, pieces: Sequence[Stretch]) -> tuple[Array, list[int]]:
    """Positions [rad or m] without jumps of a whole turn, in the turn of the limits, and which joints jumped."""
    mended, jumped = q, set[int]()
    middles = bounds.middles
    for joint in np.flatnonzero(bounds.is_angle).tolist():
        for piece in pieces:
            whole = turns(q[piece.used, joint])
            if whole.any():
                mended = q.copy() if mended is q else mended
                straight = q[piece.used, joint] - whole
                away = (straight.min() + straight.max()) / 2 - middles[joint]
                mended[piece.used, joint] = straight - (
                    WHOLE_TURN * round(away / WHOLE_TURN) if np.isfinite(away) else 0
                )
                jumped.add(joint)
    return mended, sorted(jumped)
