"""A motion as curves: for each joint its position, velocity, acceleration and torque, with their limits."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from leverarm.arrays import Array
from leverarm.errors import InputError, MissingExtraError
from leverarm.trajectories.joint_limits import JointLimits
from leverarm.trajectories.plots.joint_panels import draw_curve, new_axes
from leverarm.trajectories.plots.styles import BOUND, CURVES, plain
from leverarm.whole_file import write_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from leverarm.excitation.excitation import Excitation

ENDINGS = (".png", ".svg", ".pdf")
PANELS = (
    ("position", "rad", "m"),
    ("velocity", "rad/s", "m/s"),
    ("acceleration", "rad/s²", "m/s²"),
    ("torque", "N m", "N"),
)
FAR = 0.6
"""A limit farther from the curve than this part of half its range is not drawn: it would flatten the curve."""


def plot(excitation: Excitation, path: str | os.PathLike[str] | None = None) -> Figure:
    """The motion of every joint with its limits (dashed) as a figure; also written where a path is given.

    Needs the extra `plot`: raises MissingExtraError without it, InputError for a path that no picture has.
    """
    target = None if path is None else _checked(path)
    try:
        from leverarm.trajectories.plots.figure import blank, picture
    except ImportError:
        raise MissingExtraError(
            "plots need matplotlib, which is not installed. Run: pip install 'leverarm[plot]'."
        ) from None
    joints = JointLimits.of(excitation.arm)
    run, count = excitation.trajectory, len(joints.names)
    values = (
        joints.positions(run.q), joints.velocities(run.qd), joints.velocities(run.qdd), joints.efforts(run.tau),
    )  # fmt: skip
    ranges = (
        (joints.lower, joints.upper),
        (-joints.velocity, joints.velocity),
        (np.full(count, -np.inf), np.full(count, np.inf)),
        (-joints.effort, joints.effort),
    )
    figure = blank(14.0, 1.5 * count + 1.2)
    grid = figure.add_gridspec(count, len(PANELS))
    for i, name in enumerate(joints.names):
        for k, (what, angular, linear) in enumerate(PANELS):
            axes = new_axes(grid[i, k], what if i == 0 else "")
            draw_curve(axes, run.t, values[k][:, i], CURVES[k])
            _limits(axes, values[k][:, i], float(ranges[k][0][i]), float(ranges[k][1][i]))
            axes.set_xlim(run.t[0], run.t[-1])
            axes.set_ylabel((f"{plain(name)}\n" if k == 0 else "") + joints.unit(i, angular, linear))
            axes.tick_params(labelbottom=i == count - 1)
            if i == count - 1:
                axes.set_xlabel("time [s]")
    figure.suptitle(plain(_heading(excitation)), fontsize=13, fontweight="bold")
    if target is not None:
        write_whole(picture(figure, target.suffix[1:].lower()), target)
    return figure


def _limits(axes: Any, values: Array, lower: float, upper: float) -> None:
    """Dashed lines at the limits that the curve comes near."""
    near = FAR * (upper - lower) / 2
    for limit, distance in ((lower, values.min() - lower), (upper, upper - values.max())):
        if np.isfinite(limit) and distance < near:
            axes.axhline(limit, color=BOUND, linestyle="--", linewidth=1.0)


def _heading(excitation: Excitation) -> str:
    return (
        f"{excitation.arm.name}: excitation, {excitation.duration:g} s, {excitation.harmonics} harmonics of "
        f"{excitation.frequency:g} Hz, condition number {excitation.before.condition:.3g} to "
        f"{excitation.after.condition:.3g}; dashed: limits"
    )


def _checked(path: str | os.PathLike[str]) -> Path:
    target = Path(path)
    if target.suffix.lower() not in ENDINGS:
        raise InputError(
            f"{os.fspath(path)!r}: a plot is written as {', '.join(ENDINGS)}. Give a name with such an ending."
        )
    if not target.parent.is_dir():
        raise InputError(f"{os.fspath(path)!r}: there is no folder {str(target.parent)!r}. Make it first.")
    return target
