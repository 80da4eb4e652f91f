"""Panels with one curve per joint: positions, velocities, torques, phase portraits.

Colours and strokes of curves, told apart also by those who do not see all colours.

Thinning a long record for a picture: what is left looks the same, with every peak in it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from leverarm.model import Arm
from leverarm.model.units import Units
from leverarm.pictures import palette

if TYPE_CHECKING:
    from leverarm.simulation.trajectories.trajectory import Trajectory


Stroke = Any
"""A stroke as matplotlib takes it: "--", or lengths of dashes and gaps."""

CURVES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", palette.INK)
"""Okabe and Ito, Color Universal Design (2008), without the yellow, which white paper swallows."""
STROKES: tuple[Stroke, ...] = ("-", "--", ":", "-.")
"""Curves beyond the colours there are repeat them with another stroke."""

KINETIC, POTENTIAL, TOTAL = CURVES[1], CURVES[0], palette.INK
WORKS: Mapping[str, str] = {
    "torque": CURVES[2],
    "friction": CURVES[3],
    "disturbance": CURVES[4],
    "wrench": CURVES[5],
    "stops": palette.SOFT_INK,
    "payload": palette.LINK_EDGE,
}
BOUND = "#b42318"

EVENTS: tuple[Stroke, ...] = (
    ":", "--", "-.", "-", (0, (1, 3)), (0, (6, 2)), (0, (8, 2, 1, 2, 1, 2)), (0, (3, 4)), (0, (10, 4)),
)  # fmt: skip
"""Strokes of the kinds of event, in the order in which the kinds first happen."""


def curve(k: int) -> tuple[str, Stroke]:
    """Colour and stroke of the curve of joint k."""
    return CURVES[k % len(CURVES)], STROKES[k // len(CURVES) % len(STROKES)]


def event_strokes(kinds: list[str]) -> dict[str, Stroke]:
    """A stroke for each kind of event."""
    return {kind: EVENTS[k % len(EVENTS)] for k, kind in enumerate(dict.fromkeys(kinds))}


def plain(name: str) -> str:
    """A name as matplotlib shows it letter by letter: no mathematics between dollars, no hidden legend entry."""
    shown = name.replace("$", r"\$")
    return f" {shown}" if shown.startswith("_") else shown


Array = NDArray[Any]

MOST_BUCKETS = 1500
"""More than the columns of pixels that a panel has."""


def rows_to_draw(*signals: Array, buckets: int = MOST_BUCKETS) -> Array:
    """The rows of a record that a picture of these signals needs, increasing: N of them where the record is short.

    The record is cut into buckets of equally many rows; of each, the rows where a signal is lowest and highest are
    kept, and of all the first and the last.
    """
    count = len(signals[0])
    width = -(-count // buckets)
    if width <= 2 * len(signals):
        return np.arange(count)
    whole = count - count % width
    starts = np.arange(0, whole, width)
    kept = [np.array([0, count - 1])]
    for signal in signals:
        blocks = signal[:whole].reshape(-1, width)
        kept += [starts + blocks.argmin(axis=1), starts + blocks.argmax(axis=1)]
        if whole < count:
            kept.append(whole + np.array([signal[whole:].argmin(), signal[whole:].argmax()]))
    return np.unique(np.concatenate(kept))


MANY_EVENTS = 60
"""More events than this are short ticks at the lower edge: lines through the panel would hide the curves."""

MANY_TURNS = 400
"""A curve with more turns than this is an area on the page."""


@dataclass(frozen=True, slots=True)
class Labels:
    """What a quantity is called where a joint turns and where it slides, with units."""

    angular: str
    linear: str

    def of(self, is_angle: bool) -> str:
        return self.angular if is_angle else self.linear


POSITION = Labels("angle [rad]", "displacement [m]")
VELOCITY = Labels("velocity [rad/s]", "velocity [m/s]")
TORQUE = Labels("torque [N m]", "force [N]")

Cell = Any
"""A place on a matplotlib sheet (SubplotSpec)."""
Panel = Callable[[Cell, "Trajectory"], None]


def over_time(column: Callable[[Trajectory], Array], title: str, labels: Labels) -> Panel:
    """A panel of a quantity with one column per joint. Angles and lengths get axes of their own."""

    def draw(cell: Cell, trajectory: Trajectory) -> None:
        t, values = trajectory.t, column(trajectory)
        for axes, is_angle, joints in _axes_by_unit(cell, trajectory.arm, title, shares_x=True):
            for k in joints:
                draw_curve(axes, t, values[:, k], *curve(k))
            axes.set_ylabel(labels.of(is_angle))
            finish_time_axis(axes, trajectory)
        axes.set_xlabel("time [s]")

    return draw


def phase_portrait(cell: Cell, trajectory: Trajectory) -> None:
    """Velocity over position of every joint; a dot where the run starts."""
    for axes, is_angle, joints in _axes_by_unit(cell, trajectory.arm, "phase portrait", shares_x=False):
        for k in joints:
            q, qd = trajectory.q[:, k], trajectory.qd[:, k]
            rows = rows_to_draw(q, qd)
            colour, stroke = curve(k)
            axes.plot(q[rows], qd[rows], color=colour, linestyle=stroke, linewidth=1.2)
            axes.plot(q[:1], qd[:1], color=colour, marker="o", markersize=4)
        axes.set_xlabel(POSITION.of(is_angle))
        axes.set_ylabel(VELOCITY.of(is_angle))


def joints_by_unit(arm: Arm) -> list[tuple[bool, list[int]]]:
    """The joints that are angles (True) and those that are lengths (False), where there are such."""
    is_angle = Units.of(arm).is_angle
    groups = [(kind, [k for k, turns in enumerate(is_angle) if turns is kind]) for kind in (True, False)]
    return [(kind, joints) for kind, joints in groups if joints]


def new_axes(cell: Cell, title: str, same_time: Any = None) -> Any:
    """Axes with a title, in a quiet frame with a light grid; `same_time` are axes that share the horizontal one."""
    axes = cell.get_gridspec().figure.add_subplot(cell, sharex=same_time)
    axes.set_title(title, loc="left", color=palette.INK, fontsize=11, fontweight="bold")
    axes.grid(True, color=palette.GROUND_LINE, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(palette.GROUND_EDGE)
    axes.tick_params(color=palette.GROUND_EDGE, labelcolor=palette.INK)
    return axes


def draw_curve(axes: Any, t: Array, values: Array, colour: str, stroke: str = "-", **more: Any) -> None:
    """A curve over time, thinned where there are more rows than pixels; a dot where there is only one row.

    A curve that goes up and down so often that it fills an area lets others shine through.
    """
    rows = rows_to_draw(values)
    marker = "o" if len(t) == 1 else None
    turns = np.count_nonzero(np.diff(np.sign(np.diff(values[rows]))))
    style = {"linewidth": 0.6, "alpha": 0.5} if turns > MANY_TURNS else {"linewidth": 1.4}
    style |= more
    axes.plot(t[rows], values[rows], color=colour, linestyle=stroke, marker=marker, **style)


def finish_time_axis(axes: Any, trajectory: Trajectory) -> None:
    """The whole run from edge to edge, with its events."""
    t = trajectory.t
    if t[-1] > t[0]:
        axes.set_xlim(t[0], t[-1])
    _mark_events(axes, trajectory)


def _mark_events(axes: Any, trajectory: Trajectory) -> None:
    """A thin line at each event: its stroke says what happened, its colour to which joint."""
    events, names = trajectory.events, trajectory.arm.joint_names
    if len(events) > MANY_EVENTS:
        at = [event.t for event in events]
        axes.vlines(at, 0, 0.03, transform=axes.get_xaxis_transform(), colors=palette.SOFT_INK, linewidth=0.6)
        return
    strokes = event_strokes([event.what for event in events])
    for event in events:
        colour = curve(names.index(event.joint))[0] if event.joint in names else palette.SOFT_INK
        axes.axvline(event.t, color=colour, linestyle=strokes[event.what], linewidth=0.9, alpha=0.75, zorder=1)


def _axes_by_unit(cell: Cell, arm: Arm, title: str, shares_x: bool) -> list[tuple[Any, bool, list[int]]]:
    """One pair of axes for the joints that turn and one for those that slide, where there are such."""
    groups = joints_by_unit(arm)
    cells = [cell] if len(groups) == 1 else list(cell.subgridspec(len(groups), 1))
    found: list[tuple[Any, bool, list[int]]] = []
    for part, (kind, joints) in zip(cells, groups, strict=True):
        axes = new_axes(part, "" if found else title, found[0][0] if found and shares_x else None)
        found.append((axes, kind, joints))
    if shares_x:
        for axes, _, _ in found[:-1]:
            axes.tick_params(labelbottom=False)
    return found
