"""Measured and predicted torque of each joint, and below it what is left between them."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from leverarm.identification.report.axis import Axis, axis_around, axis_over
from leverarm.identification.report.numbers import percent
from leverarm.identification.report.panel import curve, level_lines, panel, strip, upright_lines
from leverarm.identification.report.time_line import TimeLine, time_line
from leverarm.runtime.units import Units

if TYPE_CHECKING:
    from leverarm.identification.result import Identified, Validation

LEGEND = (
    '<p class="legend"><span class="key measured">measured</span> <span class="key predicted">predicted</span> '
    '<span class="key noise">left over, raw</span> <span class="key leftover">left over after the filter</span> '
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
    below = _left_over(validation, times, x, k, f"{name}: measured less predicted {what} over time", noise)
    return f'<figure class="plot">{_caption(name, validation)}{above}{below}</figure>'


def _torques(validation: Validation, times: TimeLine, x: Axis, k: int, title: str, what: str) -> str:
    measured, predicted = validation.measured[:, k], validation.predicted[:, k]
    y = axis_around(measured, predicted)
    drawn = [
        upright_lines(x, times.begins, "break"),
        curve(x, y, times.t, measured, "measured", times.piece),
        curve(x, y, times.t, predicted, "predicted", times.piece),
    ]
    return panel(x, y, drawn, over=what, under="", title=title, kind="tall")


def _left_over(validation: Validation, times: TimeLine, x: Axis, k: int, title: str, noise: float) -> str:
    """What the model leaves: in grey as measured, in colour without the noise, which shows where the model is wrong."""
    raw = validation.measured[:, k] - validation.predicted[:, k]
    slow = validation.filtered[:, k] - validation.predicted_filtered[:, k]
    y = axis_around(raw, slow, most=4)
    drawn = [
        upright_lines(x, times.begins, "break"),
        strip(x, times.t, validation.rests[:, k], "rest"),
        curve(x, y, times.t, raw, "noise", times.piece),
        curve(x, y, times.t, slow, "leftover", times.piece),
        level_lines(y, (-2 * noise, 2 * noise), "band"),
    ]
    over = "measured − predicted, own scale"
    return panel(x, y, drawn, over=over, under=times.words, title=title, kind="low")


def _caption(name: str, validation: Validation) -> str:
    error = validation.per_joint.get(name)
    given = (validation.cad_per_joint or {}).get(name)
    told = f"error {percent(error)} %" if error is not None else ""
    told += f", as given {percent(given)} %" if given is not None else ""
    return f"<figcaption><b>{escape(name)}</b> {told}</figcaption>"
