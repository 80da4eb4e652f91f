"""Torques by a Python function: every stage of every step calls it, so the loop runs in Python too.

The same operations in the same order as the compiled loop: the same torques give the same motion, bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from typing import Any

import numpy as np

from leverarm.compiler.llvm.march_layout import MOST_JUMPS, Layout, Tableau, alike
from leverarm.errors import SimulationError
from leverarm.model import Arm
from leverarm.quantities.arrays import floats
from leverarm.simulation.acting.feeds import Feeds, Floats, Source, aligned, feeds_for_steps
from leverarm.simulation.compiled.machinery import Native
from leverarm.simulation.contacts.event_location import Sweeper
from leverarm.simulation.fixed_step.marching import gathered

TorqueFunction = Callable[[float, Floats, Floats], Any]
"""tau(t, q, qd): one number per coordinate."""


def checked_torque(function: TorqueFunction, arm: Arm, t: float, q: Floats, qd: Floats) -> Floats:
    """What the function gives, as one finite number per coordinate; SimulationError names the time and the joint."""
    try:
        given = function(t, q.copy(), qd.copy())
    except Exception as problem:
        raise SimulationError(
            f"at t = {t:.9g} s the torque function raised {type(problem).__name__}: {problem}. It is called as "
            "torque(t, q, qd).",
            t=t,
        ) from problem
    try:
        tau = floats(given)
    except (TypeError, ValueError, OverflowError):
        raise SimulationError(
            f"at t = {t:.9g} s the torque function gave {given!r}; it must give {arm.dof} numbers "
            f"({', '.join(arm.joint_names)}).",
            t=t,
        ) from None
    if tau.shape != (arm.dof,):
        raise SimulationError(
            f"at t = {t:.9g} s the torque function gave an array of shape {tau.shape}; it must give {arm.dof} numbers "
            f"({', '.join(arm.joint_names)}).",
            t=t,
        )
    if not np.isfinite(tau).all():
        k = int(np.flatnonzero(~np.isfinite(tau))[0])
        joint = arm.joint_names[k]
        raise SimulationError(
            f"at t = {t:.9g} s the torque function gave {tau[k]} for {joint}; every torque must be finite. Look for a "
            "division by zero or a missing value in it.",
            t=t,
            joint=joint,
        )
    return tau


class CalledTorque:
    """A Python function as the source of torques: what it gave last is one of the feeds of compiled code."""

    def __init__(self, arm: Arm, function: TorqueFunction, sources: Sequence[Source], place: int) -> None:
        """`place` tells which of the sources stands for the function."""
        self.arm, self.function, self.sources, self.place = arm, function, sources, place
        self._tau = aligned((1, arm.dof, 1))

    def ask(self, t: float, q: Floats, qd: Floats) -> None:
        """Lets the torque be that of this time and state."""
        self._tau[0, :, 0] = checked_torque(self.function, self.arm, t, q, qd)

    def feeds(self, t: float, h: float) -> Feeds:
        """The data in force in the step that begins now, and the torque, whatever it is when they are read."""
        (others,) = feeds_for_steps(self.sources, np.array([t]), h)
        parts = list(others.parts)
        parts[self.place] = (self._tau, np.zeros(1, np.int64), 0)
        return Feeds(parts)


class CalledStages:
    """`stages(state, t, h)` of a method with the torque asked for anew at every stage."""

    def __init__(self, torque: CalledTorque, layout: Layout, rates: Native) -> None:
        """`rates` is the native `stages` of a method with one stage."""
        self.torque, self.layout, self.rates = torque, layout, rates
        self.sources = torque.sources
        self.stage = aligned((layout.state,))
        shown = sum(array.size for array in layout.shown)
        self.out: Floats = aligned((layout.coordinates + layout.sums + shown + layout.has_guard,))

    def feeds(self, t: float, h: float) -> Feeds:
        """The data in force in the step that begins now, and the torque."""
        return self.torque.feeds(t, h)

    def at(self, state: Floats, t: float, feeds: Feeds) -> Floats:
        """[qdd, powers, shown, guard] at a state; overwritten by the next call."""
        n = self.layout.coordinates
        self.torque.ask(t, state[:n], state[n : 2 * n])
        self.rates(state.ctypes.data, feeds.address, self.out.ctypes.data, t, 0.0)
        return self.out

    def stages(
        self, tableau: Tableau, state: Floats, t: float, h: float, feeds: Feeds
    ) -> tuple[Floats, Floats, Floats]:
        """The accelerations and powers of all stages, and what is shown (with the guard) at the first."""
        n, count, layout = self.layout.coordinates, len(tableau.nodes), self.layout
        accelerations, powers = np.empty((count, n)), np.empty((count, layout.sums))
        shown = np.zeros(0)
        self.stage[...] = state
        for i in range(count):
            if i:
                q, qd = moved(state, n, accelerations, h, tableau.nodes[i], tableau.positions[i], tableau.velocities[i])
                self.stage[:n], self.stage[n : 2 * n] = q, qd
            out = self.at(self.stage, t + h * tableau.nodes[i] if tableau.nodes[i] else t, feeds)
            accelerations[i], powers[i] = out[:n], out[n : n + layout.sums]
            if i == 0:
                shown = out[n + layout.sums :].copy()
        return accelerations, powers, shown


def moved(
    state: Floats, n: int, a: Floats, h: float, node: float, positions: Sequence[float], velocities: Sequence[float]
) -> tuple[Floats, Floats]:
    """The state of a stage, or of the end of the step: the compiled loop's operations in its order."""
    q, qd = state[:n], state[n : 2 * n]
    at, speed = q, qd
    if node:
        at = at + (h * node) * qd
    for weight, stages in alike(positions):
        at = at + ((h * h) * weight) * reduce(np.add, [a[j] for j in stages])
    for weight, stages in alike(velocities):
        speed = speed + (h * weight) * reduce(np.add, [a[j] for j in stages])
    return at, speed


class CalledMarch:
    """A march whose torques come from a Python function."""

    def __init__(self, stages: CalledStages, tableau: Tableau, sweeper: Sweeper | None = None) -> None:
        self.stages, self.tableau, self.sweeper = stages, tableau, sweeper

    def __call__(self, state: Floats, first: int, steps: int, every: int, t0: float, h: float) -> Floats:
        return gathered(self._rows(state, first, steps, every, t0, h), self.stages.layout.record)

    def _rows(self, state: Floats, first: int, steps: int, every: int, t0: float, h: float) -> Iterator[Floats]:
        layout, tableau = self.stages.layout, self.tableau
        n = layout.coordinates
        for number in range(first, first + steps):
            t = t0 + number * h
            feeds = self.stages.feeds(t, h)
            self._jump(state, t, feeds)
            a, powers, shown = self.stages.stages(tableau, state, t, h, feeds)
            if number % every == 0:
                size = layout.record - layout.state - n
                yield np.concatenate([state, a[0], shown[:size]])
            q, qd = moved(state, n, a, h, 1.0, tableau.last_position, tableau.last_velocity)
            state[:n], state[n : 2 * n] = q, qd
            for weight, stages in alike(tableau.last_velocity):
                state[2 * n : 2 * n + layout.sums] += (h * weight) * reduce(np.add, [powers[j] for j in stages])

    def _jump(self, state: Floats, t: float, feeds: Feeds) -> None:
        """As often as the compiled loop does: what is left then waits for the next step."""
        if self.sweeper is None:
            return
        for _ in range(MOST_JUMPS):
            out = self.stages.at(state, t, feeds)
            if not out[-1] < 0:
                return
            self.sweeper.sweep(state, t, feeds, out)
