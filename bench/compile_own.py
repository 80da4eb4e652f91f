"""leverarm's own figures for compiled functions: its way of doing a task, operations, and what fresh processes take."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import leverarm as la
from compile_rivals.problem import ARGUMENTS, Contender, Problem, Task, checked_rows, statement
from compile_rivals.replay import lowered_program

FRESH = Path(__file__).with_name("compile_fresh.py")


@cache
def compiled(problem: Problem) -> Any:
    return la.compile(problem.arm)


def contender(problem: Problem, task: Task, layout: str) -> Contender:
    """A single call as everyone writes it; a batch into arrays that exist, states in rows or in columns."""
    f = getattr(compiled(problem), task.quantity)
    given = problem.rows(task)
    letters = "abc"[: len(given)]
    names = {"f": f, **dict(zip(letters, given, strict=True))}
    if task.is_call:
        call = statement(f"f({', '.join(letters)})", **names)
        return Contender("leverarm", call, 1, lambda: checked_rows(task, f(*given)))
    outs = tuple(_empty(task.states, shape, layout) for shape in problem.shapes(task.quantity))
    if layout == "columns":
        n = problem.arm.dof
        entries = problem.columns(task)
        names |= {letter: entries[k * n : (k + 1) * n].T for k, letter in enumerate(letters)}
    text = f"f({', '.join(letters)}, out=out, threads=threads)"
    call = statement(text, **names, out=outs if len(outs) > 1 else outs[0], threads=task.threads)

    def check() -> np.ndarray:
        call.timeit(1)
        return checked_rows(task, outs)

    return Contender(f"leverarm, states in {layout}", call, task.states, check, layout)


def _empty(states: int, shape: tuple[int, ...], layout: str) -> np.ndarray:
    """An array (states, *shape) that lies in memory state by state, or entry by entry."""
    if layout == "rows":
        return np.empty((states, *shape))
    return np.moveaxis(np.empty((*shape, states)), -1, 0)


def flops(arm: la.Arm) -> dict[str, int]:
    """Operations of each quantity after all passes."""
    return {quantity: lowered_program(arm, quantity).flops for quantity in ARGUMENTS}


@dataclass(frozen=True, slots=True)
class Fresh:
    """What a new process took: seconds to import, to load the arm, to compile and call; its most memory [MB]."""

    imported: float
    loaded: float
    first: float
    peak: float


def first_result(arm: str, repeats: int) -> tuple[Fresh, Fresh]:
    """Inverse dynamics in a new process: with an empty cache, and from the cache; the least of several each."""
    cold = [_fresh(arm, "inverse_dynamics") for _ in range(repeats)]
    with tempfile.TemporaryDirectory() as folder:
        _fresh(arm, "inverse_dynamics", folder)
        warm = [_fresh(arm, "inverse_dynamics", folder) for _ in range(repeats)]
    return min(cold, key=lambda x: x.first), min(warm, key=lambda x: x.first)


def everything(arm: str) -> Fresh:
    """All quantities of an arm compiled in a new process with an empty cache, for one state and for batches."""
    return _fresh(arm, "all")


def _fresh(arm: str, quantity: str, folder: str | None = None) -> Fresh:
    if folder is None:
        with tempfile.TemporaryDirectory() as empty:
            return _fresh(arm, quantity, empty)
    environment = {**os.environ, "LEVERARM_CACHE": folder}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # users' Pythons keep compiled modules
    command = [sys.executable, str(FRESH), arm, quantity]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return Fresh(**json.loads(done.stdout))
