"""Torques and speeds that are clipped, and torques of a size that the arm's masses do not explain (another unit)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from leverarm.arrays import Array
from leverarm.findings import Finding
from leverarm.identification.logs.log import Log
from leverarm.identification.preflight.readings import masses_of
from leverarm.identification.preflight.samples import Thinned, without_own_drive
from leverarm.model import Arm, Limits, Quantity, to_float
from leverarm.model.units import Units

RUN = 4
"""Consecutive samples at the same extreme that indicate clipping."""
SHARE = 0.003
"""Share of the log at an extreme that is reported."""
AT_LIMIT = 0.99
BEYOND = 1.05
"""Of a limit: a torque beyond it is not clipped by it."""


def saturation_findings(log: Log, arm: Arm) -> Iterator[Finding]:
    """Joints whose torque or speed is flat at its extreme, or at the limit that the arm gives for it."""
    limits = {body.joint.name: body.joint.limits for body in arm.bodies}

    def number(limit: Quantity | None) -> float | None:
        return None if limit is None else to_float(limit, arm.defaults)

    for j, (joint, turns) in enumerate(zip(log.joints, Units.of(arm).is_angle, strict=True)):
        limit = limits.get(joint, Limits())
        torque = [piece.tau[:, j] for piece in log.pieces]
        speed = [piece.qd[:, j] for piece in log.pieces if piece.qd is not None]
        effort, fastest = number(limit.effort), number(limit.velocity)
        yield from _clipped(joint, "N m" if turns else "N", torque, effort)
        yield from _at_limit(joint, speed, fastest)


def flat_share(pieces: list[Array]) -> float:
    """Share of samples in runs of `RUN` equal ones at the largest or the smallest value of all.

    A joint at rest has equal torques too, but not repeatedly at the extreme: at least two runs are required.
    """
    whole = np.concatenate(pieces)
    low, high = float(whole.min()), float(whole.max())
    if high - low == 0:
        return 0.0
    lengths = []
    for x in pieces:
        for extreme in (low, high):
            there = np.abs(x - extreme) <= 1e-9 * (high - low)
            edges = np.flatnonzero(np.diff(there.astype(np.int8), prepend=0, append=0))
            lengths += (edges[1::2] - edges[::2]).tolist()
    long = [length for length in lengths if length >= RUN]
    return sum(long) / len(whole) if len(long) >= 2 else 0.0


def _clipped(joint: str, unit: str, pieces: list[Array], limit: float | None) -> Iterator[Finding]:
    whole = np.abs(np.concatenate(pieces))
    largest, share = float(whole.max()), flat_share(pieces)
    at_limit = float(np.mean(whole >= AT_LIMIT * limit)) if limit else 0.0
    if limit and at_limit >= SHARE and largest > BEYOND * limit:
        often = f"in {100 * at_limit:.1f} % of the log"
        message = f"its torque goes up to {largest:.4g} {unit}, beyond its limit of {limit:.4g}, {often}."
        remedy = "Check the unit of the torques and the limit in the arm's description."
        yield Finding("note", f"joint {joint!r}", message, remedy)
        limit, at_limit = None, 0.0
    if max(share, at_limit) >= SHARE:
        why = f"its limit is {limit:.4g}" if at_limit >= SHARE and limit else "the same value again and again"
        message = (
            f"its torque is at an extreme, {largest:.4g} {unit}, in {100 * max(share, at_limit):.1f} % of the log "
            f"({why}): it is probably clipped."
        )
        remedy = "Log a slower motion, or leave these rows out: a clipped torque is not the one that moved the arm."
        yield Finding("warning", f"joint {joint!r}", message, remedy)


def _at_limit(joint: str, pieces: list[Array], limit: float | None) -> Iterator[Finding]:
    share = float(np.mean(np.abs(np.concatenate(pieces)) >= AT_LIMIT * limit)) if pieces and limit else 0.0
    if share >= SHARE:
        message = f"its speed is at its limit, {limit:.4g} rad/s or m/s, in {100 * share:.1f} % of the log."
        remedy = "The speed may be clipped while the joint moves faster; compare with a slower motion."
        yield Finding("note", f"joint {joint!r}", message, remedy)


ALIKE = 0.7
"""Correlation with the torques of the nominal masses above which their sizes are compared."""
SIZE_BEYOND = 30.0
"""Factor that no error of nominal masses explains, but a wrong unit does."""


def torque_size(rows: Thinned) -> float | None:
    """Ratio of the logged torques to those of the nominal masses; None where the two are not correlated.

    The median over joints; friction, offsets and rotors are taken out first.
    """
    factors = []
    for needed, torque in without_own_drive(rows, masses_of(rows.arm)):
        along, whole = float(needed @ torque), float(np.linalg.norm(needed) * np.linalg.norm(torque))
        if whole > 0 and along > ALIKE * whole:
            factors.append(along / float(needed @ needed))
    return float(np.median(factors)) if 2 * len(factors) >= rows.tau.shape[1] else None


def torque_size_findings(size: float | None) -> Iterator[Finding]:
    """An error where torques have a very different size."""
    if size is None or 1 / SIZE_BEYOND < size < SIZE_BEYOND:
        return
    times = f"{size:.0f} times as large as" if size > 1 else f"{1 / size:.0f} times smaller than"
    message = (
        f"they correlate with those of the nominal masses, but are {times} these: another unit, currents, or motor "
        "torques before the gear?"
    )
    remedy = "Give units={'tau': 'mN m'} or the like, gains=[...] for currents, ratio=[...] for motors."
    yield Finding("error", "size of the torques", message, remedy)
