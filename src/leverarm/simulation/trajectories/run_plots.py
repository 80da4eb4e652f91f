"""Plots of a run: positions, velocities and torques of the joints, energy and its balance, phase portraits.

A plot is named in `PANELS`; each entry makes its panels from a trajectory, as data for `leverarm.pictures.plot_sheet`.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from leverarm.arrays import Array
from leverarm.errors import InputError, require_known
from leverarm.model import Arm
from leverarm.model.units import Units
from leverarm.pictures import palette
from leverarm.pictures.panels import rows_to_draw
from leverarm.pictures.plot_sheet import (
    BOUND,
    COLOURS,
    KINETIC,
    POTENTIAL,
    TOTAL,
    Curve,
    Pen,
    Plot,
    PlotSheet,
    Stroke,
    joint_style,
    over_time,
    plot_file,
    show,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from leverarm.simulation.trajectories.trajectory import Trajectory

WORKS: Mapping[str, str] = {
    "torque": COLOURS[2],
    "friction": COLOURS[3],
    "disturbance": COLOURS[4],
    "wrench": COLOURS[5],
    "stops": palette.SOFT_INK,
    "payload": palette.LINK_EDGE,
}
EVENTS: tuple[Stroke, ...] = (
    ":", "--", "-.", "-", (0, (1, 3)), (0, (6, 2)), (0, (8, 2, 1, 2, 1, 2)), (0, (3, 4)), (0, (10, 4)),
)  # fmt: skip
"""Strokes of the kinds of event, in the order in which the kinds first happen."""
MANY_EVENTS = 60
"""More events than this are short ticks at the lower edge: lines through the panel would hide the curves."""
FLOOR = 1e-17
"""An imbalance below this is drawn here: a logarithmic axis has no zero, and doubles end at 1e-16."""
ROW = 2.9
"""Height of a row of panels [in]."""
MOST_NAMES = 28
"""Joints that are named in the legend."""


class Labels(NamedTuple):
    """What a quantity is called where a joint turns and where it slides, with units."""

    angular: str
    linear: str

    def of(self, is_angle: bool) -> str:
        return self.angular if is_angle else self.linear


POSITION = Labels("angle [rad]", "displacement [m]")
VELOCITY = Labels("velocity [rad/s]", "velocity [m/s]")
TORQUE = Labels("torque [N m]", "force [N]")

Cell = tuple[Plot, ...]


def plot(
    trajectory: Trajectory,
    what: str | Sequence[str] | None = None,
    path: str | os.PathLike[str] | None = None,
    size: tuple[float, float] | None = None,
) -> Figure | None:
    """Plots of a run over time: joints, torques, energy [J] and its balance; a notebook shows them.

    `what` names one panel or several of joints, velocities, torques, energy, balance, phase; without it there are four:
    joints, torques (or velocities where there are none), energy, balance. `path` also writes a .png, .svg or .pdf,
    atomically. `size` is the sheet's width and height [in]. The figure needs the extra `plot`: raises MissingExtraError
    without it, but for an .svg, which is written all the same (and None returned). Raises InputError for what cannot
    be drawn.
    """
    names = chosen_panels(what, trajectory)
    target = plot_file(path)
    return show(sheet_of(trajectory, names, size), target)


def chosen_panels(what: str | Sequence[str] | None, trajectory: Trajectory) -> tuple[str, ...]:
    """The requested panels; by default positions, torques (or velocities), energy and its balance.

    Raises InputError for a name that is not in the table.
    """
    if what is None:
        return ("joints", "torques" if trajectory.tau.any() else "velocities", "energy", "balance")
    if not isinstance(what, str | Sequence):
        raise InputError(f"plot: {what!r} was given; it takes names of panels: {', '.join(PANELS)}.")
    names = (what,) if isinstance(what, str) else tuple(str(name) for name in what)
    for name in names:
        require_known("panel", name, PANELS, "plot")
    if not names:
        raise InputError(f"plot: no panel was given. Give some of {', '.join(PANELS)}, or nothing for a sheet.")
    return tuple(dict.fromkeys(names))


def sheet_of(trajectory: Trajectory, names: Sequence[str], size: tuple[float, float] | None) -> PlotSheet:
    """The panels in one column, or in two where there are more than two."""
    columns = 1 if len(names) <= 2 else 2
    cells = [PANELS[name](trajectory) for name in names]
    rows = tuple(tuple(cells[k : k + columns]) for k in range(0, len(cells), columns))
    heights = tuple(ROW * (1.5 if any(len(cell) > 1 for cell in row) else 1.0) for row in rows)
    legend = _legend(trajectory, set(names).issubset(WITHOUT_JOINTS))
    return PlotSheet(
        heading(trajectory), rows, heights, size or (5.6 * columns + 1.4, sum(heights) + 1.3), tuple(legend)
    )


def heading(trajectory: Trajectory) -> str:
    """Arm, duration, method and step, such as "panda: falls 5 s, implicit midpoint, 1 ms"."""
    about, t = trajectory.about, trajectory.t
    is_falling = not trajectory.tau.any() and any(trajectory.arm.gravity)
    parts = [f"{trajectory.arm.name}: {'falls' if is_falling else 'moves'} {duration(float(t[-1] - t[0]))}"]
    if isinstance(about.get("method"), str):
        parts.append(about["method"].replace("_", " "))
    if isinstance(about.get("step"), float | int):
        parts.append(duration(float(about["step"])))
    elif isinstance(about.get("rtol"), float | int):
        parts.append(f"rtol {about['rtol']:g}")
    return ", ".join(parts)


def duration(seconds: float) -> str:
    """A time in the unit in which it is a small number."""
    if seconds == 0 or not math.isfinite(seconds) or seconds >= 0.1:
        return f"{seconds:.4g} s"
    return f"{seconds * 1e3:.4g} ms" if seconds >= 1e-4 else f"{seconds * 1e6:.4g} µs"


def joints_over_time(column: Callable[[Trajectory], Array], title: str, labels: Labels) -> Callable[[Trajectory], Cell]:
    """Panels of a quantity with one curve per joint; angles and lengths have panels of their own."""

    def panels(trajectory: Trajectory) -> Cell:
        t, values, groups = trajectory.t, column(trajectory), _joints_by_unit(trajectory.arm)
        last = len(groups) - 1
        return tuple(
            _time_plot(
                trajectory, "" if i else title, labels.of(is_angle),
                [over_time(t, values[:, k], Pen(*joint_style(k))) for k in joints],
                x_label="time [s]" if i == last else "",
            )
            for i, (is_angle, joints) in enumerate(groups)
        )  # fmt: skip

    return panels


def phase_portraits(trajectory: Trajectory) -> Cell:
    """Velocity over position of every joint; a dot where the run starts."""

    def curve(k: int) -> Curve:
        q, qd = trajectory.q[:, k], trajectory.qd[:, k]
        rows = rows_to_draw(q, qd)
        return Curve(q[rows], qd[rows], Pen(*joint_style(k), width=1.2), has_dot=True)

    return tuple(
        Plot("" if i else "phase portrait", POSITION.of(is_angle), VELOCITY.of(is_angle), tuple(map(curve, joints)))
        for i, (is_angle, joints) in enumerate(_joints_by_unit(trajectory.arm))
    )


def energies(trajectory: Trajectory) -> Cell:
    """Kinetic, potential and total energy, and the energy that flowed in through each account since the start [J]."""
    t, ledger = trajectory.t, trajectory.energy
    curves = [
        over_time(t, ledger.kinetic, Pen(KINETIC, label="kinetic")),
        over_time(t, ledger.potential, Pen(POTENTIAL, label="potential")),
        over_time(t, ledger.total, Pen(TOTAL, width=2.0, label="total")),
    ]
    curves += [
        over_time(t, work, Pen(WORKS.get(account, COLOURS[0]), "--", label=f"{account} work"))
        for account, work in ledger.works.items()
    ]
    return (_time_plot(trajectory, "energy", "energy [J]", curves),)


def balance(trajectory: Trajectory) -> Cell:
    """|total - total at the start - works| relative to the energy exchanged, on a logarithmic axis."""
    ledger = trajectory.energy
    imbalance = np.abs(ledger.balance) / (ledger.scale or 1.0)
    largest, given = float(imbalance.max()), trajectory.about.get("bound")
    bound = given if isinstance(given, float) and given > 0 else 0.0
    pen = Pen(COLOURS[2], label=f"largest {largest:.2g}")
    line = Pen(BOUND, "--", 1.2, label=f"bound {bound:.2g}")
    return (
        _time_plot(
            trajectory, "energy balance", "imbalance / energy exchanged",
            [over_time(trajectory.t, np.maximum(imbalance, FLOOR), pen)],
            levels=((bound, line),) if bound else (),
            y_range=(FLOOR / 2, 10 ** math.ceil(math.log10(max(largest, bound, 1e-13)) + 0.5)),
        ),
    )  # fmt: skip


PANELS: Mapping[str, Callable[[Trajectory], Cell]] = {
    "joints": joints_over_time(lambda run: run.q, "joints", POSITION),
    "velocities": joints_over_time(lambda run: run.qd, "velocities", VELOCITY),
    "torques": joints_over_time(lambda run: run.tau, "torques", TORQUE),
    "energy": energies,
    "balance": balance,
    "phase": phase_portraits,
}
WITHOUT_JOINTS = ("energy", "balance")
"""Panels that have no curve per joint, and so no need of the joints' legend."""


def _joints_by_unit(arm: Arm) -> list[tuple[bool, list[int]]]:
    """The joints that are angles (True) and those that are lengths (False), where there are such."""
    is_angle = Units.of(arm).is_angle
    groups = [(kind, [k for k, turns in enumerate(is_angle) if turns is kind]) for kind in (True, False)]
    return [(kind, joints) for kind, joints in groups if joints]


def _time_plot(
    trajectory: Trajectory,
    title: str,
    y_label: str,
    curves: Sequence[Curve],
    *,
    x_label: str = "time [s]",
    levels: tuple[tuple[float, Pen], ...] = (),
    y_range: tuple[float, float] | None = None,
) -> Plot:
    """The whole run from edge to edge, with a thin line at each event: its stroke says what happened, its colour to
    which joint. A `y_range` is logarithmic.
    """
    t, events = trajectory.t, trajectory.events
    is_crowded = len(events) > MANY_EVENTS
    return Plot(
        title, x_label, y_label, tuple(curves), levels,
        uprights=() if is_crowded else _event_lines(trajectory),
        marks=tuple(event.t for event in events) if is_crowded else (),
        x_range=(float(t[0]), float(t[-1])) if t[-1] > t[0] else None,
        y_range=y_range,
        is_log=y_range is not None,
    )  # fmt: skip


def _event_lines(trajectory: Trajectory) -> tuple[tuple[float, Pen], ...]:
    names, strokes = trajectory.arm.joint_names, _event_strokes(trajectory)
    colours = {name: joint_style(k)[0] for k, name in enumerate(names)}
    return tuple(
        (event.t, Pen(colours.get(event.joint or "", palette.SOFT_INK), strokes[event.what], 0.9, 0.75))
        for event in trajectory.events
    )


def _event_strokes(trajectory: Trajectory) -> dict[str, Stroke]:
    """A stroke for each kind of event."""
    kinds = dict.fromkeys(event.what for event in trajectory.events)
    return {kind: EVENTS[k % len(EVENTS)] for k, kind in enumerate(kinds)}


def _legend(trajectory: Trajectory, is_without_joints: bool) -> list[Pen]:
    """Joints and kinds of event, once for all panels."""
    names = () if is_without_joints else trajectory.arm.joint_names[:MOST_NAMES]
    pens = [Pen(*joint_style(k), 1.8, label=name) for k, name in enumerate(names)]
    count = len(trajectory.events)
    strokes = _event_strokes(trajectory) if count <= MANY_EVENTS else {f"{count} events": "-"}
    return pens + [Pen(palette.SOFT_INK, stroke, 1.0, label=kind) for kind, stroke in strokes.items()]
