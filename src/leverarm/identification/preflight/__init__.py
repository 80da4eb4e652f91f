"""What is wrong with a log before anything is fitted: each check computes figures and reports them with a remedy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from leverarm.arrays import Array
from leverarm.findings import Finding, by_level
from leverarm.identification.logs.log import Log
from leverarm.identification.preflight.condition import Excitation, excitation, excitation_findings
from leverarm.identification.preflight.gravity import (
    GravityTest,
    gravity_as_given,
    gravity_findings,
    gravity_test,
    with_gravity,
)
from leverarm.identification.preflight.lag import Lag, lag, lag_findings, no_lag
from leverarm.identification.preflight.noise import Noise, Repeats, noise, noise_findings, repeat_findings, repeats
from leverarm.identification.preflight.samples import dead_zone, residual_size, rest_findings, rest_shares, thinned
from leverarm.identification.preflight.saturation import saturation_findings, torque_size, torque_size_findings
from leverarm.identification.preflight.signs import Signs, corrected_motion, no_signs, sign_findings, signs
from leverarm.model import Arm

if TYPE_CHECKING:
    from leverarm.identification.motions import Motion
    from leverarm.identification.structure import Structure


__all__ = ["Excitation", "GravityTest", "Lag", "Noise", "Preflight", "Repeats", "Signs", "preflight"]


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
    joints, zone = log.joints, dead_zone(motion)
    rows = thinned(arm, motion, structure, zone)
    residual = residual_size(rows)
    sign_test, gravity, delay, size = no_signs(), gravity_as_given(arm), no_lag(arm.dof), None
    if rows.is_enough:
        sign_test = signs(rows, residual)
        if sign_test.changes:
            rows = thinned(arm, corrected_motion(motion, sign_test), structure, zone)
            residual = residual_size(rows)
        gravity = gravity_test(rows)
        if gravity.arm is not arm:
            rows = with_gravity(rows, gravity.direction)
            residual = residual_size(rows)
            sign_test = sign_test if sign_test.changes else signs(rows, residual)
        delay, size = lag(rows, residual), torque_size(rows)
    excited, repeated, noisy = excitation(rows, residual), repeats(log), noise(log)
    findings = by_level(
        (
            *sign_findings(sign_test, joints),
            *gravity_findings(gravity),
            *torque_size_findings(size),
            *lag_findings(delay, joints),
            *rest_findings(motion, zone, joints),
            *saturation_findings(log, arm),
            *excitation_findings(excited, structure.base_names),
            *repeat_findings(repeated),
            *noise_findings(noisy, log),
        )
    )
    return Preflight(findings, delay, gravity, sign_test, excited, zone, rest_shares(motion, zone), repeated, noisy)
