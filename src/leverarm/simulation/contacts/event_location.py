"""Contact events: resets are applied until every contact mode is valid, and named for the user."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from leverarm.compiler.llvm.march_layout import Layout
from leverarm.errors import SimulationError
from leverarm.simulation.acting.feeds import Feeds, Floats, aligned
from leverarm.simulation.acting.system import System
from leverarm.simulation.compiled_system import Native
from leverarm.simulation.contacts import HELD, RESTING
from leverarm.simulation.trajectories.records import Event

MOST_SWEEPS = 500
"""A few per joint are common; repeated impacts of two joints in a corner decay with the powers of restitution."""

Rates = Callable[[Floats, float, Feeds], Floats]
"""[qdd, powers, shown, guard] at a state and a time, with the data that applies."""

STOP_NAMES = {1: "upper", -1: "lower"}


def first_marks(system: System, qd: ArrayLike) -> Floats:
    """Initial contact modes (..., 3 n): coordinates with dry friction and no speed are held, whatever their load.

    Empty (..., 0) where the system has none. `Sweeper.settle` then checks the loads.
    """
    speeds = np.asarray(qd, float)
    if not system.marks:
        return np.zeros((*speeds.shape[:-1], 0))
    is_dry = np.isin(np.arange(speeds.shape[-1]), system.dry)
    held, direction = is_dry & (speeds == 0), np.where(is_dry, np.sign(speeds), 0)
    return np.concatenate([held, direction, np.zeros(speeds.shape)], axis=-1)


class Sweeper:
    """Applies the compiled reset to a state; `parts` gives the place of x, v and each contact mode in it."""

    def __init__(self, native: Native, layout: Layout, system: System) -> None:
        self._native, self._layout, self._system = native, layout, system
        self._names = system.arm.joint_names
        self.parts = layout.places
        self._time = aligned((1,))
        self._after = aligned((layout.state,))

    def settle(self, rates: Rates, state: Floats, t: float, feeds: Feeds) -> list[Event]:
        """Applies resets until every contact mode is valid; SimulationError where that does not end."""
        first, events = state.copy(), []
        for _ in range(MOST_SWEEPS):
            out = rates(state, t, feeds)
            if not out[-1] < 0:
                break
            before = state.copy()
            self.sweep(state, t, feeds, out)
            if np.array_equal(before, state):
                break
            events += self._strikes(before, t, feeds)
        else:
            raise self._endless(state, before, t)
        return events + self.changes(first, state, t)

    def sweep(self, state: Floats, t: float, feeds: Feeds, out: Floats) -> None:
        """One reset; `out` is what the rates give at the state."""
        layout, n = self._layout, self._layout.coordinates
        self._time[0] = t
        begin, end, size = state.ctypes.data, self._after.ctypes.data, state.itemsize
        marks = [self.parts[mark.name].start for mark in layout.marks]
        rows = [data.ctypes.data + int(rows[0]) * data.strides[0] for data, rows, _ in feeds.parts]
        shown, place = [], out.ctypes.data + (n + layout.sums) * size
        for array in layout.shown:
            shown.append(place)
            place += array.size * size
        inputs = [self._time.ctypes.data, begin, begin + n * size, *(begin + m * size for m in marks), *rows]
        results = [end, end + n * size, end + 2 * n * size, *(end + m * size for m in marks)]
        self._native(*inputs, out.ctypes.data, *shown, *results)
        sums = self.parts["sums"]
        self._after[sums] += state[sums]
        state[...] = self._after

    def _strikes(self, before: Floats, t: float, feeds: Feeds) -> list[Event]:
        """The joints that were at or beyond a stop and moving outward."""
        if not self._system.stops:
            return []
        stops = list(self._system.stops)
        rows = {a.name: part for a, part in zip(self._layout.feeds, feeds.parts, strict=True)}
        lower, upper = (rows[name][0][rows[name][1][0], :, 0] for name in ("lower", "upper"))
        q, qd = before[self.parts["x"]][stops], before[self.parts["v"]][stops]
        hits = np.where((q >= upper) & (qd > 0), 1, np.where((q <= lower) & (qd < 0), -1, 0))
        return [
            Event(t, self._names[i], f"strikes the {STOP_NAMES[side]} stop")
            for i, side in zip(stops, hits.tolist(), strict=True)
            if side
        ]

    def changed(self, rows: Sequence[Floats]) -> list[int]:
        """The rows, each starting with a state, after which other joints are held."""
        first = self.parts[HELD].start
        held = np.array([row[first : first + len(self._names)] for row in rows])
        return [int(k) for k in np.flatnonzero((np.diff(held, axis=0) != 0).any(axis=1))]

    def changes(self, before: Floats, after: Floats, t: float) -> list[Event]:
        """The joints that are held and were not, or the other way round."""
        old, new = ({mark: state[self.parts[mark]] for mark in (HELD, RESTING)} for state in (before, after))
        found = []
        for i, name in enumerate(self._names):
            was, rests = int(old[RESTING][i]), int(new[RESTING][i])
            if rests and rests != was:
                found.append(Event(t, name, f"rests on the {STOP_NAMES[rests]} stop"))
            elif new[HELD][i] and not old[HELD][i]:
                found.append(Event(t, name, "sticks"))
            elif was and not rests:
                found.append(Event(t, name, f"leaves the {STOP_NAMES[was]} stop"))
            elif old[HELD][i] and not new[HELD][i]:
                found.append(Event(t, name, "slides"))
        return found

    def _endless(self, state: Floats, before: Floats, t: float) -> SimulationError:
        changed = np.flatnonzero(state != before) % self._layout.coordinates
        joint = self._names[int(changed[0])]
        return SimulationError(
            f"at t = {t:.9g} s impacts and sticking do not come to an end after {MOST_SWEEPS} resets, last at {joint}: "
            "joints that strike their stops at the same instant keep passing the impact on. Give a larger rest speed "
            "or a smaller restitution.",
            t=t,
            joint=joint,
        )
