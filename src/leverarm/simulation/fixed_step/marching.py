"""Runs with a fixed step: the compiled loop over a time grid, in parts of some milliseconds.

Between two parts there is time for Ctrl-C, for writing files and for the progress bar.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, NamedTuple, Protocol

import numpy as np

from leverarm.compiler.llvm.march_layout import FAILED, IS_BEGUN
from leverarm.errors import SimulationError
from leverarm.simulation.acting.callback import guarded
from leverarm.simulation.acting.feeds import Floats, Source, aligned, aligned_copy, feeds_for_steps
from leverarm.simulation.compiled_system import Native
from leverarm.simulation.contacts.event_location import Sweeper
from leverarm.simulation.trajectories.records import Event

CHUNK_SECONDS = 0.05
"""How long a part of the run takes [s]."""

MOST_RECORDS = 1 << 15
"""Records of one part."""


class Part(NamedTuple):
    """Times and raw rows that were recorded, the checkpoint after them, how far the run is, and its events."""

    t: Floats
    rows: Floats
    checkpoint: dict[str, Any]
    until: float
    events: tuple[Event, ...] = ()


def even_times(origin: float, apart: float, begin: float, end: float) -> Floats:
    """The times origin, origin + apart, ... from `begin` on and before `end`: when a run without a grid records [s]."""
    first, last = _first_from(begin, origin, apart), _first_from(end, origin, apart)
    return np.asarray(origin + apart * np.arange(first, last), np.float64)


def _first_from(t: float, origin: float, apart: float) -> int:
    """The number of the first of these times that is not before t, as they are rounded."""
    number = max(0, math.ceil((t - origin) / apart) - 1)
    while origin + apart * number < t:
        number += 1
    return number


FIRST_CHUNK = 256
LARGEST_CHUNK = 1 << 20
"""Steps of a part: few until the speed is measured, then as many as its time allows."""

EXPLODED = 1e12
"""A position or velocity beyond this counts as diverged."""


class Exploded(Exception):
    """A step from this time on diverged, into this state."""

    def __init__(self, t: float, state: Floats) -> None:
        super().__init__(t)
        self.t, self.state = t, state


class Stopped(Exception):
    """A loop that could not finish: the rows up to there, and why."""

    def __init__(self, rows: Floats, why: SimulationError) -> None:
        super().__init__(str(why))
        self.rows, self.why = rows, why


class Loop(NamedTuple):
    """A compiled loop over steps: how many entries of its own follow a state, and its further arguments."""

    native: Native
    carried: int = 0
    options: tuple[int, ...] = ()


class March(Protocol):
    """Changes the state by some steps and gives the raw rows of those that are recorded."""

    def __call__(self, state: Floats, first: int, steps: int, every: int, t0: float, h: float) -> Floats: ...


@dataclass(frozen=True, slots=True, eq=False)
class CompiledMarch:
    """The compiled loop with the data that applies at each step; `options` are its further arguments."""

    native: Native
    entries: int
    sources: Sequence[Source]
    options: tuple[int, ...] = ()

    def __call__(self, state: Floats, first: int, steps: int, every: int, t0: float, h: float) -> Floats:
        rows: Floats = aligned((recorded(first, steps, every), self.entries))
        (feeds,) = feeds_for_steps(self.sources, step_times(t0, h, first, max(steps, 1)), h)
        native, addresses = guarded(self.native, self.sources), (state.ctypes.data, feeds.address, rows.ctypes.data)
        try:
            native(*addresses, first, steps, every, t0, h, *self.options)
        except SimulationError as problem:
            good = np.isfinite(rows).all(axis=1)  # after an error the torques are NaN
            raise Stopped(rows if good.all() else rows[: int(good.argmin())], problem) from None
        return rows


@dataclass(frozen=True, slots=True)
class Grid:
    """Steps 0, 1, ..., count - 1 of length h from a time on, then perhaps a shorter one; how many make a record."""

    begin: float
    h: float
    count: int
    rest: float
    every: int

    @staticmethod
    def over(begin: float, until: float, h: float, every: int) -> Grid:
        """As many whole steps as fit; a remainder of less than a millionth of a step is rounding."""
        count = int(np.floor((until - begin) / h + 1e-6))
        rest = until - (begin + count * h)
        return Grid(begin, h, count, rest if rest > 1e-6 * h else 0.0, every)

    def time(self, number: int) -> float:
        return self.begin + number * self.h


def step_times(t0: float, h: float, first: int, steps: int) -> Floats:
    """When the steps number first, ..., first + steps - 1 begin [s]."""
    return np.asarray(t0 + h * np.arange(first, first + steps), np.float64)


def recorded(first: int, steps: int, every: int) -> int:
    """How many of the steps first, ..., first + steps - 1 have a number that is a multiple of `every`."""
    return -(-(first + steps) // every) - -(-first // every)


def checkpoint(number: int, state: Floats) -> dict[str, Any]:
    """A checkpoint: the number of the next step and the state, bit for bit."""
    return {"step": number, "state": [x.hex() for x in state.ravel().tolist()]}


def resumed_state(kept: Mapping[str, Any]) -> tuple[int, Floats]:
    """The number of the next step and the state of a checkpoint."""
    return int(kept["step"]), aligned_copy(np.array([float.fromhex(x) for x in kept["state"]]))


def _times(grid: Grid, number: int, steps: int) -> Floats:
    first = -(-number // grid.every) * grid.every
    return np.asarray(grid.begin + grid.h * np.arange(first, number + steps, grid.every), np.float64)


def _is_sane(state: Floats) -> bool:
    return bool((np.abs(state) < EXPLODED).all())


def _sane_steps(march: March, grid: Grid, before: Floats, number: int, steps: int) -> int:
    """The largest number of steps after which the state has not diverged; `steps` are too many."""
    low, high = 0, steps
    while high - low > 1:
        middle = (low + high) // 2
        state = aligned_copy(before)
        march(state, number, middle, grid.every, grid.begin, grid.h)
        low, high = (middle, high) if _is_sane(state) else (low, middle)
    return low


class FixedEngine:
    """Steps of one length over a grid; contact events are timed to the accuracy of the rows.

    `implicit` names the method where its steps solve equations.
    """

    def __init__(
        self, march: March, grid: Grid, first_state: Floats, sweeper: Sweeper | None, implicit: str | None = None
    ) -> None:
        self.march, self.grid, self.first_state, self.sweeper, self.implicit = (
            march, grid, first_state, sweeper, implicit
        )  # fmt: skip
        self._before = first_state

    def start(self) -> Floats:
        return self.first_state

    def resumed(self, kept: Mapping[str, Any]) -> Floats:
        state = resumed_state(kept)[1]
        self._before = state.copy()
        return state

    def run(self, t0: float, t1: float, state: Floats, kept: Mapping[str, Any] | None) -> Iterator[Part]:
        """The steps that begin between t0 and t1; a change in between two of them counts from the next one on."""
        start = self._number(t0) if kept is None else resumed_state(kept)[0]
        if self.implicit is not None and kept is None:
            state[IS_BEGUN] = 0.0  # the payload may have changed, and with it the momenta
        try:
            for part in self._parts(state, start, self._number(t1)):
                yield self._with_events(part)
        except Exploded as problem:
            if self.implicit is None or not problem.state[FAILED]:
                raise
            raise SimulationError(
                f"at t = {problem.t:.9g} s the equations of a step of {self.grid.h:g} s by method {self.implicit!r} "
                "could not be solved: the iteration does not converge. Take a smaller step.",
                t=problem.t,
            ) from None

    def last(self, state: Floats) -> Part:
        """The short step, if there is one, and the record of the last state."""
        grid, march = self.grid, self.march
        t = grid.time(grid.count)
        times, rows = [], []
        if grid.rest:
            times, rows = [t], [march(state, 0, 1, 1, t, grid.rest)]
            t += grid.rest
        # A step of length zero: no data after the end is needed.
        rows.append(march(aligned_copy(state), 0, 1, 1, t, 0.0))
        return self._with_events(Part(np.array([*times, t]), np.concatenate(rows), checkpoint(grid.count, state), t))

    def _parts(self, state: Floats, number: int, end: int) -> Iterator[Part]:
        """The steps number ..., end - 1; the state is changed.

        Raises Exploded, after the part up to it, where the motion diverges, and SimulationError, also
        after the rows up to it, where a step cannot be done.
        """
        grid, march, chunk = self.grid, self.march, FIRST_CHUNK
        while number < end:
            steps = min(chunk, end - number, MOST_RECORDS * grid.every)
            before, began = aligned_copy(state), perf_counter()
            try:
                rows = march(state, number, steps, grid.every, grid.begin, grid.h)
            except Stopped as problem:
                times = _times(grid, number, steps)[: len(problem.rows)]
                yield Part(times, problem.rows, checkpoint(number, before), grid.time(number))
                raise problem.why from None
            if not _is_sane(state):
                good = _sane_steps(march, grid, before, number, steps)
                rows = march(aligned_copy(before), number, good + 1, grid.every, grid.begin, grid.h)
                if good:
                    march(before, number, good, grid.every, grid.begin, grid.h)
                t = grid.time(number + good)
                yield Part(_times(grid, number, good + 1), rows, checkpoint(number + good, before), t)
                march(before, number + good, 1, grid.every, grid.begin, grid.h)
                raise Exploded(t, before)
            yield Part(_times(grid, number, steps), rows, checkpoint(number + steps, state), grid.time(number + steps))
            number += steps
            pace = (perf_counter() - began) / steps
            chunk = max(1, min(2 * chunk, LARGEST_CHUNK, int(CHUNK_SECONDS / max(pace, 1e-9))))

    def _number(self, t: float) -> int:
        """The first step that does not begin before t."""
        number = int(np.ceil((t - self.grid.begin) / self.grid.h - 1e-6))
        return min(max(number, 0), self.grid.count)

    def _with_events(self, part: Part) -> Part:
        """The part with what changed from one row to the next."""
        if self.sweeper is None or not len(part.rows):
            return part
        events: list[Event] = []
        rows = [self._before, *part.rows]
        for place in self.sweeper.changed(rows):
            events += self.sweeper.changes(rows[place], rows[place + 1], float(part.t[place]))
        self._before = part.rows[-1]
        return part._replace(events=tuple(events))
