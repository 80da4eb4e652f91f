"""The adaptive method: Dormand-Prince steps of fifth order, each as long as the tolerance allows.

A step ends where a piece of the data ends, where the run ends, and at contact events (a joint sticks, breaks loose,
strikes a stop). An event is a zero crossing of the guard; it is located to about 1e-13 s by steps of its own, not by
interpolation. The steps do not depend on what is recorded.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from leverarm.errors import SimulationError
from leverarm.simulation.acting.feeds import DataBreaks, Feeds, Floats
from leverarm.simulation.adaptive.attempts import Attempt, CompiledStages
from leverarm.simulation.adaptive.dormand_prince import METHOD
from leverarm.simulation.adaptive.step_control import (
    FRESH,
    Tolerance,
    Whereabouts,
    factor_after,
    factor_after_rejection,
    first_length,
    trial_length,
)
from leverarm.simulation.contacts import HELD
from leverarm.simulation.contacts.event_location import Sweeper
from leverarm.simulation.trajectories.records import Event

Found = TypeVar("Found")

LOOKS: Floats = np.array([0.0, 0.137, 1 / 3, 2 / 3, 0.774, 1.0])
"""Fractions of a step at which the guard is sampled; irregular, so that a periodic load is not aliased."""

_FIT, _CHECK = [0, 2, 3, 5], [1, 4]


def _less_the_cubic() -> Floats:
    """Deviation of two samples from the cubic through the other four, as weights of all samples."""
    weights = np.zeros((len(_CHECK), len(LOOKS)))
    for row, look in zip(weights, _CHECK, strict=True):
        row[look] = 1.0
        for k in _FIT:
            row[k] = -np.prod([(LOOKS[look] - LOOKS[j]) / (LOOKS[k] - LOOKS[j]) for j in _FIT if j != k])
    return weights


_MISSED = _less_the_cubic()

DOUBT = 1e-3
"""Relative deviation from the cubic up to which a load counts as resolved by the samples."""


def are_doubtful(loads: Floats) -> Any:
    """Which loads, (6, N) at the samples in a step, change too fast to be resolved, (N,).

    The tolerances of the motion do not see this: where joints are held, a load may come and go while nothing moves.
    """
    missed = np.abs(_MISSED @ loads).max(axis=0)
    return missed > DOUBT * np.abs(loads).max(axis=0) + 1e-9


def first_negative(
    guard: Callable[[float], tuple[float, Found]],
    quiet: tuple[float, float],
    violated: tuple[float, float, Found],
    closest: float,
) -> tuple[float, Found]:
    """The end at which the guard is negative of a bracket no longer than `closest`, and what the guard gave with it.

    False position in Illinois form, halving every third time.
    """
    (a, at_a), (b, at_b, found) = quiet, violated
    side, turn = 0, 0
    while b - a > closest:
        turn += 1
        x = 0.5 * (a + b)
        if turn % 3:
            x = min(max(b - at_b * (b - a) / (at_b - at_a), a + 0.5 * closest), b - 0.5 * closest)
        if not a < x < b:
            break
        value, candidate = guard(x)
        if value < 0:
            b, at_b, found = x, value, candidate
            at_a = at_a / 2 if side < 0 else at_a
            side = -1
        else:
            a, at_a = x, value
            at_b = at_b / 2 if side > 0 else at_b
            side = 1
    return b, found


RTOL, ATOL = 1e-9, 1e-10
"""The tolerances of a run that names none."""

MOMENT = 1e-13
"""Accuracy to which an event is located [s], limited by the resolution of floats."""

SHORTEST = 1e-100
"""Shortest step [s], also near t = 0, where floats would resolve shorter ones."""

SURE = 1e-5
"""A step shorter than this [s] is accepted even if the loads on held joints change fast in it."""

_EPS = float(np.finfo(float).eps)
_ORDER = METHOD.tableau.order
_LATER = LOOKS.tolist()[1:]


class Step(NamedTuple):
    """An accepted step, with constant contact modes and data, the contact events at its start, and the checkpoint.

    It is a function of time, as accurate inside as at its ends.
    """

    rates: CompiledStages
    attempt: Attempt
    events: tuple[Event, ...]
    whereabouts: Whereabouts

    @property
    def begin(self) -> float:
        return self.attempt.t

    @property
    def end(self) -> float:
        return self.whereabouts.t

    def inside(self, times: Floats) -> Floats:
        """The states at some times in the step, each with its rates [qdd, powers, shown, guard], (N, entries)."""
        return self.rates.inside(self.attempt, (times - self.attempt.t) / self.attempt.h)


class Adaptive:
    """A run from (t, state) on: `steps(until)` yields its steps. `longest` limits their length [s]."""

    def __init__(
        self,
        rates: CompiledStages,
        sweeper: Sweeper | None,
        tolerance: Tolerance,
        joint_names: Sequence[str],
        t: float,
        state: Floats,
        longest: float = math.inf,
    ) -> None:
        self.rates, self.sweeper, self.tolerance, self.names = rates, sweeper, tolerance, joint_names
        self.t, self.state, self.longest = t, state.copy(), longest
        self.length: float | None = None
        self.memory, self.was_rejected = FRESH, False
        self._breaks = DataBreaks(rates.sources)
        self._feeds: Feeds | None = None
        self._data_end = math.inf

    @property
    def whereabouts(self) -> Whereabouts:
        """A checkpoint from which `resume` continues bit for bit."""
        return Whereabouts(self.t, self.state, self.length, self.memory, self.was_rejected)

    def resume(self, whereabouts: Whereabouts) -> None:
        """Continues from a checkpoint."""
        self.t, state, self.length, self.memory, self.was_rejected = whereabouts
        self.state, self._feeds = state.copy(), None

    def steps(self, until: float) -> Iterator[Step]:
        """The accepted steps up to a time, which the last one meets exactly.

        Raises SimulationError where no step is short enough.
        """
        self._feeds = None  # a piece of the data may begin just where the last run ended
        while self.t < until:
            yield self._next(until)

    def settle(self) -> tuple[Event, ...]:
        """Applies the contact events at the current state; the last row of a run is recorded after them."""
        sweeper, feeds = self.sweeper, self._data()
        if sweeper is None or not self.rates.at(self.state, self.t, feeds)[-1] < 0:
            return ()
        before, self.state = self.state, self.state.copy()  # the step before ends in the one that was
        events = tuple(sweeper.settle(self.rates.at, self.state, self.t, feeds))
        if not np.array_equal(before, self.state):
            self.memory = FRESH
        return events

    def row(self) -> Floats:
        """The raw row [state, qdd, shown] of the current state."""
        layout = self.rates.layout
        out = self.rates.at(self.state, self.t, self._data())
        behind = layout.coordinates + layout.sums
        shown = out[behind : behind + layout.record - layout.state - layout.coordinates]
        return np.concatenate([self.state, out[: layout.coordinates], shown])

    def _next(self, until: float) -> Step:
        feeds, events, t = self._data(), self.settle(), self.t
        if self.length is None:
            self.length = self._first_length(feeds)
        while True:
            h = min(self.length, self.longest)
            if h < max(10 * _EPS * abs(t), SHORTEST):
                raise self._too_short(feeds)
            self._data_end = self._breaks.after(t, min(t + 1.01 * h, until), until)
            limit = min(until, self._data_end)
            ends_at_limit = t + 1.01 * h >= limit
            if ends_at_limit:
                h = limit - t
            attempt = self._attempt(h, feeds)
            if attempt.error > 1:
                self._reject(h * factor_after_rejection(attempt.error, _ORDER))
                continue
            looks = None if self.sweeper is None else self.rates.inside(attempt, LOOKS)
            if looks is None or h < SURE or not self._are_loads_doubtful(looks):
                break
            self._reject(h / 2)
        self._control(h, attempt.error, ends_at_limit)
        end = limit if ends_at_limit else t + h
        if looks is not None and (sooner := self._until_event(attempt, looks[:, -1], feeds)) is not attempt:
            end, attempt, self.memory = t + sooner.h, sooner, FRESH
        self.t, self.state = end, attempt.after
        return Step(self.rates, attempt, events, self.whereabouts)

    def _reject(self, length: float) -> None:
        self.length, self.was_rejected = length, True

    def _control(self, h: float, error: float, is_cut: bool) -> None:
        """The length of the next step; one that was cut short is ignored."""
        factor = factor_after(error, self.memory, _ORDER)
        if self.was_rejected:
            factor = min(factor, 1.0)
        assert self.length is not None
        self.length = max(self.length, h * factor) if is_cut and h < self.length else h * factor
        self.memory, self.was_rejected = max(error, FRESH), False

    def _attempt(self, h: float, feeds: Feeds) -> Attempt:
        return self.rates.attempt(self.state, self.t, h, feeds, self.tolerance.rtol, self.tolerance.atol)

    def _are_loads_doubtful(self, looks: Floats) -> bool:
        """Whether a load on a held joint changes too fast between the samples."""
        assert self.sweeper is not None
        held = self.state[self.sweeper.parts[HELD]]
        if not any(held.tolist()):
            return False
        loads = looks[:, -1 - len(held) : -1]  # `hold` comes last but one, before the guard
        return bool(are_doubtful(loads).dot(held))

    def _until_event(self, whole: Attempt, guards: Floats, feeds: Feeds) -> Attempt:
        """The step up to the first contact event; the whole one if there is none."""

        def guard(h: float) -> tuple[float, Attempt]:
            attempt = whole if h == whole.h else self._attempt(h, feeds)
            return float(self.rates.at(attempt.after, self.t + h, feeds)[-1]), attempt

        seen_first, *later = guards.tolist()
        quiet, margin = 0.0, seen_first
        for part, seen in zip(_LATER, later, strict=True):
            h = part * whole.h
            if seen < 0:
                seen, attempt = guard(h)  # by a step of its own: the interpolated state may be off by the tolerance
                if seen < 0:
                    closest = max(MOMENT, 4 * _EPS * abs(self.t + h))
                    return first_negative(guard, (quiet, margin), (h, seen, attempt), closest)[1]
            quiet, margin = h, seen
        return whole

    def _first_length(self, feeds: Feeds) -> float:
        n, state = self.rates.layout.coordinates, self.state
        q, qd = state[:n], state[n : 2 * n]
        qdd = self.rates.at(state, self.t, feeds)[:n].copy()
        ahead = trial_length(self.tolerance, q, qd, qdd)
        there = state.copy()
        there[:n], there[n : 2 * n] = q + ahead * qd, qd + ahead * qdd
        later = self.rates.at(there, self.t + ahead, feeds)[:n]
        return first_length(self.tolerance, q, qd, qdd, later, ahead, _ORDER)

    def _data(self) -> Feeds:
        """The data that applies now, constant until a piece ends."""
        if self._feeds is None or self.t >= self._data_end:
            self._feeds, self._data_end = self.rates.feeds(self.t, 0.0), math.inf
        return self._feeds

    def _too_short(self, feeds: Feeds) -> SimulationError:
        joint = self.names[self._attempt(self.length or 0.0, feeds).worst]
        return SimulationError(
            f"at t = {self.t:.9g} s no step is short enough for rtol = {self.tolerance.rtol:g}, atol = "
            f"{self.tolerance.atol:g}; the worst joint is {joint}. Its acceleration is discontinuous or diverges "
            "there: check for gains that are too high, a singular mass matrix, or a coupled joint with friction "
            "that has no smoothing; or give larger tolerances.",
            t=self.t,
            joint=joint,
        )
