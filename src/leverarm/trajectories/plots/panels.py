"""The panels a plot can have, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from leverarm.errors import InputError, unknown_name
from leverarm.trajectories.plots.energy_panels import balance, energies
from leverarm.trajectories.plots.joint_panels import POSITION, TORQUE, VELOCITY, Panel, over_time, phase_portrait

if TYPE_CHECKING:
    from leverarm.trajectories.trajectory import Trajectory

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
