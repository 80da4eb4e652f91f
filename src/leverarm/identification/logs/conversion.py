"""Signals in SI units at the joints, from units that are named, declared, or inferred from the numbers themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import compress

import numpy as np

from leverarm.arrays import Array
from leverarm.findings import Finding, listed
from leverarm.identification.logs import units
from leverarm.identification.logs.clock import Stretch
from leverarm.identification.logs.column_roles import Chosen
from leverarm.identification.logs.log import Signals
from leverarm.identification.logs.motor_side import Drives
from leverarm.identification.logs.names import Role
from leverarm.identification.logs.repair import unwrapped
from leverarm.identification.logs.units import ALIKE, DEGREE, RPM, Agreement, Bounds, agreement, nearest_size

TOO_FAR, TOO_FAST = 2.0, 5.0
"""Multiples of a joint's largest position, or of its maximum speed, that indicate another unit."""
NAMES = {1.0: "rad/s or m/s", DEGREE: "deg/s", RPM: "rpm", 1e-3: "mm/s"}
UNIT_REMEDY = "Give units={'q': 'deg', 'qd': 'rad/s'} or the like if that is wrong."
DROPPED = "The measured velocities are not used; they are computed from the positions."


def acceleration_sizes(t: Array, qd: Array, qdd: Array, known: Array) -> Array | None:
    """The sizes of the accelerations' units that make them the slopes of velocities qd in SI; None if none does."""
    match = agreement(t, qd, qdd)
    factor = float(np.median(match.slope[match.moves])) if match.moves.any() else 1.0
    size = nearest_size(1 / factor if factor else 0.0, (1.0, DEGREE) if np.isnan(known).all() else (1.0,))
    if size is None or np.any(match.own[match.moves] < ALIKE):
        return None
    return np.full(qd.shape[1], size)


def _position_sizes(bounds: Bounds, t: Array, q: Array, known: Array) -> Array:
    """Degrees or millimetres where radians or metres would exceed the range or speed of the joints by far."""
    far = np.quantile(np.abs(q), 0.999, axis=0) / bounds.reach
    stride = max(1, len(t) // 1000)
    elapsed = np.diff(t[::stride])[:, None]
    moved = np.abs(np.diff(q[::stride], axis=0))
    # a step over most of the range is an angle that wraps, not motion
    is_motion = (elapsed > 0) & (moved < 0.6 * np.ptp(q, axis=0))
    speeds = np.divide(moved, elapsed, out=np.zeros_like(moved), where=is_motion)
    fast = np.quantile(speeds, 0.99, axis=0) / bounds.speed
    sizes = np.ones(q.shape[1])
    for kind, size in ((np.array(bounds.is_angle), DEGREE), (~np.array(bounds.is_angle), 1e-3)):
        asked = kind & np.isnan(known)
        if asked.any() and (np.max(far[asked]) > TOO_FAR or np.max(fast[asked]) > TOO_FAST):
            sizes[asked] = size
    return sizes


def _position_findings(joints: Sequence[str], bounds: Bounds, sizes: Array) -> Iterator[Finding]:
    for turns, unit, si, short in ((True, "degrees", "radians", "deg"), (False, "millimetres", "metres", "mm")):
        if names := list(compress(joints, (sizes != 1) & (np.array(bounds.is_angle) == turns))):
            why = f"{si} do not agree with the joint limits or the velocities."
            remedy = f"Give units={{'q': '{short}'}} or the like if that is wrong."
            yield Finding("note", listed("joint", names), f"the positions are assumed to be in {unit}: {why}", remedy)


def _with_velocities(
    signals: Signals, joints: Sequence[str], bounds: Bounds, q_sizes: Array, known: Mapping[Role, Array]
) -> tuple[Signals, Array, Array | None]:
    """The sizes of positions, and velocities in SI in the order and with the signs of the slopes of positions.

    None where velocities are not used.
    """
    qd = signals.values["qd"]
    match = agreement(signals.t, signals.values["q"], qd)
    if still := list(compress(joints, match.moves & (np.ptp(qd, axis=0) == 0))):
        message = "the velocity is constant while the position changes."
        return signals.noting("warning", listed("joint", still), message, DROPPED), q_sizes, None
    slope = match.slope
    if not match.is_alike:
        order = match.order()
        if order is None:
            names = list(compress(joints, match.moves & (np.abs(match.own) <= ALIKE)))
            worst = np.min(np.abs(match.own[match.moves]))
            message = f"the velocity is not the derivative of the position: their correlation is {worst:.2f}."
            return signals.noting("warning", listed("joint", names), message, DROPPED), q_sizes, None
        slope, qd = match.factors[order, np.arange(len(order))], qd[:, order]
        moved = list(compress(joints, order != np.arange(len(order))))
        columns = ", ".join(str(column + 1) for column in order.tolist())
        message = f"the velocities are in another order than the positions (columns {columns}); they were reordered."
        remedy = "Check the order of the torques too, and give the columns in the arm's order: columns=..."
        signals = signals.noting("warning", listed("joint", moved), message, remedy)
    sizes = _sizes(q_sizes, bounds, slope, match, known)
    if sizes is None:
        ratios = ", ".join(f"{value:.3g}" for value in slope / q_sizes)
        message = f"the velocities are {ratios} times the slopes of the positions: gear ratios, a time unit?"
        remedy = f"{DROPPED} Or give units=, ratio=, motor_side=."
        return signals.noting("warning", "velocities", message, remedy), q_sizes, None
    flipped = match.moves & (slope < 0)
    if flipped.any():
        message = "the velocity has the opposite sign of the slope of the position; its sign was changed."
        where = listed("joint", list(compress(joints, flipped)))
        signals = signals.noting("warning", where, message, "Check the sign of the torque too.")
    q_sizes, qd_sizes = sizes
    for size in np.unique(qd_sizes[qd_sizes != 1]).tolist():
        message = f"the velocities are assumed to be in {NAMES[size]}, from the slopes of the positions."
        signals = signals.noting("note", "units", message, UNIT_REMEDY)
    return signals, q_sizes, times(qd, np.where(flipped, -qd_sizes, qd_sizes))


def _sizes(
    q_sizes: Array, bounds: Bounds, slope: Array, match: Agreement, known: Mapping[Role, Array]
) -> tuple[Array, Array] | None:
    """The units of positions and velocities that explain the factors between the two; None if none do."""
    q_sizes, qd_sizes = q_sizes.copy(), np.ones_like(q_sizes)
    is_angle = np.array(bounds.is_angle)
    for kind, choices in ((is_angle, (1.0, DEGREE, RPM)), (~is_angle, (1.0, 1e-3))):
        asked = kind & match.moves
        if not asked.any():
            continue
        factor = float(np.median(np.abs(slope[asked])))
        open_q = np.isnan(known["q"][kind]).all() and np.all(q_sizes[kind] == 1)
        open_qd = np.isnan(known["qd"][kind]).all()
        for of_q in (q_sizes[kind][0], *(choices[1:2] if open_q else ())):
            size = nearest_size(of_q / factor, choices if open_qd else (1.0,))
            if size is not None:
                q_sizes[kind], qd_sizes[kind] = of_q, size
                break
        ratios = np.abs(slope[asked]) * qd_sizes[asked] / q_sizes[asked]
        if any(nearest_size(ratio, (1.0,)) is None for ratio in ratios.tolist()):
            return None
    return q_sizes, qd_sizes


Said = Mapping[Role, tuple[str, ...]]


def in_named_units(
    signals: Signals, chosen: Chosen, said: Said, is_angle: Sequence[bool]
) -> tuple[Signals, dict[Role, Array]]:
    """Values in SI where units were declared or named, and the sizes of these units, NaN where unknown."""
    known = {role: units.sizes(role, said.get(role, chosen.roles[role].units), is_angle) for role in signals.values}
    scaled = {role: times(x, np.nan_to_num(known[role], nan=1.0)) for role, x in signals.values.items()}
    return signals.with_values(scaled), known


def current_findings(chosen: Chosen, said: Said, drives: Drives) -> Iterator[Finding]:
    """Findings on torques that are currents; without gains one ampere is taken as one newton metre."""
    taken = chosen.roles["tau"]
    if drives.gains is not None:
        return
    if any(map(units.is_current, said.get("tau", taken.units))):
        message = "the torques are currents [A] and no gains were given; one ampere was taken as one newton metre."
        yield Finding("error", "torques", message, "Give gains=[...] in N m per A (motor side with ratio=...).")
    elif taken.is_current and "tau" not in said:
        message = "according to their name the torques are currents, without a unit; taken as newton metres."
        yield Finding("warning", "torques", message, "Give units={'tau': 'N m'}, or 'A' with gains=[...] in N m per A.")


def at_the_joints(
    signals: Signals, drives: Drives, bounds: Bounds, pieces: Sequence[Stretch]
) -> tuple[Signals, list[int]]:
    """Values at the joints from those measured at motors, and the motors whose angles wrapped."""
    values = dict(signals.values)
    jumped: list[int] = []
    if "q" in drives.motor_side and drives.is_geared:
        # a turn of the motor is a fraction of one of the joint, so unwrap before the gear
        values["q"], jumped = unwrapped(values["q"], bounds.endless(), pieces)
    if drives.gains is not None:
        values["tau"] = values["tau"] * drives.gains
    return signals.with_values({role: drives.joint_side(role, x) for role, x in values.items()}), jumped


def in_si(signals: Signals, joints: tuple[str, ...], bounds: Bounds, known: Mapping[Role, Array]) -> Signals:
    """Values in SI with inferred units, and velocities in the right order with the right signs.

    `known` holds the sizes of units that were declared or named, NaN where nothing was said; values have those already.
    """
    values, qd = signals.values, None
    q_sizes = _position_sizes(bounds, signals.t, values["q"], known["q"])
    if "qd" in values:
        signals, q_sizes, qd = _with_velocities(signals, joints, bounds, q_sizes, known)
    signals = replace(signals, findings=(*signals.findings, *_position_findings(joints, bounds, q_sizes)))
    sized: dict[Role, Array] = {"tau": values["tau"], "q": times(values["q"], q_sizes)}
    if qd is not None:
        sized["qd"] = qd
    if "qdd" in values:
        # without velocities, accelerations are in the unit of angle that the positions are in
        size = q_sizes if qd is None else acceleration_sizes(signals.t, qd, values["qdd"], known["qdd"])
        if size is None:
            message = "the accelerations are not the slopes of the velocities in any unit."
            remedy = "They are not used; check their columns."
            signals = signals.noting("warning", "accelerations", message, remedy)
        else:
            sized["qdd"] = times(values["qdd"], size)
    return signals.with_values(sized)


def times(x: Array, factor: Array) -> Array:
    """x times a factor for each column; x itself where all are one, so that clean data stays unchanged."""
    return x if np.all(factor == 1) else x * factor
