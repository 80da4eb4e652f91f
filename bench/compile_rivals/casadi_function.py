"""CasADi on leverarm's program: `Function` and `map`, interpreted, and compiled by a C compiler."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import casadi as ca
import numpy as np

from compile_rivals.problem import Contender, Problem, Task, checked_rows, statement
from compile_rivals.replay import results_over

COMPILERS = ("gcc", "clang", "cc")
LARGEST = 8
"""Joints: above, the C compiler takes minutes, and only some quantities are interpreted."""
INTERPRETED, LONGEST = 1024, 16384
"""States of a map, interpreted and compiled: its time per state does not depend on their number."""
ALWAYS = ("inverse_dynamics", "forward_dynamics", "mass_matrix")


def contenders(problem: Problem, task: Task) -> Iterator[Contender]:
    if task.quantity not in ALWAYS and problem.arm.dof > LARGEST:
        return
    for kind in ("interpreted", "compiled"):
        f = _function(problem, task.quantity, kind)
        if f is None:
            continue
        if task.is_call and kind == "interpreted":
            given = problem.rows(task)
            letters = "abc"[: len(given)]
            call = statement(f"f({', '.join(letters)})", f=f, **dict(zip(letters, given, strict=True)))
            yield Contender("CasADi Function", call, 1, lambda f=f, given=given: checked_rows(task, _flat(f(*given))))
        yield _in_place(problem, task, kind, f)


def _in_place(problem: Problem, task: Task, kind: str, f: Any) -> Contender:
    """Without copies in and out, by a FunctionBuffer: its fastest call."""
    task = replace(task, states=min(task.states, INTERPRETED if kind == "interpreted" else LONGEST))
    if not task.is_call:
        f = f.map(task.states, "serial") if task.threads == 1 else f.map(task.states, "thread", task.threads)
    buffer, trigger = f.buffer()
    given = problem.rows(task)
    out = np.empty((task.states, problem.entries(task.quantity)))
    for k, a in enumerate(given):
        buffer.set_arg(k, memoryview(a))
    buffer.set_res(0, memoryview(out))

    def check() -> np.ndarray:
        trigger()
        return checked_rows(task, out[0] if task.is_call else out)

    name = "Function in place" if task.is_call else "map"
    call = statement("trigger()", trigger=trigger, kept=(buffer, given, out, f))
    return Contender(f"CasADi {name}, {kind}", call, task.states, check)


def _flat(matrix: Any) -> np.ndarray:
    return np.asarray(matrix).ravel()


@cache
def _function(problem: Problem, quantity: str, kind: str) -> Any:
    """All results as one column, row-major; None where there is nothing to compile with."""
    compiler = next(filter(shutil.which, COMPILERS), None)
    options: dict[str, Any] = {}
    if kind == "compiled":
        if compiler is None or quantity not in ALWAYS or problem.arm.dof > LARGEST:
            return None
        # CasADi removes its files at the end of the process, unless that is killed.
        folder = tempfile.gettempdir() + os.sep
        flags = {"compiler": compiler, "flags": ["-O3", "-march=native"], "directory": folder}
        options = {"jit": True, "compiler": "shell", "jit_options": flags}
    program = problem.program(quantity)
    arguments = [ca.SX.sym(a.name, a.size) for a in program.inputs]
    entries = [x for a in arguments for x in ca.vertsplit(a)]
    return ca.Function(quantity, arguments, [ca.vertcat(*results_over(program, entries, ca, ca.SX))], options)
