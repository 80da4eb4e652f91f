"""The identified model as a function of the motion, and its errors on logs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from leverarm.arrays import Array, BoolArray
from leverarm.errors import InputError
from leverarm.identification import motions
from leverarm.identification.fitting.rows import resting
from leverarm.identification.logs import read_log
from leverarm.identification.logs.gathering import Source
from leverarm.identification.logs.log import Log
from leverarm.identification.modelling.modelled_arm import Base, DriveModel, KnownSprings, base_of, plain_drives
from leverarm.identification.modelling.regressor_columns import ColumnMaker, UserColumn
from leverarm.identification.motions import EverySample, Filtering, Motion, for_log, smoothing
from leverarm.identification.preflight.signals import repeats
from leverarm.identification.structure import Structure, structure, with_drives
from leverarm.model import Arm

BANDS = 2.0
"""The cut-off that a motion needs, at least, in bands of its speeds."""


@dataclass(frozen=True, slots=True)
class Validation:
    """How well torques of a motion are predicted: 100 ||tau - predicted|| / ||tau||, in percent.

    A joint counts while it does not rest: at rest friction is whatever holds it. `relative_error` is of the torque
    as measured, `filtered_error` of the torque filtered like the motion; `per_joint` and `per_joint_filtered` are the
    same of each joint, `all_rows_error` is with the resting joints too (raw). `noise_error` is what lies above the
    filter's cut-off in the measured torque, except for jumps of friction: no model of the motion can predict it.
    `cad_error` is that of the nominal (CAD) arm, `floor` how much the torque differs between repetitions of the same
    motion, where the log has some.
    Arrays (k, n): measured and predicted torque, both after the filter, and where joints rest.
    """

    name: str
    relative_error: float
    filtered_error: float
    all_rows_error: float
    noise_error: float
    per_joint: Mapping[str, float]
    per_joint_filtered: Mapping[str, float]
    cad_error: float | None
    cad_per_joint: Mapping[str, float] | None
    floor: float | None
    t: Array
    measured: Array
    predicted: Array
    filtered: Array
    predicted_filtered: Array
    rests: BoolArray


@dataclass(frozen=True, slots=True)
class Predicted:
    """Torques (k, n) that a model predicts, and the same passed through the filter of the measured ones."""

    torque: Array
    filtered: Array


@dataclass(frozen=True, slots=True)
class Predictor:
    """The identified model: columns, drives, values; how logs become motions; the nominal arm."""

    given: Arm
    columns: ColumnMaker
    drives: DriveModel
    values: Array
    filtering: Filtering
    rate: float
    zone: Array
    reading: Mapping[str, Any]
    springs: KnownSprings
    """Those that are not among the columns."""

    def torque(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike) -> Array:
        """Torques (..., n) of motions (..., n)."""
        given = [np.asarray(x, dtype=np.float64) for x in (q, qd, qdd)]
        n = self.given.dof
        shapes = f"q, qd, qdd have shapes {', '.join(str(x.shape) for x in given)};"
        if any(x.shape[-1:] != (n,) for x in given):
            raise InputError(f"{shapes} the last axis is over the {n} joints.")
        try:
            arrays = np.broadcast_arrays(*given)
        except ValueError:
            raise InputError(f"{shapes} they must be alike, or broadcast to one shape.") from None
        q, qd, qdd = (np.ascontiguousarray(x.reshape(-1, n)) for x in arrays)
        W = self.columns.columns(q, qd, qdd, self.drives).W
        return np.asarray((W @ self.values + self.springs.torque(q)).reshape(arrays[0].shape))

    def motion(self, log: Log) -> Motion:
        """The motion of a log with the same cut-off, or a higher one if it moves faster."""
        return motions.smooth_motion(log, self._filtering(log))

    def _filtering(self, log: Log) -> Filtering:
        own = for_log(self.filtering, self.rate, log)
        needed = BANDS * motions.bandwidth(log)
        if own.filter.keeps_samples or own.filter.cut_off(log.rate) >= needed:
            return own
        filter_ = smoothing(min(needed, 0.3 * log.rate), log.rate)
        return replace(own, filter=filter_, stride=min(own.stride, motions.stride_for(filter_, log.rate)))

    def validate(self, source: Source | Log) -> Validation:
        """The errors of the predicted torques of a log, those of known springs taken off."""
        log = self.springs.taken_off(read_log(source, self.given, **self.reading))
        motion = self.motion(log)
        predicted, rests = self.predicted(log, motion), resting(motion, self.zone)
        return validation(log.name, motion, predicted, rests, self.given, floor_of(log))

    def predicted(self, log: Log, motion: Motion) -> Predicted:
        """Torques predicted for the motion of a log, unfiltered and filtered."""
        columns = self.columns.columns(motion.q, motion.qd, motion.qdd, self.drives)
        filtered = columns.plus_drives(self.spread([log]))
        return Predicted(np.asarray(columns.W @ self.values), np.asarray(filtered.W @ self.values))

    def spread(self, logs: Sequence[Log]) -> Array:
        """How the filter changes the columns of the drives (k, n, d) in the motions of logs."""
        every = EverySample.of(logs, [self._filtering(log) for log in logs])
        return every.spread(lambda m: self.columns.of_drives(m.qd, m.qdd, self.drives))


def floor_of(log: Log) -> float | None:
    """How much torque differs between repetitions of the same motion, in percent; None where nothing is repeated."""
    found = repeats(log)
    return None if found is None else found.floor


def validation(
    name: str, motion: Motion, predicted: Predicted, rests: BoolArray, given: Arm, floor: float | None
) -> Validation:
    """The errors of predicted torques, joints that rest left out."""
    from leverarm.runtime.compiled import compile as compiled

    joints = given.joint_names
    nominal = compiled(given, "inverse_dynamics").inverse_dynamics(motion.q, motion.qd, motion.qdd)

    def errors(measured: Array, modelled: Array) -> tuple[float, dict[str, float]]:
        off, size = np.where(rests, 0, measured - modelled), np.where(rests, 0, measured)
        each = [_percent(off[:, j], size[:, j]) for j in range(len(joints))]
        return _percent(off, size), dict(zip(joints, each, strict=True))

    raw, per_joint = errors(motion.raw, predicted.torque)
    filtered, per_joint_filtered = errors(motion.tau, predicted.filtered)
    # Where friction really jumps, the part that the filter removed belongs to the model's jump too.
    noise = min(errors(motion.raw, motion.tau + x)[0] for x in (0.0, predicted.torque - predicted.filtered))
    cad, cad_per_joint = errors(motion.raw, np.asarray(nominal))
    return Validation(
        name=name,
        relative_error=raw,
        filtered_error=filtered,
        all_rows_error=_percent(motion.raw - predicted.torque, motion.raw),
        noise_error=noise,
        per_joint=per_joint,
        per_joint_filtered=per_joint_filtered,
        cad_error=cad,
        cad_per_joint=cad_per_joint,
        floor=floor,
        t=motion.t,
        measured=motion.raw,
        predicted=predicted.torque,
        filtered=motion.tau,
        predicted_filtered=predicted.filtered,
        rests=rests,
    )


def _percent(off: Array, size: Array) -> float:
    """The size of one signal in percent of another; infinite where the other is zero."""
    of, whole = float(np.linalg.norm(off)), float(np.linalg.norm(size))
    return 100 * of / whole if whole else float("inf") if of else 0.0


@dataclass(frozen=True, slots=True)
class PlainModel:
    """An arm with a motor and plain friction in every joint: columns, structure and base parameters."""

    with_drives: Arm
    columns: ColumnMaker
    structure: Structure
    base: Base

    @staticmethod
    def of(arm: Arm, own: Mapping[str, UserColumn]) -> PlainModel:
        """For an arm, with columns of the user's own."""
        driven = with_drives(arm)
        columns = ColumnMaker.of(arm, own)
        found = structure(driven)
        still = np.zeros((1, arm.dof))
        names = columns.columns(still, still, still, plain_drives(arm.dof)).names
        return PlainModel(driven, columns, found, base_of(found, names))
