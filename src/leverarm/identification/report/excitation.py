"""An exciting motion as a document: condition numbers, use of the limits, plots of every joint, findings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from leverarm.arrays import Array
from leverarm.documents import Code, Document, Facts, Figure, Level, Paragraph, Section, Table
from leverarm.documents.findings import findings_section
from leverarm.formats.loading import python_of_arm
from leverarm.identification.excitation.result import Excitation
from leverarm.identification.report.numbers import short
from leverarm.pictures.plot_sheet import BOUND, COLOURS, Pen, Plot, PlotSheet, over_time
from leverarm.pictures.svg import figure_to_svg
from leverarm.simulation.trajectories.limits import JointLimits

USES = ("position", "velocity", "acceleration", "effort", "forward", "backward")
LIMITS = (
    "Maximum use of each limit, and share of the time in which a joint is faster, forward or backward, than the speed "
    "below which the direction of its friction is uncertain."
)
DASHED = "Dashed lines are limits, where the motion comes near them."
CONDITION = (
    "Condition numbers are those of the base regressor, rows over the joints' effort limits and columns scaled to "
    "length one."
)


def excitation_document(found: Excitation) -> Document:
    """The report on an exciting motion."""
    before, after = found.before, found.after
    about = (
        f"{found.duration:g} s, {found.harmonics} harmonics of {found.frequency:g} Hz, "
        f"{len(found.base_parameters)} base parameters, seed {found.seed}, found in {short(found.seconds, 3)} s"
    )
    conditions = tuple(
        (name, short(getattr(before, field), 3), short(getattr(after, field), 3))
        for name, field in (
            ("columns of length one", "condition"),
            ("in SI units", "raw_condition"),
            ("without friction and rotors", "rigid_condition"),
        )
    )
    uses = [name for name in USES if any(getattr(use, name) is not None for use in found.uses)]
    rows = tuple((use.joint, *(_percent(getattr(use, name)) for name in uses)) for use in found.uses)
    start = f"q = {found.trajectory.q[0].round(6).tolist()}  # where the motion begins and ends, at rest"
    return Document(
        title=f"Exciting motion of {found.arm.name}",
        summary=(
            Paragraph((f"{about}.",)),
            Facts((
                ("condition number", short(after.condition, 3), f"{short(before.condition, 3)} at the start"),
                ("smaller standard errors", f"{short(found.error_ratio, 3)} times", "than with the random motion"),
            )),
        ),
        sections=(
            Section("Condition numbers", (
                Table(("", "random motion", "this motion"), conditions, numeric=(1, 2)),
                Paragraph((CONDITION,), "aside"),
                Code(start),
            )),
            Section("Use of the limits", (
                Table(("joint", *uses), rows, numeric=tuple(range(1, len(uses) + 1))), Paragraph((LIMITS,), "aside"),
            )),
            Section("Motion", (Paragraph((DASHED,), "aside"), *_figures(found)), level=Level.FULL),
            findings_section(found.findings),
        ),
        code=f"import leverarm as la\n\n{python_of_arm(found.arm)}",
        data=excitation_data(found),
        layout="report",
    )  # fmt: skip


def _percent(x: float | None) -> str:
    return "" if x is None else f"{x:.1f} %"


def excitation_data(found: Excitation) -> dict[str, Any]:
    """The motion in numbers, as plain data; its rows are in the file of the motion."""
    settings = ("duration", "harmonics", "frequency", "rate", "margin", "seed")
    return {
        "arm": found.arm.name,
        "joints": list(found.arm.joint_names),
        **{"base_frequency" if name == "frequency" else name: getattr(found, name) for name in settings},
        "base_parameters": list(found.base_parameters),
        "before": asdict(found.before),
        "after": asdict(found.after),
        "error_ratio": found.error_ratio,
        "limits_kept": found.limits.ok,
        "uses": [asdict(use) for use in found.uses],
        "start": found.trajectory.q[0].tolist(),
        "findings": [asdict(finding) for finding in found.findings],
        "finished": found.finished,
        "seconds": found.seconds,
    }


PANELS = (
    ("position", "rad", "m"),
    ("velocity", "rad/s", "m/s"),
    ("acceleration", "rad/s²", "m/s²"),
    ("torque", "N m", "N"),
)
FAR = 0.6
"""A limit farther from the curve than this part of half its range is not drawn: it would flatten the curve."""
SIZE = (4.6, 4.6)
"""Of a figure with the panels of one joint [in]."""


def joint_plots(found: Excitation) -> tuple[tuple[Plot, ...], ...]:
    """Of each joint its position, velocity, acceleration and torque over time, with limits as dashed lines."""
    joints, run = JointLimits.of(found.arm), found.trajectory
    free = np.full(len(joints.names), np.inf)
    columns = (
        (joints.positions(run.q), joints.lower, joints.upper),
        (joints.velocities(run.qd), -joints.velocity, joints.velocity),
        (joints.velocities(run.qdd), -free, free),
        (joints.efforts(run.tau), -joints.effort, joints.effort),
    )

    def panel(i: int, k: int) -> Plot:
        what, angular, linear = PANELS[k]
        values, lower, upper = (each[..., i] for each in columns[k])
        return Plot(
            what if k else f"{joints.names[i]}: {what}",
            "time [s]" if what == "torque" else "",
            joints.unit(i, angular, linear),
            (over_time(run.t, values, Pen(COLOURS[k])),),
            _limits(values, float(lower), float(upper)),
            x_range=(float(run.t[0]), float(run.t[-1])),
        )

    return tuple(tuple(panel(i, k) for k in range(len(PANELS))) for i in range(len(joints.names)))


def plot_sheet(found: Excitation) -> PlotSheet:
    """A row of panels for each joint."""
    plots = joint_plots(found)
    labels = zip(plots, [*("" for _ in plots[1:]), "time [s]"], strict=True)
    rows = tuple(tuple((replace(plot, x_label=label),) for plot in row) for row, label in labels)
    heading = (
        f"{found.arm.name}: excitation, {found.duration:g} s, {found.harmonics} harmonics of {found.frequency:g} Hz, "
        f"condition number {found.before.condition:.3g} to {found.after.condition:.3g}; dashed: limits"
    )
    return PlotSheet(heading, rows, (1.5,) * len(rows), (14.0, 1.5 * len(rows) + 1.2))


def _figures(found: Excitation) -> Iterator[Figure]:
    for name, cell in zip(JointLimits.of(found.arm).names, joint_plots(found), strict=True):
        yield Figure(figure_to_svg(PlotSheet(f"{name}: the motion over time", ((cell,),), (1.0,), SIZE)))


def _limits(values: Array, lower: float, upper: float) -> tuple[tuple[float, Pen], ...]:
    """Dashed lines at the limits that the curve comes near."""
    near = FAR * (upper - lower) / 2
    rooms = ((lower, values.min() - lower), (upper, upper - values.max()))
    return tuple((limit, Pen(BOUND, "--", 1.0)) for limit, room in rooms if np.isfinite(limit) and room < near)
