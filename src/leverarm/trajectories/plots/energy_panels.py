"""Panels of the energy ledger: what the arm holds and what flowed into it, and how exactly the two agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from leverarm.trajectories.plots.envelope import Array
from leverarm.trajectories.plots.joint_panels import Cell, draw_curve, finish_time_axis, new_axes
from leverarm.trajectories.plots.styles import BOUND, CURVES, KINETIC, POTENTIAL, TOTAL, WORKS, plain

if TYPE_CHECKING:
    from leverarm.trajectories.ledger import EnergyLedger
    from leverarm.trajectories.trajectory import Trajectory

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
