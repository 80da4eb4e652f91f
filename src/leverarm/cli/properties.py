"""`leverarm properties`: the constants and identities that a controller's proof needs, with certificates.

In a terminal, bounds are shown while they are narrowed: one line per constant with its enclosure so far.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING

import click

import leverarm as la
from leverarm.cli.command_group import INTERRUPTED
from leverarm.errors import FormatError, InputError

if TYPE_CHECKING:
    from rich.progress import TaskID


Tell = Callable[[str, "la.types.Bound | None"], None]
"""What is being worked on, and its enclosure so far; None where the line is no number."""
WIDE = 90
"""Columns of a terminal with room for more than the enclosures."""


@contextmanager
def bound_progress(arm: la.Arm, seconds: float | None, boxes: int | None = None) -> Iterator[Tell | None]:
    """Bars on standard error that are taken away at the end; nothing where it is no terminal.

    The first is the time that is left, counted from when the bounds begin; boxes that are left are not counted.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    console = Console(stderr=True)
    is_wide = console.width >= WIDE
    bars = BarColumn(bar_width=20 if is_wide else 8)
    columns = (TextColumn("{task.description:<9}"), bars, TextColumn("{task.fields[known]}"))
    with Progress(*columns, console=console, transient=True) as bar:
        whole = bar.add_task(arm.name[:16], total=seconds or 1.0, known="closed forms")
        tasks: dict[str, TaskID] = {}
        begun: float | None = None

        def tell(key: str, bound: la.types.Bound | None) -> None:
            nonlocal begun
            if bound is None:
                bar.update(whole, known=key)
                return
            begun = begun or perf_counter()
            spent = perf_counter() - begun
            advice = "; Ctrl-C ends it and keeps what is known" if is_wide else "; Ctrl-C ends it"
            if seconds is None:
                bar.update(whole, known=f"at most {boxes} boxes each" + advice)
            else:
                left = f"at most {max(seconds - spent, 0.0):.0f} s left"
                bar.update(whole, completed=min(spent, seconds), known=left + advice)
            if key not in tasks:
                tasks[key] = bar.add_task(key, total=1.0, known="")
            bar.update(tasks[key], completed=1 - min(max(bound.gap, 0.0), 1.0), known=enclosure_text(bound))

        yield tell


def enclosure_text(bound: la.types.Bound) -> str:
    """The sides so far and their distance, in one short line."""
    sides = [("?" if side is None else f"{side:.6g}") for side in (bound.lower, bound.upper)]
    gap = f"gap {100 * bound.gap:.3g} %" if bound.gap < float("inf") else "no enclosure yet"
    return f"{sides[0]} .. {sides[1]} {bound.unit}  {gap}"


ENDINGS = (".html", ".md", ".json", ".tex", ".ipynb", ".txt")
NORMS = ("2", "1", "inf", "fro")
USUAL_SECONDS = "60"
NARROWEST, WIDEST = 40, 110
"""Columns of the printed table."""
UNIT = re.compile(r"(?<=[\d.)])\s*(deg|°|rad|m)\s*$")


@click.command(short_help="Certified bounds and identities, for stability proofs.")
@click.argument("arm_name", metavar="ARM")
@click.option("-o", "--output", metavar="FILE", help="Write a .html, .md, .tex, .ipynb, .txt or .json file instead.")
@click.option("--box", metavar="RANGES",
              help="Joint ranges, theta1=-90..90deg,d3=0.1..0.5 (default: the joint limits).")  # fmt: skip
@click.option("--seconds", metavar="SECONDS",
              help=f"Time for narrowing the bounds (default: {USUAL_SECONDS}).")  # fmt: skip
@click.option("--boxes", metavar="NUMBER",
              help="Boxes examined per bound; no time limit unless --seconds is given too.")  # fmt: skip
@click.option("--norm", default="2", show_default=True, metavar="NAME", help="Norm used to bound M: 2, 1, inf or fro.")
@click.option("--disturbance", metavar="NUMBER", help="Declare d, the bound of ||tau_d||.")
@click.option("--processes", metavar="NUMBER", help="Number of processes (default: one per processor).")
@click.option(
    "--set", "settings", multiple=True, metavar="SYMBOL=VALUE", help="Set a symbol of the arm; may be repeated."
)
@click.option("--resume", metavar="FILE", help="Continue from the bounds of an earlier .json report.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON with all digits.")
def properties(
    arm_name: str,
    output: str | None,
    box: str | None,
    seconds: str | None,
    boxes: str | None,
    norm: str,
    disturbance: str | None,
    processes: str | None,
    settings: tuple[str, ...],
    resume: str | None,
    as_json: bool,
) -> None:
    """The properties of the equations of motion M qdd + c + F + g + tau_d = tau of one arm, as a table.

    Bounds such as mu1 I <= M(q) <= mu2 I hold for all positions in a box: the joint limits, unless --box says
    otherwise. Each line says how it was established: by an exact identity (a proof), a certified enclosure (interval
    arithmetic, both sides certain) or samples (an estimate). Ctrl-C writes what is known by then and exits with 130.

    \b
    leverarm properties elbow
    leverarm properties elbow -o elbow.html
    leverarm properties polar --box "theta=-90..90deg,r=0.5..1.5" --seconds 10
    leverarm properties puma560 --seconds 120 -o puma.json
    leverarm properties puma560 --seconds 600 --resume puma.json -o puma.json
    """
    from leverarm.cli.equations import check_choice
    from leverarm.cli.numbers import number, with_settings
    from leverarm.cli.output_files import check_ending, check_place

    check_choice("--norm", "norm", norm, NORMS)
    if output is not None:
        check_ending(output, "report", ENDINGS)
        check_place(output)
    arm = with_settings(la.load(arm_name), settings)
    ranges = None if box is None else box_of(box, arm)
    if seconds is None and boxes is None:
        seconds = USUAL_SECONDS
    limit = None if seconds is None else number(seconds, arm, "--seconds")
    most = None if boxes is None else whole_number(boxes, "--boxes")
    declared = None if disturbance is None else number(disturbance, arm, "--disturbance")
    workers = None if processes is None else whole_number(processes, "--processes")
    with bound_progress(arm, limit, most) as progress:
        found = la.properties(
            arm, ranges, limit, boxes=most, norm=norm, disturbance=declared, processes=workers, progress=progress,
            resume=resume,
        )  # fmt: skip
    _report(found, output, as_json)
    if not found.finished:
        kept = f"; what is known is in {output}" if output is not None else ""
        click.echo(f"interrupted: the table is not finished{kept}.", err=True)
        raise click.exceptions.Exit(INTERRUPTED)


def _report(found: la.types.Properties, output: str | None, as_json: bool) -> None:
    from leverarm.cli.output import print_json, print_lines, terminal_columns

    text = found.terminal(min(max(terminal_columns(), NARROWEST), WIDEST))
    text.rstrip()
    if output is not None:
        try:
            found.save(output)
        except FormatError:
            print_lines(text)  # the work is not lost because the disk is full
            raise
    if as_json:
        print_json(found.facts())
    elif output is not None:
        click.echo(f"wrote {output}: {len(found)} properties of {found.arm.name}")
    else:
        print_lines(text)


def box_of(text: str, arm: la.Arm) -> dict[str, tuple[float, float]]:
    """Ranges by joint, from theta1=-90..90deg,d3=0.1..0.5m. A unit behind the upper end is that of both."""
    from leverarm.cli.numbers import named

    ranges: dict[str, tuple[float, float]] = {}
    for name, range_ in named([part for part in text.split(",") if part.strip()], "--box", "joint=low..high"):
        low, dots, high = range_.partition("..")
        if not dots or not low.strip() or not high.strip():
            raise InputError(f"--box {name}={range_}: give a range as low..high, such as {name}=-90..90deg.")
        unit = UNIT.search(high)
        if unit and not UNIT.search(low) and "pi" not in low:
            low += unit[1]
        ranges[name] = (_end(low, name, arm), _end(high, name, arm))
    if not ranges:
        raise InputError("--box is empty. Give ranges as joint=low..high, separated by commas.")
    return ranges


def _end(text: str, name: str, arm: la.Arm) -> float:
    """One end of a range. Its unit is one that the joint has: rad, deg or °, or m."""
    from leverarm.cli.numbers import number

    unit = UNIT.search(text)
    slides = any(body.joint.name == name and body.joint.kind.only_slides for body in arm.bodies)
    if unit and (unit[1] == "m") != slides:
        what = "slides: give metres" if slides else "turns: give radians, or degrees as 90deg"
        raise InputError(f"--box {name}={text.strip()}: {name} {what}.")
    is_plain = unit and unit[1] in ("rad", "m")
    return number(text[: unit.start()] if unit and is_plain else text, arm, f"--box {name}")


def whole_number(text: str, option: str) -> int:
    """A count of one or more."""
    if not re.fullmatch(r"\s*[1-9]\d{0,5}\s*", text):
        raise InputError(f"{option}: {text!r} is not a count. Give 1, 2, 3, ...")
    return int(text)
