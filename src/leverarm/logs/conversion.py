"""Signals in SI units on the joints' side, from what names, the user and the numbers themselves say of their units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from leverarm.arrays import Array
from leverarm.lint.finding import Finding
from leverarm.logs.bounds import Bounds
from leverarm.logs.clock import Stretch
from leverarm.logs.column_words import Role
from leverarm.logs.columns import Chosen
from leverarm.logs.motor_side import Drives
from leverarm.logs.repair import unwrapped
from leverarm.logs.settling import acceleration_sizes, settled
from leverarm.logs.signals import Index, Signals
from leverarm.logs.units import is_current, sizes

Said = Mapping[Role, tuple[str, ...]]


def in_named_units(
    signals: Signals, chosen: Chosen, said: Said, is_angle: Sequence[bool]
) -> tuple[Signals, dict[Role, Array]]:
    """Values in SI where units were declared or stand in names, and the sizes of these, NaN where nothing is said."""
    known = {role: sizes(role, said.get(role, chosen.roles[role].units), is_angle) for role in signals.values}
    scaled = {role: times(x, np.nan_to_num(known[role], nan=1.0)) for role, x in signals.values.items()}
    return signals.with_values(scaled), known


def told_currents(chosen: Chosen, said: Said, drives: Drives) -> list[Finding]:
    """Torques that are currents need gains; without them they are used as if one ampere were one newton metre."""
    taken = chosen.roles["tau"]
    in_amperes = any(map(is_current, said.get("tau", taken.units)))
    if drives.gains is not None or not (in_amperes or (taken.is_current and "tau" not in said)):
        return []
    if in_amperes:
        told = "the torques are currents [A] and no gains were given; taken as if one ampere were one newton metre."
        return [Finding("error", "torques", told, "Give gains=[...] in N m per A (motor side with ratio=...).")]
    told = "by their name the torques are currents, without a unit; taken as newton metres."
    return [Finding("warning", "torques", told, "Say units={'tau': 'N m'}, or 'A' with gains=[...] in N m per A.")]


def at_the_joints(
    signals: Signals, drives: Drives, bounds: Bounds, pieces: Sequence[Stretch]
) -> tuple[Signals, list[int]]:
    """Values of the joints where those of motors were measured, and the motors whose angles jumped by a turn."""
    values = dict(signals.values)
    jumped: list[int] = []
    if "q" in drives.motor_side and drives.is_geared:
        # a turn of the motor is a part of one of the joint, so its jumps must be taken out before
        values["q"], jumped = unwrapped(values["q"], bounds.endless(), pieces)
    if drives.gains is not None:
        values["tau"] = values["tau"] * drives.gains
    return signals.with_values({role: drives.joint_side(role, x) for role, x in values.items()}), jumped


def in_si(
    signals: Signals, joints: tuple[str, ...], bounds: Bounds, known: Mapping[Role, Array]
) -> tuple[Signals, list[Finding]]:
    """Values with units that were not said, and velocities with order and signs, as their numbers tell."""
    values = signals.values
    found = settled(joints, bounds, signals.t, values, known)
    findings = list(found.findings)
    sized: dict[Role, Array] = {"tau": values["tau"], "q": times(values["q"], found.q)}
    if found.qd is not None:
        sized["qd"] = times(_reordered(values["qd"], found.order), found.qd)
    if "qdd" in values:
        # without velocities, accelerations are in the unit of angle that the positions are in
        size = acceleration_sizes(signals.t, sized["qd"], values["qdd"], known["qdd"]) if "qd" in sized else found.q
        if size is None:
            told = "the accelerations are not the slopes of the velocities in any unit."
            findings.append(Finding("warning", "accelerations", told, "They are not used; check their columns."))
        else:
            sized["qdd"] = times(values["qdd"], size)
    return signals.with_values(sized), findings


def times(x: Array, factor: Array) -> Array:
    """x times a factor for each column; x itself where all are one, so that clean data stays what it is."""
    return x if np.all(factor == 1) else x * factor


def _reordered(x: Array, order: Index) -> Array:
    return x if np.all(order == np.arange(len(order))) else x[:, order]
