"""The report of a simulation: how it was computed, the final state, the energy balance, and a chart of the energies."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

import leverarm as la
from leverarm.cli.output import print_document, print_lines, short, terminal_columns
from leverarm.cli.progress import progress_bar
from leverarm.documents import Document, Paragraph, Section, Table

if TYPE_CHECKING:
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
    """Prints the run as a document, and the energies as a chart."""
    print_document(run_document(ran))
    if ran.files:
        print_lines(f"wrote {', '.join(ran.files)}", "")
    if len(ran.trajectory) > 1:
        print_lines(energy_chart(ran.trajectory.energy, terminal_columns()))


def run_document(ran: Ran) -> Document:
    """How it was computed, where the joints ended, the energy balance, and the first events."""
    trajectory, known = ran.trajectory, ran.trajectory.facts()
    steps = f"{ran.steps:,} steps, " if ran.steps is not None else ""
    computed = "the rest computed" if ran.is_resumed else "computed"
    faster = "" if ran.faster is None else f", {ran.faster:.3g} times real time"
    events = trajectory.events
    count = f"{len(events)} event{'s' * (len(events) != 1)}"
    shown = count if len(events) <= SHOWN_EVENTS else f"{count}, the first {SHOWN_EVENTS}"
    rows = tuple((f"{event.t:.9g}", event.joint or "", event.what) for event in events[:SHOWN_EVENTS])
    happened = Section(shown, (Table(("t [s]", "joint", "what"), rows, numeric=(0,)),))
    return Document(
        f"{known['arm']}: {known['duration']} by {known.get('method', 'an unknown method')}",
        (Paragraph((f"{steps}{known['rows']} rows, {computed} in {ran.took:.3g} s{faster}.",)),),
        (
            Section(f"State at t = {short(float(trajectory.t[-1]))} s", (_state(trajectory),)),
            _balance(trajectory.energy),
            *((happened,) if events else ()),
        ),
        layout="report",
    )


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


def _state(trajectory: la.types.Trajectory) -> Table:
    """Where the joints ended."""
    sliding = [body.joint.name for body in trajectory.arm.bodies if body.joint.kind.only_slides]
    parts = (trajectory.q, trajectory.qd, trajectory.qdd, trajectory.tau)
    rows = tuple(
        (name, *(short(float(part[-1][k])) for part in parts), "m, N" if name in sliding else "rad, N m",
         "held" if trajectory.held[-1][k] else "")
        for k, name in enumerate(trajectory.arm.joint_names)
    )  # fmt: skip
    return Table(("joint", "q", "qd", "qdd", "tau", "unit", ""), rows, numeric=(1, 2, 3, 4))


def _balance(energy: la.types.EnergyLedger) -> Section:
    """What the arm had, what flowed into it, and what is unexplained, to the sixth digit of what moved."""
    decimals = 5 - math.floor(math.log10(energy.scale)) if energy.scale else 0

    def joules(x: float, sign: str = "-") -> str:
        return f"{round(x, decimals) + 0.0:{sign}.{min(max(decimals, 0), 12)}f}"

    had = {"kinetic K": energy.kinetic, "potential P": energy.potential, "K + P": energy.total}
    rows = [(name, joules(x[0]), joules(x[-1]), joules(x[-1] - x[0], "+")) for name, x in had.items()]
    rows += [(f"work of {name}", "", "", joules(work[-1] - work[0], "+")) for name, work in energy.works.items()]
    rows.append(("unexplained, at most", "", "", f"{float(energy.balance[energy.worst]):.1e}"))
    part = f": {energy.relative:.1e} of what moved is unexplained" if energy.scale else ""
    table = Table(("energy [J]", "at first", "at last", "change"), tuple(rows), numeric=(1, 2, 3))
    return Section(f"Energy{part}", (table,))


LONGEST_FILM = 30.0
"""A longer run is shown faster than it happened, in this time [s]."""


def write_animation(trajectory: la.types.Trajectory, path: str) -> None:
    """Writes the moving picture, a long run faster than it happened, and says so; shows a bar in a terminal."""
    speed = max(1.0, trajectory.duration / LONGEST_FILM)
    with progress_bar(f"drawing {path}") as report:
        trajectory.animate(path, speed=speed, progress=lambda done, total: report(done / total, ""))
    if speed > 1:
        click.echo(f"note: {path} shows {trajectory.duration:g} s in {LONGEST_FILM:g} s.", err=True)
