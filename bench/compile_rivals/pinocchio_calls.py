"""Pinocchio: its Python calls, one by one or in a loop, and its two batched calls on threads."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
import pinocchio as pin

from compile_rivals.problem import CHECKED, Contender, Problem, Task, checked_rows, statement
from leverarm.formats.urdf.writer import urdf_from_arm

CALLS = {
    "inverse_dynamics": "rnea",
    "forward_dynamics": "aba",
    "mass_matrix": "crba",
    "coriolis_matrix": "computeCoriolisMatrix",
    "regressor": "computeJointTorqueRegressor",
    "inverse_dynamics_derivatives": "computeRNEADerivatives",
    "forward_dynamics_derivatives": "computeABADerivatives",
}
IN_PARALLEL = {"inverse_dynamics": "rneaInParallel", "forward_dynamics": "abaInParallel"}
LOOPED = 1024
"""States of a loop: its time per state does not depend on their number."""


def contenders(problem: Problem, task: Task) -> Iterator[Contender]:
    if task.is_call:
        yield _call(problem, task)
        return
    if task.threads == 1:
        yield _loop(problem, task)
    if task.quantity in IN_PARALLEL:
        yield _in_parallel(problem, task)


def _call(problem: Problem, task: Task) -> Contender:
    name, model, given = CALLS[task.quantity], _model(problem), problem.rows(task)
    f, data, letters = getattr(pin, name), model.createData(), "abc"[: len(given)]
    names = dict(zip(letters, given, strict=True))
    call = statement(f"f(model, data, {', '.join(letters)})", f=f, model=model, data=data, **names)
    return Contender(f"Pinocchio {name}", call, 1, lambda: checked_rows(task, f(model, data, *given)))


def _loop(problem: Problem, task: Task) -> Contender:
    """The results are not kept."""
    name, model, given = CALLS[task.quantity], _model(problem), problem.rows(task)
    f, data, letters = getattr(pin, name), model.createData(), "abc"[: len(given)]
    rows = [tuple(a[i].copy() for a in given) for i in range(min(LOOPED, task.states))]
    text = f"for {', '.join(letters)}, in rows: f(model, data, {', '.join(letters)})"
    call = statement(text, rows=rows, f=f, model=model, data=data)

    def check() -> np.ndarray:
        one = Task(task.quantity, 1, 1)
        return np.vstack([checked_rows(one, f(model, data, *row)) for row in rows[:CHECKED]])

    return Contender(f"Pinocchio {name} in a Python loop", call, len(rows), check)


def _in_parallel(problem: Problem, task: Task) -> Contender:
    name, pool = IN_PARALLEL[task.quantity], pin.ModelPool(_model(problem), task.threads)
    q, qd, x = (a.T for a in problem.rows(task))  # its matrices are column-major: a state after the other
    f, out = getattr(pin, name), np.empty_like(x)
    call = statement("f(k, pool, q, qd, x, out)", f=f, k=task.threads, pool=pool, q=q, qd=qd, x=x, out=out)

    def check() -> np.ndarray:
        call.timeit(1)
        return checked_rows(task, out.T)

    return Contender(f"Pinocchio {name}", call, task.states, check)


@cache
def _model(problem: Problem) -> pin.Model:
    arm = problem.arm
    model = pin.buildModelFromXML(urdf_from_arm(arm))
    model.gravity.linear = np.array(problem.gravity)
    assert [model.names[i + 1] for i in range(arm.dof)] == list(arm.joint_names) and model.nq == arm.dof
    return model
