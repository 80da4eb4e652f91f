"""Bounds over many boxes at once: in this process, and after a while in others too.

Another process is a plain interpreter that runs `serve`: tasks go in and results come out, pickled. So it needs nothing
of the program that started it, be that a script, a notebook or a test.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO

import numpy as np

from leverarm.verify.enclosures.bounding import Bounding, Boxes, Extent
from leverarm.verify.enclosures.rigid_chain import Array

ALONE = 2.0
"""Seconds of work after which other processes are worth their start."""
THREADS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
"""Where linear algebra looks for how many threads it may use: one in each process, since there are many."""


class Workers:
    """Bounds boxes for several extremes. Other processes are started when the work turns out to be long."""

    def __init__(self, boundings: Mapping[str, Bounding], processes: int) -> None:
        self.boundings = dict(boundings)
        self.processes = processes
        self._others: list[subprocess.Popen[bytes]] = []
        self._begun = time.perf_counter()

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    @property
    def lanes(self) -> int:
        """How many batches are bounded side by side now."""
        if self.processes > 1 and not self._others and time.perf_counter() - self._begun > ALONE:
            self._start()
        return len(self._others) or 1

    def extent(self, key: str, boxes: Boxes, aim: float) -> Extent:
        """What `Bounding.extent` gives, of all boxes."""
        lanes = min(self.lanes, len(boxes.bound))
        if lanes > 1:
            others = self._others[:lanes]
            try:
                for k, other in enumerate(others):
                    _put(_stdin(other), (key, boxes.part(_slice(len(boxes.bound), lanes, k)), aim))
                extents = [pickle.load(_stdout(other)) for other in others]
                return Extent(*(np.concatenate(numbers) for numbers in zip(*extents, strict=True)))
            except (OSError, EOFError, pickle.UnpicklingError):
                self._go_on_alone()
        return self.boundings[key].extent(boxes, aim)

    def _start(self) -> None:
        try:
            for _ in range(self.processes):
                self._others.append(_started())
            for other in self._others:
                _put(_stdin(other), self.boundings)
        except OSError:
            self._go_on_alone()

    def _go_on_alone(self) -> None:
        """Where there is no interpreter to start, or something outside has ended one: all is done here."""
        self._end()
        self.processes = 1

    def _end(self) -> None:
        for other in self._others:
            other.kill()
            other.wait()
            for pipe in (other.stdin, other.stdout):
                _closed(pipe)
        self._others = []


def serve() -> None:
    """What another process does: reads boundings, then boxes as long as there are any, and writes their bounds."""
    tasks, results = sys.stdin.buffer, sys.stdout.buffer
    # whatever is printed must not come among the results
    sys.stdout = sys.stderr
    try:
        boundings: dict[str, Bounding] = pickle.load(tasks)
        while True:
            key, boxes, aim = pickle.load(tasks)
            _put(results, boundings[key].extent(boxes, aim))
    except (EOFError, BrokenPipeError):
        # the process that asks is gone; nobody reads what is left
        os._exit(0)


def available_processes() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _started() -> subprocess.Popen[bytes]:
    """It finds the same modules, and leaves Ctrl-C to this process."""
    places = os.pathsep.join(place or str(Path.cwd()) for place in sys.path)
    return subprocess.Popen(
        [sys.executable, "-c", f"from {__name__} import serve; serve()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | dict.fromkeys(THREADS, "1") | {"PYTHONPATH": places},
        start_new_session=True,
    )


def _put(into: IO[bytes], what: object) -> None:
    pickle.dump(what, into, pickle.HIGHEST_PROTOCOL)
    into.flush()


def _closed(pipe: IO[bytes] | None) -> None:
    """What could not be written any more is dropped."""
    with suppress(OSError):
        if pipe is not None:
            pipe.close()


def _stdin(process: subprocess.Popen[bytes]) -> IO[bytes]:
    assert process.stdin is not None
    return process.stdin


def _stdout(process: subprocess.Popen[bytes]) -> IO[bytes]:
    assert process.stdout is not None
    return process.stdout


def _slice(count: int, lanes: int, k: int) -> Array:
    return np.arange(count)[k * count // lanes : (k + 1) * count // lanes]
