"""One step of the adaptive method as a function of time: between its ends as accurate as at them."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from leverarm.compiler.llvm.march_layout import Layout
from leverarm.simulation.acting.feeds import Feeds, Floats
from leverarm.simulation.compiled.evaluation import Attempt


class Steps(Protocol):
    """What takes steps and looks into them: `CompiledStages`, or `CalledSteps` for torques by a Python function."""

    def attempt(self, state: Floats, t: float, h: float, feeds: Feeds, rtol: float, atol: float) -> Attempt:
        """A step of length h."""
        ...

    def inside(self, attempt: Attempt, parts: Floats) -> Floats:
        """The states at some parts of a step, 0 its begin and 1 its end, each with all its rates, (N, entries)."""
        ...


class DenseStep(NamedTuple):
    """A step that was accepted, marks and data constant in it."""

    steps: Steps
    layout: Layout
    attempt: Attempt

    @property
    def t(self) -> float:
        return self.attempt.t

    @property
    def h(self) -> float:
        return self.attempt.h

    @property
    def state(self) -> Floats:
        return self.attempt.state

    @property
    def after(self) -> Floats:
        return self.attempt.after

    def inside(self, times: Floats) -> Floats:
        """The states at some times in the step, each with its rates [qdd, powers, shown, guard], (N, entries)."""
        return self.steps.inside(self.attempt, (times - self.attempt.t) / self.attempt.h)

    def rows(self, times: Floats) -> Floats:
        """The raw rows [state, qdd, shown] at some times in the step, (N, entries)."""
        return recorded(self.layout, self.inside(times))

    def states(self, parts: Floats) -> Floats:
        """The states at some parts of the step, 0 its begin and 1 its end, (N, entries)."""
        return self.steps.inside(self.attempt, parts)[:, : self.layout.state]

    def rates_at(self, parts: Floats) -> Floats:
        """The rates [qdd, powers, shown, guard] at some parts of the step, (N, entries)."""
        return self.steps.inside(self.attempt, parts)[:, self.layout.state :]


def recorded(layout: Layout, inside: Floats) -> Floats:
    """What is recorded of states with all their rates: powers and guard are not."""
    moving = layout.state + layout.coordinates
    shown = inside[:, moving + layout.sums : layout.record + layout.sums]
    return np.concatenate([inside[:, :moving], shown], axis=1)
