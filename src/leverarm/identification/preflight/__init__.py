"""What is wrong with a log before anything is fitted: each check computes figures and reports them with a remedy.

The one that stands here is how well the motion separates the base parameters, and which it hardly excites.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from leverarm.arrays import Array
from leverarm.findings import Finding, by_level, first_of
from leverarm.identification.logs.log import Log
from leverarm.identification.motions import Motion
from leverarm.identification.preflight import samples, signals
from leverarm.identification.preflight.gravity import GravityTest, gravity_findings, gravity_test, no_test, with_gravity
from leverarm.identification.preflight.lag import Lag, lag, lag_findings, no_lag
from leverarm.identification.preflight.samples import Thinned, residual_size, weighted
from leverarm.identification.preflight.signals import Noise, Repeats
from leverarm.identification.preflight.signs import Signs, corrected_motion, no_signs, sign_findings, signs
from leverarm.identification.structure import Structure
from leverarm.model import Arm

POOR = 100.0
"""Condition number above which some combination of parameters is hardly identifiable (Gautier and Khalil 1992)."""
PART = 0.35
"""A parameter takes part in a direction whose unit vector has at least this entry."""
NAMED = 4


@dataclass(frozen=True, slots=True)
class Excitation:
    """The condition number of the regressor with columns of length one, and its weak directions.

    `own` (b,) is the share of each base parameter's column that no other column gives, 1 for a column at right angles
    to all others. `weak` lists directions: a condition number and the indices of the base parameters in it.
    """

    condition: float
    rank: int
    own: Array
    weak: tuple[tuple[float, tuple[int, ...]], ...]


def excitation(rows: Thinned, residual: Array) -> Excitation:
    """From the base columns, each joint's rows divided by its residual of the best fit (n,) [N m or N]."""
    columns = weighted(rows.base, rows.moves / residual)
    norms = np.linalg.norm(columns, axis=0)
    scaled = columns / np.where(norms > 0, norms, 1)
    _, sizes, right = np.linalg.svd(np.linalg.qr(scaled, mode="r"))
    rank = int(np.sum(sizes > 1e-10 * sizes[0]))
    largest = float(sizes[0]) or 1.0
    sizes = np.maximum(sizes, 1e-14 * largest)
    ratio = largest / sizes
    own = 1 / np.sqrt(np.sum((right / sizes[:, None]) ** 2, axis=0))
    own = np.where(norms > 0, np.minimum(own, 1.0), 0.0)
    weak = [
        (float(ratio[k]), tuple(int(i) for i in np.argsort(-np.abs(right[k])) if abs(right[k, i]) >= PART)[:NAMED])
        for k in range(len(sizes) - 1, -1, -1)
        if ratio[k] > POOR
    ]
    return Excitation(float(ratio[-1]), rank, own, tuple(weak))


def excitation_findings(excitation: Excitation, names: tuple[str, ...]) -> Iterator[Finding]:
    """A warning with the condition number and the parameters in the weakest directions; none where all is well."""
    if excitation.condition <= POOR:
        return
    said = list(dict.fromkeys(" with ".join(sorted(names[i] for i in members)) for _, members in excitation.weak))
    weakest = first_of([text or "a combination of many" for text in said], NAMED, "; ")
    is_lost = excitation.rank < len(excitation.own)
    condition = "infinite" if is_lost else f"{excitation.condition:.3g}"
    figure = f"{condition} (good: below {POOR:.0f})"
    message = f"the condition number of the scaled base regressor is {figure}; hardly excited: {weakest}."
    remedy = "These parameters stay close to their nominal values. To identify them, run a trajectory of"
    yield Finding("warning", "excitation", message, f"{remedy} `leverarm excite`.")


@dataclass(frozen=True, slots=True)
class Preflight:
    """All findings on a log, errors first, and the figures that the fit continues with.

    `dead_zone` (n,) [rad/s or m/s] is the speed below which a joint rests, `rest` (n,) the share of time it does.
    """

    findings: tuple[Finding, ...]
    lag: Lag
    gravity: GravityTest
    signs: Signs
    excitation: Excitation
    dead_zone: Array
    rest: Array
    repeats: Repeats | None
    noise: Noise

    @property
    def condition(self) -> float:
        """Condition number of the base regressor with columns of length one."""
        return self.excitation.condition


def preflight(log: Log, arm: Arm, motion: Motion, structure: Structure) -> Preflight:
    """Runs every check of a log: `motion` is the smoothed log, `structure` that of the arm with its drives.

    Signs come first: gravity, lag and excitation are tested with the signs corrected, so that one mistake is reported
    once. With too few samples these checks are skipped.
    """
    joints, zone = log.joints, samples.dead_zone(motion)
    rows = samples.thinned(arm, motion, structure, zone)
    residual = residual_size(rows)
    sign_test, gravity, delay, size = no_signs(), no_test(arm), no_lag(arm.dof), None
    if rows.is_enough:
        sign_test = signs(rows, residual)
        if sign_test.changes:
            rows = samples.thinned(arm, corrected_motion(motion, sign_test), structure, zone)
            residual = residual_size(rows)
        gravity = gravity_test(rows)
        if gravity.arm is not arm:
            rows = with_gravity(rows, gravity.direction)
            residual = residual_size(rows)
            sign_test = sign_test if sign_test.changes else signs(rows, residual)
        delay, size = lag(rows, residual), signals.torque_size(rows)
    excited, repeated, noisy = excitation(rows, residual), signals.repeats(log), signals.noise(log)
    findings = by_level(
        (
            *sign_findings(sign_test, joints),
            *gravity_findings(gravity),
            *signals.torque_size_findings(size),
            *lag_findings(delay, joints),
            *samples.rest_findings(motion, zone, joints),
            *signals.saturation_findings(log, arm),
            *excitation_findings(excited, structure.base_names),
            *signals.repeat_findings(repeated),
            *signals.noise_findings(noisy, log),
        )
    )
    rest = samples.rest_shares(motion, zone)
    return Preflight(findings, delay, gravity, sign_test, excited, zone, rest, repeated, noisy)
