"""Compiled code for the adaptive method: the rates at a state, trial steps, and dense output within a step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from leverarm.compiler.llvm.march_layout import Layout
from leverarm.runtime.calls.object_headers import data_address
from leverarm.simulation.acting.callback import guarded
from leverarm.simulation.acting.feeds import Feeds, Floats, Source, aligned, feeds_for_steps
from leverarm.simulation.adaptive.dormand_prince import METHOD
from leverarm.simulation.compiled_system import CompiledSystem

AT_ONCE = 64
"""Attempts per memory allocation: allocating and taking its address costs as much as computing one."""


class Attempt(NamedTuple):
    """A trial step from (t, state): its length, its error relative to the tolerance, and its numbers.

    Those are, in order, the state after it, the rates [qdd, powers, shown, guard] at its start, [qdd, powers] at its
    end, and the contribution of q and qd of each joint to the error.
    """

    t: float
    h: float
    state: Floats
    feeds: Feeds
    error: float
    numbers: Floats
    places: AttemptPlaces
    address: int = 0

    @property
    def after(self) -> Floats:
        return self.numbers[self.places.after]

    @property
    def worst(self) -> int:
        """The joint with the largest error."""
        shares = self.numbers[self.places.shares]
        sizes = np.where(np.isfinite(shares), np.abs(shares), np.inf)
        return int(sizes.argmax()) % (shares.size // 2)


class AttemptPlaces(NamedTuple):
    """The layout of an attempt's numbers, and how many entries a state with all its rates has."""

    after: slice
    first: slice
    last: slice
    shares: slice
    row: int

    @staticmethod
    def of(layout: Layout) -> AttemptPlaces:
        rates = layout.coordinates + layout.sums
        after = layout.state
        first = after + rates + sum(array.size for array in layout.shown) + layout.has_guard
        last = first + rates
        shares = slice(last, last + 2 * layout.coordinates)
        return AttemptPlaces(slice(after), slice(after, first), slice(first, last), shares, first)


class CompiledStages:
    """The rates of a system, and the steps of a method that chooses their length."""

    def __init__(self, compiled: CompiledSystem, sources: Sequence[Source]) -> None:
        self._rates, self._attempt, self._inside = (guarded(x, sources) for x in compiled.steps(METHOD))
        self.layout = compiled.layout
        self.sources = sources
        self._places = AttemptPlaces.of(self.layout)
        self._state: Floats = aligned((self.layout.state,))
        self._out: Floats = aligned((self._places.row - self.layout.state,))
        self._state_address, self._out_address = self._state.ctypes.data, self._out.ctypes.data
        self._free, self._memory, self._address = 0, np.zeros((0, 0)), 0

    def feeds(self, t: float, h: float) -> Feeds:
        """The data that applies in a step of length h from t."""
        return feeds_for_steps(self.sources, np.array([t]), h)[0]

    def at(self, state: Floats, t: float, feeds: Feeds) -> Floats:
        """[qdd, powers, shown, guard] at a state; overwritten by the next call."""
        self._state[...] = state
        self._rates(self._state_address, feeds.address, self._out_address, t, 0.0)
        return self._out

    def attempt(self, state: Floats, t: float, h: float, feeds: Feeds, rtol: float, atol: float) -> Attempt:
        """A step of length h."""
        if not self._free:
            size = self._places.shares.stop
            self._memory, self._free = np.empty((AT_ONCE, size)), AT_ONCE
            self._address = self._memory.ctypes.data
        self._free -= 1
        address = self._address + self._free * self._memory.strides[0]
        self._state[...] = state
        error = self._attempt(self._state_address, feeds.address, address, t, h, rtol, atol)
        return Attempt(t, h, state, feeds, error, self._memory[self._free], self._places, address)

    def inside(self, attempt: Attempt, parts: Floats) -> Floats:
        """The states at some fractions of a step, from 0 to 1, each with all its rates, (N, entries)."""
        rows = np.empty((parts.size, self._places.row))
        self._state[...] = attempt.state
        self._inside(
            self._state_address, attempt.feeds.address, attempt.address, data_address(parts), data_address(rows),
            parts.size, attempt.t, attempt.h,
        )  # fmt: skip
        return rows
