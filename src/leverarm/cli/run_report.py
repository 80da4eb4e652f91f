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
from leverarm.pictures.terminal import BITS, DOTS_ACROSS, DOTS_DOWN

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text


ROWS = 12
WIDEST, NARROWEST = 80, 32
"""Columns of the whole chart."""
LOOKS = 8
"""Looks at a curve per column of dots, so that fast swings fill the column they happen in."""

STYLES = {"K": "yellow", "P": "bright_blue", "E": "green"}
NAMED_AT = {"K": (0.16, 0.58), "P": (0.30, 0.72), "E": (0.44, 0.86)}
"""Where along the time each curve is interrupted by its letter, so that they can be told apart without colours."""
DOTTED = {"K": 1, "P": 1, "E": 6}
"""Every how many columns of dots a curve has one: the total is often level, and a row of dots is enough."""

Cell = tuple[int, int]
"""Row and column of a character."""


def energy_chart(energy: la.types.EnergyLedger, columns: int) -> Text:
    """K, P and K + P [J] over time [s], one line of text per row, no wider than the columns; P is 0 at the start."""
    first = float(energy.potential[0])
    curves = {"K": energy.kinetic, "P": energy.potential - first, "E": energy.total - first}
    low, high = _range([float(end) for curve in curves.values() for end in (curve.min(), curve.max())])
    labels = {_row(y, low, high): f"{y:.10g}" for y in _ticks(low, high, _nice((high - low) / 4))}
    margin = max(map(len, labels.values())) + 1
    width = max(min(columns, WIDEST), NARROWEST) - margin - 4
    cells = _drawn(curves, energy.t, width, low, high)
    ends = _ends({letter: _row(float(curve[-1]), low, high) for letter, curve in curves.items()})
    text = _legend(first)
    for row in range(ROWS):
        text.append(labels.get(row, "").rjust(margin - 1))
        text.append(" ┤" if row in labels else " │", "bright_black")
        for column in range(width):
            text.append(*cells.get((row, column), (" ", "")))
        if row in ends:
            text.append(f" {ends[row]}", f"bold {STYLES[ends[row]]}")
        text.append("\n")
    return text.append(_time_axis(float(energy.t[0]), float(energy.t[-1]), margin, width))


def _legend(first: float) -> Text:
    from rich.text import Text

    text = Text(no_wrap=True).append("energy [J]", "bold")
    start = f" less {first:.6g}" if first else ""
    for letter, meaning in (("K", "kinetic"), ("P", f"potential{start}"), ("E", "total")):
        text.append(f"   {letter}", f"bold {STYLES[letter]}").append(f" {meaning}")
    return text.append("\n")


def _drawn(curves: dict[str, Any], t: Any, width: int, low: float, high: float) -> dict[Cell, tuple[str, str]]:
    """The characters that are not blank, each with its style; where curves meet, the first one gives the colour."""
    import numpy as np

    dots: dict[Cell, int] = {}
    styles: dict[Cell, str] = {}
    letters: dict[Cell, tuple[str, str]] = {}
    across = width * DOTS_ACROSS
    times = np.linspace(t[0], t[-1], across * LOOKS + 1)
    for letter, curve in curves.items():
        down = ((high - np.interp(times, t, curve)) / (high - low) * (ROWS * DOTS_DOWN - 1)).round().astype(int)
        for x in range(0, across, DOTTED[letter]):
            part = down[x * LOOKS : (x + 1) * LOOKS + 1]
            for y in range(int(part.min()), int(part.max()) + 1):
                cell = y // DOTS_DOWN, x // DOTS_ACROSS
                dots[cell] = dots.get(cell, 0) | BITS[y % DOTS_DOWN][x % DOTS_ACROSS]
                styles.setdefault(cell, STYLES[letter])
        for place in NAMED_AT[letter]:
            x = int(place * across)
            letters[int(down[x * LOOKS]) // DOTS_DOWN, x // DOTS_ACROSS] = (letter, f"bold {STYLES[letter]}")
    return {cell: (chr(0x2800 + bits), styles[cell]) for cell, bits in dots.items()} | letters


def _range(values: list[float]) -> tuple[float, float]:
    """From the least to the greatest; something around them where they are the same."""
    low, high = min(values), max(values)
    around = max(abs(low), abs(high))
    if high - low <= 1e-9 * around or high == low:
        return low - (around or 1.0), high + (around or 1.0)
    return low, high


def _nice(step: float) -> float:
    """1, 2 or 5 times a power of ten, at least as much."""
    power = 10.0 ** math.floor(math.log10(step))
    return next(k * power for k in (1, 2, 5, 10) if k * power >= step * (1 - 1e-9))


def _ticks(low: float, high: float, step: float) -> list[float]:
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [k * step for k in range(first, last + 1)]


def _row(y: float, low: float, high: float) -> int:
    """The row of characters in which a value lies, the highest first."""
    return min(ROWS - 1, max(0, round((high - y) / (high - low) * (ROWS * DOTS_DOWN - 1)) // DOTS_DOWN))


def _ends(rows: dict[str, int]) -> dict[int, str]:
    """Letters by row, each at the end of its curve or as near as another letter lets it."""
    placed: dict[int, str] = {}
    for letter, row in rows.items():
        free = [k for k in range(ROWS) if k not in placed]
        placed[min(free, key=lambda k: abs(k - row))] = letter
    return placed


def _time_axis(begin: float, end: float, margin: int, width: int) -> Text:
    """The axis below, with times under their places."""
    from rich.text import Text

    span = end - begin or 1.0
    marks = {round((t - begin) / span * (width - 1)): f"{t:.10g}" for t in _ticks(begin, end, _nice(span / 6))}
    line = "".join("┬" if k in marks else "─" for k in range(width))
    words = [" "] * (width + 3)
    free = 0
    for place, label in marks.items():
        at = max(0, min(place - len(label) // 2, width - len(label)))
        if at >= free:
            words[at : at + len(label)] = label
            free = at + len(label) + 1
    end_label = "".join(words[:width]).rstrip()
    text = Text(" " * margin + "└" + line + "\n", style="bright_black", no_wrap=True)
    return text.append(" " * (margin + 1) + f"{end_label} s", "default")


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
    settings = {
        name: about[name] for name in ("method", "step", "rtol", "atol", "record") if about.get(name) is not None
    }
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
            "kinetic": [float(energy.kinetic[0]), float(energy.kinetic[-1])],
            "potential": [float(energy.potential[0]), float(energy.potential[-1])],
            "total": [float(energy.total[0]), float(energy.total[-1])],
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


def _heading(ran: Ran) -> str:
    known = ran.trajectory.facts()
    steps = f"{ran.steps:,} steps, " if ran.steps is not None else ""
    line = f"{known['arm']}: {known['duration']} by {known.get('method', 'an unknown method')}"
    computed = "the rest computed" if ran.is_resumed else "computed"
    faster = "" if ran.faster is None else f", {ran.faster:.3g} times real time"
    return f"{line}\n{steps}{known['rows']} rows, {computed} in {ran.took:.3g} s{faster}"


def _state(trajectory: la.types.Trajectory) -> RenderableType:
    """Where the joints ended."""
    heads = [
        Column("joint"),
        *(Column(x, is_number=True) for x in ("q", "qd", "qdd", "tau")),
        Column("unit"),
        Column("held"),
    ]
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
