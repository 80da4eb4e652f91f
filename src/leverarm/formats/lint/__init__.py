"""What in the description of an arm is impossible, probably a mistake, or worth knowing."""

from __future__ import annotations

from leverarm.findings import LEVELS, Finding, Level
from leverarm.formats.lint.bodies import impossible_inertias, outsized_bodies, singular_mass_matrix, wrong_points
from leverarm.formats.lint.settings import (
    inexact_angles,
    missing_limits,
    odd_gravity,
    odd_springs,
    unused_symbols,
    unusual_friction,
)
from leverarm.model.arm import Arm
from leverarm.model.binding import bind

CHECKS = (
    impossible_inertias,
    wrong_points,
    outsized_bodies,
    singular_mass_matrix,
    inexact_angles,
    odd_gravity,
    missing_limits,
    odd_springs,
    unusual_friction,
    unused_symbols,
)


def lint(arm: Arm) -> tuple[Finding, ...]:
    """Everything suspicious about an arm, errors first; empty where there is nothing. Symbols take their defaults."""
    mechanism = bind(arm)
    findings = [finding for check in CHECKS for finding in check(arm, mechanism)]
    return tuple(sorted(findings, key=lambda finding: LEVELS.index(finding.level)))
