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


@contextmanager
def bound_progress(arm: la.Arm, seconds: float) -> Iterator[Tell | None]:
    """A bar on standard error that is taken away at the end; nothing where it is no terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    started = perf_counter()
    columns = (TextColumn("{task.description:<10}"), BarColumn(bar_width=20), TextColumn("{task.fields[known]}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        whole = bar.add_task(f"{arm.name}", total=seconds, known="closed forms")
        tasks: dict[str, TaskID] = {}

        def tell(key: str, bound: la.Bound | None) -> None:
            doing = key if bound is None else "bounds"
            bar.update(whole, completed=perf_counter() - started, known=f"{doing} (Ctrl-C keeps what is known)")
            if bound is None:
                return
            if key not in tasks:
                tasks[key] = bar.add_task(key, total=1.0, known="")
            bar.update(tasks[key], completed=1 - min(max(bound.gap, 0.0), 1.0), known=enclosure_text(bound))

        yield tell


def enclosure_text(bound: la.Bound) -> str:
    """The sides so far and their distance, in one short line."""
    sides = [("?" if side is None else f"{side:.6g}") for side in (bound.lower, bound.upper)]
    gap = f"gap {100 * bound.gap:.2g} %" if bound.gap < float("inf") else "no enclosure yet"
    return f"{sides[0]} .. {sides[1]} {bound.unit}  {gap}"
