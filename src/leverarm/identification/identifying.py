"""From a robot's log to parameters you would put in a controller."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leverarm.errors import InputError, unknown_name
from leverarm.identification.choosing.coupling_choice import coupling_choice
from leverarm.identification.choosing.filter_choice import Tried, filter_choice
from leverarm.identification.choosing.friction_choice import friction_choice
from leverarm.identification.choosing.pull_choice import PhysicalProblem, left_out_values, pull_choice
from leverarm.identification.estimates import estimates
from leverarm.identification.fitting.instruments import instruments
from leverarm.identification.fitting.methods import METHODS, base_fit, check_method
from leverarm.identification.fitting.normal_equations import normal_equations
from leverarm.identification.fitting.rows import Mask, blocks_of, resting
from leverarm.identification.friction_curves import joint_frictions
from leverarm.identification.modelling.base import Base, base_of
from leverarm.identification.modelling.columns import ColumnMaker, Columns, UserColumn
from leverarm.identification.modelling.drives import Coupling, DriveModel, plain_drives
from leverarm.identification.modelling.modelled_arm import couplings_of, drawn_values, with_couplings
from leverarm.identification.motion import Motion, joined
from leverarm.identification.motions.smooth_motion import Filtering, for_log, is_same_rate, smooth_motion
from leverarm.identification.plausible_bodies import physical_prior
from leverarm.identification.prediction import Predictor, floor_of, validation
from leverarm.identification.preflight import Preflight, preflight
from leverarm.identification.result import Identified
from leverarm.identification.structure import squared_up, structure, with_drives
from leverarm.identification.verdicts import verdict
from leverarm.identification.writing_back import with_parameters
from leverarm.lint.finding import LEVELS, Finding, listed
from leverarm.logs import read_log
from leverarm.logs.gathering import Source
from leverarm.logs.log import Log
from leverarm.model import Arm, bind, without_friction

Array = NDArray[np.float64]
Progress = Callable[[str], None]

ROUNDING = 1e-9
"""Of a motor's own gear: a smaller one to another joint is the rounding of a matrix that was inverted."""
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
    """The parameters of an arm from logs of its motion and torques, with intervals, checks and a verdict.

    `log` is a file (CSV, NPZ, Parquet, MATLAB, ROS bag) or a mapping of arrays t, q, qd, qdd, tau, of which q and tau
    suffice with `rate`; a list of them is fitted together. `validate` is a log of another motion, or several. Keywords
    that say how to read them (`columns`, `units`, `rate`, `ratio`, `motor_side`, `gains`, `zero`) are those of
    `read_log`.

    `friction` limits the friction models that are tried. `couplings` names (motor's joint, other joint) pairs of motors
    that turn with two joints; by default those that the arm or the matrix `ratio` describes, or else those the data ask
    for. `springs` names joints with a spring.
    `columns_of_own` adds torques of your own: functions of q, qd, qdd (k, n), each with one number to be found.

    `method` finds the base parameters: "robust" and "weighted" least squares weigh each joint by its noise, the first
    also single wild samples, "ordinary" weighs all alike, "instrumental" is not biased by noise of the motion.

    Everything else is chosen from the data: see `result.settings`. Raises InputError for logs that cannot be used.
    """
    began = time.perf_counter()
    _check_friction(friction)
    check_method(method)
    sources = log if isinstance(log, list) else [log]
    if not sources:
        raise InputError("no log was given. Give at least one file or mapping of arrays.")
    progress("reading")
    logs = [_moving(read_log(source, arm, **reading)) for source in sources]
    other_logs = [read_log(source, arm, **reading) for source in _several(validate)]
    own = {**_springs(arm, springs), **(columns_of_own or {})}

    given = arm
    # Friction is found anew: what the description has of it must not stay beside the model's.
    arm, squaring = squared_up(without_friction(given))
    named = _named_couplings(arm, couplings or ())
    described = _one_of_each((*couplings_of(arm), *_couplings_in(reading.get("ratio")), *named))
    arm = with_couplings(arm, described)
    start = _Start.of(arm, own)
    progress("choosing a filter")
    chosen, tried = filter_choice(logs, start.columns, start.base.columns, progress)
    longest = max(logs, key=len)
    motion = _motion(logs, chosen.filtering, longest.rate)
    progress("pre-flight checks")
    alike = [each for each in logs if is_same_rate(each.rate, longest.rate)]
    alike_motion = motion if len(alike) == len(logs) else _motion(alike, chosen.filtering, longest.rate)
    checks = preflight(longest, start.with_drives, alike_motion, start.structure)
    if checks.gravity.arm.gravity != arm.gravity:
        arm = replace(arm, gravity=checks.gravity.arm.gravity)
        start = _Start.of(arm, own)
    filtering = chosen.filtering
    if checks.lag.significant:
        filtering = replace(filtering, lag=checks.lag.seconds)
        motion = _motion(logs, filtering, longest.rate)

    zone = checks.dead_zone
    rests, block = resting(motion, zone), blocks_of(motion)
    progress("choosing friction models")
    drives = _drives(motion, start, zone, rests, block, friction, described, couplings is None)
    arm = with_drives(with_couplings(arm, drives.couplings))
    columns = start.columns.columns(motion.q, motion.qd, motion.qdd, drives)
    base = base_of(structure(arm), columns.names)
    used = _used(motion, zone, rests, drives)
    progress("fitting base parameters")
    second = instruments(motion, chosen.cut_off, checks.repeats.period if checks.repeats else None)
    Z = None if second is None else second.columns(start.columns, drives)
    based = base_fit(method, motion, columns, used, base, second, Z)
    fit = based.fit

    progress("fitting possible bodies")
    prior = physical_prior(arm)
    drawn = drawn_values(given, columns.names, prior.values)
    problem = _physical(based.motion, based.columns, based.used, block, fit.noise, drawn)
    pull, _ = pull_choice(problem)
    values = problem.fitted(np.ones(problem.equations.blocks, dtype=bool), pull)
    left_out = left_out_values(problem, pull)
    predicted = np.einsum("knp,kp->kn", columns.W, left_out[block])
    names = ", ".join(each.name for each in logs)
    cross = validation(names, motion, predicted, rests, given, floor_of(longest))

    identified = with_parameters(arm, _written(columns, values, drives, arm.joint_names))
    predictor = Predictor(given, start.columns, drives, values, filtering, longest.rate, zone, reading)
    progress("validating")
    others = tuple(predictor.validate(other) for other in other_logs)
    table = estimates(arm, fit, based.covariance, base, columns, drawn, values)
    findings = [*_of_logs([*logs, *other_logs]), *squaring, *prior.findings, *checks.findings]
    findings += based.findings
    findings += _unwritten(own)
    judged = verdict(fit.condition, table, cross, others, findings)
    findings += judged.findings
    return Identified(
        arm=identified,
        given=given,
        parameters=table,
        covariance=based.covariance,
        frictions=joint_frictions(motion, columns, values, drives, rests, arm.joint_names),
        findings=tuple(sorted(dict.fromkeys(findings), key=lambda f: LEVELS.index(f.level))),
        cross_validation=cross,
        validations=others,
        accepted=judged.accepted,
        verdict=judged.words,
        condition=fit.condition,
        rank=int(np.sum(fit.singular > 1e-10 * fit.singular[0])),
        noise=dict(zip(arm.joint_names, fit.noise.tolist(), strict=True)),
        settings=_settings(logs, chosen, tried, filtering, motion, drives, pull, arm, checks, method),
        seconds=time.perf_counter() - began,
        predictor=predictor,
    )


@dataclass(frozen=True, slots=True)
class _Start:
    """An arm with plain drives: its columns, its structure, the base of both."""

    with_drives: Arm
    columns: ColumnMaker
    structure: Any
    base: Base

    @staticmethod
    def of(arm: Arm, own: Mapping[str, UserColumn]) -> _Start:
        driven = with_drives(arm)
        columns = ColumnMaker.of(arm, own)
        found = structure(driven)
        still = np.zeros((1, arm.dof))
        names = columns.columns(still, still, still, plain_drives(arm.dof)).names
        return _Start(driven, columns, found, base_of(found, names))


def _several(logs: Source | Log | Sequence[Source | Log]) -> Sequence[Any]:
    """The logs of a sequence; one log alone is a sequence of one."""
    return [logs] if isinstance(logs, str | os.PathLike | Mapping | Log) else logs


def _moving(log: Log) -> Log:
    """The log, if some joint moves in it."""
    if not any(np.ptp(piece.q, axis=0).any() for piece in log.pieces):
        raise InputError(
            f"{log.name}: no joint moves in it, so nothing can be told from it. Give a log of a motion of all joints, "
            "such as one of `leverarm excite`."
        )
    return log


def _of_logs(logs: Sequence[Log]) -> list[Finding]:
    """What was found while reading; with the name of the log where there are several."""
    return [
        replace(finding, where=f"{log.name}: {finding.where}") if len(logs) > 1 else finding
        for log in logs
        for finding in log.findings
    ]


def _motion(logs: Sequence[Log], filtering: Filtering, rate: float) -> Motion:
    """The motions of all logs, through the same cut-off as those of a rate [Hz], as nearly as can be at one rate."""
    own = [for_log(filtering, rate, log) for log in logs]
    slowest = min(log.rate / each.stride for log, each in zip(logs, own, strict=True))
    even = [replace(each, stride=max(1, round(log.rate / slowest))) for log, each in zip(logs, own, strict=True)]
    return joined([smooth_motion(log, each) for log, each in zip(logs, even, strict=True)])


def _check_friction(friction: Sequence[str]) -> None:
    for name in friction:
        if name not in FRICTION_MODELS:
            raise InputError(unknown_name("friction model", name, FRICTION_MODELS))


def _springs(arm: Arm, joints: Sequence[str]) -> dict[str, UserColumn]:
    """Columns of springs: a torque that grows with the position of one joint."""
    found: dict[str, UserColumn] = {}
    for joint in joints:
        if joint not in arm.joint_names:
            raise InputError(unknown_name("joint", joint, arm.joint_names))
        j = arm.joint_names.index(joint)

        def pull(q: Array, qd: Array, qdd: Array, j: int = j) -> Array:
            torque = np.zeros_like(q)
            torque[:, j] = q[:, j]
            return torque

        found[f"{joint}.spring"] = pull
    return found


def _unwritten(own: Mapping[str, UserColumn]) -> list[Finding]:
    """A note on what the written arm cannot hold."""
    if not own:
        return []
    return [
        Finding(
            "note",
            listed("column", list(own)),
            "is no part of the arm that is written: a description has no place for it.",
            "Take torques from `result.torque`, or add it to those of the arm.",
        )
    ]


def _named_couplings(arm: Arm, pairs: Sequence[tuple[str, str]]) -> tuple[Coupling, ...]:
    for pair in pairs:
        if isinstance(pair, str) or len(pair) != 2 or pair[0] == pair[1]:
            raise InputError(f"coupling {pair!r}: it takes a pair of joints, (the motor's own, another it turns with).")
        for name in pair:
            if name not in arm.joint_names:
                raise InputError(unknown_name("joint", name, arm.joint_names))
    return tuple(Coupling(arm.joint_names.index(a), arm.joint_names.index(b), 1.0) for a, b in pairs)


def _couplings_in(ratio: Any) -> tuple[Coupling, ...]:
    """The couplings of a matrix with motor speeds = ratio @ qd, where it was given."""
    R = np.atleast_1d(np.asarray(0.0 if ratio is None else ratio, dtype=np.float64))
    if R.ndim != 2:
        return ()
    return tuple(
        Coupling(int(i), int(j), float(R[i, j] / R[i, i]))
        for i, j in np.argwhere(np.abs(R) > ROUNDING * np.abs(np.diag(R))[:, None])
        if i != j and R[i, i] != 0
    )


def _one_of_each(couplings: Sequence[Coupling]) -> tuple[Coupling, ...]:
    """The first of those that couple the same motor with the same joint."""
    found: dict[tuple[int, int], Coupling] = {}
    for coupling in couplings:
        found.setdefault((coupling.motor, coupling.also), coupling)
    return tuple(found.values())


def _drives(
    motion: Motion,
    start: _Start,
    zone: Array,
    rests: Mask,
    block: NDArray[np.int64],
    friction: Sequence[str],
    described: tuple[Coupling, ...],
    may_look: bool,
) -> DriveModel:
    """Friction of every joint and couplings: those described, or those looked for."""
    plain = DriveModel(plain_drives(motion.q.shape[1]).joints, described)
    columns = start.columns.columns(motion.q, motion.qd, motion.qdd, plain)
    base = base_of(start.structure, columns.names).columns
    models = friction_choice(motion, columns, base, zone, rests, block, friction)
    if described or not may_look:
        return DriveModel(models, described)
    couplings = coupling_choice(motion, columns, base, models, rests, block)
    if couplings:
        columns = start.columns.columns(motion.q, motion.qd, motion.qdd, replace(plain, couplings=couplings))
        base = base_of(start.structure, columns.names).columns
        models = friction_choice(motion, columns, base, zone, rests, block, friction)
    return DriveModel(models, couplings)


def _used(motion: Motion, zone: Array, rests: Mask, drives: DriveModel) -> Mask:
    """The samples that are fitted: joints that move, and turn round where their friction is smooth enough."""
    smooth = np.array([m.smoothing is not None and m.smoothing >= z for m, z in zip(drives.joints, zone, strict=True)])
    used: Mask = ~rests & (smooth | (np.abs(motion.qd) > zone))
    return used


def _physical(
    motion: Motion, columns: Columns, used: Mask, block: NDArray[np.int64], noise: Array, drawn: Array
) -> PhysicalProblem:
    equations = normal_equations(columns.W, motion.tau, motion.raw, used, block)
    links = tuple(slice(i, i + 10) for i in range(0, columns.kinds.count("inertial"), 10))
    nonnegative = tuple(i for i, kind in enumerate(columns.kinds) if kind in ("rotor", "viscous", "coulomb"))
    return PhysicalProblem(equations, 1 / noise**2, drawn, links, nonnegative)


def _written(columns: Columns, values: Array, drives: DriveModel, joints: tuple[str, ...]) -> dict[str, float]:
    """The numbers that an arm can hold; a user's own columns it cannot."""
    kept = {n: float(v) for n, v, kind in zip(columns.names, values, columns.kinds, strict=True) if kind != "user"}
    widths = {f"{joint}.smoothing": model.smoothing or 0.0 for joint, model in zip(joints, drives.joints, strict=True)}
    return kept | widths


def _settings(
    logs: Sequence[Log],
    chosen: Tried,
    tried: Sequence[Tried],
    filtering: Filtering,
    motion: Motion,
    drives: DriveModel,
    pull: float,
    arm: Arm,
    checks: Preflight,
    method: str,
) -> dict[str, str | float]:
    joints = arm.joint_names
    return {
        "logs": ", ".join(log.name for log in logs),
        "samples": float(sum(map(len, logs))),
        "rate [Hz]": logs[0].rate,
        "cut-off [Hz]": chosen.cut_off,
        "filters tried": float(len(tried)),
        "taken from the log": {"q": "positions", "qd": "positions, speeds", "qdd": "all"}[filtering.taken],
        "samples fitted": float(len(motion)),
        "rate fitted [Hz]": motion.rate,
        "lag [ms]": 1000 * filtering.lag,
        "dead zone": ", ".join(f"{zone:.3g}" for zone in checks.dead_zone),
        "gravity [m/s^2]": ", ".join(f"{float(x):.4g}" for x in bind(arm).gravity),
        "friction": "; ".join(f"{joint}: {model}" for joint, model in zip(joints, drives.joints, strict=True)),
        "couplings": "; ".join(_words(c, joints) for c in couplings_of(arm)) or "none",
        "estimator": f"{METHODS[method]}; bodies positive definite",
        "pull to the given bodies": pull,
    }


def _words(coupling: Coupling, joints: tuple[str, ...]) -> str:
    return f"motor of {joints[coupling.motor]} turns with {joints[coupling.also]}"
