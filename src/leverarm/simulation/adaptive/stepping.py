"""The adaptive method: Dormand and Prince's steps of fifth order, each as long as the tolerance allows.

A step ends where a piece of the data ends, where the run ends, and where something happens in no time (a joint sticks,
breaks loose, strikes a stop): that moment is found to about 1e-13 s by steps of its own, not by interpolation. The
steps do not depend on what is recorded.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction as F
from typing import NamedTuple

import numpy as np

from leverarm.errors import SimulationError
from leverarm.simulation.acting.data_breaks import DataBreaks
from leverarm.simulation.acting.feeds import Feeds, Floats
from leverarm.simulation.adaptive.dense_output import DenseStep
from leverarm.simulation.adaptive.event_search import LOOKS, are_doubtful, first_negative
from leverarm.simulation.adaptive.step_control import (
    FRESH,
    Tolerance,
    factor_after,
    factor_after_rejection,
    first_length,
    norm,
    trial_length,
)
from leverarm.simulation.adaptive.whereabouts import Whereabouts
from leverarm.simulation.compiled.evaluation import Evaluation
from leverarm.simulation.contacts import HELD
from leverarm.simulation.contacts.sweeping import Sweeper
from leverarm.simulation.fixed_step.tableaux import DORMAND_PRINCE
from leverarm.trajectories.records import Event

RTOL, ATOL = 1e-9, 1e-10
"""The tolerances of a run that names none."""

MOMENT = 1e-13
"""How closely the moment of an event is found [s]; never closer than times can be told apart."""

SURE = 1e-5
"""A step shorter than this [s] is taken even if the loads on what holds joints change fast in it."""

_EPS = float(np.finfo(float).eps)
_SPEED, _POSITION = np.array(DORMAND_PRINCE.last_velocity), np.array(DORMAND_PRINCE.last_position)
_DIFFERENCE = [F(71, 57600), F(0), F(-71, 16695), F(71, 1920), F(-17253, 339200), F(22, 525), F(-1, 40)]
"""The weights of order five less those of order four: what the error of a step is estimated by."""

_ERROR_OF_SPEED = np.array([float(x) for x in _DIFFERENCE])
_ERROR_OF_POSITION = _ERROR_OF_SPEED @ np.array(DORMAND_PRINCE.velocities)


class Step(NamedTuple):
    """An accepted step, what happened in no time at its begin, and from where the run goes on after it."""

    dense: DenseStep
    events: tuple[Event, ...]
    whereabouts: Whereabouts

    @property
    def begin(self) -> float:
        return self.dense.t

    @property
    def end(self) -> float:
        return self.whereabouts.t


@dataclass(slots=True)
class _Attempt:
    """A step that was computed: its length, where it leads, its error as a part of what is allowed, the worst joint."""

    h: float
    after: Floats
    first: Floats
    last: Floats
    error: float
    worst: int


class Adaptive:
    """A run from (t, state) on: `steps(until)` yields its steps. `longest` limits their length [s]."""

    def __init__(
        self,
        rates: Evaluation,
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
        """Where the run is: `resume` goes on from there, bit for bit."""
        return Whereabouts(self.t, self.state.copy(), self.length, self.memory, self.was_rejected)

    def resume(self, whereabouts: Whereabouts) -> None:
        """Goes on from where a run was."""
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
        """Lets happen what happens in no time at the present state; the last row of a run is to be taken after it."""
        if self.sweeper is None:
            return ()
        before = self.state.copy()
        events = tuple(self.sweeper.settle(self.rates, self.state, self.t, self._data()))
        if not np.array_equal(before, self.state):
            self.memory = FRESH
        return events

    def row(self) -> Floats:
        """The raw row [state, qdd, shown] of the present state."""
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
            if h < 10 * _EPS * abs(t):
                raise self._too_short(feeds)
            self._data_end = self._breaks.after(t, min(t + 1.01 * h, until), until)
            limit = min(until, self._data_end)
            ends_at_limit = t + 1.01 * h >= limit
            if ends_at_limit:
                h = limit - t
            attempt = self._attempt(h, feeds)
            if attempt.error > 1:
                self._reject(h * factor_after_rejection(attempt.error, DORMAND_PRINCE.order))
                continue
            step = self._dense(attempt, feeds)
            looks = None if self.sweeper is None else step.rates_at(LOOKS)
            if looks is None or h < SURE or not self._are_loads_doubtful(attempt.first, looks):
                break
            self._reject(h / 2)
        self._control(h, attempt.error, ends_at_limit)
        end = limit if ends_at_limit else t + h
        if looks is not None and (sooner := self._until_event(attempt, looks[:, -1], feeds)) is not attempt:
            end, attempt, self.memory = t + sooner.h, sooner, FRESH
            step = self._dense(attempt, feeds)
        self.t, self.state = end, attempt.after.copy()
        return Step(step, events, self.whereabouts)

    def _reject(self, length: float) -> None:
        self.length, self.was_rejected = length, True

    def _control(self, h: float, error: float, is_cut: bool) -> None:
        """The length of the next step; one that was cut short says little."""
        factor = factor_after(error, self.memory, DORMAND_PRINCE.order)
        if self.was_rejected:
            factor = min(factor, 1.0)
        assert self.length is not None
        self.length = max(self.length, h * factor) if is_cut and h < self.length else h * factor
        self.memory, self.was_rejected = max(error, FRESH), False

    def _attempt(self, h: float, feeds: Feeds) -> _Attempt:
        layout, state = self.rates.layout, self.state
        n, sums = layout.coordinates, layout.sums
        a, powers, shown = self.rates.stages(DORMAND_PRINCE, state, self.t, h, feeds)
        after = state.copy()
        ledger = slice(2 * n, 2 * n + sums)
        after[:n] += h * (state[n : 2 * n] + h * (_POSITION @ a))
        after[n : 2 * n] += h * (_SPEED @ a)
        after[ledger] += h * (_SPEED @ powers)
        error = np.concatenate([h * h * (_ERROR_OF_POSITION @ a), h * (_ERROR_OF_SPEED @ a)])
        shares = self.tolerance.shares(error, state[: 2 * n], after[: 2 * n])
        in_sums = self.tolerance.shares_of_sums(h * (_ERROR_OF_SPEED @ powers), state[ledger], after[ledger])
        first, last = np.concatenate([a[0], powers[0], shown]), np.concatenate([a[-1], powers[-1]])
        sizes = np.where(np.isfinite(shares), np.abs(shares), np.inf)
        return _Attempt(h, after, first, last, max(norm(shares), norm(in_sums)), int(sizes.argmax()) % n)

    def _dense(self, attempt: _Attempt, feeds: Feeds) -> DenseStep:
        return DenseStep(self.rates, feeds, self.t, attempt.h, self.state, attempt.after, attempt.first, attempt.last)

    def _are_loads_doubtful(self, first: Floats, looks: Floats) -> bool:
        assert self.sweeper is not None
        held = np.flatnonzero(self.state[self.sweeper.parts[HELD]])
        loads = held - 1 - self.rates.layout.coordinates  # `hold` comes last but one, before the guard
        return bool(held.size) and are_doubtful(first[loads], looks[:, loads])

    def _until_event(self, whole: _Attempt, guards: Floats, feeds: Feeds) -> _Attempt:
        """The step up to the first moment at which something must change; the whole one if there is none."""

        def guard(h: float) -> tuple[float, _Attempt]:
            attempt = whole if h == whole.h else self._attempt(h, feeds)
            return float(self.rates.at(attempt.after, self.t + h, feeds)[-1]), attempt

        quiet, margin = 0.0, float(whole.first[-1])
        for part, seen in zip(LOOKS.tolist(), guards.tolist(), strict=True):
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
        return first_length(self.tolerance, q, qd, qdd, later, ahead, DORMAND_PRINCE.order)

    def _data(self) -> Feeds:
        """The data in force now; the same until a piece ends."""
        if self._feeds is None or self.t >= self._data_end:
            self._feeds, self._data_end = self.rates.feeds(self.t, 0.0), math.inf
        return self._feeds

    def _too_short(self, feeds: Feeds) -> SimulationError:
        joint = self.names[self._attempt(self.length or 0.0, feeds).worst]
        return SimulationError(
            f"at t = {self.t:.9g} s no step is short enough for rtol = {self.tolerance.rtol:g}, atol = "
            f"{self.tolerance.atol:g}; the worst joint is {joint}. Its acceleration jumps or leaves the range of "
            "numbers there: look for gains that are too high, a singular mass matrix, or a coupled joint with friction "
            "that has no smoothing; or give larger tolerances.",
            t=self.t,
            joint=joint,
        )
