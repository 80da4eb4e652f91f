"""How much torque a drive gives per ampere, from logs of currents without and with a load that is known.

Logs of motor currents: read as measured, and as torques once there are gains.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from leverarm.arrays import Array
from leverarm.errors import InputError
from leverarm.findings import LEVELS, Finding, listed
from leverarm.identification.choosing.filter_choice import bandwidth
from leverarm.identification.estimates import QUANTILE
from leverarm.identification.fitting.rows import fitted_samples, resting
from leverarm.identification.identifying import identify
from leverarm.identification.loads.gain_fit import GainRows, gain_fit, gain_values
from leverarm.identification.loads.load_body import AttachedBody, attached_body, ten_numbers
from leverarm.identification.logs import read_log
from leverarm.identification.logs.gathering import Source
from leverarm.identification.logs.log import Log
from leverarm.identification.logs.motor_side import MOTIONS, drives_of
from leverarm.identification.modelling.columns import ColumnMaker
from leverarm.identification.modelling.modelled_arm import DriveModel, base_of, couplings_of, plain_drives
from leverarm.identification.motions import Filtering, Motion, joined, smooth_motion, smoothing, stride_for
from leverarm.identification.physical_consistency import physical_prior
from leverarm.identification.prediction import Predictor
from leverarm.identification.preflight.samples import dead_zone
from leverarm.identification.structure import structure, with_drives
from leverarm.model import Arm


@dataclass(frozen=True, slots=True)
class Currents:
    """Logs whose `tau` are currents [A] of the motors, and R (n, n): joint torques = R^T (gains currents)."""

    logs: tuple[Log, ...]
    ratios: Array

    @property
    def motor_rows(self) -> Array:
        """R^-T (n, n): torques of the motors from those of the joints."""
        return np.asarray(np.linalg.inv(self.ratios).T)

    def as_torques(self, gains: Array) -> list[Log]:
        """The same logs with joint torques [N m or N]."""
        return [
            replace(log, pieces=tuple(replace(piece, tau=(piece.tau * gains) @ self.ratios) for piece in log.pieces))
            for log in self.logs
        ]

    @property
    def findings(self) -> list[Finding]:
        """What was found on reading; that currents have no gains is known."""
        return [f for log in self.logs for f in log.findings if f.where != "torques"]


def read_currents(sources: Any, arm: Arm, reading: Mapping[str, Any]) -> Currents:
    """Reads one log or a list of them, motions at the joints and currents as they are."""
    if reading.get("gains") is not None:
        raise InputError("gains were given, and gains are what is asked for. Leave them out: tau are the currents [A].")
    motor_side = reading.get("motor_side", (*MOTIONS, "tau"))
    drives = drives_of(arm.dof, reading.get("ratio"), motor_side, None, None)
    said = {**reading, "motor_side": tuple(role for role in motor_side if role != "tau")}
    logs = tuple(read_log(source, arm, **said) for source in (sources if isinstance(sources, list) else [sources]))
    if not logs:
        raise InputError("no log was given. Give at least one file or mapping of arrays.")
    return Currents(logs, drives.ratios if "tau" in drives.motor_side else np.eye(arm.dof))


TOLD = 0.1
"""A gain is told if its interval reaches no farther than this part of it: torques are not used any coarser."""
FIRST_CUT_OFF = 3.0
"""Bandwidths of the motion that are let through for a first guess of the gains."""
FRICTION = ("viscous", "coulomb", "offset")


@dataclass(frozen=True, slots=True)
class Gains:
    """Torque per ampere of each drive (n,) [N m/A, N/A where joints slide], as `gains` of `read_log` takes them.

    At the motors where a ratio was given, at the joints else; negative where a current pushes backwards. `intervals`
    (n, 2) are of 95 %; `told` (n,) says whether they are narrower than 10 % to either side. `load_torques` (n,) is the
    root mean square torque of the known load on each drive [N m or N]: what the gains are measured by.
    """

    joints: tuple[str, ...]
    values: Array
    standard_errors: Array
    intervals: Array
    told: NDArray[np.bool_]
    load_torques: Array
    findings: tuple[Finding, ...]
    seconds: float


def identify_gains(
    arm: Arm,
    without: Any,
    with_load: Any,
    *,
    mass: float,
    com: ArrayLike = (0.0, 0.0, 0.0),
    inertia: ArrayLike | None = None,
    frame: str | None = None,
    progress: Callable[[str], None] = lambda what: None,
    **reading: Any,
) -> Gains:
    """Torque per ampere of each drive [N m/A], from logs whose torques are currents, without and with a known load.

    The load has a mass [kg], a centre [m] and a tensor about it [kg m^2] in the axes of `frame`, the tool unless named,
    as in `la.payload`; a point without `inertia`. Its weight and inertia are the measure: gains are wrong by as many
    percent as its mass is. Keywords that say how to read logs are those of `read_log` but for `gains`.

    Raises InputError for logs that cannot be used and for a load that cannot exist.
    """
    began = time.perf_counter()
    body, ten = attached_body(arm, frame), ten_numbers(mass, com, inertia)
    alone, loaded = (read_currents(sources, arm, reading) for sources in (without, with_load))
    progress("guessing gains")
    c = _first_guess(arm, alone, loaded, body, ten)
    result = identify(arm, list[Source | Log](alone.as_torques(1 / c)), progress=progress)
    progress("fitting gains")
    predictor = result.predictor
    motions = [[predictor.motion(log) for log in some.logs] for some in (alone, loaded)]
    names = set(result.parameters.names)
    rows, motion = _rows(motions, predictor.columns, predictor.drives, names, alone.motor_rows, body, ten, predictor)
    fit = gain_fit(rows, *gain_values(rows, _sizes(rows, c)), motion.piece)
    values, relative = 1 / fit.c, fit.errors / np.abs(fit.c)
    half = QUANTILE * relative * np.abs(values)
    told = QUANTILE * relative <= TOLD
    carrying = np.sqrt(np.sum(rows.u**2 * rows.used, axis=0) / np.maximum((rows.used & (rows.u != 0)).sum(axis=0), 1))
    findings = [*_untold(arm.joint_names, values, half, told, carrying, fit.noise), *alone.findings, *loaded.findings]
    return Gains(
        joints=arm.joint_names,
        values=values,
        standard_errors=relative * np.abs(values),
        intervals=np.stack([values - half, values + half], axis=1),
        told=told,
        load_torques=carrying,
        findings=tuple(sorted(dict.fromkeys(findings), key=lambda f: LEVELS.index(f.level))),
        seconds=time.perf_counter() - began,
    )


def _first_guess(arm: Arm, alone: Currents, loaded: Currents, body: AttachedBody, ten: Array) -> Array:
    """c (n,) [A/(N m)] with plain friction and a filter at a few bandwidths: good enough to choose better ones by."""
    columns = ColumnMaker.of(arm)
    drives = DriveModel(plain_drives(arm.dof).joints, couplings_of(arm))
    still = np.zeros((1, arm.dof))
    made = columns.columns(still, still, still, drives)
    names = set(base_of(structure(with_drives(arm)), made.names).names)
    motions = [[smooth_motion(log, _first_filter(log)) for log in some.logs] for some in (alone, loaded)]
    rows, motion = _rows(motions, columns, drives, names, alone.motor_rows, body, ten, None)
    drawn = columns.links(motion.q, motion.qd, motion.qdd) @ physical_prior(arm).values
    sizes = np.sqrt(np.mean((drawn @ alone.motor_rows.T + rows.u) ** 2, axis=0))
    return gain_values(rows, sizes)[0]


def _first_filter(log: Log) -> Filtering:
    longest = max(len(piece) for piece in log.pieces)
    cut_off = min(max(FIRST_CUT_OFF * bandwidth(log), 16 * log.rate / longest), 0.3 * log.rate)
    filter_ = smoothing(cut_off, log.rate)
    return Filtering(filter_, "q", stride_for(filter_, log.rate))


def _rows(
    motions: list[list[Motion]],
    maker: ColumnMaker,
    drives: DriveModel,
    names: set[str],
    motor_rows: Array,
    body: AttachedBody,
    ten: Array,
    predictor: Predictor | None,
) -> tuple[GainRows, Motion]:
    """Columns of the base parameters at the motors, the load's torques and the currents, of all logs one by one."""
    motion = joined([m for some in motions for m in some])
    before = sum(len(m) for m in motions[0])
    columns = maker.columns(motion.q, motion.qd, motion.qdd, drives)
    kept = [i for i, name in enumerate(columns.names) if name in names]
    W = _at_motors(columns.W[:, :, kept], motor_rows)
    rub = [at for at, i in enumerate(kept) if columns.kinds[i] in FRICTION]
    F = W[:, :, rub].copy()
    F[:before] = 0.0
    u = np.einsum("mj,kj->km", motor_rows, body.columns(columns.W[:, :, : len(maker.link_names)]) @ ten)
    u[:before] = 0.0
    if predictor is None:
        zone = dead_zone(motion)
        at_joints = (np.abs(motion.qd) > zone) & ~resting(motion, zone)
    else:
        at_joints = fitted_samples(motion, predictor.zone, resting(motion, predictor.zone), predictor.drives)
    # a motor that drives several joints is used while all of them move
    used = ~np.einsum("mj,kj->km", motor_rows != 0, ~at_joints)
    return GainRows(W, F, u, motion.tau, used), motion


def _at_motors(W: Array, motor_rows: Array) -> Array:
    if np.array_equal(motor_rows, np.eye(len(motor_rows))):
        return W
    return np.asarray(np.einsum("mj,kjb->kmb", motor_rows, W))


def _sizes(rows: GainRows, c: Array) -> Array:
    """Root mean square torque of each drive [N m] by gains that are already known roughly."""
    return np.asarray(np.sqrt(np.mean(rows.y**2, axis=0)) / np.abs(c))


def _untold(
    joints: tuple[str, ...], values: Array, half: Array, told: NDArray[np.bool_], carrying: Array, noise: Array
) -> Iterator[Finding]:
    missing = [j for j in range(len(joints)) if not told[j]]
    if not missing:
        return
    figures = ", ".join(
        f"{joints[j]} {values[j]:.3g} +- {half[j]:.2g} N m/A (the load gives {carrying[j]:.2g} N m, noise "
        f"{noise[j] * abs(values[j]):.2g} N m)"
        for j in missing
    )
    yield Finding(
        "warning",
        listed("joint", [joints[j] for j in missing]),
        f"the load does not tell these gains to 10 %: {figures}.",
        "A heavier load, farther out, moved faster, tells more; a joint with a vertical axis feels its inertia only.",
    )
