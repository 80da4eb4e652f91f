"""How fast arms are simulated next to MuJoCo and heyoka, how well energy is kept, how fast rows go to disk; in one run.

python3 bench/simulate.py --quick                                                     less of everything; half a minute
python3 bench/simulate.py -o docs/benchmarks.md -o docs/images/simulation.png         everything; three minutes
"""

from __future__ import annotations

import importlib
import platform
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from types import ModuleType

import numpy as np

import simulate_own as own
from compile import ALL_THREADS, processor
from compile_rivals.timing import Pace, interleaved, one_core
from leverarm.errors import InputError
from running import exit_if_missed, options, placed, say, setting, write_all
from simulate_energy import METHODS, drift
from simulate_rivals import RIVALS
from simulate_rivals.problem import FREE, HELD, Problem, Task
from simulate_tables import BATCH, BEGIN, END, March, Report, Solved, bars, markdown

DRIFT_CHART = "energy-drift.png"


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run measures."""

    pace: Pace
    steps: int
    """Of one environment: so many that calling `simulate` takes no part of the time that counts."""
    batch: int
    batch_steps: int
    rival_steps: int
    """Of each environment of a batch, by leverarm and by others."""
    until: float
    """Seconds of motion to the accurate end; 0 leaves this out, as it does below."""
    falling: float
    streamed: int
    """Steps that go to disk."""
    arm: str = "panda"
    rivals: tuple[str, ...] = tuple(RIVALS)


WHOLE = Plan(Pace(21, 0.01, 5.0), 200_000, BATCH, 500, 100, 5.0, 100.0, 1_000_000)
SHORT = Plan(Pace(5, 0.01, 1.0), 200_000, BATCH, 200, 10, 1.0, 5.0, 50_000)


def measure(plan: Plan) -> Report:
    """The whole run, with a line of progress for each part."""
    machine = f"{platform.system()} on {processor()}, {ALL_THREADS} cores"
    report = Report(setting(machine, ("numpy", "llvmlite", *(package for _, package in RIVALS.values()), "pyarrow")))
    modules = {}
    for name in plan.rivals:
        try:
            modules[name] = importlib.import_module(f"simulate_rivals.{name}")
        except ImportError as missing:
            report.left_out[RIVALS[name][0]] = f"not installed ({missing})"
            say(f"{RIVALS[name][0]}: {missing}")
    problem = Problem(plan.arm)
    sizes = [(1, 1), *((plan.batch, threads) for threads in sorted({1, ALL_THREADS}))]
    for (environments, threads), law in product(sizes, (FREE, HELD)):
        report.marches += marches(problem, Task(law, environments, threads), plan, modules.get("mujoco_steps"))
        say(f"{environments} environments, {threads} threads, {law}")
    if plan.until:
        report.until = plan.until
        report.solved = solved(problem, plan, modules.get("heyoka_taylor"), report.left_out)
        say(f"{plan.until:g} s to an accurate end")
    if plan.falling:
        report.falling = plan.falling
        for method, title in METHODS.items():
            try:
                report.drifts.append(drift(method, plan.falling))
            except InputError as unknown:
                report.left_out[title] = str(unknown)
            say(f"energy over {plan.falling:g} s by {method}")
    if plan.streamed:
        report.stream = own.streamed(problem, plan.streamed)
        say(f"{plan.streamed} steps to disk")
    return report


def marches(problem: Problem, task: Task, plan: Plan, rival: ModuleType | None) -> list[March]:
    """One task by leverarm and by others: checked, then timed in turns. leverarm's first way is what counts as ours."""
    ours = list(own.contenders(problem, task, plan.steps if task.environments == 1 else plan.batch_steps))
    rivals = list(rival.contenders(problem, task, plan.rival_steps)) if rival else []
    contenders = [*ours, *rivals]
    reference = problem.reference(task)
    deviations = [float(np.abs(c.check() - reference).max()) for c in contenders]
    with one_core(task.threads):
        timings = interleaved(contenders, plan.pace)
    return [
        March(
            task.law, task.environments, task.threads, c.title, c in rivals,
            timing.least, timing.median, timing.repeats, timing.least / timings[0].least, deviation,
        )
        for c, timing, deviation in zip(contenders, timings, deviations, strict=True)
    ]  # fmt: skip


def solved(problem: Problem, plan: Plan, rival: ModuleType | None, left_out: dict[str, str]) -> list[Solved]:
    """The state after some seconds as accurately as each can, timed in turns."""
    solvers = [*own.solvers(problem, plan.until, left_out), *(rival.solvers(problem, plan.until) if rival else ())]
    right = own.truth(problem, plan.until)
    errors = [float(np.abs(s.contender.check() - right).max()) for s in solvers]
    with one_core(1):
        timings = interleaved([s.contender for s in solvers], plan.pace)
    return [
        Solved(s.contender.title, timing.least, s.steps(), error)
        for s, timing, error in zip(solvers, timings, errors, strict=True)
    ]


def on_page(tables: str, path: Path) -> str:
    return placed(tables, path, BEGIN, END)


def save_charts(report: Report, path: Path) -> None:
    from simulate_chart import save_chart, save_drift  # matplotlib is loaded where a chart is asked for

    save_chart(report, path)
    save_drift(report, path.with_name(DRIFT_CHART))


def main() -> None:
    asked = options(__doc__, "shorter runs, in half a minute", (".json", ".md", ".png"))
    report = measure(SHORT if asked.quick else WHOLE)
    page = markdown(report)
    print(page)
    write_all(asked.output, page, report, on_page, save_charts)
    exit_if_missed(bars(report))


if __name__ == "__main__":
    main()
