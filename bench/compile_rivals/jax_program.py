"""JAX on leverarm's program: `jit` of one function over arrays of states, in double precision.

Each entry of the result is an array of its own: stacking them makes XLA compute everything again for each, a hundred
times slower.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from compile_rivals.problem import Contender, Problem, Task, checked_rows, statement
from compile_rivals.replay import results_over

TASKS = ("inverse_dynamics", "forward_dynamics", "mass_matrix")
LARGEST = 8
"""Joints: above, XLA compiles for minutes."""

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_platforms", "cpu")


def contenders(problem: Problem, task: Task) -> Iterator[Contender]:
    if task.quantity not in TASKS or problem.arm.dof > LARGEST:
        return
    f = _function(problem, task.quantity)
    x = jax.device_put(problem.columns(task))

    def check() -> np.ndarray:
        return checked_rows(task, np.array([np.broadcast_to(y, x.shape[1:]) for y in f(x)]).T)

    call = statement("ready(f(x))", ready=jax.block_until_ready, f=f, x=x)
    yield Contender("JAX jit of leverarm's program", call, task.states, check, "columns")


@cache
def _function(problem: Problem, quantity: str) -> Any:
    program = problem.program(quantity)

    return jax.jit(lambda x: tuple(results_over(program, list(x), jnp)))
