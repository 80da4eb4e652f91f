"""What is wrong with a log before anything is fitted: one file per check, each with figures and a remedy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverarm.arrays import Array
from leverarm.findings import LEVELS, Finding
from leverarm.identification.logs.log import Log
from leverarm.identification.preflight import excitation as exciting
from leverarm.identification.preflight import gravity as down
from leverarm.identification.preflight import lag as late
from leverarm.identification.preflight import noise as noisy
from leverarm.identification.preflight import noise as repeated
from leverarm.identification.preflight import samples, saturation
from leverarm.identification.preflight import saturation as sized
from leverarm.identification.preflight import signs as turned
from leverarm.identification.preflight.excitation import Excitation
from leverarm.identification.preflight.gravity import GravityTest, as_given
from leverarm.identification.preflight.lag import Lag, no_lag
from leverarm.identification.preflight.noise import Noise, Repeats
from leverarm.identification.preflight.samples import residual_size, thinned
from leverarm.identification.preflight.signs import Signs, no_signs, right_motion
from leverarm.model import Arm

if TYPE_CHECKING:
    from leverarm.identification.motions import Motion
    from leverarm.identification.structure import Structure


__all__ = ["Excitation", "GravityTest", "Lag", "Noise", "Preflight", "Repeats", "Signs", "preflight"]


@dataclass(frozen=True, slots=True)
class Preflight:
    """All findings on a log, errors first, and the figures that a fit goes on with.

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
    """Runs every check of a log: `motion` is the log made smooth, `structure` that of the arm with its drives.

    Signs come first: gravity, lag and excitation are looked at as they would be with the joints read right, so that one
    mistake is said once. A log with few samples says nothing about the first three.
    """
    joints = log.joints
    zone = samples.dead_zone(motion)
    rows = thinned(arm, motion, structure, zone)
    residual = residual_size(rows)
    signs, gravity, lag = no_signs(), as_given(arm), no_lag(arm.dof)
    size = None
    if rows.is_enough:
        signs = turned.signs(rows, residual)
        if signs.changes:
            rows = thinned(arm, right_motion(motion, signs), structure, zone)
            residual = residual_size(rows)
        gravity = down.gravity_test(rows)
        if gravity.arm is not arm:
            rows = down.with_gravity(rows, gravity.direction)
            residual = residual_size(rows)
            signs = signs if signs.changes else turned.signs(rows, residual)
        lag = late.lag(rows, residual)
        size = sized.torque_size(rows)
    excitation = exciting.excitation(rows, residual)
    repeats = repeated.repeats(log)
    noise = noisy.noise(log)
    findings = (
        *turned.found(signs, joints),
        *down.found(gravity),
        *sized.size_found(size),
        *late.found(lag, joints),
        *samples.found(motion, zone, joints),
        *saturation.found(log, arm),
        *exciting.found(excitation, structure.base_names),
        *repeated.repeats_found(repeats),
        *noisy.found(noise, log),
    )
    ordered = tuple(sorted(findings, key=lambda finding: LEVELS.index(finding.level)))
    rest = samples.rest_shares(motion, zone)
    return Preflight(ordered, lag, gravity, signs, excitation, zone, rest, repeats, noise)
