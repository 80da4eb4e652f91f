"""The plots of the report: measured and predicted torque of each joint over time, and its friction over speed.

A log may have gaps, or be several logs one after the other: `time_line` makes one axis of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from leverarm.arrays import Array, IntArray
from leverarm.documents.document import Figure
from leverarm.identification.prediction import Validation
from leverarm.identification.report.numbers import percent
from leverarm.identification.result import Identified, JointFriction
from leverarm.model import Arm
from leverarm.model.units import Units
from leverarm.pictures import palette
from leverarm.pictures.panels import rows_to_draw
from leverarm.pictures.plot_sheet import COLOURS, Curve, Pen, Plot, PlotSheet
from leverarm.pictures.svg import figure_to_svg

WIDTH = 4.6
"""Of a figure [in]: two stand side by side."""
BUCKETS = 360
"""Columns of a panel in which the lowest and highest value are kept: about its pixels."""
MEASURED = Pen(palette.SOFT_INK, width=2.2, opacity=0.7, label="measured")
PREDICTED = Pen(COLOURS[1], label="predicted")
RAW = Pen(palette.SOFT_INK, width=0.7, opacity=0.6, label="raw")
FILTERED = Pen(COLOURS[0], width=1.0, label="filtered")
BAND = Pen(palette.INK, "--", 0.8, 0.7, label="± 2 × noise")
ZERO = Pen(palette.SOFT_INK, width=0.7)
BREAK = Pen(palette.SOFT_INK, ":", 0.8)
MODEL = Pen(COLOURS[1], label="model")
BIN = Pen(COLOURS[0], width=1.0, opacity=0.8)

FINE = 300
"""Points of a smooth curve."""
FARTHEST = 3.0
"""Bars longer than so many times the range of the points and the curve do not widen the axis."""


def friction_plots(result: Identified) -> Iterator[Figure]:
    """Friction of each joint [N m over rad/s, or N over m/s]."""
    units = Units.of(result.arm)
    turns = dict(zip(units.names, units.is_angle, strict=True))
    return (_friction(friction, turns.get(friction.joint, True)) for friction in result.frictions)


def friction_at(friction: JointFriction, speeds: Array) -> Array:
    """Friction of the model at these speeds [N m or N], by the law of `leverarm.Friction`."""
    width = friction.smoothing
    s = np.tanh(speeds / width) if width else np.sign(speeds)
    forward, backward = (1 + s) / 2, (1 - s) / 2
    viscous = friction.viscous * forward + friction.backward[0] * backward
    coulomb = friction.coulomb * forward + friction.backward[1] * backward
    at: Array = viscous * speeds + coulomb * s + friction.offset
    return at


def _friction(friction: JointFriction, turns: bool) -> Figure:
    """Means of bins of speeds with ± 2 standard errors, and the model."""
    force, speed = ("N m", "rad/s") if turns else ("N", "m/s")
    speeds, measured, errors = (np.asarray(each, dtype=np.float64) for each in friction.curve)
    reach = 1.05 * float(np.abs(speeds).max()) if speeds.size else 1.0
    fine = _speeds(reach, friction.smoothing)
    model = friction_at(friction, fine)
    halves = (fine < np.inf,) if friction.smoothing else (fine < 0, fine > 0)
    span = float(np.ptp(np.concatenate((measured, model)))) or 1.0
    reached = np.minimum(2 * np.nan_to_num(errors), FARTHEST * span)
    bins = zip(speeds, measured, measured - reached, measured + reached, strict=True)
    curves = [Curve(np.full(3, x), np.array([y, low, high]), BIN, has_dot=True) for x, y, low, high in bins]
    curves += [Curve(fine[half], model[half], _first(MODEL, k)) for k, half in enumerate(halves)]
    plot = Plot(
        friction.joint, f"speed [{speed}]", f"friction [{force}]", tuple(curves), ((0.0, ZERO),),
        x_range=(-reach, reach),
    )  # fmt: skip
    title = f"{friction.joint}: friction over speed, measured in bins and by the model {friction.model}"
    return _figure(title, (plot,), (1.0,), 2.6, friction.joint, friction.model)


def _speeds(reach: float, smoothing: float | None) -> Array:
    """Speeds close enough together to show the steep middle of a smooth law; a step has its two sides at zero."""
    even = np.linspace(-reach, reach, FINE)
    middle = np.linspace(-6 * smoothing, 6 * smoothing, FINE) if smoothing else np.array([-1e-12, 1e-12])
    inside = middle[np.abs(middle) < reach]
    return np.unique(np.concatenate((even[even != 0], inside)))


LONG_STEP = 4.0
"""A step of more than so many usual ones is a gap."""
MOST_GAP = 0.25
"""Gaps that take more than this part of the whole time are left out of the axis."""
SPACING = 0.01
"""Between stretches whose gap was left out, as a part of the time that is drawn."""


@dataclass(frozen=True, slots=True)
class TimeLine:
    """Times as drawn [s], the stretch each row is in, where stretches begin, and the label of the axis."""

    t: Array
    piece: IntArray
    begins: tuple[float, ...]
    label: str


def time_line(t: Array) -> TimeLine:
    """The times of a log as an axis that always goes forward, with no long empty space in it."""
    steps = np.diff(t)
    forward = steps[steps > 0]
    usual = float(np.median(forward)) if forward.size else 1.0
    is_new = np.concatenate(([False], (steps <= 0) | (steps > LONG_STEP * usual)))
    piece = np.cumsum(is_new).astype(np.int64)
    starts = np.flatnonzero(is_new)
    gaps = steps[starts - 1]
    if not starts.size or (gaps.min() > 0 and gaps.sum() <= MOST_GAP * (t[-1] - t[0])):
        return TimeLine(t, piece, tuple(t[starts].tolist()), "time [s]")
    moving = float(steps[~is_new[1:]].sum()) + usual
    shift = np.zeros(len(t))
    shift[starts] = SPACING * moving - gaps
    shown = t - t[0] + np.cumsum(shift)
    return TimeLine(shown, piece, tuple(shown[starts].tolist()), "time, gaps left out [s]")


def torque_plots(arm: Arm, log: Validation, noise: Mapping[str, float]) -> Iterator[Figure]:
    """Of each joint its torque [N m or N], and below it what the model does not predict; none without samples.

    `noise` is that of the fit, by joint.
    """
    times = time_line(log.t) if len(log.t) else None
    return iter(()) if times is None else (_joint(arm, log, times, k, noise) for k in range(arm.dof))


def _joint(arm: Arm, log: Validation, times: TimeLine, k: int, noise: Mapping[str, float]) -> Figure:
    """Torque and residual: in grey raw, in colour filtered, which shows where the model is wrong."""
    units = Units.of(arm)
    name, what = units.names[k], "torque [N m]" if units.is_angle[k] else "force [N]"
    measured, predicted = log.measured[:, k], log.predicted[:, k]
    slow = log.filtered[:, k] - log.predicted_filtered[:, k]
    band = ((-2 * noise[name], _first(BAND, 1)), (2 * noise[name], BAND)) if name in noise else ()
    ends, breaks = (float(times.t[0]), float(times.t[-1])), tuple((t, BREAK) for t in times.begins)
    at_rest = times.t[log.rests[:, k]]
    columns = np.unique(np.rint((at_rest - ends[0]) / (ends[1] - ends[0] or 1.0) * BUCKETS), return_index=True)[1]
    torque = Plot(
        name, "", what, (*_curves(times, measured, MEASURED), *_curves(times, predicted, PREDICTED)), ((0.0, ZERO),),
        breaks, tuple(at_rest[columns].tolist()), ends,
    )  # fmt: skip
    residual = Plot(
        "residual", times.label, "", (*_curves(times, measured - predicted, RAW), *_curves(times, slow, FILTERED)),
        ((0.0, ZERO), *band), breaks, x_range=ends,
    )  # fmt: skip
    error, given = log.per_joint.get(name), (log.cad_per_joint or {}).get(name)
    caption = f"error {percent(error)} %" + (f", nominal {percent(given)} %" if given is not None else "")
    title = f"{name}: measured and predicted {what} over time"
    return _figure(title, (torque, residual), (2.0, 1.0), 3.5, name, caption)


def _curves(times: TimeLine, values: Array, pen: Pen) -> Iterator[Curve]:
    """A curve for each stretch, thinned without losing a peak."""
    for piece in range(int(times.piece[-1]) + 1):
        rows = np.flatnonzero((times.piece == piece) & np.isfinite(values))
        if rows.size:
            kept = rows[rows_to_draw(values[rows], buckets=BUCKETS)]
            yield Curve(times.t[kept], values[kept], _first(pen, piece))


def _first(pen: Pen, k: int) -> Pen:
    """The pen, named in the legend by its first curve only."""
    return Pen(pen.colour, pen.stroke, pen.width, pen.opacity, "" if k else pen.label)


def _figure(
    title: str, plots: tuple[Plot, ...], heights: tuple[float, ...], height: float, joint: str, caption: str
) -> Figure:
    sheet = PlotSheet(title, tuple(((plot,),) for plot in plots), heights, (WIDTH, height))
    return Figure(figure_to_svg(sheet), caption, f"{joint}: {caption}")
