"""What is computed: a quantity of an arm at some states; and one way of computing it, ready to be timed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import prod
from timeit import Timer
from typing import Any

import numpy as np

import leverarm as la
from compile_rivals.arms import arm_named
from compile_rivals.replay import lowered_program, results_over, traced_program
from leverarm.compiler import Program
from leverarm.runtime.requests import request_for, results_of

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
        self._held: dict[str, Any] = {}
        self._references: dict[str, np.ndarray] = {}

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
        names = ARGUMENTS[task.quantity]
        if task.is_call:
            return [self._drawn[name][0].copy() for name in names]
        return self._once("rows", names, task.states, lambda: [self._repeated(name, task.states) for name in names])

    def columns(self, task: Task) -> np.ndarray:
        """The arguments below each other, entry by entry: (all entries, states), or a vector for a single call."""
        names = ARGUMENTS[task.quantity]
        if task.is_call:
            return np.hstack(self.rows(task))

        def stacked() -> np.ndarray:
            return np.ascontiguousarray(np.hstack([self._repeated(name, task.states) for name in names]).T)

        return self._once("columns", names, task.states, stacked)

    def _repeated(self, name: str, states: int) -> np.ndarray:
        return np.resize(self._drawn[name], (states, self.arm.dof))

    def _once(self, layout: str, names: tuple[str, ...], states: int, make: Callable[[], Any]) -> Any:
        """The arrays that all contenders of a task share; those of the task before are let go."""
        key = (names, states)
        if self._held.get(layout, (None,))[0] != key:
            self._held[layout] = (key, make())
        return self._held[layout][1]

    def shapes(self, quantity: str) -> list[tuple[int, ...]]:
        """Of the results."""
        return [array.shape for array in results_of(request_for(self.arm, quantity))]

    def entries(self, quantity: str) -> int:
        """Numbers of all results at one state."""
        return sum(prod(shape) for shape in self.shapes(quantity))

    def program(self, quantity: str) -> Program:
        """leverarm's program after all its passes: what rivals get that take expressions."""
        if quantity not in self._programs:
            self._programs[quantity] = lowered_program(self.arm, quantity)
        return self._programs[quantity]

    def reference(self, task: Task) -> np.ndarray:
        """The results at the first states by NumPy in double precision, a row each."""
        if task.quantity not in self._references:
            entries = np.hstack([self._drawn[name][:CHECKED] for name in ARGUMENTS[task.quantity]]).T
            found = results_over(traced_program(self.arm, task.quantity), list(entries), np)
            self._references[task.quantity] = np.array([np.broadcast_to(x, CHECKED) for x in found]).T
        return self._references[task.quantity][: task.states]


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
