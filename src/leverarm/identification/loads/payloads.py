"""The mass, centre and inertia of what a tool carries, from a log without it and a log with it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from leverarm.errors import InputError
from leverarm.identification.fitting.rows import fitted_samples, resting
from leverarm.identification.identifying import identify
from leverarm.identification.loads.arm_alone import described_alone, identified_alone
from leverarm.identification.loads.attached_body import attached_body, with_body
from leverarm.identification.loads.body_numbers import estimates_of, mass_centre_inertia, possible_body, tensor_of
from leverarm.identification.loads.load_fit import load_fit
from leverarm.identification.loads.payload_findings import described_finding, error_findings, payload_findings
from leverarm.identification.loads.payload_result import PayloadEstimate
from leverarm.identification.motion import joined
from leverarm.identification.prediction import Predicted, floor_of, validation
from leverarm.identification.result import Identified
from leverarm.lint.finding import LEVELS, Finding
from leverarm.logs import read_log
from leverarm.logs.gathering import Source
from leverarm.logs.log import Log
from leverarm.model import Arm

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
