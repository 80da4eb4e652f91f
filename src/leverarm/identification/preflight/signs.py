"""Whether the columns of a log agree with the arm: the sign, the order and the zero of joints.

A joint whose torque has the wrong sign cannot have the friction of a real joint, which dissipates power, and disagrees
with the torques of the other joints, with which it shares parameters, and with the masses of the given arm.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from leverarm.arrays import Array
from leverarm.findings import Finding, listed
from leverarm.identification.motions import Motion
from leverarm.identification.preflight import readings
from leverarm.identification.preflight.readings import Kind, Reading, Sample, masses_of, read_so, unexplained_shares
from leverarm.identification.preflight.samples import Thinned, spread_of_mean, weighted, without_own_drive
from leverarm.model.arm import STANDARD_GRAVITY
from leverarm.model.units import Units

SURE = 6.0
"""Standard errors below zero at which friction certainly generates power."""
AGAINST = -0.5
"""Correlation with the torques of the nominal masses below which a joint is suspected."""
BADLY = 0.1
"""Residual share of a joint's torque (root mean square) above which other readings are tried."""
SMALL = 2e-3
"""Shares of squared torque below this are as good as zero."""
CLEARLY = 1.2
"""Required improvement of the sum over joints of the logarithm of residual shares."""
ALIKE = 0.1
MOST_CHANGES = 4


@dataclass(frozen=True, slots=True)
class Change:
    """A reading that is clearly better than the columns as they are, and kinds that are equally good."""

    reading: Reading
    alike: tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class Signs:
    """The changes that correct the log, and the residual share of each joint before and after (n,).

    `power_givers` are the joints whose fitted friction generates power instead of dissipating it.
    """

    power_givers: tuple[int, ...]
    changes: tuple[Change, ...]
    before: Array
    after: Array


def no_signs() -> Signs:
    """Nothing is suspected."""
    return Signs((), (), np.zeros(0), np.zeros(0))


def corrected_motion(motion: Motion, signs: Signs) -> Motion:
    """The motion with all corrections applied."""
    for change in signs.changes:
        motion = readings.motion_read_so(motion, change.reading)
    return motion


def signs(rows: Thinned, residual: Array) -> Signs:
    """Checks friction, the torques of the nominal arm and the residual; tries other readings only if one disagrees."""
    badly = np.flatnonzero(residual / rows.size > BADLY)
    givers = _power_givers(rows, residual)
    if not (givers or badly.size or _against_masses(rows)):
        return no_signs()
    sample = Sample.of(rows)
    before = after = unexplained_shares(sample)
    changes: list[Change] = []
    for _ in range(MOST_CHANGES):
        change, shares = _best(sample, after)
        if change is None:
            break
        changes, sample, after = [*changes, change], read_so(sample, change.reading), shares
    return Signs(tuple(givers), tuple(changes), before, after)


def _best(sample: Sample, now: Array) -> tuple[Change | None, Array]:
    """The best other reading and its shares; None where none is clearly better, or it is another gravity."""
    size = float(np.linalg.norm(sample.gravity)) or STANDARD_GRAVITY
    shares = {
        r: unexplained_shares(read_so(sample, r)) for r in readings.readings(Units.of(sample.rows.arm).is_angle, size)
    }
    scores = {r: float(np.sum(np.log(share + SMALL))) for r, share in shares.items()}
    least = min(scores.values())
    best = next(r for r, score in scores.items() if score <= least + ALIKE)
    if least > np.sum(np.log(now + SMALL)) - CLEARLY or best.kind == "gravity elsewhere":
        return None, now
    near = (r for r, score in scores.items() if score <= least + ALIKE and r.joints == best.joints)
    return Change(best, tuple(r.kind for r in near if r != best)), shares[best]


def _power_givers(rows: Thinned, residual: Array) -> list[int]:
    """Joints whose fitted viscous and Coulomb friction certainly generates power instead of dissipating it."""
    weights = rows.moves / residual
    columns = weighted(rows.base, weights)
    names = rows.structure.base_names
    norms = np.linalg.norm(columns, axis=0)
    columns = columns / np.where(norms > 0, norms, 1)
    target = (rows.tau * weights).reshape(-1)
    inverse = np.linalg.pinv(columns.T @ columns, rcond=1e-10, hermitian=True)
    phi = inverse @ (columns.T @ target)
    scores = columns * (target - columns @ phi)[:, None]
    spread = inverse @ spread_of_mean(scores, np.repeat(rows.blocks, weights.shape[1])) @ inverse
    found = []
    for j, joint in enumerate(rows.arm.coordinates):
        speed = rows.motion.qd[rows.at, j]
        power = np.zeros(len(names))
        for name, mean in ((f"{joint}.viscous", np.mean(speed**2)), (f"{joint}.coulomb", np.mean(np.abs(speed)))):
            if name in names and norms[names.index(name)] > 0:
                power[names.index(name)] = mean / norms[names.index(name)]
        if power @ phi < -SURE * float(np.sqrt(max(float(power @ spread @ power), 0.0))) and power.any():
            found.append(j)
    return found


def _against_masses(rows: Thinned) -> list[int]:
    """Joints whose torque opposes that of the nominal masses, where that is a large part of it."""
    found = []
    for j, (own, torque) in enumerate(without_own_drive(rows, masses_of(rows.arm))):
        sizes = float(np.linalg.norm(own) * np.linalg.norm(torque))
        is_large = np.linalg.norm(own) > 0.2 * np.linalg.norm(rows.tau[:, j])
        if sizes > 0 and is_large and float(own @ torque) < AGAINST * sizes:
            found.append(j)
    return found


WORDS: dict[Kind, tuple[str, str]] = {
    "torque turned": (
        "the torque seems to have the opposite sign",
        "Read it with ratio -1 for this joint, 1 for the others, on torques only (motor_side tau).",
    ),
    "joint turned": (
        "it seems to turn in the opposite direction to the arm's",
        "Read it with ratio -1 for this joint, 1 for the others, or reverse the joint's axis in the arm.",
    ),
    "position turned": (
        "the position seems to have the opposite sign",
        "Read it with ratio -1 for this joint, 1 for the others, on motions only (motor_side q, qd, qdd).",
    ),
    "torques swapped": (
        "their torques seem to be swapped",
        "Name the torque columns in the order of the arm's joints (columns).",
    ),
    "joints swapped": ("they seem to be swapped", "Name all columns in the order of the arm's joints (columns)."),
    "all torques turned": (
        "the torques of all joints seem to have the opposite sign",
        "Read them with ratio -1 on torques only (motor_side tau): torques must be those that move the arm.",
    ),
    "zero elsewhere": (
        "the positions seem to have another zero than the arm's, {:+.0f} degrees off",
        "Add that to its positions, zero=[...] in radians, 0 for the others, or use an arm with these zeros.",
    ),
}


def sign_findings(signs: Signs, joints: tuple[str, ...]) -> Iterator[Finding]:
    """An error for each change that corrects the log; a warning on friction that generates power where none does."""
    if signs.power_givers and not signs.changes:
        who = listed("joint", [joints[j] for j in signs.power_givers])
        message = "fitted without bounds, its friction generates power instead of dissipating it."
        remedy = "Check whether torque and speed have the same sign, and whether its motor turns with another joint."
        yield Finding("warning", who, message, remedy)
    for change in signs.changes:
        yield _said(change, joints, signs)


def _said(change: Change, joints: tuple[str, ...], signs: Signs) -> Finding:
    which, kind = change.reading.joints, change.reading.kind
    who = f"joint{'s' * (len(which) > 1)} {' and '.join(repr(joints[j]) for j in which)}"
    what, remedy = WORDS[kind]
    shift = float(np.rad2deg(change.reading.shift))
    alike = [other for other in change.alike if other != kind]
    others = "".join(f" (or {WORDS[other][0].format(shift)}: this log cannot distinguish them)" for other in alike[:1])
    worst = max(which, key=lambda j: float(signs.before[j]))
    gain = f"{100 * min(1.0, float(signs.before[worst]) / 2):.0f} % to {100 * float(signs.after[worst]) / 2:.0f} %"
    of = "" if len(which) == 1 else f" of joint {joints[worst]!r}"
    message = f"{what.format(shift)}{others}; with that, the residual share of the squared torque{of} goes from {gain}."
    return Finding("error", "joints" if kind == "all torques turned" else who, message, remedy)
