"""What to know before a motion runs on a robot."""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.excitation.heights import Heights
from leverarm.excitation.objective import SHARE
from leverarm.excitation.verification import JointUse
from leverarm.lint.finding import Finding, listed
from leverarm.model import Arm
from leverarm.trajectories.limits import LimitReport


def cautions(
    arm: Arm,
    uses: Sequence[JointUse],
    report: LimitReport,
    hardly_told: Sequence[str],
    cut_short: str,
    heights: Heights | None,
) -> tuple[Finding, ...]:
    """Findings about limits, friction, parameters that stay unknown, and what nobody has checked."""
    found = [
        Finding(
            "error", f"joint {use.joint!r}",
            f"the rows exceed the {use.quantity} limit: {use.value:.4g} of {use.limit:.4g} {use.unit}.",
            "Do not run this motion; give a greater margin.",
        )
        for use in report.violations
    ]  # fmt: skip
    slow = [use.joint for use in uses if min(use.forward, use.backward) < 100 * SHARE * 0.9]
    if slow:
        found.append(
            Finding(
                "warning", "speed floor",
                f"{listed('joint', slow)}: less than {100 * SHARE:g} % of the time is faster than the speed floor in "
                "some direction, so friction will be told less well.",
                "Give a longer duration or more harmonics.",
            )
        )  # fmt: skip
    if hardly_told:
        found.append(
            Finding(
                "warning", "parameters",
                f"the motion hardly tells {listed('parameter', hardly_told)} from the others.",
                "Widen the limits, give a longer duration or more harmonics, or take these values from CAD.",
            )
        )  # fmt: skip
    if cut_short:
        found.append(
            Finding(
                "warning", cut_short,
                "the search ended early; the motion is the best that it had found, and keeps the limits.",
                "Allow more time or steps for a motion that tells more.",
            )
        )  # fmt: skip
    if not any(body.joint.friction is not None for body in arm.bodies):
        found.append(
            Finding(
                "note", "effort",
                "the arm's description has no friction, so efforts are given without it.",
                "Leave a margin for friction, or write an estimate of it into the arm.",
            )
        )  # fmt: skip
    watched = "Only the height of its frames is kept above the floor. " if heights is not None else ""
    found.append(
        Finding(
            "note", "collisions",
            f"{watched}That the arm does not hit itself or what stands around it is not checked.",
            "Look at the motion before it runs (trajectory.animate), and run it slowly first.",
        )
    )  # fmt: skip
    return tuple(found)
