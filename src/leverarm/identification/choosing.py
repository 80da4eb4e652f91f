"""What the data decide, always by predicting blocks of time left out of the fit.

`filter_choice`: the filter whose motion predicts the raw torques best. `friction_choice`: the friction model of each
joint. `coupling_choice`: motors that turn with two joints, as in geared wrists. `drive_choice`: the last two together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from leverarm.arrays import Array, BoolArray, IntArray
from leverarm.errors import InputError
from leverarm.identification import motions
from leverarm.identification.fitting.rows import Samples
from leverarm.identification.fitting.weighted_fit import left_out_errors, normal_equations, solved, weights_of
from leverarm.identification.logs.log import Log
from leverarm.identification.modelling.modelled_arm import Coupling, DriveModel, JointModel, base_of, plain_drives
from leverarm.identification.modelling.regressor_columns import ColumnMaker, Columns, direction_of
from leverarm.identification.motions import EverySample, Filtering, Motion, for_log, joined, smooth_motion, smoothing
from leverarm.identification.prediction import PlainModel
from leverarm.identification.preflight.samples import dead_zone

STEPS = 7
"""Cut-offs that are tried, evenly spaced in octaves."""
AS_GOOD = 1.01
"""An error within this ratio of the best is as good; the lowest cut-off of those is taken."""
SAMPLES = 3000
"""Samples used to compare filters."""
MOST_FITTED = 6000
"""Samples fitted at most; more would take long and add little certainty."""
LEAST_RATE = 100.0
"""Fitted samples per second at least: arms do not move faster than these can show."""
DERIVATIVES = ("q", "qd", "qdd")


@dataclass(frozen=True, slots=True)
class Tried:
    """One filter and the error of raw torque it leads to: the geometric mean over joints, in percent of each torque."""

    filtering: Filtering
    cut_off: float
    error: float


def candidates(log: Log) -> list[Filtering]:
    """Filters worth trying: from the motion's own band to no filter at all."""
    longest = max(len(piece) for piece in log.pieces)
    highest = 0.3 * log.rate
    lowest = max(min(motions.bandwidth(log), highest / 8), 8 * log.rate / longest)
    filters = [smoothing(float(f), log.rate) for f in np.geomspace(lowest, highest, STEPS)]
    filters = [*dict.fromkeys(filters), motions.differencing()]
    return [Filtering(f, taken, motions.stride_for(f, log.rate)) for taken in motions.available(log) for f in filters]


def filter_choice(
    logs: list[Log], columns: ColumnMaker, base: IntArray, progress: Callable[[str], None]
) -> tuple[Tried, list[Tried]]:
    """The filter to use and all that were tried. `base` are the columns of the plain model that are fitted."""
    tried = []
    longest = max(logs, key=len)
    for filtering in candidates(longest):
        cut_off = filtering.filter.cut_off(longest.rate)
        if not _has_room(filtering, longest, logs):
            continue
        progress(f"cut-off {cut_off:.3g} Hz, from {filtering.taken}")
        error = raw_error(logs, longest.rate, filtering, columns, base)
        tried.append(Tried(filtering, cut_off, error))
    if not tried:
        raise InputError(
            f"{longest.name}: no unbroken stretch is long enough to be smoothed; the longest has "
            f"{max(map(len, longest.pieces))} samples. Give a log with fewer gaps."
        )
    best = min(entry.error for entry in tried)
    good = [entry for entry in tried if entry.error <= AS_GOOD * best]
    # Of two equal ones, the one that differentiates the log least.
    chosen = min(good, key=lambda entry: (entry.cut_off, entry.error, -DERIVATIVES.index(entry.filtering.taken)))
    # a stride that leaves a reasonable number of samples
    enough = -(-sum(map(len, logs)) // MOST_FITTED)
    stride = max(chosen.filtering.stride, min(enough, int(longest.rate / LEAST_RATE)))
    return replace(chosen, filtering=replace(chosen.filtering, stride=stride)), tried


def _has_room(filtering: Filtering, longest: Log, logs: list[Log]) -> bool:
    """Whether the filter's window fits twice into every log and four times into the longest."""
    if max(map(len, longest.pieces)) <= 8 * filtering.filter.half:
        return False
    windows = [for_log(filtering, longest.rate, log).filter.half for log in logs]
    return all(max(map(len, log.pieces)) > 4 * half + 2 for log, half in zip(logs, windows, strict=True))


def raw_error(logs: list[Log], rate: float, filtering: Filtering, columns: ColumnMaker, base: IntArray) -> float:
    """Left-out error of raw torque [percent, geometric mean over joints] of a plain model with a filter for a rate."""
    # One stride for all filters, so that they are compared on the same noise of the raw torques.
    even = replace(filtering, stride=max(1, sum(map(len, logs)) // SAMPLES))
    motion = joined([smooth_motion(log, for_log(even, rate, log)) for log in logs])
    samples = Samples.of(motion, dead_zone(motion))
    used = (np.abs(motion.qd) > samples.zone) & ~samples.rests
    W = columns.columns(motion.q, motion.qd, motion.qdd, plain_drives(motion.q.shape[1])).W[:, :, base]
    equations = normal_equations(W, motion.tau, motion.raw, used, samples.block)
    _, raw = left_out_errors(equations, weights_of(equations))
    whole = equations.zz.sum(axis=0)
    return 100 * _mean_ratio(raw.sum(axis=0)[whole > 0], whole[whole > 0])


def _mean_ratio(squares: Array, whole: Array) -> float:
    """The root of the geometric mean of ratios of sums of squares."""
    ratio = squares / np.maximum(whole, 1e-300)
    return float(np.exp(0.5 * np.mean(np.log(np.maximum(ratio, 1e-30)))))


NARROW = (0.25, 0.5)
"""Widths w of tanh(speed / w), in dead zones of the joint, that only smooth the reversal."""
WIDE = (1.0, 2.0, 4.0, 8.0, 16.0)
"""Widths that change the friction curve of a moving joint, and so the meaning of its Coulomb friction."""
FINER = (2**0.5, 2**0.25, 2**0.125)
"""Steps between widths, once a wide one is taken."""
WORTH = {"narrow": 0.98, "wide": 0.8, "asymmetric": 0.85}
"""Fraction of the simpler model's error that a richer model has to reach."""


def friction_choice(
    samples: Samples, columns: Columns, base: IntArray, allowed: Sequence[str], every: EverySample | None = None
) -> tuple[JointModel, ...]:
    """A friction model for every joint. Friction acts only on a joint's own torque, so each is chosen by itself.

    `allowed` are the models that may be taken: "sign", "tanh", "asymmetric". `every` sample of the motion, where it is
    given, shows how the torque filter changes friction that jumps.
    """
    joints = range(samples.motion.q.shape[1])
    return tuple(_OneJoint.of(j, samples, columns, base, every).choice(allowed) for j in joints)


@dataclass(frozen=True, slots=True)
class _OneJoint:
    """The torque of one joint, its columns without its own friction, and when the joint moves or reverses."""

    shared: Array
    speed: Array
    tau: Array
    moving: BoolArray
    turning: BoolArray
    zone: float
    block: IntArray
    spread: Callable[[JointModel], Array | float]

    @staticmethod
    def of(j: int, samples: Samples, columns: Columns, base: IntArray, every: EverySample | None) -> _OneJoint:
        speed, zone, rests = samples.motion.qd[:, j], float(samples.zone[j]), samples.rests[:, j]
        own = _own_names(columns, j)
        others = [i for i in base if columns.names[i] not in own and np.any(columns.W[:, j, i])]
        slow = np.abs(speed) <= zone

        def spread(model: JointModel) -> Array | float:
            return 0.0 if every is None else every.spread(lambda m: _friction(model, m.qd[:, j]))

        shared, tau = columns.W[:, j, others], samples.motion.tau[:, j]
        return _OneJoint(shared, speed, tau, ~rests & ~slow, ~rests & slow, zone, samples.block, spread)

    def choice(self, allowed: Sequence[str]) -> JointModel:
        sharp = JointModel()
        if self.zone <= 0 or not self.moving.any():
            return sharp
        best, least = sharp, self.error(sharp)
        if "tanh" in allowed:
            narrow, narrow_error = self._best(w * self.zone for w in NARROW)
            if "sign" not in allowed or narrow_error < WORTH["narrow"] * least:
                best, least = narrow, narrow_error
            wide, wide_error = self._best(w * self.zone for w in WIDE)
            if wide_error < WORTH["wide"] * least:
                best, least = self._narrowed_down(wide, wide_error)
        if "asymmetric" in allowed:
            model = JointModel(best.smoothing, is_asymmetric=True)
            if self.error(model) < WORTH["asymmetric"] * least:
                best = model
        return best

    def _narrowed_down(self, model: JointModel, error: float) -> tuple[JointModel, float]:
        """The best width near a good one: with a wrong width, asymmetry would seem to help."""
        for step in FINER:
            width = model.smoothing or 0.0
            nearby, nearby_error = self._best(width * s for s in (step, 1 / step))
            if nearby_error < error:
                model, error = nearby, nearby_error
        return model, error

    def _best(self, widths: Iterable[float]) -> tuple[JointModel, float]:
        models = (JointModel(float(f"{width:.2g}")) for width in widths)
        return min(((model, self.error(model)) for model in models), key=lambda tried: tried[1])

    def error(self, model: JointModel) -> float:
        """Root mean square error [N m or N] in left-out blocks, with reversals; fitted only while the joint moves."""
        W = np.column_stack([self.shared, _friction(model, self.speed) + self.spread(model)])[:, None, :]
        torque = self.tau[:, None]
        moving = normal_equations(W, torque, torque, self.moving[:, None], self.block)
        turning = normal_equations(W, torque, torque, self.turning[:, None], self.block)
        squares = 0.0
        for b in range(moving.blocks):
            values = solved(moving, b, np.ones(1))
            squares += float(moving.squares(values, b)[0][0] + turning.squares(values, b)[0][0])
        return float(np.sqrt(squares / max(1.0, moving.count.sum() + turning.count.sum())))


def _own_names(columns: Columns, j: int) -> set[str]:
    """Names of the viscous and Coulomb columns that act on joint j alone."""
    acts = np.asarray(columns.W.any(axis=0))
    alone = acts[j] & (acts.sum(axis=0) == 1)
    rows = zip(columns.names, columns.kinds, alone, strict=True)
    return {name for name, kind, is_alone in rows if is_alone and kind in ("viscous", "coulomb")}


def _friction(model: JointModel, speed: Array) -> Array:
    """Columns (k, 2 or 3) of a joint's own friction."""
    direction = direction_of(model, speed)
    if not model.is_asymmetric:
        return np.column_stack([speed, direction])
    return np.column_stack([(1 + direction) / 2 * speed, (1 - direction) / 2 * speed, direction])


COUPLING_WORTH = 0.6
"""A coupling has to reduce the error of its two joints to this fraction: it is a claim about the machine."""


def coupling_choice(
    samples: Samples, columns: Columns, base: IntArray, models: tuple[JointModel, ...]
) -> tuple[Coupling, ...]:
    """The couplings between neighbouring joints that the torques support, with a ratio of 1 or -1."""
    found = []
    for also in range(samples.motion.q.shape[1] - 1):
        motor = also + 1
        two = [also, motor]
        W = columns.W[:, two][:, :, base]
        W = W[:, :, np.abs(W).max(axis=(0, 1)) > 0]
        plain, _ = _error(W, samples, two)
        errors = {}
        for ratio in (1.0, -1.0):
            shaft = _columns(samples.motion, motor, also, ratio, models[motor])
            error, values = _error(np.concatenate([W, shaft], axis=2), samples, two)
            if error < COUPLING_WORTH * plain and (values[-3:] > 0).all():
                errors[ratio] = error
        if errors:
            found.append(Coupling(motor, also, min(errors, key=errors.__getitem__)))
    return tuple(found)


def _columns(motion: Motion, motor: int, also: int, ratio: float, model: JointModel) -> Array:
    """Inertia, viscous and Coulomb friction of the motor's shaft, on (also, motor)."""
    speed = motion.qd[:, motor] + ratio * motion.qd[:, also]
    direction = direction_of(model, speed)
    signals = np.stack([motion.qdd[:, motor] + ratio * motion.qdd[:, also], speed, direction], axis=1)
    return np.stack([ratio * signals, signals], axis=1)


def _error(W: Array, samples: Samples, two: list[int]) -> tuple[float, Array]:
    """The error of the two joints' torques in left-out blocks, and the parameter values from all blocks."""
    tau, raw = samples.motion.tau[:, two], samples.motion.raw[:, two]
    equations = normal_equations(W, tau, raw, ~samples.rests[:, two], samples.block)
    weights = weights_of(equations)
    filtered, _ = left_out_errors(equations, weights)
    return _mean_ratio(filtered.sum(axis=0), equations.yy.sum(axis=0)), solved(equations, None, weights)


def drive_choice(
    samples: Samples, every: EverySample, plain: PlainModel, friction: Sequence[str], known: Sequence[Coupling] | None
) -> DriveModel:
    """Friction of every joint, and couplings: those known, or where None are given those found in the data."""
    motion = samples.motion
    drives = DriveModel(plain_drives(motion.q.shape[1]).joints, tuple(known or ()))

    def fitted(drives: DriveModel) -> tuple[Columns, IntArray]:
        columns = plain.columns.columns(motion.q, motion.qd, motion.qdd, drives)
        return columns, base_of(plain.structure, columns.names).columns

    def chosen(drives: DriveModel) -> DriveModel:
        return replace(drives, joints=friction_choice(samples, *fitted(drives), friction, every))

    found = chosen(drives)
    if known is not None:
        return found
    couplings = coupling_choice(samples, *fitted(drives), found.joints)
    return chosen(replace(drives, couplings=couplings)) if couplings else found
