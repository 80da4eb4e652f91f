"""The mass, centre and inertia of what a tool carries, from a log without it and a log with it.

What there is to be said about a load that was found: whether there is one, what is not told, what else changed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from leverarm.arrays import Array
from leverarm.errors import InputError
from leverarm.findings import LEVELS, Finding
from leverarm.identification.fitting.rows import fitted_samples, resting
from leverarm.identification.identifying import identify
from leverarm.identification.loads.load_body import (
    attached_body,
    described_alone,
    estimates_of,
    identified_alone,
    mass_centre_inertia,
    possible_body,
    tensor_of,
    with_body,
)
from leverarm.identification.loads.load_fit import LoadFit, load_fit
from leverarm.identification.loads.payload_result import PayloadEstimate
from leverarm.identification.logs import read_log
from leverarm.identification.logs.gathering import Source
from leverarm.identification.logs.log import Log
from leverarm.identification.motions import joined
from leverarm.identification.prediction import Predicted, Validation, floor_of, validation
from leverarm.identification.result import Estimates, Identified
from leverarm.model import Arm

IMPOSSIBLE = 30.0
"""Chi squared of the ten numbers against the nearest body: by chance alone 1 in 1000."""
CLEAR = 3.0
"""Standard errors at which something is there."""
UNTOLD = 100.0
"""[kg]: an error of a mass that is none but of a mass that nothing tells."""
NOTICED = 0.1
"""Of itself: a change of friction that is worth saying."""
WORSE = 2.0
"""Times the error of the arm alone: the loaded arm is predicted worse than the load explains."""


def payload_findings(
    numbers: Estimates, chi_squared: float, fit: LoadFit, names: Sequence[str], friction: Array
) -> Iterator[Finding]:
    """Findings on the load itself and on friction that changed."""
    missing = list(_mass(numbers))
    yield from missing or _untold(numbers)
    if chi_squared > IMPOSSIBLE and not missing:
        yield Finding(
            "warning",
            "load",
            f"the numbers by least squares are {chi_squared**0.5:.0f} standard errors from those of any possible body.",
            "Something else differs between the logs: check that both are of the same arm, in the same units, with the "
            "same zeros.",
        )
    changed = {
        name.rpartition(".")[0]: moved / size
        for name, moved, size in zip(names, fit.moved, friction, strict=True)
        if name.endswith(".coulomb") and size > 0 and abs(moved) > NOTICED * size
    }
    if changed:
        told = ", ".join(f"{joint} {100 * part:+.0f} %" for joint, part in changed.items())
        yield Finding(
            "note",
            "friction",
            f"Coulomb friction differs between the logs: {told}. It was fitted along with the load.",
            "Warm the arm up before both logs, and take them one soon after the other.",
        )


def described_finding() -> Finding:
    """Said where no log without load was given."""
    return Finding(
        "note",
        "arm",
        "the arm's masses and inertias were taken as exact, for no log without the load was given.",
        "An error in them goes into the load and is not in its intervals; give a log without load to do better.",
    )


def error_findings(after: Validation, without: Identified | None) -> Iterator[Finding]:
    """A warning where the load leaves more than the model of the arm alone does."""
    if without is None:
        return
    alone = without.cross_validation.filtered_error
    if after.filtered_error > max(WORSE * alone, 2.0):
        yield Finding(
            "warning",
            "load",
            f"with the load {after.filtered_error:.1f} % of the filtered torque is not predicted, without it "
            f"{alone:.1f} %: more changed than a body fixed to the tool.",
            "A load that swings or slips, a cable, contact, or friction that grows with load may be behind it.",
        )


def _mass(numbers: Estimates) -> Iterator[Finding]:
    mass = numbers["mass"]
    figures = f"the mass is {mass.value:.3g} kg, with a standard error of {mass.standard_error:.2g} kg"
    if mass.value < -CLEAR * mass.standard_error:
        yield Finding("error", "load", f"{figures}: below zero.", "Were the two logs given the wrong way round?")
    elif mass.standard_error > UNTOLD:
        yield Finding(
            "error",
            "load",
            "the torques do not tell the mass at all.",
            "Log a motion that lifts the load and swings it, where the arm can.",
        )
    elif mass.value < CLEAR * mass.standard_error:
        yield Finding(
            "error",
            "load",
            f"{figures}: the torques show no load.",
            "Take a heavier load, or longer logs with more motion of the lower joints.",
        )


def _untold(numbers: Estimates) -> Iterator[Finding]:
    untold = [entry.name for entry in numbers if not entry.told]
    if not untold:
        return
    yield Finding(
        "warning",
        "load",
        f"the torques do not tell {', '.join(untold)}: their intervals are wider than half of what they measure.",
        "Centres show when the wrist turns the load against gravity, moments when it is turned fast: log such motions, "
        "where the arm has them. The values given are then those of a compact body.",
    )


Logs = Source | Log | list[Source | Log]
Progress = Callable[[str], None]


def identify_payload(
    arm: Arm,
    without: Logs | Identified | Arm,
    with_load: Logs,
    *,
    frame: str | None = None,
    progress: Progress = lambda what: None,
    **reading: Any,
) -> PayloadEstimate:
    """What the tool carries: mass [kg], centre [m] and inertia [kg m^2] of a load, with intervals.

    `without` is a log of the arm without the load, or what `identify` made of one, or an arm whose bodies are taken as
    exact; `with_load` a log with it, of the same or of another motion. Lists of logs are fitted together. The load is
    described in `frame`; unless named that is the tool, or the last body that moves where the tool does not. Keywords
    that say how to read logs (`columns`, `units`, `rate`, `ratio`, `motor_side`, `gains`, `zero`) are those of
    `read_log`.

    The loaded arm's torques are fitted by the base parameters of the arm alone, held by their covariance, and the ten
    numbers of a body at the frame; friction may change between the logs by as much as helps to predict blocks left out.
    Raises InputError for logs that cannot be used.
    """
    began = time.perf_counter()
    body = attached_body(arm, frame)
    logs = [read_log(source, arm, **reading) for source in (with_load if isinstance(with_load, list) else [with_load])]
    if not logs:
        raise InputError("no log with the load was given. Give at least one file or mapping of arrays.")
    result = _identified(arm, without, logs, progress, reading)
    progress("fitting the load")
    predictor = result.predictor
    motion = joined([predictor.motion(log) for log in logs])
    columns = predictor.columns.columns(motion.q, motion.qd, motion.qdd, predictor.drives)
    columns = columns.plus_drives(predictor.spread(logs))
    is_described = isinstance(without, Arm)
    if isinstance(without, Arm):
        alone = described_alone(without, result, columns, motion)
    else:
        alone = identified_alone(result, columns)
    K = alone.change(result.parameters, predictor.columns.link_names, body)
    rests = resting(motion, predictor.zone)
    used = fitted_samples(motion, predictor.zone, rests, predictor.drives)
    fit = load_fit(columns.W[:, :, alone.columns], motion, used, alone, K)

    ten, chi_squared = possible_body(fit.numbers, fit.covariance, fit.precision)
    numbers = estimates_of(fit.numbers, fit.covariance, ten)
    name, floor = logs[0].name, floor_of(logs[0])
    before, after = (
        validation(name, motion, Predicted(torque, torque), rests, arm, floor) for torque in (fit.alone, fit.left_out)
    )
    kept = None if is_described else result
    findings = [*payload_findings(numbers, chi_squared, fit, alone.names, alone.friction), *error_findings(after, kept)]
    findings += [described_finding()] if is_described else [f for f in result.findings if f.level != "note"]
    findings = [*dict.fromkeys([*findings, *(f for log in logs for f in log.findings)])]
    found = mass_centre_inertia(ten)
    return PayloadEstimate(
        frame=body.frame,
        mass=float(found[0]),
        com=found[1:4],
        inertia=tensor_of(found[4:]),
        numbers=numbers,
        covariance=fit.covariance,
        before=before,
        after=after,
        findings=tuple(sorted(findings, key=lambda f: LEVELS.index(f.level))),
        accepted=numbers["mass"].told and not _refusing(findings),
        arm=with_body(without if isinstance(without, Arm) else result.arm, body.frame, ten),
        without=kept,
        seconds=time.perf_counter() - began,
    )


def _identified(
    arm: Arm, without: Logs | Identified | Arm, logs: list[Log], progress: Progress, reading: dict[str, Any]
) -> Identified:
    """The arm alone; where it is only described, filter and friction models come from the log with the load."""
    if isinstance(without, Identified):
        return without
    if isinstance(without, Arm):
        return identify(without, list[Source | Log](logs), progress=progress)
    return identify(arm, without, progress=progress, **reading)


def _refusing(findings: list[Finding]) -> bool:
    return any(finding.level == "error" and finding.where == "load" for finding in findings)
