"""How far a run is, shown where somebody watches."""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

from leverarm.errors import InputError

PATIENCE = 2.0
"""A run that lasts longer than this [s] shows a bar, if standard error is a terminal."""


class Progress:
    """Tells a function how far a run is, as a part of the whole; without one, a bar in the terminal after a while."""

    def __init__(self, begin: float, until: float, tell: Callable[[float], Any] | None) -> None:
        if tell is not None and not callable(tell):
            raise InputError(f"progress: {tell!r} was given; it takes a function of the part that is done, 0 to 1.")
        self.begin, self.until, self.tell = begin, until, tell
        self._since = perf_counter()
        self._bar: Any = None
        self._task: Any = None

    def reached(self, t: float) -> None:
        """The run is at time t."""
        done = min(1.0, (t - self.begin) / (self.until - self.begin)) if self.until > self.begin else 1.0
        if self.tell is not None:
            self.tell(done)
        elif perf_counter() - self._since > PATIENCE and sys.stderr.isatty():
            if self._bar is None:
                self._open()
            self._bar.update(self._task, completed=done)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.stop()

    def _open(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
        self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task("simulating", total=1.0)
        self._bar.start()
