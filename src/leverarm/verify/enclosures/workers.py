"""Bounds over many boxes at once: in this process, and after a while in others too."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from types import TracebackType

import numpy as np

from leverarm.verify.enclosures.bounding import Bounding, Boxes, Extent
from leverarm.verify.enclosures.rigid_chain import Array

ALONE = 2.0
"""Seconds of work after which other processes are worth their start."""


class Workers:
    """Bounds boxes for several extremes. Other processes are started when the work turns out to be long."""

    def __init__(self, boundings: Mapping[str, Bounding], processes: int) -> None:
        self.boundings = dict(boundings)
        self.processes = processes
        self._pool: ProcessPoolExecutor | None = None
        self._begun = time.perf_counter()

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=kind is None, cancel_futures=True)

    @property
    def lanes(self) -> int:
        """How many batches are bounded side by side now."""
        if self.processes > 1 and self._pool is None and time.perf_counter() - self._begun > ALONE:
            self._pool = ProcessPoolExecutor(
                self.processes, multiprocessing.get_context("spawn"), _begin, (self.boundings,)
            )
        return self.processes if self._pool is not None else 1

    def extent(self, key: str, boxes: Boxes, aim: float) -> Extent:
        """What `Bounding.extent` gives, of all boxes."""
        lanes = min(self.lanes, len(boxes.bound))
        if lanes == 1 or self._pool is None:
            return self.boundings[key].extent(boxes, aim)
        shares = [boxes.part(_slice(len(boxes.bound), lanes, k)) for k in range(lanes)]
        extents = list(self._pool.map(_extent, [key] * lanes, shares, [aim] * lanes))
        return Extent(*(np.concatenate(numbers) for numbers in zip(*extents, strict=True)))


def _slice(count: int, lanes: int, k: int) -> Array:
    return np.arange(count)[k * count // lanes : (k + 1) * count // lanes]


def available_processes() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


_HERE: dict[str, Bounding] = {}
"""The boundings of this process, where it is a worker."""


def _begin(boundings: dict[str, Bounding]) -> None:
    """A worker leaves Ctrl-C to the process that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _HERE.update(boundings)


def _extent(key: str, boxes: Boxes, aim: float) -> Extent:
    return _HERE[key].extent(boxes, aim)
