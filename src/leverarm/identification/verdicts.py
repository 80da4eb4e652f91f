"""Whether a model is one to trust, and why not, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from leverarm.findings import Finding, listed
from leverarm.identification.prediction import Validation
from leverarm.identification.result import Estimates

WORST_CONDITION = 500.0
"""Beyond it a change of the torques within their noise changes some parameters altogether."""
WORST_ERROR = 30.0
"""Percent of the filtered torque of another motion: beyond it a model is no better than a guess."""
FOREIGN = 1.5
"""Another motion predicted worse than this times the blocks left out, and worse than SMALL: the log did not show it."""
SMALL = 10.0
WRONG_SIZE = 150.0
"""Percent of the torque: an arm without friction, or with the wrong masses, is rarely off by more."""
MOST_PERCENT = 999.0
COHERENT = 5.0
"""Percent of a joint's filtered torque that a rigid model may leave before it is said."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the model is accepted, the sentences that say why, and findings that go with it."""

    accepted: bool
    words: str
    findings: tuple[Finding, ...]


def verdict(
    condition: float,
    parameters: Estimates,
    cross: Validation,
    others: Sequence[Validation],
    findings: Sequence[Finding],
) -> Verdict:
    """Judges by errors found in the log, by the condition of the data and by torques that were not fitted."""
    mistakes = [finding for finding in findings if finding.level == "error"]
    if mistakes:
        # A log that is read wrongly has figures that mean nothing: what to mend comes first, and alone.
        told = dict.fromkeys(f"{finding.where}: {finding.message} {finding.remedy}" for finding in mistakes)
        return Verdict(False, " ".join([_opening(["mistakes"], cross, others), *told]), ())
    reasons = [*_dead(cross), *_condition(condition), *_foreign(cross, others), *_blocks(cross)]
    gaps = [*_other_units(cross), *_unmodelled(cross)]
    known = f"The data tell {sum(entry.told for entry in parameters)} of {len(parameters)} base parameters."
    words = [_opening(reasons, cross, others), *reasons, known, *(gap.message for gap in gaps)]
    if reasons:
        words.append(
            "Log a motion that moves all joints further and faster together (`leverarm excite`), fit several logs at "
            "once, and keep one to validate on."
        )
    elif not others:
        words.append("No other log was given to validate on: the figures above are of this one's own motion.")
    return Verdict(not reasons, " ".join(words), tuple(gaps))


def _blocks(cross: Validation) -> list[str]:
    if cross.filtered_error <= WORST_ERROR:
        return []
    return [f"Blocks left out of the fit are predicted only to {cross.filtered_error:.0f} % of the filtered torque."]


def _opening(reasons: Sequence[str], cross: Validation, others: Sequence[Validation]) -> str:
    shown = max(others, key=lambda v: v.filtered_error) if others else cross
    of_what = f"of {shown.name}" if others else "of blocks of time left out"
    figures = (
        f"{shown.relative_error:.1f} % of the measured torque {of_what} is not predicted, "
        f"{shown.filtered_error:.1f} % of the filtered one (sensor noise alone is {shown.noise_error:.1f} %)."
    )
    return f"{'Not a model to use.' if reasons else 'A model to use.'} {figures}"


def _dead(cross: Validation) -> list[str]:
    """Joints whose torque is a constant: a fit takes it for a measurement, and bends the other joints to it."""
    dead = [
        joint
        for joint, torque in zip(cross.per_joint, cross.measured.T, strict=True)
        if len(torque) and np.ptp(torque) == 0
    ]
    return [f"The torque of {listed('joint', dead)} is the same in all rows: it was not measured."] if dead else []


def _condition(condition: float) -> list[str]:
    if condition <= WORST_CONDITION:
        return []
    figure = f"{condition:.0f}" if condition < 1e9 else "beyond counting: some are not moved at all"
    return [
        f"The motion hardly excites some parameters: the condition number is {figure}; at most "
        f"{WORST_CONDITION:.0f} is fit for use."
    ]


def _percent(x: float) -> str:
    return f"{x:.0f} %" if x < MOST_PERCENT else f"more than {MOST_PERCENT:.0f} %"


def _foreign(cross: Validation, others: Sequence[Validation]) -> list[str]:
    worst = max(SMALL, FOREIGN * cross.filtered_error)
    return [
        f"The motion of {other.name} is predicted to {other.filtered_error:.0f} % of the filtered torque, blocks of "
        f"the fitted motion to {cross.filtered_error:.0f} %: the fitted log does not show what the other one does."
        for other in others
        if other.filtered_error > min(worst, WORST_ERROR)
    ]


def _other_units(cross: Validation) -> list[Finding]:
    """A warning where the given arm's torques are of quite another size."""
    if cross.cad_error is None or cross.cad_error < WRONG_SIZE:
        return []
    return [
        Finding(
            "warning",
            "size of the torques",
            f"The arm as given is off by {cross.cad_error:.0f} % of the torque.",
            "Look at the units, gear ratios and zero positions of the log (`units`, `ratio`, `motor_side`, `zero`), at "
            "gravity, and at whether this is the arm of the log.",
        )
    ]


def _unmodelled(cross: Validation) -> list[Finding]:
    """A warning where a rigid arm with friction leaves more than noise."""
    joints = [joint for joint, error in cross.per_joint_filtered.items() if error > COHERENT]
    if not joints or cross.filtered_error <= COHERENT:
        return []
    errors = ", ".join(_percent(cross.per_joint_filtered[joint]) for joint in joints)
    return [
        Finding(
            "warning",
            "rigid model",
            f"A rigid arm with this friction leaves {errors} of the filtered torque of {listed('joint', joints)}.",
            "Elastic joints, a counterbalance or springs (`springs`, columns of your own), or friction that depends on "
            "load and temperature may be behind it; a controller should not lean on the model more than that.",
        )
    ]
