"""The implicit midpoint rule with torques by a Python function: it is asked again until torque and motion agree.

The compiled loop does each step with the torque held; the middle of that step tells where to ask next. So the torque
may not be stiff for the step: of a damper kd on an inertia m, kd h / 2 m must be less than one.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from leverarm.compiler.llvm.march_layout import FAILED, IS_BEGUN, ROUNDS, Collocation, Layout
from leverarm.simulation.acting.feeds import Feeds, Floats, aligned, aligned_copy
from leverarm.simulation.compiled.machinery import Native
from leverarm.simulation.fixed_step.called_torque import CalledTorque
from leverarm.simulation.fixed_step.marching import gathered

MOST_CALLS = 50
"""A step that takes more has failed."""

_ENOUGH = 1e-13
"""The step is done where the velocity in its middle changes by less than this part of it, or of 1 rad/s."""


class CalledMidpointMarch:
    """A march whose torques come from a Python function."""

    def __init__(self, native: Native, method: Collocation, torque: CalledTorque, layout: Layout, parts: int) -> None:
        """`native` is the loop of a method with one stage, the midpoint rule."""
        self.native, self.torque, self.layout, self.parts = native, torque, layout, parts
        self.guess = np.array(method.guesses[0])
        self.row = aligned((layout.record,))

    def __call__(self, state: Floats, first: int, steps: int, every: int, t0: float, h: float) -> Floats:
        return gathered(self._rows(state, first, steps, every, t0, h), self.layout.record)

    def _rows(self, state: Floats, first: int, steps: int, every: int, t0: float, h: float) -> Iterator[Floats]:
        n, part = self.layout.coordinates, h / self.parts
        for number in range(first, first + steps):
            t = t0 + number * h
            feeds = self.torque.feeds(t, h)
            if number % every == 0:
                self.torque.ask(t, state[:n], state[n : 2 * n])
                self._native(aligned_copy(state), feeds, t, 0.0)
                yield self.row.copy()
            for j in range(self.parts):
                self._step(state, feeds, t + j * part, part)

    def _step(self, state: Floats, feeds: Feeds, t: float, h: float) -> None:
        """Asks where the step is in its middle by the torque before, until that is where it was."""
        n, before = self.layout.coordinates, state.copy()
        past = before[self.layout.state + n : ROUNDS].reshape(-1, n)
        v = self.guess @ past if before[IS_BEGUN] else before[n : 2 * n]
        for _ in range(MOST_CALLS):
            self.torque.ask(t + h / 2, before[:n] + h / 2 * v, v)
            state[...] = before
            self._native(state, feeds, t, h)
            found = state[ROUNDS - n : ROUNDS].copy()
            if state[FAILED] or np.abs(found - v).max() <= _ENOUGH * (1 + np.abs(v).max()):
                return
            v = found
        state[...] = before
        state[FAILED] = np.inf

    def _native(self, state: Floats, feeds: Feeds, t: float, h: float) -> None:
        self.native(state.ctypes.data, feeds.address, self.row.ctypes.data, 0, 1, 1, t, h, 1)
