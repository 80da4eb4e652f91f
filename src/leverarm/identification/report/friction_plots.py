"""Friction of each joint over its speed: what was measured, in bins, and the model that was chosen."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy as np

from leverarm.identification.report.axis import Array, Axis, axis_around
from leverarm.identification.report.numbers import short
from leverarm.identification.report.panel import bars, curve, dots, panel
from leverarm.runtime.units import Units

if TYPE_CHECKING:
    from leverarm.identification.result import Identified, JointFriction

LEGEND = (
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
    figures = [_joint(friction, turns.get(friction.joint, True)) for friction in result.frictions]
    return f'{LEGEND}\n<div class="grid three">\n' + "\n".join(figures) + "\n</div>"


def friction_at(friction: JointFriction, speeds: Array) -> Array:
    """Friction of the model at these speeds [N m or N], as `leverarm.Friction` says."""
    width = friction.smoothing
    s = np.tanh(speeds / width) if width else np.sign(speeds)
    forward, backward = (1 + s) / 2, (1 - s) / 2
    viscous = friction.viscous * forward + _backward(friction.viscous_negative, friction.viscous) * backward
    coulomb = friction.coulomb * forward + _backward(friction.coulomb_negative, friction.coulomb) * backward
    at: Array = viscous * speeds + coulomb * s + friction.offset
    return at


def _backward(negative: float | None, positive: float) -> float:
    return positive if negative is None else negative


def _joint(friction: JointFriction, turns: bool) -> str:
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
    drawn = [
        bars(x, y, speeds, measured - reached, measured + reached, "errors"),
        curve(x, y, fine, model, "predicted", None if friction.smoothing else side),
        dots(x, y, speeds, measured, "binned"),
    ]
    title = f"{friction.joint}: friction over speed, measured in bins and by the model {friction.model}"
    shown = panel(x, y, drawn, over=f"friction [{force}]", under=f"speed [{speed}]", title=title, kind="tall")
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
