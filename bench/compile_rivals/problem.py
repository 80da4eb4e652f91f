"""What is computed: a quantity of an arm at some states; and one way of computing it, ready to be timed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from timeit import Timer
from typing import Any

import numpy as np

import leverarm as la
from compile_rivals.arms import arm_named
from compile_rivals.replay import program_of, replayed
from leverarm.compiler import Program

ARGUMENTS = {
    "inverse_dynamics": ("q", "qd", "qdd"),
    "forward_dynamics": ("q", "qd", "tau"),
    "mass_matrix": ("q",),
    "coriolis_matrix": ("q", "qd"),
    "regressor": ("q", "qd", "qdd"),
    "inverse_dynamics_derivatives": ("q", "qd", "qdd"),
    "forward_dynamics_derivatives": ("q", "qd", "tau"),
}
CHECKED = 5
"""How many states of a batch are compared before it is timed."""
DISTINCT = 16384
"""How many states are drawn; longer batches repeat them."""


@dataclass(frozen=True, slots=True)
class Task:
    """A quantity at so many states at once on so many threads; one state means a single call."""

    quantity: str
    states: int
    threads: int

    @property
    def is_call(self) -> bool:
        return self.states == 1


@dataclass(frozen=True, slots=True)
class Contender:
    """One way of doing a task.

    A run of `timer` does `states` states; `check` hands back the results of the first few, a row each, in leverarm's
    order. `layout` says how a batch lies in memory: "rows", a state after the other, or "columns", entry by entry.
    """

    title: str
    timer: Timer
    states: int
    check: Callable[[], np.ndarray]
    layout: str = "rows"
    choices: str = ""


class Problem:
    """An arm with states to evaluate it at."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.arm: la.Arm = arm_named(name)
        self._programs: dict[str, Program] = {}

    @property
    def gravity(self) -> list[float]:
        """The free-fall acceleration in the world [m/s^2]."""
        return [float(x) for x in la.bind(self.arm).gravity]

    @cached_property
    def _drawn(self) -> dict[str, np.ndarray]:
        rng = np.random.default_rng(4)
        scales = {"q": 2.0, "qd": 1.5, "qdd": 3.0, "tau": 10.0}
        return {name: rng.uniform(-s, s, (DISTINCT, self.arm.dof)) for name, s in scales.items()}

    def rows(self, task: Task) -> list[np.ndarray]:
        """The arguments of a task: arrays (states, n), or vectors for a single call."""
        arrays = [self._drawn[name] for name in ARGUMENTS[task.quantity]]
        if task.is_call:
            return [a[0].copy() for a in arrays]
        return [np.resize(a, (task.states, self.arm.dof)) for a in arrays]

    def columns(self, task: Task) -> np.ndarray:
        """The arguments below each other, entry by entry: (all entries, states), or a vector for a single call."""
        return np.ascontiguousarray(np.hstack(self.rows(task)).T)

    def program(self, quantity: str) -> Program:
        """leverarm's program after all its passes: what rivals get that take expressions."""
        if quantity not in self._programs:
            self._programs[quantity] = program_of(self.arm, quantity)
        return self._programs[quantity]

    def reference(self, task: Task) -> np.ndarray:
        """The results at the first states by NumPy in double precision, a row each."""
        first = Task(task.quantity, max(CHECKED, 2), 1)
        entries = np.hstack(self.rows(first)).T
        found = replayed(self.program(task.quantity), list(entries), np)
        rows = np.array([np.broadcast_to(x, first.states) for x in found]).T
        return rows[:1] if task.is_call else rows


def checked_rows(task: Task, results: Any) -> np.ndarray:
    """The first results, flattened to a row per state: from an array, or several, with the states in front."""
    parts = results if isinstance(results, tuple | list) else (results,)
    states = 1 if task.is_call else CHECKED
    arrays = [np.asarray(p)[None] if task.is_call else np.asarray(p)[:CHECKED] for p in parts]
    return np.hstack([a.reshape(states, -1) for a in arrays])


def statement(text: str, **names: Any) -> Timer:
    """A timer of a statement whose names are local variables, so that nothing is looked up while it runs."""
    binding = "; ".join(f"{name} = given[{name!r}]" for name in names)
    return Timer(text, binding, globals={"given": names})
