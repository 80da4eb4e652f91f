"""One step of the adaptive method as a function of time: between its ends as accurate as at them.

Dormand and Prince's free interpolant is of fourth order, too little beside steps of fifth. Here the acceleration is
taken at both ends and at two points between, a third and two thirds on, where the quintic through q, qd and qdd of both
ends tells the state. The polynomial of fifth degree with these accelerations and both velocities gives qd to h^6, as
the step itself; q is its integral, and so it goes for the sums with their powers. Neighbouring steps meet with the same
q, qd and qdd.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from leverarm.simulation.acting.feeds import Feeds, Floats
from leverarm.simulation.compiled.evaluation import Evaluation

NODES = (0.0, 1 / 3, 2 / 3, 1.0)
"""Where in the step the rates are taken."""

_THROUGH_NODES = np.array([[2, 0, 0, 0], [-11, 18, -9, 2], [18, -45, 36, -9], [-9, 27, -27, 9]]) / 2
"""The coefficients, by rising powers, of the cubic through values at the nodes."""

_BETWEEN_NODES = np.array([0, -2 / 9, 11 / 9, -2, 1])
"""theta (theta - 1/3) (theta - 2/3) (theta - 1): zero at all nodes; its integral over the step is -1/270."""

_WHOLE = -1 / 270
_SOFT = np.array([0, 0, 0, 10, -15, 6, 0])
"""From 0 to 1 with no slope and no curvature at either end."""


class DenseStep:
    """A step from (t, state) to (t + h, after), marks and data constant in between.

    `first` and `last` are the rates [qdd, powers, shown, guard] at its ends.
    """

    def __init__(
        self,
        rates: Evaluation,
        feeds: Feeds,
        t: float,
        h: float,
        state: Floats,
        after: Floats,
        first: Floats,
        last: Floats,
    ) -> None:
        self.rates, self.feeds = rates, feeds
        self.t, self.h = t, h
        self.state, self.after = state, after
        self.first, self.last = first, last

    def rows(self, times: Floats) -> Floats:
        """The raw rows [state, qdd, shown] at some times in the step, (N, entries)."""
        layout = self.rates.layout
        states = self.states((np.asarray(times, float) - self.t) / self.h)
        rows = np.empty((len(states), layout.record))
        n, behind = layout.coordinates, layout.coordinates + layout.sums
        place = np.empty(layout.state)
        for row, state, t in zip(rows, states, np.asarray(times, float).tolist(), strict=True):
            place[...] = state
            out = self.rates.at(place, t, self.feeds)
            row[: layout.state] = state
            row[layout.state : layout.state + n] = out[:n]
            row[layout.state + n :] = out[behind : behind + layout.record - layout.state - n]
        return rows

    def states(self, parts: Floats) -> Floats:
        """The states at some parts of the step, 0 its begin and 1 its end, (N, entries)."""
        n, sums = self.rates.layout.coordinates, self.rates.layout.sums
        position, speed, energy = self._polynomials
        states = np.tile(self.state, (len(parts), 1))
        states[:, :n] = _at(position, parts)
        states[:, n : 2 * n] = _at(speed, parts)
        states[:, 2 * n : 2 * n + sums] = _at(energy, parts)
        states[parts == 0] = self.state
        states[parts == 1] = self.after
        return states

    def rates_at(self, parts: Floats) -> Floats:
        """The rates [qdd, powers, shown, guard] at some parts of the step, (N, entries)."""
        place, found = np.empty(self.rates.layout.state), []
        for part, state in zip(parts.tolist(), self.states(parts), strict=True):
            place[...] = state
            found.append(self.rates.at(place, self.t + part * self.h, self.feeds).copy())
        return np.array(found)

    @cached_property
    def _polynomials(self) -> tuple[Floats, Floats, Floats]:
        """The coefficients of q, qd and the sums by rising powers of the part of the step."""
        layout, h = self.rates.layout, self.h
        n, sums = layout.coordinates, layout.sums
        rates = np.array([self.first[: n + sums], *self._inner_rates(), self.last[: n + sums]])
        speed = _integral(h * rates[:, :n], self.state[n : 2 * n], self.after[n : 2 * n])
        ends = slice(2 * n, 2 * n + sums)
        energy = _integral(h * rates[:, n:], self.state[ends], self.after[ends])
        position = np.vstack([self.state[:n], h * speed / np.arange(1, 7)[:, None]])
        position += np.outer(_SOFT, self.after[:n] - position.sum(axis=0))
        return position, speed, energy

    def _inner_rates(self) -> list[Floats]:
        layout = self.rates.layout
        n, place, found = layout.coordinates, np.empty(layout.state), []
        for part in NODES[1:3]:
            place[...] = self.state
            place[:n], place[n : 2 * n] = self._quintic(part)
            found.append(self.rates.at(place, self.t + part * self.h, self.feeds)[: n + layout.sums].copy())
        return found

    def _quintic(self, x: float) -> tuple[Floats, Floats]:
        """q and qd by the quintic through q, qd and qdd at both ends."""
        n, h = self.rates.layout.coordinates, self.h
        q0, q1 = self.state[:n], self.after[:n]
        v0, v1 = h * self.state[n : 2 * n], h * self.after[n : 2 * n]
        a0, a1 = h * h * self.first[:n], h * h * self.last[:n]
        gone = q1 - q0 - v0 - a0 / 2
        faster, more = v1 - v0 - a0, a1 - a0
        c3, c4, c5 = 10 * gone - 4 * faster + more / 2, -15 * gone + 7 * faster - more, 6 * gone - 3 * faster + more / 2
        q = q0 + x * (v0 + x * (a0 / 2 + x * (c3 + x * (c4 + x * c5))))
        return q, (v0 + x * (a0 + x * (3 * c3 + x * (4 * c4 + x * 5 * c5)))) / h


def _at(coefficients: Floats, parts: Floats) -> Floats:
    """Polynomials by rising powers at some parts of the step; each part by itself, whatever the others are."""
    total = np.broadcast_to(coefficients[-1], (len(parts), coefficients.shape[1]))
    for row in coefficients[-2::-1]:
        total = total * parts[:, None] + row
    return total


def _integral(rates: Floats, begin: Floats, end: Floats) -> Floats:
    """The polynomial of fifth degree with these ends and, at the four nodes, these slopes; by rising powers."""
    slope = np.zeros((5, rates.shape[1]))
    slope[:4] = _THROUGH_NODES @ rates
    missing = end - begin - (slope / np.arange(1, 6)[:, None]).sum(axis=0)
    slope += np.outer(_BETWEEN_NODES / _WHOLE, missing)
    return np.vstack([begin, slope / np.arange(1, 6)[:, None]])
