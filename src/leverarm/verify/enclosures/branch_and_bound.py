"""Branch and bound: a box is halved where that helps most, and the box that bounds worst comes first.

It can be stopped at any time: what no box exceeds is a bound. Long work goes to other processes too. Each is a plain
interpreter that runs `serve`, tasks in and results out, pickled; so it needs nothing of the program that started it.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np

from leverarm.verify.enclosures.bounding import Bounding, Boxes, Extent, joined
from leverarm.verify.enclosures.loewner import UNIT
from leverarm.verify.enclosures.rigid_chain import Array


@dataclass(slots=True)
class Branching:
    """The boxes that are left, the bound of those that are done, and what is reached from inside."""

    bounding: Bounding
    reached: float
    """A value that the extreme certainly has or exceeds."""
    close: float
    """Boxes whose bound is no further than this, relatively, from what is reached, or only by rounding, are done."""
    boxes: Boxes
    done: float
    """The worst bound of the boxes that are done."""
    count: int = 0
    """Boxes bounded so far."""

    @property
    def sign(self) -> int:
        return self.bounding.sign

    @property
    def bound(self) -> float:
        """What the extreme certainly does not exceed (or stay below)."""
        worst = max(self.sign * self.boxes.bound, default=-np.inf)
        return float(self.sign * max(worst, self.sign * self.done, self.sign * self.reached))

    @property
    def is_done(self) -> bool:
        return len(self.boxes.bound) == 0

    def worst(self, count: int) -> Boxes:
        """The boxes to be looked at next; they are taken out."""
        order = np.argsort(-self.sign * self.boxes.bound, kind="stable")
        taken = self.boxes.part(order[:count])
        self.boxes = self.boxes.part(order[count:])
        return taken

    def aim(self) -> float:
        """What the bound should come down to next: half way to what is reached."""
        if not np.isfinite(self.bound):
            return self.reached + self.sign * 0.5 * abs(self.reached)
        return self.reached + 0.5 * (self.bound - self.reached)

    def put(self, taken: Boxes, extent: Extent) -> None:
        """Boxes that were looked at: those that are not yet good enough come back in halves."""
        # what is not a number is not known
        bound = self.sign * np.fmin(self.sign * extent.bound, self.sign * taken.bound)
        self.count += len(bound)
        # where an extreme is zero nothing is close to it relatively
        close = self.close * abs(self.reached) + (2 if self.reached else 1e4) * extent.rounding
        enough = self.sign * bound <= self.sign * self.reached + close
        splits = _is_wide(taken).any(1)
        # a point cannot be split, but may be looked at again where that helped
        helped = self.sign * (bound - self.reached) < 0.99 * self.sign * (taken.bound - self.reached)
        again = ~enough & ~splits & helped
        split = ~enough & splits
        finished = ~again & ~split
        if finished.any():
            self.done = float(self.sign * max(self.sign * self.done, max(self.sign * bound[finished])))
        looked_at = Boxes(taken.middles, taken.halves, bound, extent.memory)
        self.boxes = joined([self.boxes, looked_at.part(again), *halved(looked_at.part(split), extent.shares[split])])


def _is_wide(boxes: Boxes) -> Array:
    """Which ranges can be cut in two: those of more than a few floats."""
    return np.asarray(boxes.halves > 64 * UNIT * np.abs(boxes.middles))


def halved(boxes: Boxes, shares: Array) -> tuple[Boxes, Boxes]:
    """Each box cut in two across the coordinate whose range adds most to its bound."""
    k = np.where(_is_wide(boxes), np.maximum(shares, 0), -1.0).argmax(1)
    row = np.arange(len(k))
    half = boxes.halves.copy()
    # a little more than half, so that rounded middles leave nothing out
    half[row, k] = 0.5 * half[row, k] + 2 * UNIT * (np.abs(boxes.middles[row, k]) + half[row, k])
    step = np.zeros_like(half)
    step[row, k] = boxes.halves[row, k] * 0.5
    below, above = (boxes._replace(middles=boxes.middles + side, halves=half) for side in (-step, step))
    return below, above


ALONE = 2.0
"""Seconds of work after which other processes are worth their start."""
THREADS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
"""Where linear algebra looks for how many threads it may use: one in each process, since there are many."""


class Workers:
    """Bounds boxes for several extremes. Other processes are started when the work turns out to be long."""

    def __init__(self, boundings: Mapping[str, Bounding], processes: int) -> None:
        self.boundings = dict(boundings)
        self.processes = processes
        self._others: list[_Other] = []
        self._begun = time.perf_counter()

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
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
                for other, share in zip(others, np.array_split(np.arange(len(boxes.bound)), lanes), strict=True):
                    _put(other.tasks, (key, boxes.part(share), aim))
                extents = [pickle.load(other.results) for other in others]
                return Extent(*(np.concatenate(numbers) for numbers in zip(*extents, strict=True)))
            except (OSError, EOFError, pickle.UnpicklingError):
                self._go_on_alone()
        return self.boundings[key].extent(boxes, aim)

    def _start(self) -> None:
        try:
            for _ in range(self.processes):
                self._others.append(_Other())
            for other in self._others:
                _put(other.tasks, self.boundings)
        except OSError:
            self._go_on_alone()

    def _go_on_alone(self) -> None:
        """Where there is no interpreter to start, or something outside has ended one: all is done here."""
        self._end()
        self.processes = 1

    def _end(self) -> None:
        for other in self._others:
            other.end()
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


class _Other:
    """Another process. It finds the same modules, and leaves Ctrl-C to this process."""

    def __init__(self) -> None:
        places = os.pathsep.join(place or str(Path.cwd()) for place in sys.path)
        self.process = subprocess.Popen(
            [sys.executable, "-c", f"from {__name__} import serve; serve()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | dict.fromkeys(THREADS, "1") | {"PYTHONPATH": places},
            start_new_session=True,
        )
        assert self.process.stdin is not None and self.process.stdout is not None
        self.tasks, self.results = self.process.stdin, self.process.stdout

    def end(self) -> None:
        """What could not be written any more is dropped."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.tasks, self.results):
            with suppress(OSError):
                pipe.close()


def _put(into: IO[bytes], what: object) -> None:
    pickle.dump(what, into, pickle.HIGHEST_PROTOCOL)
    into.flush()
