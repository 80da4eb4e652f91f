"""The plots of the report: measured and predicted torque of each joint over time, and its friction over speed.

A log may have gaps, or be several logs one after the other: `time_line` makes one axis of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array
from leverarm.identification.report.formatting import percent, short
from leverarm.model.units import Units
from leverarm.pictures.panels import Axis, Panel, axis_around, axis_over, html_panel

if TYPE_CHECKING:
    from leverarm.identification.prediction import Validation
    from leverarm.identification.result import Identified, JointFriction


FRICTION_LEGEND = (
    '<p class="legend"><span class="key binned">measured, mean of a bin of speeds, ± 2 standard errors</span> '
    '<span class="key predicted">model</span></p>'
)
FINE = 300
"""Points of a smooth curve."""
FARTHEST = 3.0
"""Bars longer than so many times the range of the points and the curve do not widen the axis."""


def friction_plots(result: Identified) -> str:
    """A grid of small plots, one per joint [N m over rad/s, or N over m/s]."""
    units = Units.of(result.arm)
    turns = dict(zip(units.names, units.is_angle, strict=True))
    figures = [_friction_joint(friction, turns.get(friction.joint, True)) for friction in result.frictions]
    return f'{FRICTION_LEGEND}\n<div class="grid three">\n' + "\n".join(figures) + "\n</div>"


def friction_at(friction: JointFriction, speeds: Array) -> Array:
    """Friction of the model at these speeds [N m or N], by the law of `leverarm.Friction`."""
    width = friction.smoothing
    s = np.tanh(speeds / width) if width else np.sign(speeds)
    forward, backward = (1 + s) / 2, (1 - s) / 2
    viscous = friction.viscous * forward + _backward(friction.viscous_negative, friction.viscous) * backward
    coulomb = friction.coulomb * forward + _backward(friction.coulomb_negative, friction.coulomb) * backward
    at: Array = viscous * speeds + coulomb * s + friction.offset
    return at


def _backward(negative: float | None, positive: float) -> float:
    return positive if negative is None else negative


def _friction_joint(friction: JointFriction, turns: bool) -> str:
    force, speed = ("N m", "rad/s") if turns else ("N", "m/s")
    speeds, measured, errors = (np.asarray(each, dtype=np.float64) for each in friction.curve)
    reach = 1.05 * float(np.abs(speeds).max()) if speeds.size else 1.0
    x = axis_around(np.array([-reach, reach]), most=5)
    fine = _speeds(x, friction.smoothing)
    model = friction_at(friction, fine)
    span = float(np.ptp(np.concatenate((measured, model)))) or 1.0
    reached = np.minimum(2 * np.nan_to_num(errors), FARTHEST * span)
    y = axis_around(measured - reached, measured + reached, model, most=4)
    side = (fine > 0).astype(np.int64)
    panel = Panel(x, y)
    drawn = [
        panel.bars(speeds, measured - reached, measured + reached, "errors"),
        panel.curve(fine, model, "predicted", None if friction.smoothing else side),
        panel.dots(speeds, measured, "binned"),
    ]
    title = f"{friction.joint}: friction over speed, measured in bins and by the model {friction.model}"
    shown = html_panel(panel, drawn, over=f"friction [{force}]", under=f"speed [{speed}]", title=title, kind="tall")
    return (
        f'<figure class="plot"><figcaption><b>{escape(friction.joint)}</b> {escape(friction.model)}'
        f'<span class="law">{escape(_law(friction))}</span></figcaption>{shown}</figure>'
    )


def _speeds(x: Axis, smoothing: float | None) -> Array:
    """Speeds close enough together to show the steep middle of a smooth law; a step has its two sides at zero."""
    even = np.linspace(x.low, x.high, FINE)
    middle = np.linspace(-6 * smoothing, 6 * smoothing, FINE) if smoothing else np.array([-1e-12, 1e-12])
    inside = middle[(middle > x.low) & (middle < x.high)]
    return np.unique(np.concatenate((even[even != 0], inside)))


def _law(friction: JointFriction) -> str:
    """The numbers of the model, forward and backward where they differ."""
    pairs = (
        ("viscous", friction.viscous, _backward(friction.viscous_negative, friction.viscous)),
        ("Coulomb", friction.coulomb, _backward(friction.coulomb_negative, friction.coulomb)),
    )
    parts = [
        f"{name} {short(plus, 3)}" + ("" if minus == plus else f" forward, {short(minus, 3)} backward")
        for name, plus, minus in pairs
        if plus or minus
    ]
    if friction.offset:
        parts.append(f"offset {short(friction.offset, 3)}")
    if friction.smoothing:
        parts.append(f"smooth over {short(friction.smoothing, 2)}")
    return ", ".join(parts) or "none"


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
    piece: NDArray[np.int64]
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


LEGEND = (
    '<p class="legend"><span class="key measured">measured</span> <span class="key predicted">predicted</span> '
    '<span class="key noise">residual, raw</span> <span class="key leftover">residual, filtered</span> '
    '<span class="key band">± 2 × noise of the fit</span> <span class="key rest">at rest, not counted</span></p>'
)


def torque_plots(result: Identified, validation: Validation) -> str:
    """A grid of small plots, one per joint [N m or N]."""
    if not len(validation.t):
        return "<p>No samples are left to draw.</p>"
    times = time_line(validation.t)
    figures = [_joint(result, validation, times, k) for k in range(result.arm.dof)]
    return f'{LEGEND}\n<div class="grid two">\n' + "\n".join(figures) + "\n</div>"


def _joint(result: Identified, validation: Validation, times: TimeLine, k: int) -> str:
    units = Units.of(result.arm)
    name, what = units.names[k], "torque [N m]" if units.is_angle[k] else "force [N]"
    x = axis_over(float(times.t[0]), float(times.t[-1]), most=7)
    above = _torques(validation, times, x, k, f"{name}: measured and predicted {what} over time", what)
    noise = result.noise.get(name, 0.0)
    below = _residuals(validation, times, x, k, f"{name}: measured less predicted {what} over time", noise)
    return f'<figure class="plot">{_caption(name, validation)}{above}{below}</figure>'


def _torques(validation: Validation, times: TimeLine, x: Axis, k: int, title: str, what: str) -> str:
    measured, predicted = validation.measured[:, k], validation.predicted[:, k]
    panel = Panel(x, axis_around(measured, predicted))
    drawn = [
        panel.upright_lines(times.begins, "break"),
        panel.curve(times.t, measured, "measured", times.piece),
        panel.curve(times.t, predicted, "predicted", times.piece),
    ]
    return html_panel(panel, drawn, over=what, under="", title=title, kind="tall")


def _residuals(validation: Validation, times: TimeLine, x: Axis, k: int, title: str, noise: float) -> str:
    """Measured less predicted: in grey raw, in colour filtered, which shows where the model is wrong."""
    raw = validation.measured[:, k] - validation.predicted[:, k]
    slow = validation.filtered[:, k] - validation.predicted_filtered[:, k]
    panel = Panel(x, axis_around(raw, slow, most=4))
    drawn = [
        panel.upright_lines(times.begins, "break"),
        panel.strip(times.t, validation.rests[:, k], "rest"),
        panel.curve(times.t, raw, "noise", times.piece),
        panel.curve(times.t, slow, "leftover", times.piece),
        panel.level_lines((-2 * noise, 2 * noise), "band"),
    ]
    over = "measured − predicted, own scale"
    return html_panel(panel, drawn, over=over, under=times.label, title=title, kind="low")


def _caption(name: str, validation: Validation) -> str:
    error = validation.per_joint.get(name)
    given = (validation.cad_per_joint or {}).get(name)
    errors = f"error {percent(error)} %" if error is not None else ""
    errors += f", as given {percent(given)} %" if given is not None else ""
    return f"<figcaption><b>{escape(name)}</b> {errors}</figcaption>"
