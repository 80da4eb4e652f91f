"""What is simulated: an arm without friction by RK4 at 1 ms, alone or in many environments, free or under control."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

import leverarm as la
from compile_rivals.arms import arm_named
from compile_rivals.problem import Contender

STEP = 1e-3
CHECKED = 5
"""Environments whose end is compared, and how many steps they go: 1 s."""
CHECKED_STEPS = 1000
STARTS = {"panda": (0.1, 2.64, 0.1, -0.4, 0.1, 0.3, 0.1), "elbow": (-1.2, 0.4)}
"""Hanging and pushed aside: it swings, and small errors grow 2e4 times in 5 s (upright they grow 1e12 times, and no two
programs agree)."""
SPREAD = 0.3
"""How far apart the environments start, and how far away the target of the control is [rad]."""
REGULARISATION = 10.0
"""How fast the control pulls [rad/s]: with the inertia that a joint feels where it starts, critically damped."""
FREE, HELD = "free", "PD + gravity"


@dataclass(frozen=True, slots=True)
class Task:
    """So many environments at once on so many threads, free or under control."""

    law: str
    environments: int
    threads: int


@dataclass(frozen=True, slots=True)
class Solver:
    """A way to the state after some seconds, and how many steps it took where that can be told."""

    contender: Contender
    steps: Callable[[], int | None]


class Problem:
    """An arm with states to start from and gains to hold it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.arm: la.Arm = arm_named(name)
        self._references: dict[str, np.ndarray] = {}

    def starts(self, environments: int) -> np.ndarray:
        """Where each environment begins, at rest, a row each; the first one is the one that goes alone."""
        spread = np.random.default_rng(5).uniform(-SPREAD, SPREAD, (environments, self.arm.dof))
        spread[0] = 0.0
        return np.array(STARTS[self.name]) + spread

    @property
    def target(self) -> np.ndarray:
        """Where the control pulls to [rad]."""
        return np.array(STARTS[self.name]) + SPREAD

    @cached_property
    def gains(self) -> tuple[np.ndarray, np.ndarray]:
        """Kp [N m/rad] and Kd [N m s/rad]."""
        M = la.mass_matrix(self.arm, STARTS[self.name])
        felt = 1 / np.diag(np.linalg.inv(M))
        return REGULARISATION**2 * felt, 2 * REGULARISATION * felt

    def torque(self, law: str) -> la.types.Control | None:
        return None if law == FREE else la.control.pd_gravity(self.target, *self.gains)

    @property
    def gravity(self) -> list[float]:
        """The free-fall acceleration in the world [m/s^2]."""
        return [float(x) for x in la.bind(self.arm).gravity]

    def reference(self, task: Task) -> np.ndarray:
        """Where the first environments are after 1 s, by a Python loop over compiled forward dynamics, a row each."""
        if task.law not in self._references:
            starts = self.starts(CHECKED)
            self._references[task.law] = np.array([self._by_hand(task.law, q) for q in starts])
        return self._references[task.law][: task.environments]

    def _by_hand(self, law: str, q: np.ndarray) -> np.ndarray:
        """RK4 as the books have it."""
        compiled, (kp, kd) = la.compile(self.arm), self.gains

        def rates(x: np.ndarray) -> np.ndarray:
            q, qd = np.ascontiguousarray(x[0]), np.ascontiguousarray(x[1])
            tau = np.zeros_like(q) if law == FREE else kp * (self.target - q) - kd * qd + compiled.gravity(q)
            return np.array([qd, compiled.forward_dynamics(q, qd, tau)])

        x = np.array([q, np.zeros_like(q)])
        for _ in range(CHECKED_STEPS):
            a = rates(x)
            b = rates(x + STEP / 2 * a)
            c = rates(x + STEP / 2 * b)
            d = rates(x + STEP * c)
            x = x + STEP / 6 * (a + 2 * b + 2 * c + d)
        return x[0]
