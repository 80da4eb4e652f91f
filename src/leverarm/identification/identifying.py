"""From a robot's log to parameters fit for a controller: the whole way in one function, `identify`.

`prepared` turns logs into one filtered motion, with the torques aligned in time and gravity as the torques show it;
`settings` records every choice that was made.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from leverarm.arrays import Array
from leverarm.errors import InputError, require_known
from leverarm.findings import Finding, by_level, listed
from leverarm.identification.choosing import Tried, drive_choice, filter_choice
from leverarm.identification.estimates import estimates, joint_frictions
from leverarm.identification.fitting.instruments import instruments
from leverarm.identification.fitting.methods import METHODS, base_fit
from leverarm.identification.fitting.rows import Samples
from leverarm.identification.logs import read_log
from leverarm.identification.logs.gathering import Source
from leverarm.identification.logs.log import Log
from leverarm.identification.logs.motor_side import unlogged_joints
from leverarm.identification.modelling import modelled_arm
from leverarm.identification.modelling.modelled_arm import DriveModel, base_of, parted, with_couplings, with_springs_of
from leverarm.identification.modelling.regressor_columns import Columns, UserColumn, unwritten
from leverarm.identification.modelling.regressor_columns import springs as spring_columns
from leverarm.identification.motions import EverySample, Filtering, Motion, for_log, is_same_rate, joined, smooth_motion
from leverarm.identification.physical_consistency import consistent_parameters, physical_prior
from leverarm.identification.prediction import PlainModel, Predicted, Predictor, floor_of, validation
from leverarm.identification.preflight import Preflight, preflight
from leverarm.identification.result import Identified
from leverarm.identification.structure import squared_up, structure, with_drives
from leverarm.identification.verdicts import verdict
from leverarm.identification.writing_back import with_parameters
from leverarm.model import Arm, bind, lock, without_friction, without_springs


@dataclass(frozen=True, slots=True)
class Prepared:
    """The motion of all logs and how it was made; the arm with the gravity that the torques show; the checks.

    `filtering` is that of logs of `rate` [Hz], the longest one's.
    """

    motion: Motion
    every: EverySample
    filtering: Filtering
    rate: float
    chosen: Tried
    tried: Sequence[Tried]
    checks: Preflight
    arm: Arm
    plain: PlainModel


def prepared(logs: Sequence[Log], arm: Arm, own: Mapping[str, UserColumn], progress: Callable[[str], None]) -> Prepared:
    """Chooses a filter, looks for lag, signs and gravity, and makes the motion that is fitted."""
    plain = PlainModel.of(arm, own)
    progress("choosing a filter")
    chosen, tried = filter_choice(list(logs), plain.columns, plain.base.columns, progress)
    longest = max(logs, key=len)
    filtering, rate = chosen.filtering, longest.rate
    progress("checking the log")
    alike = [log for log in logs if is_same_rate(log.rate, rate)]
    checks = preflight(longest, plain.with_drives, one_motion(alike, filtering, rate), plain.structure)
    if checks.gravity.arm.gravity != arm.gravity:
        arm = replace(arm, gravity=checks.gravity.arm.gravity)
        plain = PlainModel.of(arm, own)
    if checks.lag.significant:
        filtering = replace(filtering, lag=checks.lag.seconds)
    every = EverySample.of(logs, filterings(logs, filtering, rate))
    return Prepared(one_motion(logs, filtering, rate), every, filtering, rate, chosen, tried, checks, arm, plain)


def one_motion(logs: Sequence[Log], filtering: Filtering, rate: float) -> Motion:
    """The motions of all logs with the same cut-off, decimated to nearly one rate; `filtering` is for `rate` [Hz]."""
    each = filterings(logs, filtering, rate)
    return joined([smooth_motion(log, own) for log, own in zip(logs, each, strict=True)])


def filterings(logs: Sequence[Log], filtering: Filtering, rate: float) -> list[Filtering]:
    """The filtering of each log: the same cut-off, and strides that bring all logs to nearly one rate."""
    own = [for_log(filtering, rate, log) for log in logs]
    slowest = min(log.rate / each.stride for log, each in zip(logs, own, strict=True))
    return [replace(each, stride=max(1, round(log.rate / slowest))) for log, each in zip(logs, own, strict=True)]


TAKEN = {"q": "positions", "qd": "positions, speeds", "qdd": "positions, speeds, accelerations"}


def settings(
    logs: Sequence[Log], ready: Prepared, arm: Arm, drives: DriveModel, regularisation: float, method: str
) -> dict[str, str | float]:
    """The choices by name, in the order in which they were made."""
    joints, motion = arm.joint_names, ready.motion
    coupled = [f"motor of {joints[c.motor]} turns with {joints[c.also]}" for c in modelled_arm.couplings_of(arm)]
    return {
        "logs": ", ".join(log.name for log in logs),
        "samples": float(sum(map(len, logs))),
        "rate [Hz]": ready.rate,
        "cut-off [Hz]": ready.chosen.cut_off,
        "filters tried": float(len(ready.tried)),
        "signals used": TAKEN[ready.filtering.taken],
        "samples fitted": float(len(motion)),
        "rate fitted [Hz]": motion.rate,
        "lag [ms]": 1000 * ready.filtering.lag,
        "dead zone": ", ".join(f"{zone:.3g}" for zone in ready.checks.dead_zone),
        "gravity [m/s^2]": ", ".join(f"{float(x):.4g}" for x in bind(arm).gravity),
        "friction": "; ".join(f"{joint}: {model}" for joint, model in zip(joints, drives.joints, strict=True)),
        "couplings": "; ".join(coupled) or "none",
        "estimator": f"{METHODS[method]}; physically consistent bodies",
        "regularisation towards the nominal model": regularisation,
    }


Progress = Callable[[str], None]

FRICTION_MODELS = ("sign", "tanh", "asymmetric")


def identify(
    arm: Arm,
    log: Source | Log | list[Source | Log],
    *,
    validate: Source | Log | Sequence[Source | Log] = (),
    friction: Sequence[str] = FRICTION_MODELS,
    couplings: Sequence[tuple[str, str]] | None = None,
    springs: Sequence[str] = (),
    columns_of_own: Mapping[str, UserColumn] | None = None,
    method: str = "robust",
    progress: Progress = lambda what: None,
    **reading: Any,
) -> Identified:
    """Identifies the parameters of an arm from logs of its motion and torques, with intervals, checks and a verdict.

    `log` is a file (CSV, NPZ, Parquet, MATLAB, ROS bag) or a mapping of arrays t, q, qd, qdd, tau, of which q and tau
    suffice with `rate`; a list of them is fitted together. `validate` is a log of another motion, or several. Keywords
    that say how to read them (`columns`, `units`, `rate`, `ratio`, `motor_side`, `gains`, `zero`) are those of
    `read_log`.

    `friction` limits the friction models that are tried. `couplings` names (motor's joint, other joint) pairs of motors
    that turn with two joints; by default those that the arm or the matrix `ratio` describes, or else those found in the
    data. `springs` names joints with a spring whose stiffness is to be identified; it rests where the arm says, or at
    zero. The other springs of the arm are known.
    `columns_of_own` adds your own torque terms: functions of q, qd, qdd (k, n), each with one unknown coefficient.

    `method` estimates the base parameters: "robust" and "weighted" least squares weight each joint by its noise, the
    former also downweights outliers, "ordinary" weights all alike, "instrumental" is not biased by noise in the motion.

    Everything else is chosen from the data: see `result.settings`. Raises InputError for logs that cannot be used.
    """
    began = time.perf_counter()
    for name in friction:
        require_known("friction model", name, FRICTION_MODELS)
    require_known("method", method, METHODS)
    sources = log if isinstance(log, list) else [log]
    if not sources:
        raise InputError("no log was given. Give at least one file or mapping of arrays.")
    progress("reading")
    arm, logs, locked = _read(arm, sources, reading)
    others_given = [validate] if isinstance(validate, str | os.PathLike | Mapping | Log) else validate
    other_logs = [read_log(source, arm, **reading) for source in others_given]
    own = {**spring_columns(arm, springs), **(columns_of_own or {})}

    whole = arm
    given, known = parted(whole, springs)
    logs, other_logs = ([known.taken_off(log) for log in each] for each in (logs, other_logs))
    # Friction is found anew: what the description has of it must not stay beside the model's.
    arm, squaring = squared_up(without_springs(without_friction(given)))
    described = modelled_arm.described_couplings(arm, reading.get("ratio"), couplings or ())
    ready = prepared(logs, with_couplings(arm, described), own, progress)
    motion, checks, maker = ready.motion, ready.checks, ready.plain.columns

    progress("choosing friction models")
    samples = Samples.of(motion, checks.dead_zone)
    settled = described if described or couplings is not None else None
    drives = drive_choice(samples, ready.every, ready.plain, friction, settled)
    arm = with_drives(with_couplings(ready.arm, drives.couplings))
    columns = maker.columns(motion.q, motion.qd, motion.qdd, drives)
    filtered = columns.plus_drives(ready.every.spread(lambda m: maker.of_drives(m.qd, m.qdd, drives)))
    base = base_of(structure(arm), columns.names)

    progress("fitting base parameters")
    second = instruments(motion, ready.chosen.cut_off, checks.repeats.period if checks.repeats else None)
    Z = None if second is None else second.columns(maker, drives)
    based = base_fit(method, motion, filtered, samples.fitted(drives), base, second, Z)
    fit = based.fit

    progress("fitting physically consistent parameters")
    prior = physical_prior(arm)
    nominal = modelled_arm.nominal_values(given, columns.names, prior.values)
    values, regularisation, left_out = consistent_parameters(based, samples.block, nominal)

    progress("validating")
    names = ", ".join(each.name for each in logs)
    predicted = Predicted(*(np.einsum("knp,kp->kn", W, left_out[samples.block]) for W in (columns.W, filtered.W)))
    cross = validation(names, motion, predicted, samples.rests, given, floor_of(max(logs, key=len)))
    predictor = Predictor(given, maker, drives, values, ready.filtering, ready.rate, samples.zone, reading, known)
    others = tuple(predictor.validate(other) for other in other_logs)
    table = estimates(arm, fit, based.covariance, base, columns, nominal, values)
    findings = [*_of_logs([*logs, *other_logs]), *locked, *squaring, *prior.findings, *checks.findings, *based.findings]
    findings += unwritten(columns_of_own or {})
    accepted, words, gaps = verdict(fit.condition, table, cross, others, findings)
    return Identified(
        arm=with_parameters(with_springs_of(arm, whole), _written(columns, values, drives, arm.joint_names)),
        given=whole,
        parameters=table,
        covariance=based.covariance,
        frictions=joint_frictions(motion, columns, values, drives, samples.rests, arm.joint_names),
        findings=by_level([*findings, *gaps]),
        cross_validation=cross,
        validations=others,
        accepted=accepted,
        verdict=words,
        condition=fit.condition,
        rank=int(np.sum(fit.singular > 1e-10 * fit.singular[0])),
        noise=dict(zip(arm.joint_names, fit.noise.tolist(), strict=True)),
        settings=settings(logs, ready, arm, drives, regularisation, method),
        seconds=time.perf_counter() - began,
        predictor=predictor,
    )


def _read(arm: Arm, sources: Sequence[Any], reading: Mapping[str, Any]) -> tuple[Arm, list[Log], list[Finding]]:
    """The logs of an arm; where one names all joints but some, such as a gripper's, those are locked at zero."""
    try:
        return arm, [_moving(read_log(source, arm, **reading)) for source in sources], []
    except InputError:
        is_file = not isinstance(sources[0], Log | Mapping)
        missing = unlogged_joints(sources[0], arm) if is_file and "columns" not in reading else ()
        if not missing:
            raise
    arm = lock(arm, dict.fromkeys(missing, 0.0))
    message = "is not in the log; assumed locked at zero."
    finding = Finding("warning", listed("joint", missing), message, "Lock it where it was (`la.lock`), or log it.")
    return arm, [_moving(read_log(source, arm, **reading)) for source in sources], [finding]


def _moving(log: Log) -> Log:
    """The log, if some joint moves in it."""
    if not any(np.ptp(piece.q, axis=0).any() for piece in log.pieces):
        remedy = "Give a log of a motion of all joints, such as one of `leverarm excite`."
        raise InputError(f"{log.name}: no joint moves, so nothing can be identified. {remedy}")
    return log


def _of_logs(logs: Sequence[Log]) -> list[Finding]:
    """Findings made while reading, with the name of the log where there are several."""
    return [
        replace(finding, where=f"{log.name}: {finding.where}") if len(logs) > 1 else finding
        for log in logs
        for finding in log.findings
    ]


def _written(columns: Columns, values: Array, drives: DriveModel, joints: tuple[str, ...]) -> dict[str, float]:
    """The parameters that a description can hold; it has no place for a user's own columns, but for springs."""
    springs = {f"{joint}.spring" for joint in joints}
    every = zip(columns.names, values, columns.kinds, strict=True)
    kept = {name: float(value) for name, value, kind in every if kind != "user" or name in springs}
    widths = {f"{joint}.smoothing": model.smoothing or 0.0 for joint, model in zip(joints, drives.joints, strict=True)}
    return kept | widths
