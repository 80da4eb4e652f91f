"""The public way in: a run as a sheet of curves.

The panels a plot can have, by name.

Panels of the energy ledger: what the arm holds and what flowed into it, and how exactly the two agree.

What a run was, in one line.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from leverarm.atomic_write import atomic_write
from leverarm.errors import InputError, MissingExtraError, path_text, unknown_name
from leverarm.model import Arm
from leverarm.pictures import palette
from leverarm.simulation.trajectories.plots.joint_panels import (
    BOUND,
    CURVES,
    KINETIC,
    MANY_EVENTS,
    POSITION,
    POTENTIAL,
    TORQUE,
    TOTAL,
    VELOCITY,
    WORKS,
    Array,
    Cell,
    Panel,
    Stroke,
    curve,
    draw_curve,
    event_strokes,
    finish_time_axis,
    joints_by_unit,
    new_axes,
    over_time,
    phase_portrait,
    plain,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from leverarm.simulation.trajectories.records import EnergyLedger
    from leverarm.simulation.trajectories.trajectory import Trajectory


FLOOR = 1e-17
"""An imbalance below this is drawn here: a logarithmic axis has no zero, and doubles end at 1e-16."""
MOST_IN_LINE = 5
"""Names of curves that fit beside a panel's title."""


def energies(cell: Cell, trajectory: Trajectory) -> None:
    """Kinetic, potential and total energy, and the energy that flowed in through each account since the start [J]."""
    axes = new_axes(cell, "energy")
    t, ledger = trajectory.t, trajectory.energy
    draw_curve(axes, t, ledger.kinetic, KINETIC, label="kinetic")
    draw_curve(axes, t, ledger.potential, POTENTIAL, label="potential")
    draw_curve(axes, t, ledger.total, TOTAL, linewidth=2.0, label="total")
    for account, work in ledger.works.items():
        draw_curve(axes, t, work, WORKS.get(account, CURVES[0]), "--", label=plain(f"{account} work"))
    axes.set_ylabel("energy [J]")
    _finish(axes, trajectory)


def balance(cell: Cell, trajectory: Trajectory) -> None:
    """|total - total at the start - works|, as a part of the energy that moved, on a logarithmic axis."""
    axes = new_axes(cell, "energy balance")
    imbalance = _relative(trajectory.energy)
    largest, bound = float(imbalance.max()), trajectory.about.get("bound")
    draw_curve(axes, trajectory.t, np.maximum(imbalance, FLOOR), CURVES[2], label=f"largest {largest:.2g}")
    if isinstance(bound, float) and bound > 0:
        axes.axhline(bound, color=BOUND, linestyle="--", linewidth=1.2, label=f"bound {bound:.2g}")
    axes.set_yscale("log")
    high = max(largest, bound if isinstance(bound, float) else 0.0, 1e-13)
    axes.set_ylim(FLOOR / 2, 10 ** np.ceil(np.log10(high) + 0.5))
    axes.set_ylabel("imbalance / energy that moved")
    _finish(axes, trajectory)


def _relative(ledger: EnergyLedger) -> Array:
    """|balance| at every row as a part of the energy that moved; 0 where nothing did."""
    imbalance: Array = np.abs(ledger.balance)
    return imbalance / ledger.scale if ledger.scale else imbalance


def _finish(axes: Any, trajectory: Trajectory) -> None:
    finish_time_axis(axes, trajectory)
    axes.set_xlabel("time [s]")
    curves = len(axes.get_legend_handles_labels()[0])
    lines = -(-curves // MOST_IN_LINE)
    axes.legend(
        fontsize=8.5, ncols=-(-curves // lines) if lines else 1, frameon=False, columnspacing=1.2, handlelength=1.6,
        loc="lower right", bbox_to_anchor=(1.01, 0.985), borderaxespad=0,
    )  # fmt: skip


PANELS: Mapping[str, Panel] = {
    "joints": over_time(lambda run: run.q, "joints", POSITION),
    "velocities": over_time(lambda run: run.qd, "velocities", VELOCITY),
    "torques": over_time(lambda run: run.tau, "torques", TORQUE),
    "energy": energies,
    "balance": balance,
    "phase": phase_portrait,
}
WITHOUT_JOINTS = ("energy", "balance")
"""Panels that have no curve per joint, and so no need of the joints' legend."""


def chosen_panels(what: str | Sequence[str] | None, trajectory: Trajectory) -> tuple[str, ...]:
    """The panels asked for; if none were, those that tell what drove the arm, how it moved, and whether to trust it.

    Raises InputError for a name that is not in the table.
    """
    if what is None:
        return ("joints", "torques" if trajectory.tau.any() else "velocities", "energy", "balance")
    if not isinstance(what, str | Sequence):
        raise InputError(f"plot: {what!r} was given; it takes names of panels: {', '.join(PANELS)}.")
    names = (what,) if isinstance(what, str) else tuple(str(name) for name in what)
    for name in names:
        if name not in PANELS:
            raise InputError("plot: " + unknown_name("panel", name, PANELS))
    if not names:
        raise InputError(f"plot: no panel was asked for. Give some of {', '.join(PANELS)}, or nothing for a sheet.")
    return tuple(dict.fromkeys(names))


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


ENDINGS = (".png", ".svg", ".pdf")
ROW = 2.9
"""Height of a row of panels [in]."""
MOST_NAMES = 28
"""Joints that are named in the legend."""


def plot(
    trajectory: Trajectory,
    what: str | Sequence[str] | None = None,
    path: str | os.PathLike[str] | None = None,
    size: tuple[float, float] | None = None,
) -> Figure:
    """Curves of a run over time: joints, torques, energy [J] and how well the ledger closes; a notebook shows them.

    `what` names one panel or several of joints, velocities, torques, energy, balance, phase; without it there are four
    that tell the story. `path` also writes a .png, .svg or .pdf, whole or not at all. `size` is the sheet's width and
    height [in]. Needs the extra `plot`: raises MissingExtraError without it, InputError for what cannot be drawn.
    """
    names = chosen_panels(what, trajectory)
    target = None if path is None else _checked_target(path)
    try:
        from leverarm.simulation.trajectories.plots.figure import blank, picture
    except ImportError:
        raise MissingExtraError(
            "plots need matplotlib, which is not installed. Run: pip install 'leverarm[plot]'."
        ) from None
    columns = 1 if len(names) <= 2 else 2
    rows = -(-len(names) // columns)
    heights = [_row_height(names[k * columns : (k + 1) * columns], trajectory.arm) for k in range(rows)]
    figure = blank(*(size or (5.6 * columns + 1.4, sum(heights) + 1.3)))
    grid = figure.add_gridspec(rows, columns, height_ratios=heights)
    for k, name in enumerate(names):
        row, column = divmod(k, columns)
        is_alone = k == len(names) - 1 and column == 0
        PANELS[name](grid[row, :] if is_alone else grid[row, column], trajectory)
    figure.suptitle(plain(heading(trajectory)), color=palette.INK, fontsize=13, fontweight="bold")
    _add_legend(figure, trajectory, set(names).issubset(WITHOUT_JOINTS))
    if target is not None:
        atomic_write(picture(figure, target.suffix[1:].lower()), target)
    return figure


def _row_height(names: Sequence[str], arm: Arm) -> float:
    """Room for a row of panels [in]; more where angles and lengths stand one above the other."""
    is_split = len(joints_by_unit(arm)) > 1 and not set(names).issubset(WITHOUT_JOINTS)
    return ROW * (1.5 if is_split else 1.0)


def _checked_target(path: str | os.PathLike[str]) -> Path:
    target = Path(path_text(path, "run.png"))
    if target.suffix.lower() not in ENDINGS:
        raise InputError(
            f"{os.fspath(path)!r}: a plot is written as .png, .svg or .pdf. Give a name with such an ending."
        )
    if not target.parent.is_dir():
        raise InputError(f"{os.fspath(path)!r}: there is no folder {str(target.parent)!r}. Make it first.")
    return target


def _add_legend(figure: Figure, trajectory: Trajectory, is_without_joints: bool) -> None:
    """Joints and kinds of event, once for all panels, below them."""
    from matplotlib.lines import Line2D

    names = () if is_without_joints else trajectory.arm.joint_names
    handles = [
        Line2D([], [], color=curve(k)[0], linestyle=curve(k)[1], linewidth=1.8, label=plain(name))
        for k, name in enumerate(names[:MOST_NAMES])
    ]
    kinds = [event.what for event in trajectory.events]
    strokes: dict[str, Stroke] = event_strokes(kinds) if len(kinds) <= MANY_EVENTS else {f"{len(kinds)} events": "-"}
    handles += [
        Line2D([], [], color=palette.SOFT_INK, linestyle=stroke, linewidth=1.0, label=plain(kind))
        for kind, stroke in strokes.items()
    ]
    if handles:
        wide = max(len(str(handle.get_label())) for handle in handles)
        columns = max(1, int(figure.get_figwidth() * 9 / (wide + 7)))
        figure.legend(
            handles=handles, loc="outside lower center", ncols=min(columns, len(handles)), frameon=False, fontsize=9
        )
