"""`excite`: from an arm to an exciting trajectory, with what to know before it runs on a robot."""

from __future__ import annotations

import math
from collections.abc import Sequence
from time import perf_counter

import numpy as np
from numpy.typing import ArrayLike

from leverarm.arrays import Array
from leverarm.control.signals.checked import number, positive
from leverarm.errors import InputError
from leverarm.findings import Finding, listed
from leverarm.identification.excitation.harmonics import Bounds, Harmonics, bounds_of
from leverarm.identification.excitation.information import Heights, Information
from leverarm.identification.excitation.objective import SHARE, Objective
from leverarm.identification.excitation.result import Excitation
from leverarm.identification.excitation.search import JointUse, Progress, kept_within, search
from leverarm.model import Arm
from leverarm.simulation.trajectories.limits import LimitReport, check_limits
from leverarm.simulation.trajectories.torques import compiled, torques_along


def cautions(
    arm: Arm,
    uses: Sequence[JointUse],
    report: LimitReport,
    poorly_identifiable: Sequence[str],
    cut_short: str,
    heights: Heights | None,
) -> tuple[Finding, ...]:
    """Findings about limits, friction, parameters that stay unidentifiable, and what is not checked."""
    found = [
        Finding(
            "error", f"joint {use.joint!r}",
            f"the motion exceeds the {use.quantity} limit: {use.value:.4g} of {use.limit:.4g} {use.unit}.",
            "Do not run this motion; give a larger margin.",
        )
        for use in report.violations
    ]  # fmt: skip
    slow = [use.joint for use in uses if min(use.forward, use.backward) < 100 * SHARE * 0.9]
    if slow:
        found.append(
            Finding(
                "warning", "speed floor",
                f"{listed('joint', slow)}: faster than the speed floor for less than {100 * SHARE:g} % of the time in "
                "some direction, so friction will be less precise.",
                "Give a longer duration or more harmonics.",
            )
        )  # fmt: skip
    if poorly_identifiable:
        found.append(
            Finding(
                "warning", "parameters",
                f"the motion hardly separates {listed('parameter', poorly_identifiable)} from the others.",
                "Widen the limits, give a longer duration or more harmonics, or use CAD values for them.",
            )
        )  # fmt: skip
    if cut_short:
        found.append(
            Finding(
                "warning", cut_short,
                "the search ended early; the motion is the best one found so far, and keeps the limits.",
                "Allow more time or steps for a more informative motion.",
            )
        )  # fmt: skip
    if not any(body.joint.friction is not None for body in arm.bodies):
        found.append(
            Finding(
                "note", "effort",
                "the arm's description has no friction, so efforts are computed without it.",
                "Leave a margin for friction, or add an estimate of it to the arm.",
            )
        )  # fmt: skip
    watched = "Only the frames are kept above the floor. " if heights is not None else ""
    found.append(
        Finding(
            "note", "collisions",
            f"{watched}Collisions of the arm with itself or its surroundings are not checked.",
            "View the motion before running it (trajectory.animate), and run it slowly first.",
        )
    )  # fmt: skip
    return tuple(found)


SLOW = 0.02
"""The speed floor as a fraction of a joint's maximum speed: below it the sign of a measured speed is uncertain."""
FEWEST, MOST = 2, 50
"""Harmonics. With only one, a motion that begins at rest stays there."""
MOST_ROWS = 10**7
TIME_LIMIT = 45.0
"""How long the search may last [s] unless a limit is given."""
PERIODS_TOLERANCE = 1e-6


def excite(
    arm: Arm,
    *,
    duration: float = 10.0,
    harmonics: int = 5,
    base_frequency: float | None = None,
    rate: float = 1000.0,
    margin: float = 0.1,
    acceleration: ArrayLike | None = None,
    floor: float | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    steps: int | None = None,
    progress: Progress | None = None,
) -> Excitation:
    """Designs an exciting trajectory: a Fourier series per joint, D-optimal for the base parameters, within the limits.

    It lasts `duration` [s], whole periods of `base_frequency` [Hz] (by default one period), and begins and ends at
    rest. Positions, velocities and efforts keep `margin` (a fraction, 0.1 is 10 %) away from the arm's limits,
    accelerations from `acceleration` [rad/s^2 or m/s^2] where given; frames stay above the height `floor` [m] where
    given (against gravity, from the world's origin). Efforts are those of the arm's description. `rate` [Hz] is the
    sampling rate. The search ends by itself, or after `time_limit` [s] or `steps` (default: 45 s). The same `seed`
    gives the same motion unless the time limit ends the search. Ctrl-C ends it with the best motion so far (`finished`
    is False). Raises InputError where no motion keeps the limits.
    """
    begun = perf_counter()
    count, frequency = _series(arm, duration, harmonics, base_frequency, rate)
    bounds, findings = bounds_of(arm, _margin(margin), acceleration)
    objective = _objective(arm, bounds, Harmonics.of(count, frequency), floor)
    found = search(objective, _seed(seed), *_limits(time_limit, steps), progress)
    best, uses = kept_within(objective, found.best)
    information, states = objective.information, [objective.motion(x) for x in (found.start, best)]
    signal = objective.harmonics.signal(objective.free(best))
    rows = round(duration * rate)
    trajectory = torques_along(arm, signal, times=np.arange(rows + 1) / rate)
    report = check_limits(arm, trajectory)
    findings += cautions(
        arm, uses, report, information.poorly_identifiable(*states[1]), found.cut_short, objective.heights
    )
    before, after = (information.quality(*state) for state in states)
    return Excitation(
        arm, signal, trajectory, float(duration), float(rate), count, frequency, float(margin), seed, information.names,
        before, after, uses, report, findings, not found.cut_short, perf_counter() - begun,
    )  # fmt: skip


def _series(arm: Arm, duration: float, harmonics: int, base_frequency: float | None, rate: float) -> tuple[int, float]:
    """The number of harmonics and the base frequency [Hz], checked against duration and rate."""
    if not isinstance(arm, Arm):
        raise InputError(f"{arm!r} was given; an arm is needed, as from la.load('panda').")
    seconds, per_second = positive("duration", duration, "s"), positive("rate", rate, "Hz")
    if seconds * per_second > MOST_ROWS:
        raise InputError(f"{per_second:g} rows a second for {seconds:g} s are more than 1e7 rows. Lower the rate.")
    if isinstance(harmonics, bool) or not isinstance(harmonics, int) or not FEWEST <= harmonics <= MOST:
        raise InputError(
            f"harmonics: {harmonics!r} was given; it takes a whole number from {FEWEST} to {MOST}, such as 5."
        )
    frequency = 1 / seconds if base_frequency is None else positive("base_frequency", base_frequency, "Hz")
    periods = max(1, round(seconds * frequency))
    if abs(seconds * frequency - periods) > PERIODS_TOLERANCE * periods:
        raise InputError(
            f"base_frequency = {frequency:g} Hz has {seconds * frequency:g} periods in {seconds:g} s; the motion is at "
            f"rest only after whole periods. Give {periods / seconds:g} Hz, or a duration of {periods / frequency:g} s."
        )
    if per_second < 4 * harmonics * frequency:
        raise InputError(
            f"rate = {per_second:g} Hz: the highest harmonic has {harmonics * frequency:g} Hz. Give a rate of "
            f"{40 * harmonics * frequency:g} Hz or more."
        )
    return harmonics, frequency


def _limits(time_limit: float | None, steps: int | None) -> tuple[float, float]:
    """The limit in seconds and the one in steps."""
    if steps is not None and (isinstance(steps, bool) or not isinstance(steps, int) or steps < 1):
        raise InputError(f"steps: {steps!r} was given; it takes a whole number, 1 or more.")
    usual = TIME_LIMIT if steps is None else math.inf
    seconds = usual if time_limit is None else positive("time_limit", time_limit, "s")
    return seconds, math.inf if steps is None else steps


def _margin(given: float) -> float:
    margin = number("margin", given)
    if not 0 <= margin <= 0.9:
        raise InputError(
            f"margin = {margin:g}: it is the fraction of each limit left unused, from 0 to 0.9; 0.1 is 10 %."
        )
    return margin


def _seed(given: int) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or given < 0:
        raise InputError(f"seed: {given!r} was given; it takes a whole number, 0 or more.")
    return given


def _objective(arm: Arm, bounds: Bounds, harmonics: Harmonics, floor: float | None) -> Objective:
    middle = np.linalg.pinv(bounds.joints.ratios) @ (bounds.centre - bounds.joints.offsets)
    fastest = bounds.within(bounds.velocity, bounds.velocity)
    slow = SLOW * fastest
    by_joint = np.abs(bounds.joints.ratios) @ slow
    return Objective(
        arm,
        harmonics,
        bounds,
        Information.of(arm, _noise(arm, bounds, middle), by_joint),
        slow,
        bounds.within(bounds.half, bounds.velocity / (2 * math.pi * harmonics.frequency)),
        middle,
        None if floor is None else Heights.of(arm),
        -np.inf if floor is None else number("floor", floor),
    )


def _noise(arm: Arm, bounds: Bounds, middle: Array) -> Array:
    """Relative torque noise of the joints (n,): as their effort limits, else as their torques, else equal."""
    shares = np.abs(bounds.joints.shares)
    with np.errstate(divide="ignore"):
        noise = np.where(shares > 0, bounds.effort[:, None] / np.where(shares > 0, shares, 1.0), np.inf).min(axis=0)
    unknown = ~np.isfinite(noise) | (noise <= 0)
    if unknown.any():
        random = np.random.default_rng(0)
        reach, fastest = (bounds.within(x, x) for x in (bounds.half, bounds.velocity))
        q, qd, qdd = random.uniform(-1, 1, (3, 200, arm.dof))
        tau = compiled(arm).inverse_dynamics(middle + reach * q, fastest * qd, 2 * fastest * qdd)
        noise[unknown] = np.sqrt((tau[:, unknown] ** 2).mean(axis=0))
    known = noise[noise > 0]
    noise[noise <= 0] = np.median(known) if known.size else 1.0
    return np.asarray(noise / noise.max())
