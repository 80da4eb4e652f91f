"""The implicit midpoint rule with torques by a Python function: it is asked again until torque and motion agree.

The compiled loop does each step with the torque held; the middle of that step tells where to ask next. So the torque
may not be stiff for the step: of a damper kd on an inertia m, kd h / 2 m must be less than one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from leverarm.compiler.llvm.implicit_layout import Collocation
from leverarm.compiler.llvm.march_layout import Layout
from leverarm.model import Arm
from leverarm.simulation.acting.feeds import Feeds, Floats, Source, aligned, aligned_copy, feeds_for_steps
from leverarm.simulation.compiled.machinery import Native
from leverarm.simulation.fixed_step.called_torque import TorqueFunction, checked_torque
from leverarm.simulation.fixed_step.marching import recorded

MOST_CALLS = 50
"""A step that takes more has failed."""

_ENOUGH = 1e-13
"""The step is done where the velocity in its middle changes by less than this part of it, or of 1 rad/s."""


class CalledMidpointMarch:
    """A march whose torques come from a Python function."""

    def __init__(
        self,
        native: Native,
        method: Collocation,
        arm: Arm,
        function: TorqueFunction,
        layout: Layout,
        sources: Sequence[Source],
        place: int,
        parts: int,
    ) -> None:
        """`native` is the loop of a method with one stage, the midpoint rule; `place` is the feed of the torque."""
        self.native, self.arm, self.function, self.layout = native, arm, function, layout
        self.sources, self.place, self.parts = sources, place, parts
        self.guess = np.array(method.guesses[0])
        self.tau = aligned((1, arm.dof, 1))
        self.row = aligned((layout.record,))

    def __call__(self, state: Floats, first: int, steps: int, every: int, t0: float, h: float) -> Floats:
        n, part = self.arm.dof, h / self.parts
        rows: Floats = aligned((recorded(first, steps, every), self.layout.record))
        row = 0
        for number in range(first, first + steps):
            t = t0 + number * h
            feeds = self._feeds(t, h)
            if number % every == 0:
                self._ask(t, state[:n], state[n : 2 * n])
                self._native(aligned_copy(state), feeds, t, 0.0)
                rows[row] = self.row
                row += 1
            for j in range(self.parts):
                self._step(state, feeds, t + j * part, part)
        return rows

    def _step(self, state: Floats, feeds: Feeds, t: float, h: float) -> None:
        n, before = self.arm.dof, state.copy()
        past = before[self.layout.state + n : -3].reshape(-1, n)
        v = self.guess @ past if before[-2] else before[n : 2 * n]
        for _ in range(MOST_CALLS):
            self._ask(t + h / 2, before[:n] + h / 2 * v, v)
            state[...] = before
            self._native(state, feeds, t, h)
            found = state[-3 - n : -3].copy()
            if state[-1] or np.abs(found - v).max() <= _ENOUGH * (1 + np.abs(v).max()):
                return
            v = found
        state[...] = before
        state[-1] = np.inf

    def _ask(self, t: float, q: Floats, qd: Floats) -> None:
        self.tau[0, :, 0] = checked_torque(self.function, self.arm, t, q, qd)

    def _native(self, state: Floats, feeds: Feeds, t: float, h: float) -> None:
        self.native(state.ctypes.data, feeds.address, self.row.ctypes.data, 0, 1, 1, t, h, 1)

    def _feeds(self, t: float, h: float) -> Feeds:
        """The data in force in the step that begins now, and this object's torque."""
        (others,) = feeds_for_steps(self.sources, np.array([t]), h)
        parts = list(others.parts)
        parts[self.place] = (self.tau, np.zeros(1, np.int64), 0)
        return Feeds(parts)
