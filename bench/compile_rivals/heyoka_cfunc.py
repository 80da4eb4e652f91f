"""heyoka's `cfunc`: SIMD machine code for leverarm's program, and for what its own `lagrangian` finds."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import heyoka as hy
import numpy as np

from compile_rivals.problem import Contender, Problem, Task, checked_rows, statement
from compile_rivals.replay import results_over

OPTIONS = ({}, {"fast_math": True}, {"force_avx512": True}, {"fast_math": True, "force_avx512": True})
"""The fastest of these at a batch is timed."""
LARGEST = 8
"""Joints: above, what `lagrangian` finds takes minutes to compile."""
TASKS = ("inverse_dynamics", "forward_dynamics", "mass_matrix")


def contenders(problem: Problem, task: Task) -> Iterator[Contender]:
    hy.set_nthreads(task.threads)
    if task.quantity in TASKS:
        yield _contender(problem, task, "heyoka cfunc on leverarm's program", _of_program(problem, task.quantity))
    if task.quantity == "forward_dynamics" and problem.arm.dof <= LARGEST:
        yield _contender(problem, task, "heyoka cfunc on its lagrangian", _of_lagrangian(problem))


def _contender(problem: Problem, task: Task, title: str, compiled: tuple[Any, str]) -> Contender:
    f, choices = compiled
    x = problem.columns(task)
    y = np.empty((problem.entries(task.quantity), *x.shape[1:]))
    text, given = "f(x, outputs=y)", {"f": f, "x": x, "y": y}
    if f.nparams:  # the forces
        states = x.shape[0] - f.nparams
        text, given = "f(x, outputs=y, pars=p)", {**given, "x": x[:states], "p": x[states:]}
    call = statement(text, **given)

    def check() -> np.ndarray:
        call.timeit(1)
        return checked_rows(task, y.T)

    return Contender(title, call, task.states, check, "columns", choices)


@cache
def _of_program(problem: Problem, quantity: str) -> tuple[Any, str]:
    program = problem.program(quantity)
    inputs = [hy.expression(f"x{i}") for i in range(sum(a.size for a in program.inputs))]
    return _fastest(problem, results_over(program, inputs, hy, hy.expression), inputs)


@cache
def _of_lagrangian(problem: Problem) -> tuple[Any, str]:
    n = problem.arm.dof
    q, qd = ([hy.expression(f"{letter}{i}") for i in range(n)] for letter in ("q", "u"))
    (kinetic,) = results_over(problem.program("kinetic_energy"), [*q, *qd], hy, hy.expression)
    (potential,) = results_over(problem.program("potential_energy"), q, hy, hy.expression)
    work = hy.sum([hy.par[i] * x for i, x in enumerate(q)])  # its slope: the forces
    found = hy.lagrangian(kinetic - potential + work, q, qd)
    return _fastest(problem, [right for _, right in found[n:]], [*q, *qd])


def _fastest(problem: Problem, results: list[Any], inputs: list[Any]) -> tuple[Any, str]:
    """The compiled function, tried on a short batch with each choice of options on one thread."""
    x, p = (np.random.default_rng(1).uniform(-1, 1, (size, 4096)) for size in (len(inputs), problem.arm.dof))
    y = np.empty((len(results), 4096))
    tried = []
    for choice in OPTIONS:
        f = hy.cfunc(results, inputs, **choice)
        pars = {"pars": p} if f.nparams else {}
        call = statement("f(x, outputs=y, **pars)", f=f, x=x, y=y, pars=pars)
        tried.append((min(call.repeat(5, 2)), f, ", ".join(choice)))
    _, f, choices = min(tried, key=lambda found: found[0])
    return f, choices
