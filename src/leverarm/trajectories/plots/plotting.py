"""The public way in: a run as a sheet of curves."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from leverarm.draw import palette
from leverarm.errors import InputError, MissingExtraError
from leverarm.model import Arm
from leverarm.trajectories.plots.heading import heading
from leverarm.trajectories.plots.joint_panels import MANY_EVENTS, joints_by_unit
from leverarm.trajectories.plots.panels import PANELS, WITHOUT_JOINTS, chosen_panels
from leverarm.trajectories.plots.styles import Stroke, curve, event_strokes, plain
from leverarm.whole_file import write_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from leverarm.trajectories.trajectory import Trajectory

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
        from leverarm.trajectories.plots.figure import blank, picture
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
        write_whole(picture(figure, target.suffix[1:].lower()), target)
    return figure


def _row_height(names: Sequence[str], arm: Arm) -> float:
    """Room for a row of panels [in]; more where angles and lengths stand one above the other."""
    is_split = len(joints_by_unit(arm)) > 1 and not set(names).issubset(WITHOUT_JOINTS)
    return ROW * (1.5 if is_split else 1.0)


def _checked_target(path: str | os.PathLike[str]) -> Path:
    target = Path(path)
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
