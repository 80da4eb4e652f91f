"""Bounds while they are narrowed: one line per constant with its enclosure so far, where someone watches."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING

import leverarm as la

if TYPE_CHECKING:
    from rich.progress import TaskID

Tell = Callable[[str, "la.Bound | None"], None]
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

        def tell(key: str, bound: la.Bound | None) -> None:
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


def enclosure_text(bound: la.Bound) -> str:
    """The sides so far and their distance, in one short line."""
    sides = [("?" if side is None else f"{side:.6g}") for side in (bound.lower, bound.upper)]
    gap = f"gap {100 * bound.gap:.3g} %" if bound.gap < float("inf") else "no enclosure yet"
    return f"{sides[0]} .. {sides[1]} {bound.unit}  {gap}"
