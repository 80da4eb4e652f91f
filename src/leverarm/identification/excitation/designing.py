"""`excite`: from an arm to an exciting trajectory, with what to know before it runs on a robot."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
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
    arm: Arm, uses: Sequence[JointUse], report: LimitReport, poorly: Sequence[str], cut_short: str, has_floor: bool
) -> Iterator[Finding]:
    """Findings about limits, friction, parameters that stay unidentifiable, and what is not checked."""
    for use in report.violations:
        message = f"the motion exceeds the {use.quantity} limit: {use.value:.4g} of {use.limit:.4g} {use.unit}."
        yield Finding("error", f"joint {use.joint!r}", message, "Do not run this motion; give a larger margin.")
    slow = [use.joint for use in uses if min(use.forward, use.backward) < 100 * SHARE * 0.9]
    if slow:
        short = f"faster than the speed floor for less than {100 * SHARE:g} % of the time in some direction"
        message = f"{listed('joint', slow)}: {short}, so friction will be less precise."
        yield Finding("warning", "speed floor", message, "Give a longer duration or more harmonics.")
    if poorly:
        message = f"the motion hardly separates {listed('parameter', poorly)} from the others."
        remedy = "Widen the limits, give a longer duration or more harmonics, or use CAD values for them."
        yield Finding("warning", "parameters", message, remedy)
    if cut_short:
        message = "the search ended early; the motion is the best one found so far, and keeps the limits."
        yield Finding("warning", cut_short, message, "Allow more time or steps for a more informative motion.")
    if not any(body.joint.friction is not None for body in arm.bodies):
        message = "the arm's description has no friction, so efforts are computed without it."
        yield Finding("note", "effort", message, "Leave a margin for friction, or add an estimate of it to the arm.")
    watched = "Only the frames are kept above the floor. " if has_floor else ""
    message = f"{watched}Collisions of the arm with itself or its surroundings are not checked."
    remedy = "View the motion before running it (trajectory.animate), and run it slowly first."
    yield Finding("note", "collisions", message, remedy)


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
    objective = objective_of(arm, bounds, Harmonics.of(count, frequency), floor)
    found = search(objective, _whole("seed", seed, 0, math.inf, ", 0 or more"), *_limits(time_limit, steps), progress)
    best, uses = kept_within(objective, found.best)
    information, states = objective.information, [objective.motion(x) for x in (found.start, best)]
    signal = objective.harmonics.signal(objective.free(best))
    rows = round(duration * rate)
    trajectory = torques_along(arm, signal, times=np.arange(rows + 1) / rate)
    report = check_limits(arm, trajectory)
    poorly = information.poorly_identifiable(*states[1])
    findings = (*findings, *cautions(arm, uses, report, poorly, found.cut_short, floor is not None))
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
    _whole("harmonics", harmonics, FEWEST, MOST, f" from {FEWEST} to {MOST}, such as 5")
    frequency = 1 / seconds if base_frequency is None else positive("base_frequency", base_frequency, "Hz")
    periods = max(1, round(seconds * frequency))
    if abs(seconds * frequency - periods) > PERIODS_TOLERANCE * periods:
        raise InputError(
            f"base_frequency = {frequency:g} Hz has {seconds * frequency:g} periods in {seconds:g} s; the motion is at "
            f"rest only after whole periods. Give {periods / seconds:g} Hz, or a duration of {periods / frequency:g} s."
        )
    if per_second < 4 * harmonics * frequency:
        remedy = f"Give a rate of {40 * harmonics * frequency:g} Hz or more."
        raise InputError(f"rate = {per_second:g} Hz: the highest harmonic has {harmonics * frequency:g} Hz. {remedy}")
    return harmonics, frequency


def _whole(what: str, given: int, least: int, most: float, takes: str) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or not least <= given <= most:
        raise InputError(f"{what}: {given!r} was given; it takes a whole number{takes}.")
    return given


def _limits(time_limit: float | None, steps: int | None) -> tuple[float, float]:
    """The limit in seconds and the one in steps."""
    usual = TIME_LIMIT if steps is None else math.inf
    seconds = usual if time_limit is None else positive("time_limit", time_limit, "s")
    return seconds, math.inf if steps is None else _whole("steps", steps, 1, math.inf, ", 1 or more")


def _margin(given: float) -> float:
    margin = number("margin", given)
    if not 0 <= margin <= 0.9:
        takes = "it is the fraction of each limit left unused, from 0 to 0.9; 0.1 is 10 %"
        raise InputError(f"margin = {margin:g}: {takes}.")
    return margin


def objective_of(arm: Arm, bounds: Bounds, harmonics: Harmonics, floor: float | None) -> Objective:
    """What is minimised, with the frames kept above `floor` [m] where it is given."""
    middle = np.linalg.pinv(bounds.joints.ratios) @ (bounds.centre - bounds.joints.offsets)
    fastest = bounds.within(bounds.velocity, bounds.velocity)
    slow = SLOW * fastest
    information = Information.of(arm, _noise(arm, bounds, middle), np.abs(bounds.joints.ratios) @ slow)
    scale = bounds.within(bounds.half, bounds.velocity / (2 * math.pi * harmonics.frequency))
    heights, lowest = (None, -np.inf) if floor is None else (Heights.of(arm), number("floor", floor))
    return Objective(arm, harmonics, bounds, information, slow, scale, middle, heights, lowest)


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
