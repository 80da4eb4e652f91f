"""How fast compiled functions are next to Pinocchio, heyoka, CasADi, MuJoCo, Robotics Toolbox and JAX, in one run.

python3 bench/compile.py --quick                                     the Panda only; a minute
python3 bench/compile.py -o compile.json -o docs/benchmarks.md       everything; a quarter of an hour
"""

from __future__ import annotations

import importlib
import os
import platform
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np

import compile_own as own
import leverarm as la
from compile_rivals import RIVALS
from compile_rivals.arms import arm_named
from compile_rivals.problem import ARGUMENTS, Contender, Problem, Task
from compile_rivals.timing import FULL, QUICK, Pace, interleaved, one_core
from compile_tables import BEGIN, END, PUMA, Figure, Report, bars, markdown
from running import exit_if_missed, options, placed, say, setting, write_all

ALL_THREADS = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
MILLION = 1 << 20
LARGEST_RESULT = 1 << 30
"""Bytes of a result: a task with a larger one is left out."""
THREADED = ("inverse_dynamics", "forward_dynamics", "mass_matrix")
"""Quantities also timed on all threads, and at a million states."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run measures."""

    arms: tuple[str, ...]
    quantities: tuple[str, ...]
    states: tuple[int, ...]
    pace: Pace
    rivals: tuple[str, ...] = tuple(RIVALS)
    counted: tuple[str, ...] = ("panda", "puma560")
    """Arms whose operations are counted."""
    first_results: int = 5
    """Fresh processes for the time to a first result; 0 leaves out what is measured in fresh processes."""


WHOLE = Plan(("elbow", "ur5", "panda", "tree30"), tuple(ARGUMENTS), (1, 1024, 16384, MILLION), FULL)
SHORT = Plan(("panda",), tuple(ARGUMENTS), (1, 16384), QUICK, first_results=3)


def tasks(problem: Problem, plan: Plan) -> Iterator[Task]:
    """Single calls, then batches on one thread and on all."""
    for states, threads in product(plan.states, sorted({1, ALL_THREADS})):
        for quantity in plan.quantities:
            if (states == 1 or quantity not in THREADED) and threads > 1:
                continue
            if states == MILLION and quantity not in THREADED:
                continue
            if states * problem.entries(quantity) * 8 <= LARGEST_RESULT:
                yield Task(quantity, states, threads)


def measure(plan: Plan) -> Report:
    """The whole run, with a line of progress for each task."""
    machine = f"{platform.system()} on {processor()}, {ALL_THREADS} cores"
    report = Report(setting(machine, ("numpy", "llvmlite", *(package for _, package in RIVALS.values()))))
    modules = {}
    for name in plan.rivals:
        try:
            modules[name] = importlib.import_module(f"compile_rivals.{name}")
        except ImportError as missing:
            report.left_out[RIVALS[name][0]] = f"not installed ({missing})"
            say(f"{RIVALS[name][0]}: {missing}")
    for arm in plan.arms:
        problem = Problem(arm)
        for task in tasks(problem, plan):
            rivals = [c for module in modules.values() for c in module.contenders(problem, task)]
            report.figures += figures(problem, task, rivals, plan.pace)
            say(f"{arm}, {task.quantity}, {task.states} states, {task.threads} threads")
    report.flops = {name: own.flops(la.load(name)) for name in plan.counted}
    if "puma560" in plan.counted:
        report.flops[PUMA] = own.flops(arm_named("puma560"))
    if plan.first_results:
        report.cold, report.cached = own.first_result("panda", plan.first_results)
    if plan.first_results and "tree30" in plan.arms:
        report.tree = own.everything("tree30")
    return report


def figures(problem: Problem, task: Task, rivals: list[Contender], pace: Pace) -> list[Figure]:
    """One task by leverarm and all rivals: checked, then timed in turns. Each rival against leverarm in its layout."""
    layouts = ["rows"] if task.is_call else sorted({"rows", *(c.layout for c in rivals)}, reverse=True)
    ours = [own.contender(problem, task, layout) for layout in layouts]
    reference = problem.reference(task)
    largest = float(np.abs(reference).max())
    contenders = [*ours, *rivals]
    deviations = [float(np.abs(c.check() - reference).max()) / largest for c in contenders]
    with one_core(task.threads):
        timings = interleaved(contenders, pace)
    found = []
    for c, deviation, timing in zip(contenders, deviations, timings, strict=True):
        against = timings[layouts.index(c.layout)] if c in rivals and not task.is_call else timings[0]
        found.append(
            Figure(
                problem.name, task.quantity, task.states, task.threads, c.title, c.choices, c in rivals,
                timing.least, timing.median, timing.repeats, timing.least / against.least, deviation,
            )
        )  # fmt: skip
    return found


def processor() -> str:
    """The processor as LLVM calls it, and how many numbers it computes side by side."""
    machine = own.la.compile(own.la.load("elbow")).machine
    return f"{platform.machine()} ({machine.cpu}, {machine.lanes('double')} doubles at once)"


def on_page(tables: str, path: Path) -> str:
    return placed(tables, path, BEGIN, END)


def save_charts(report: Report, path: Path) -> None:
    from compile_chart import save_chart  # matplotlib is loaded where a chart is asked for

    save_chart(report, path)


def main() -> None:
    asked = options(__doc__, "the Panda, single calls and 16384 states, in a minute", (".json", ".md", ".png"))
    report = measure(SHORT if asked.quick else WHOLE)
    page = markdown(report)
    print(page)
    write_all(asked.output, page, report, on_page, save_charts)
    exit_if_missed(bars(report))


if __name__ == "__main__":
    main()
