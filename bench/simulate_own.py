"""leverarm's own figures for simulation: ways of a march, ways to an accurate end, and a run that goes to disk."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np

import leverarm as la
from compile_rivals.problem import Contender, statement
from leverarm.errors import InputError
from leverarm.runtime.stepping import EXPLICIT
from leverarm.simulation.acting.feeds import aligned
from leverarm.simulation.acting.scenario import scenario_of
from leverarm.simulation.acting.system import System
from leverarm.simulation.compiled_system import CompiledSystem
from leverarm.simulation.fixed_step.marching import CompiledMarch
from leverarm.simulation.methods import TABLE, Timing
from simulate_rivals.problem import CHECKED, CHECKED_STEPS, SPREAD, STEP, Problem, Solver, Task

ACCURATE = (
    ("adaptive, rtol 1e-10", {"method": "dormand-prince", "rtol": 1e-10, "atol": 1e-12}),
    ("adaptive, rtol 1e-7", {"method": "dormand-prince", "rtol": 1e-7, "atol": 1e-9}),
    ("Gauss, order 6, 1 ms", {"method": "gauss6", "step": 1e-3}),
    ("RK4, 1 ms", {"method": "rk4", "step": 1e-3}),
    ("RK4, 0.1 ms", {"method": "rk4", "step": 1e-4}),
)
"""Ways of `la.simulate` to the state after some seconds."""


def contenders(problem: Problem, task: Task, steps: int) -> Iterator[Contender]:
    """The way everyone takes first; `steps` is how far it goes."""
    if task.environments > 1:
        yield _rollout(problem, task, steps)
    else:
        yield _simulate(problem, task, steps)
        yield _loop(problem, task, steps)


def _simulate(problem: Problem, task: Task, steps: int) -> Contender:
    """From the call to the trajectory: the start and the end are recorded, and the ledger is kept."""
    q, torque = problem.starts(1)[0], problem.torque(task.law)

    def run(steps: int) -> la.types.Trajectory:
        until = steps * STEP
        return la.simulate(problem.arm, q, until=until, step=STEP, method="rk4", record=until, torque=torque)

    timer = statement("run(steps)", run=run, steps=steps)
    return Contender("leverarm simulate", timer, steps, lambda: run(CHECKED_STEPS).final.q[None])


def _loop(problem: Problem, task: Task, steps: int) -> Contender:
    """The machine code alone, without a ledger, as a rollout runs it for each of its vectors."""
    scenario = scenario_of(
        problem.arm,
        begin=0.0,
        until=steps * STEP,
        torque=problem.torque(task.law),
        system=lambda **parts: System(**parts, has_ledger=False),
    )
    compiled = CompiledSystem(scenario.system)
    march = CompiledMarch(compiled.march(EXPLICIT["rk4"].tableau, 1), compiled.layout.record, scenario.sources)
    state, n = aligned((compiled.layout.state,)), problem.arm.dof

    def run(steps: int) -> np.ndarray:
        state[:] = 0.0
        state[:n] = problem.starts(1)[0]
        march(state, 0, steps, steps, 0.0, STEP)
        return state[None, :n].copy()

    timer = statement("run(steps)", run=run, steps=steps)
    return Contender("leverarm compiled loop alone", timer, steps, lambda: run(CHECKED_STEPS))


def _rollout(problem: Problem, task: Task, steps: int) -> Contender:
    q, torque = problem.starts(max(task.environments, CHECKED))[: task.environments], problem.torque(task.law)

    def run(q: np.ndarray, steps: int) -> np.ndarray:
        return la.rollout(problem.arm, q, steps=steps, step=STEP, torque=torque, threads=task.threads).q[:, -1]

    timer = statement("run(q, steps)", run=run, q=q, steps=steps)
    return Contender("leverarm rollout", timer, len(q) * steps, lambda: run(q[:CHECKED], CHECKED_STEPS))


def solvers(problem: Problem, until: float, left_out: dict[str, str]) -> Iterator[Solver]:
    """The ways of `la.simulate` to an accurate end; one that is not there goes to what is left out."""
    for title, options in ACCURATE:
        try:
            yield _solver(problem, until, title, options)
        except InputError as problem_with_it:
            left_out[title] = str(problem_with_it)


def _solver(problem: Problem, until: float, title: str, options: dict[str, object]) -> Solver:
    q = problem.starts(1)[0]

    def run() -> la.types.Trajectory:
        return la.simulate(problem.arm, q, until=until, record=until, **options)

    run()  # compiled, so that it is not timed
    steps = round(until / options["step"]) if "step" in options else _accepted(problem, until, **options)
    return Solver(Contender(f"leverarm {title}", statement("run()", run=run), 1, lambda: run().final.q), lambda: steps)


def _accepted(problem: Problem, until: float, method: str, rtol: float, atol: float) -> int:
    """The steps that the adaptive method keeps; each takes six evaluations, and so does one that it rejects."""
    scenario = scenario_of(problem.arm, begin=0.0, until=until)
    start = problem.starts(1)[0], np.zeros(problem.arm.dof)
    timing = Timing(0.0, until, None, rtol, atol, until)
    engine, _ = TABLE[method].engine(scenario, CompiledSystem(scenario.system), timing, start)
    return sum(1 for _ in engine.adaptive.steps(until))


def truth(problem: Problem, until: float) -> np.ndarray:
    """The positions at the end to the last bit, by Taylor series in arbitrary precision."""
    sys.path.append(str(Path(__file__).parents[1]))  # the oracle belongs to the tests
    from tests.support.taylor_motion import exact_run

    return exact_run(problem.arm, problem.starts(1)[0], until=until, record=until).final.q


@dataclass(frozen=True, slots=True)
class Streamed:
    """A run whose every step goes to disk: rows, seconds of the call, bytes, and seconds of the same run unrecorded."""

    rows: int
    seconds: float
    size: int
    unrecorded: float


def streamed(problem: Problem, steps: int) -> Streamed:
    """A run under control with every step recorded to Parquet, next to the same run that only records its end."""
    q, until = problem.starts(1)[0], steps * STEP
    n = problem.arm.dof
    swing = la.signals.fourier(0.2, problem.target, sines=np.full((1, n), SPREAD), cosines=np.zeros((1, n)))
    # A target that moves: at rest the columns would be one number, and take no room on disk.
    wishes = {"step": STEP, "method": "rk4", "torque": la.control.pd_gravity(swing, *problem.gains)}
    la.simulate(problem.arm, q, until=10 * STEP, **wishes)  # compiled, so that it is not timed
    began = perf_counter()
    la.simulate(problem.arm, q, until=until, record=until, **wishes)
    unrecorded = perf_counter() - began
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "run.parquet")
        began = perf_counter()
        rows = len(la.simulate(problem.arm, q, until=until, record=STEP, output=path, **wishes))
        seconds = perf_counter() - began
        files = path.iterdir() if path.is_dir() else [path]
        return Streamed(rows, seconds, sum(file.stat().st_size for file in files), unrecorded)
