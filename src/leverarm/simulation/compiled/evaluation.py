"""The rates of a system at one state and at the stages of one step, by compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from leverarm.compiler.llvm.march_layout import Layout, Tableau
from leverarm.simulation.acting.feeds import Feeds, Floats, Source, aligned, feeds_for_steps
from leverarm.simulation.compiled.machinery import Machinery, Native
from leverarm.simulation.fixed_step.tableaux import EULER


class Evaluation(Protocol):
    """What moves one arm: compiled (`CompiledStages`), or with torques by a Python function (`CalledStages`)."""

    layout: Layout
    sources: Sequence[Source]

    def feeds(self, t: float, h: float) -> Feeds:
        """The data in force in a step of length h that begins at t."""
        ...

    def at(self, state: Floats, t: float, feeds: Feeds) -> Floats:
        """[qdd, powers, shown, guard] at a state; overwritten by the next call."""
        ...

    def stages(
        self, tableau: Tableau, state: Floats, t: float, h: float, feeds: Feeds
    ) -> tuple[Floats, Floats, Floats]:
        """The accelerations and powers of all stages, and what is shown, with the guard, at the first."""
        ...


class CompiledStages:
    """The rates of a system whose forces are all compiled."""

    def __init__(self, machinery: Machinery, sources: Sequence[Source]) -> None:
        self._machinery = machinery
        self._natives: dict[str, tuple[Native, Floats]] = {}
        self._rates = machinery.stages(EULER)
        self.layout = machinery.layout
        self.sources = sources
        self._out: Floats = aligned((self._size(1),))

    def feeds(self, t: float, h: float) -> Feeds:
        """The data in force in a step of length h that begins at t."""
        return feeds_for_steps(self.sources, np.array([t]), h)[0]

    def at(self, state: Floats, t: float, feeds: Feeds) -> Floats:
        """[qdd, powers, shown, guard] at a state; overwritten by the next call."""
        self._rates(state.ctypes.data, feeds.address, self._out.ctypes.data, t, 0.0)
        return self._out

    def stages(
        self, tableau: Tableau, state: Floats, t: float, h: float, feeds: Feeds
    ) -> tuple[Floats, Floats, Floats]:
        """The accelerations and powers of all stages, and what is shown, with the guard, at the first."""
        count, n, sums = len(tableau.nodes), self.layout.coordinates, self.layout.sums
        if tableau.name not in self._natives:
            self._natives[tableau.name] = self._machinery.stages(tableau), aligned((self._size(count),))
        native, out = self._natives[tableau.name]
        native(state.ctypes.data, feeds.address, out.ctypes.data, t, h)
        made = out.copy()
        middle, end = count * n, count * (n + sums)
        return made[:middle].reshape(count, n), made[middle:end].reshape(count, sums), made[end:]

    def _size(self, stages: int) -> int:
        layout = self.layout
        shown = sum(array.size for array in layout.shown)
        return stages * (layout.coordinates + layout.sums) + shown + layout.has_guard
