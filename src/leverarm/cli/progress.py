"""What is being done, as a bar on standard error that is removed at the end; nothing where that is no terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Report = Callable[[float | None, str], None]
"""Takes how much is done, from 0 to 1 or None where that is not known, and what goes on."""


@contextmanager
def progress_bar(title: str) -> Iterator[Report]:
    """A bar with the time that passed."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda done, words: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TextColumn("{task.fields[words]}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None, words="")

        def report(done: float | None, words: str) -> None:
            bar.update(task, completed=done, total=None if done is None else 1.0, words=words)

        yield report
