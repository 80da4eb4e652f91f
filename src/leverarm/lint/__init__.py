"""What in the description of an arm is impossible, probably a mistake, or worth knowing. One file per question."""

from __future__ import annotations

from leverarm.lint.angles import inexact_angles
from leverarm.lint.finding import LEVELS, Finding, Level
from leverarm.lint.gravity import odd_gravity
from leverarm.lint.inertia_point import wrong_points
from leverarm.lint.inertias import impossible_inertias
from leverarm.lint.limits import missing_limits
from leverarm.lint.mass_matrix import singular_mass_matrix
from leverarm.lint.sizes import outsized_bodies
from leverarm.lint.symbols import unused_symbols
from leverarm.model.arm import Arm
from leverarm.model.binding import bind

__all__ = ["Finding", "Level", "lint"]

CHECKS = (
    impossible_inertias,
    wrong_points,
    outsized_bodies,
    singular_mass_matrix,
    inexact_angles,
    odd_gravity,
    missing_limits,
    unused_symbols,
)


def lint(arm: Arm) -> tuple[Finding, ...]:
    """Everything odd about an arm, errors first; empty for an arm without a blemish. Symbols have their defaults."""
    mechanism = bind(arm)
    findings = [finding for check in CHECKS for finding in check(arm, mechanism)]
    return tuple(sorted(findings, key=lambda finding: LEVELS.index(finding.level)))
