"""Drive gains (torque per ampere) from logs of motor currents without and with a known load.

The current of motor j is c_j (W_j beta + u_j) + F_j d, with c_j = 1 / gain and u_j the torque of the load. Without the
load, beta and the gains are known only up to a common scale; the load's torques u fix it. A joint the load does not
reach gets its gain through the base parameters it shares with others (Gautier, Briot 2014, who solve the same equations
by total least squares). F are friction columns in the samples with the load: friction changes with it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from leverarm.arrays import Array, BoolArray, IntArray
from leverarm.documents import Document
from leverarm.documents.html import in_notebook
from leverarm.documents.saving import save, terminal, to_json
from leverarm.errors import InputError
from leverarm.findings import Finding, by_level, listed
from leverarm.identification.estimates import QUANTILE
from leverarm.identification.fitting.covariance import covariance
from leverarm.identification.fitting.rows import Samples
from leverarm.identification.fitting.weighted_fit import ridge_solution, weighted_fit
from leverarm.identification.identifying import identify
from leverarm.identification.loads.load_body import FRICTION, AttachedBody, attached_body, ten_numbers
from leverarm.identification.logs import read_log
from leverarm.identification.logs.gathering import Source
from leverarm.identification.logs.log import Log
from leverarm.identification.logs.motor_side import MOTIONS, drives_of
from leverarm.identification.modelling.modelled_arm import DriveModel, base_of, couplings_of, plain_drives
from leverarm.identification.modelling.regressor_columns import ColumnMaker
from leverarm.identification.motions import Filtering, Motion, bandwidth, joined, smooth_motion, smoothing, stride_for
from leverarm.identification.physical_consistency import physical_prior
from leverarm.identification.preflight.samples import dead_zone
from leverarm.identification.structure import structure, with_drives
from leverarm.late_import import late
from leverarm.model import Arm, has_springs

MOST_STEPS = 50
SETTLED = 1e-10
RIDGE = 1e-12
"""Of a parameter's own curvature: regularises parameters that no sample determines."""
STARTING_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class GainRows:
    """W (k, n, b), F (k, n, f), u (k, n) [N m at the motors], currents y (k, n) [A], and which samples are `used`."""

    W: Array
    F: Array
    u: Array
    y: Array
    used: BoolArray

    def moments(self) -> Array:
        """Sums (n, s, s) of products of the columns W, F, u, y over the used samples of each motor."""
        X = np.concatenate([self.W, self.F, self.u[:, :, None], self.y[:, :, None]], axis=2)
        each = (X[at, j] for j, at in enumerate(self.used.T))
        return np.array([x.T @ x for x in each])


def gain_values(rows: GainRows, sizes: Array) -> tuple[Array, Array]:
    """c (n,) and the other parameters (b + f,) of least squares; `sizes` (n,) are the torques to be expected [N m]."""
    moments, count = rows.moments(), np.maximum(rows.used.sum(axis=0), 1)
    gains, beta = _linear(moments, count, sizes, rows.W.shape[2])
    c = 1 / np.where(np.abs(gains) > 0, gains, 1e-300)
    x = np.concatenate([beta, np.zeros(rows.F.shape[2]), c])
    least = 1e-20 * moments[:, -1, -1] / count
    n = len(c)
    for _ in range(MOST_STEPS):
        A, r = _linearised(x, rows)
        squares = np.einsum("js,jst,jt->j", r, moments, r)
        weights = 1 / np.maximum(squares / count, np.maximum(least, 1e-300))
        N = sum(w * a.T @ G @ a for w, G, a in zip(weights, moments, A, strict=True))
        g = sum(w * a.T @ G @ rest for w, G, a, rest in zip(weights, moments, A, r, strict=True))
        step = ridge_solution(np.asarray(N), np.asarray(g), RIDGE)
        x = x + step
        if np.all(np.abs(step[-n:]) <= SETTLED * np.abs(x[-n:])):
            break
    return x[-n:], x[:-n]


def gain_fit(rows: GainRows, c: Array, others: Array, piece: IntArray) -> tuple[Array, Array, Array]:
    """c (n,) = 1 / gain [A/(N m)], its standard errors (n,), and the root mean square residual (n,) [A].

    The last step from (c, others), with outliers downweighted and errors that account for coloured noise.
    """
    k, n, b = rows.W.shape
    beta, d = others[:b], others[b:]
    torque = rows.W @ beta + rows.u
    J = np.concatenate([rows.W * c[:, None], rows.F, np.zeros((k, n, n))], axis=2)
    J[:, np.arange(n), np.arange(len(others), len(others) + n)] = torque
    x = np.concatenate([beta, d, c])
    off = rows.y - c * torque - rows.F @ d
    fit = weighted_fit(J, off + J @ x, rows.used)
    spread = covariance(J, fit.residuals, fit.roots, piece)
    return fit.values[-n:], np.sqrt(np.maximum(np.diag(spread)[-n:], 0.0)), fit.noise


def _linear(moments: Array, count: Array, sizes: Array, b: int) -> tuple[Array, Array]:
    """Gains (n,) and beta (b,) of W beta + u = gain y, each motor weighted by its residual."""
    n, s = len(moments), moments.shape[1]
    weights = 1 / np.maximum(sizes, 1e-300) ** 2
    # of each motor: W beta - gain y in terms of W, F, u, y
    maps = np.zeros((n, s, b + n))
    maps[:, np.arange(b), np.arange(b)] = 1.0
    maps[np.arange(n), -1, b + np.arange(n)] = -1.0
    for _ in range(STARTING_ROUNDS):
        N = sum(w * A.T @ G @ A for w, G, A in zip(weights, moments, maps, strict=True))
        g = sum(-w * A.T @ G[:, -2] for w, G, A in zip(weights, moments, maps, strict=True))
        x = ridge_solution(np.asarray(N), np.asarray(g), RIDGE)
        r = maps @ x
        r[:, -2] += 1.0
        left = np.einsum("js,jst,jt->j", r, moments, r) / count
        weights = 1 / np.maximum(left, np.maximum(1e-6 * sizes**2, 1e-300))
    return x[b:], x[:b]


def _linearised(x: Array, rows: GainRows) -> tuple[Array, Array]:
    """Of each motor: the slopes of the current with (beta, d, c) and the residual, in terms of W, F, u, y."""
    n, b, f = rows.u.shape[1], rows.W.shape[2], rows.F.shape[2]
    beta, d, c = x[:b], x[b : b + f], x[b + f :]
    A, each = np.zeros((n, b + f + 2, b + f + n)), np.arange(n)
    A[:, np.arange(b), np.arange(b)] = c[:, None]
    A[:, np.arange(b, b + f), np.arange(b, b + f)] = 1.0
    A[each, :b, b + f + each], A[each, b + f, b + f + each] = beta, 1.0
    return A, np.stack([np.concatenate([-cj * beta, -d, [-cj, 1.0]]) for cj in c])


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
        """Findings of reading, without those on missing gains."""
        return [f for log in self.logs for f in log.findings if f.where != "torques"]


def read_currents(sources: Any, arm: Arm, reading: Mapping[str, Any]) -> Currents:
    """Reads one log or a list of them, motions at the joints and currents as they are."""
    if has_springs(arm):
        remedy = "Take the springs off the arm, and out of its description, to calibrate the drive gains."
        raise InputError(f"arm {arm.name!r} has springs, whose torques are not known in amperes. {remedy}")
    if reading.get("gains") is not None:
        raise InputError("gains were given, but gains are to be identified. Leave them out: tau are the currents [A].")
    motor_side = reading.get("motor_side", (*MOTIONS, "tau"))
    drives = drives_of(arm.dof, reading.get("ratio"), motor_side, None, None)
    said = {**reading, "motor_side": tuple(role for role in motor_side if role != "tau")}
    logs = tuple(read_log(source, arm, **said) for source in (sources if isinstance(sources, list) else [sources]))
    if not logs:
        raise InputError("no log was given. Give at least one file or mapping of arrays.")
    return Currents(logs, drives.ratios if "tau" in drives.motor_side else np.eye(arm.dof))


IDENTIFIABLE = 0.1
"""A gain is identifiable if its interval is within this fraction of it."""
FIRST_CUT_OFF = 3.0
"""Cut-off of the first guess of the gains, in bandwidths of the motion."""


@dataclass(frozen=True, slots=True)
class Gains:
    """Torque per ampere of each drive (n,) [N m/A, N/A where joints slide], as `gains` of `read_log` takes them.

    At the motors where a ratio was given, otherwise at the joints; negative where a positive current drives backwards.
    `intervals` (n, 2) are of 95 %; `identifiable` (n,): whether they are within 10 % to either side. `load_torques`
    (n,) is the root mean square torque of the known load on each drive [N m or N].
    """

    joints: tuple[str, ...]
    values: Array
    standard_errors: Array
    intervals: Array
    identifiable: BoolArray
    load_torques: Array
    findings: tuple[Finding, ...]
    seconds: float

    def document(self) -> Document:
        """The report: the gains with their intervals, and findings."""
        made: Document = late("identification.report.loads:gains_document")(self)
        return made

    def text(self, width: int = 100) -> str:
        """The gains and findings as plain text."""
        return terminal(self.document(), width=width).plain

    def _repr_html_(self) -> str:
        return in_notebook(self.document())

    def to_json(self) -> str:
        """The gains and findings as JSON, with all digits."""
        return to_json(self.document())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the report as .html, .md, .tex, .txt or .ipynb, or the numbers as .json."""
        save(self.document(), path)


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
    as in `la.payload`; a point without `inertia`. An error of its mass in percent is an error of the gains in percent.
    Keywords that say how to read logs are those of `read_log` except `gains`.

    Raises InputError for logs that cannot be used and for a load that is not physically consistent.
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
    rows, motion = _rows(
        motions, predictor.columns, predictor.drives, names, alone.motor_rows, body, ten, predictor.zone
    )
    # the root mean square torque of each drive by gains that are already known roughly
    sizes = np.sqrt(np.mean(rows.y**2, axis=0)) / np.abs(c)
    c, errors, noise = gain_fit(rows, *gain_values(rows, sizes), motion.piece)
    values, relative = 1 / c, errors / np.abs(c)
    half = QUANTILE * relative * np.abs(values)
    precise = QUANTILE * relative <= IDENTIFIABLE
    carrying = np.sqrt(np.sum(rows.u**2 * rows.used, axis=0) / np.maximum((rows.used & (rows.u != 0)).sum(axis=0), 1))
    imprecise = _imprecise_gains(arm.joint_names, values, half, precise, carrying, noise)
    return Gains(
        joints=arm.joint_names,
        values=values,
        standard_errors=relative * np.abs(values),
        intervals=np.stack([values - half, values + half], axis=1),
        identifiable=precise,
        load_torques=carrying,
        findings=by_level([*imprecise, *alone.findings, *loaded.findings]),
        seconds=time.perf_counter() - began,
    )


def _first_guess(arm: Arm, alone: Currents, loaded: Currents, body: AttachedBody, ten: Array) -> Array:
    """c (n,) [A/(N m)] with plain friction and a filter at a few bandwidths: good enough to start from."""
    columns = ColumnMaker.of(arm)
    drives = DriveModel(plain_drives(arm.dof).joints, couplings_of(arm))
    still = np.zeros((1, arm.dof))
    names = columns.columns(still, still, still, drives).names
    base = set(base_of(structure(with_drives(arm)), names).names)
    motions = [[smooth_motion(log, _first_filter(log)) for log in some.logs] for some in (alone, loaded)]
    rows, motion = _rows(motions, columns, drives, base, alone.motor_rows, body, ten)
    nominal = columns.links(motion.q, motion.qd, motion.qdd) @ physical_prior(arm).values
    sizes = np.sqrt(np.mean((nominal @ alone.motor_rows.T + rows.u) ** 2, axis=0))
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
    zone: Array | None = None,
) -> tuple[GainRows, Motion]:
    """Columns of the base parameters at the motors, the load's torques and the currents, of all logs in turn."""
    motion = joined([m for some in motions for m in some])
    before = sum(len(m) for m in motions[0])
    columns = maker.columns(motion.q, motion.qd, motion.qdd, drives)
    kept = [i for i, name in enumerate(columns.names) if name in names]
    W = np.einsum("mj,kjb->kmb", motor_rows, columns.W[:, :, kept])
    rub = [at for at, i in enumerate(kept) if columns.kinds[i] in FRICTION]
    F = W[:, :, rub].copy()
    F[:before] = 0.0
    u = np.einsum("mj,kj->km", motor_rows, body.columns(columns.W[:, :, : len(maker.link_names)]) @ ten)
    u[:before] = 0.0
    samples = Samples.of(motion, dead_zone(motion) if zone is None else zone)
    at_joints = samples.fitted(drives)
    # a motor that drives several joints is used while all of them move
    used = ~np.einsum("mj,kj->km", motor_rows != 0, ~at_joints)
    return GainRows(W, F, u, motion.tau, used), motion


def _imprecise_gains(
    joints: tuple[str, ...], values: Array, half: Array, precise: BoolArray, carrying: Array, noise: Array
) -> Iterator[Finding]:
    if precise.all():
        return
    figures = ", ".join(
        f"{joints[j]} {values[j]:.3g} +- {half[j]:.2g} N m/A (the load gives {carrying[j]:.2g} N m, noise "
        f"{noise[j] * abs(values[j]):.2g} N m)"
        for j in np.flatnonzero(~precise)
    )
    message = f"these gains are not identifiable to 10 %: {figures}."
    remedy = "Use a heavier load, farther out, moved faster; a joint with a vertical axis feels only its inertia."
    yield Finding("warning", listed("joint", list(compress(joints, ~precise))), message, remedy)
