"""The report of a simulation: how it was computed, the final state, the energy balance, and a chart of the energies."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

import leverarm as la
from leverarm.cli.output import Column, print_lines, short, table, terminal_columns

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text


SHOWN_EVENTS = 5


@dataclass(frozen=True, slots=True)
class Ran:
    """A run, the time it took [s], whether it went on from an earlier one, and the files that were written."""

    trajectory: la.types.Trajectory
    took: float
    is_resumed: bool
    files: Sequence[str]

    @property
    def faster(self) -> float | None:
        """Seconds of motion per second of computing; unknown where only a part of the run was computed now."""
        return None if self.is_resumed or self.took <= 0 else self.trajectory.duration / self.took

    @property
    def steps(self) -> int | None:
        """How many steps were taken, where that is known."""
        about = self.trajectory.about
        if isinstance(about.get("step"), float):
            return int(self.trajectory.duration / about["step"] + 0.5)
        return int(about["steps"]) if "steps" in about else None


def facts(ran: Ran) -> dict[str, Any]:
    """The run as plain values, all digits kept."""
    trajectory = ran.trajectory
    energy, about = trajectory.energy, trajectory.about
    given = {name: about.get(name) for name in ("method", "step", "rtol", "atol", "record")}
    settings = {name: value for name, value in given.items() if value is not None}
    rows = {name: getattr(trajectory, name)[-1].tolist() for name in ("q", "qd", "qdd", "tau", "held")}
    return {
        "arm": trajectory.arm.name,
        "joints": list(trajectory.arm.joint_names),
        **settings,
        "complete": about.get("complete") is not False,
        "steps": ran.steps,
        "rows": len(trajectory),
        "seconds": ran.took,
        "real_time_factor": ran.faster,
        "final": {"t": float(trajectory.t[-1]), **rows},
        "energy": {
            **{name: getattr(energy, name)[[0, -1]].tolist() for name in ("kinetic", "potential", "total")},
            "works": {name: float(work[-1] - work[0]) for name, work in energy.works.items()},
            "balance": float(energy.balance[energy.worst]),
            "relative": energy.relative,
            "scale": energy.scale,
        },
        "events": [event._asdict() for event in trajectory.events],
        "files": list(ran.files),
    }


def print_run(ran: Ran) -> None:
    """Prints the facts as tables, and the energies as a chart."""
    trajectory = ran.trajectory
    print_lines(_heading(ran), "", _state(trajectory), "", _ledger(trajectory.energy))
    if trajectory.events:
        print_lines("", *_events(trajectory))
    if ran.files:
        print_lines("", f"wrote {', '.join(ran.files)}")
    if len(trajectory) > 1:
        print_lines("", energy_chart(trajectory.energy, terminal_columns()))


def energy_chart(energy: la.types.EnergyLedger, columns: int) -> Text:
    """K, P and K + P [J] over time [s], no wider than the columns; P is 0 at the start."""
    from leverarm.pictures.terminal import Line, chart

    first = float(energy.potential[0])
    lines = (
        Line("K", "kinetic", energy.kinetic, "yellow"),
        Line("P", f"potential less {first:.6g}" if first else "potential", energy.potential - first, "bright_blue"),
        Line("E", "total", energy.total - first, "green", every=6),  # often level: a row of dots is enough
    )
    return chart("energy [J]", energy.t, lines, columns)


def _heading(ran: Ran) -> str:
    known = ran.trajectory.facts()
    steps = f"{ran.steps:,} steps, " if ran.steps is not None else ""
    line = f"{known['arm']}: {known['duration']} by {known.get('method', 'an unknown method')}"
    computed = "the rest computed" if ran.is_resumed else "computed"
    faster = "" if ran.faster is None else f", {ran.faster:.3g} times real time"
    return f"{line}\n{steps}{known['rows']} rows, {computed} in {ran.took:.3g} s{faster}"


def _state(trajectory: la.types.Trajectory) -> RenderableType:
    """Where the joints ended."""
    numbers = [Column(x, is_number=True) for x in ("q", "qd", "qdd", "tau")]
    heads = [Column("joint"), *numbers, Column("unit"), Column("held")]
    units = _units(trajectory.arm)
    rows = [
        [name, *(short(float(part[-1][k])) for part in (trajectory.q, trajectory.qd, trajectory.qdd, trajectory.tau)),
         units[name], "yes" if trajectory.held[-1][k] else ""]
        for k, name in enumerate(trajectory.arm.joint_names)
    ]  # fmt: skip
    return table(f"at t = {short(float(trajectory.t[-1]))} s", heads, rows)


def _units(arm: la.Arm) -> dict[str, str]:
    """Of q and tau, by joint."""
    return {body.joint.name: "m, N" if body.joint.kind is la.JointKind.PRISMATIC else "rad, N m" for body in arm.bodies}


def _ledger(energy: la.types.EnergyLedger) -> RenderableType:
    """What the arm had, what flowed into it, and what is unexplained, to the sixth digit of what moved."""
    decimals = 5 - math.floor(math.log10(energy.scale)) if energy.scale else 0

    def joules(x: float, sign: str = "-") -> str:
        return f"{round(x, decimals) + 0.0:{sign}.{min(max(decimals, 0), 12)}f}"

    heads = [Column("energy [J]"), *(Column(x, is_number=True) for x in ("at first", "at last", "change"))]
    had = {"kinetic K": energy.kinetic, "potential P": energy.potential, "K + P": energy.total}
    rows = [[name, joules(x[0]), joules(x[-1]), joules(x[-1] - x[0], "+")] for name, x in had.items()]
    rows += [[f"work of {name}", "", "", joules(work[-1] - work[0], "+")] for name, work in energy.works.items()]
    rows.append(["unexplained, at most", "", "", f"{float(energy.balance[energy.worst]):.1e}"])
    part = f": {energy.relative:.1e} of what moved is unexplained" if energy.scale else ""
    return table(f"energy{part}", heads, rows)


def _events(trajectory: la.types.Trajectory) -> list[RenderableType]:
    events = trajectory.events
    rows = [[f"{event.t:.9g}", event.joint or "", event.what] for event in events[:SHOWN_EVENTS]]
    count = f"{len(events)} event{'s' * (len(events) != 1)}"
    title = count if len(events) <= SHOWN_EVENTS else f"{count}, the first {SHOWN_EVENTS}"
    return [table(title, [Column("t [s]", is_number=True), Column("joint"), Column("what")], rows)]


LONGEST_FILM = 30.0
"""A longer run is shown faster than it happened, in this time [s]."""


def write_animation(trajectory: la.types.Trajectory, path: str) -> None:
    """Writes the moving picture, a long run faster than it happened, and says so; shows a bar in a terminal."""
    speed = max(1.0, trajectory.duration / LONGEST_FILM)
    with _bar(f"drawing {path}") as progress:
        trajectory.animate(path, speed=speed, progress=progress)
    if speed > 1:
        click.echo(f"note: {path} shows {trajectory.duration:g} s in {LONGEST_FILM:g} s.", err=True)


@contextmanager
def _bar(doing: str) -> Iterator[Callable[[int, int], None] | None]:
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(doing, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
