"""Whether the identified model can be trusted, and why not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from leverarm.findings import Finding, listed
from leverarm.identification.prediction import Validation
from leverarm.identification.result import Estimates

WORST_CONDITION = 500.0
"""Beyond it, noise of the torques changes some parameters completely."""
WORST_ERROR = 30.0
"""Percent of the filtered torque of another motion: beyond it, a model is no better than a guess."""
FOREIGN = 1.5
"""Another motion predicted worse than this times the left-out blocks, and worse than SMALL, was not excited."""
SMALL = 10.0
WRONG_SIZE = 150.0
"""Percent of the torque: an arm without friction, or with the wrong masses, is rarely off by more."""
MOST_PERCENT = 999.0
COHERENT = 5.0
"""Percent of a joint's filtered torque that a rigid model may leave before it is reported."""


def verdict(
    condition: float, table: Estimates, cross: Validation, others: Sequence[Validation], findings: Sequence[Finding]
) -> tuple[bool, str, list[Finding]]:
    """Whether the model is accepted, the sentences that explain it, and the findings behind them.

    Judges by errors in the log, by the condition number and by the prediction of torques that were not fitted.
    """
    mistakes = [finding for finding in findings if finding.level == "error"]
    if mistakes:
        # The figures of a log that is read wrongly mean nothing: report only what to correct.
        sentences = dict.fromkeys(f"{finding.where}: {finding.message} {finding.remedy}" for finding in mistakes)
        return False, " ".join([_opening(["mistakes"], cross, others), *sentences]), []
    reasons = [*_dead(cross), *_condition(condition), *_foreign(cross, others)]
    if cross.filtered_error > WORST_ERROR:
        error = f"{cross.filtered_error:.0f} % of the filtered torque"
        reasons.append(f"Blocks left out of the fit are predicted only to {error}.")
    gaps = [*_other_units(cross), *_unmodelled(cross)]
    count = f"{sum(entry.identifiable for entry in table)} of {len(table)} base parameters are identifiable."
    words = [_opening(reasons, cross, others), *reasons, count, *(gap.message for gap in gaps)]
    if reasons:
        words.append(
            "Log a motion that moves all joints farther and faster together (`leverarm excite`), fit several logs at "
            "once, and keep one for validation."
        )
    elif not others:
        words.append("No other log was given for validation: the figures above are for the motion of this log.")
    return not reasons, " ".join(words), gaps


def _opening(reasons: Sequence[str], cross: Validation, others: Sequence[Validation]) -> str:
    shown = max(others, key=lambda v: v.filtered_error) if others else cross
    of_what = f"of {shown.name}" if others else "of left-out blocks"
    raw = f"{shown.relative_error:.1f} % of the measured torque {of_what} is not predicted"
    filtered = f"{shown.filtered_error:.1f} % of the filtered one (sensor noise alone is {shown.noise_error:.1f} %)"
    return f"The model is {'not fit' if reasons else 'fit'} for use. {raw}, {filtered}."


def _dead(cross: Validation) -> list[str]:
    """Joints whose torque is constant: the fit would take it for a measurement and distort the other joints."""
    each = zip(cross.per_joint, cross.measured.T, strict=True)
    dead = [joint for joint, torque in each if len(torque) and np.ptp(torque) == 0]
    return [f"The torque of {listed('joint', dead)} is the same in all rows: it was not measured."] if dead else []


def _condition(condition: float) -> list[str]:
    if condition <= WORST_CONDITION:
        return []
    figure = f"{condition:.0f}" if condition < 1e9 else "infinite: some are not excited at all"
    return [
        f"The motion hardly excites some parameters: the condition number is {figure}; at most "
        f"{WORST_CONDITION:.0f} is acceptable."
    ]


def _foreign(cross: Validation, others: Sequence[Validation]) -> list[str]:
    worst = max(SMALL, FOREIGN * cross.filtered_error)
    return [
        f"The motion of {other.name} is predicted to {other.filtered_error:.0f} % of the filtered torque, blocks of "
        f"the fitted motion to {cross.filtered_error:.0f} %: the fitted log does not excite what the other one does."
        for other in others
        if other.filtered_error > min(worst, WORST_ERROR)
    ]


def _other_units(cross: Validation) -> Iterator[Finding]:
    """A warning where the torques of the nominal arm are of a very different size."""
    if cross.cad_error is not None and cross.cad_error >= WRONG_SIZE:
        message = f"The torques of the nominal arm are off by {cross.cad_error:.0f} %."
        remedy = (
            "Check the units, gear ratios and zero positions of the log (`units`, `ratio`, `motor_side`, `zero`), "
            "gravity, and whether this is the arm of the log."
        )
        yield Finding("warning", "size of the torques", message, remedy)


def _unmodelled(cross: Validation) -> Iterator[Finding]:
    """A warning where a rigid arm with friction leaves more than noise."""
    errors = {joint: error for joint, error in cross.per_joint_filtered.items() if error > COHERENT}
    if errors and cross.filtered_error > COHERENT:
        shares = (f"{x:.0f} %" if x < MOST_PERCENT else f"more than {MOST_PERCENT:.0f} %" for x in errors.values())
        where = f"{', '.join(shares)} of the filtered torque of {listed('joint', list(errors))}"
        remedy = (
            "Possible causes: elastic joints, a counterbalance or springs (`springs`, columns of your own), friction "
            "that depends on load and temperature. A controller should not rely on the model beyond this accuracy."
        )
        yield Finding("warning", "rigid model", f"A rigid arm with this friction leaves {where}.", remedy)
