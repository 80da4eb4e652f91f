"""heyoka's `taylor_adaptive`: Taylor series on leverarm's program, and on what its own `lagrangian` finds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import heyoka as hy
import numpy as np

from compile_rivals.problem import Contender, statement
from compile_rivals.replay import lowered_program, results_over
from simulate_rivals.problem import Problem, Solver

TOLERANCES = (1e-15, 1e-10)


def solvers(problem: Problem, until: float) -> Iterator[Solver]:
    for title, equations in (("its lagrangian", _lagrangian(problem)), ("leverarm's program", _program(problem))):
        for tolerance in TOLERANCES:
            yield _solver(problem, until, title, equations, tolerance)


def _solver(problem: Problem, until: float, title: str, equations: list[Any], tolerance: float) -> Solver:
    q = problem.starts(1)[0]
    start = [*q, *np.zeros_like(q)]
    # Compact mode, because without it compiling a Panda takes minutes.
    taylor = hy.taylor_adaptive(equations, start, tol=tolerance, compact_mode=True)
    taken: list[int] = []

    def run() -> None:
        taylor.time = 0.0
        taylor.state[:] = start
        outcome, _, _, steps, *_ = taylor.propagate_until(until)
        assert outcome == hy.taylor_outcome.time_limit
        taken[:] = [steps]

    def check() -> np.ndarray:
        run()
        return taylor.state[: len(q)].copy()

    named = f"heyoka taylor_adaptive on {title}, tol {tolerance:.0e}, order {taylor.order}"
    return Solver(Contender(named, statement("run()", run=run), 1, check), lambda: taken[0])


def _variables(problem: Problem) -> tuple[list[Any], list[Any]]:
    n = problem.arm.dof
    return [hy.expression(f"q{i}") for i in range(n)], [hy.expression(f"u{i}") for i in range(n)]


def _program(problem: Problem) -> list[Any]:
    q, qd = _variables(problem)
    no_torque = [hy.expression(0.0)] * problem.arm.dof
    program = lowered_program(problem.arm, "forward_dynamics")
    qdd = results_over(program, [*q, *qd, *no_torque], hy, hy.expression)
    return [*zip(q, qd, strict=True), *zip(qd, qdd, strict=True)]


def _lagrangian(problem: Problem) -> list[Any]:
    q, qd = _variables(problem)
    (kinetic,) = results_over(lowered_program(problem.arm, "kinetic_energy"), [*q, *qd], hy, hy.expression)
    (potential,) = results_over(lowered_program(problem.arm, "potential_energy"), q, hy, hy.expression)
    return hy.lagrangian(kinetic - potential, q, qd)
