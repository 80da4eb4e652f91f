"""The benchmarks run, and what they compare is the same."""

from __future__ import annotations

import importlib
from pathlib import Path

import numpy as np
import pytest

BENCH = Path(__file__).parents[1] / "bench"


@pytest.fixture
def bench(monkeypatch):
    """Imports a module of bench/ by name."""
    monkeypatch.syspath_prepend(str(BENCH))
    return importlib.import_module


@pytest.mark.parametrize("rival", ["lagrange", "kane", "textbook", "heyoka"])
@pytest.mark.parametrize("name", ["elbow", "planar3r"])
def test_rivals_derive_the_same_equations(bench, rival, name):
    if rival == "heyoka":
        pytest.importorskip("heyoka")
    arm = bench("derive_rivals.arms").arm_named(name)
    chain, state = bench("derive_rivals.chain").chain_of(arm), bench("derive_rivals.answer").random_state(arm)
    module, _ = bench("derive_rivals").RIVALS[rival]
    answer = next(getattr(bench(f"derive_rivals.{module}"), rival)(chain))
    assert answer.deviation(state) < 1e-12
    assert answer.operations() > 50


def test_generated_code_gives_the_same_forces(bench):
    arm = bench("derive_rivals.arms").arm_named("puma560-published")
    chain, state = bench("derive_rivals.chain").chain_of(arm), bench("derive_rivals.answer").random_state(arm)
    answer = next(bench("derive_rivals.newton_euler_code").newton_euler_code(chain))
    assert answer.deviation(state) < 1e-12
    assert 500 < bench("derive_own").program_size(arm) < answer.operations()


def test_own_tasks_run(bench):
    own = bench("derive_own")
    assert [timing.title for timing in own.timings(repeats=1)] == [task.title for task in own.TASKS]


def test_repeats_remember_nothing(bench):
    own, ring = bench("derive_own"), bench("leverarm.scalars.exact.ring")
    own.forms(own.la.load("elbow"))
    caches = [value for value in vars(ring).values() if hasattr(value, "cache_info")]
    assert any(cache.cache_info().currsize for cache in caches)
    own.forget()
    assert not any(cache.cache_info().currsize for cache in caches)


def test_a_slow_rival_is_cut_off(bench):
    (stage,) = bench("derive_rivals.runs").run_rival("lagrange", "planar3r", cut_off=0.01)
    assert (stage.seconds, stage.note) == (None, "> 0.01 s")


def test_table_of_a_report(bench):
    derive, runs = bench("derive"), bench("derive_rivals.runs")
    stages = [
        runs.Stage("leverarm", "puma560", "Euler-Lagrange", 0.02),
        runs.Stage("leverarm", "puma560", "printed", 10.0, 17000),
        runs.Stage("lagrange", "puma560", "raw", 40.0, 150000, 1e-14),
        runs.Stage("lagrange", "puma560", "simplified", note="> 300 s"),
    ]
    timing = bench("derive_own").Timing("planar 2R", 0.001, 0.005, 7)
    report = derive.Report(derive.setting("a machine", ["sympy"]), 300.0, [timing], stages)
    assert all(derive.bars(report).values())
    page = derive.markdown(report)
    assert "| planar 2R | 1 ms | 5 ms | met |" in page
    assert "| Puma 560 | SymPy LagrangesMethod | raw | 40 s | 2,000 | 150,000 |" in page
    assert "| Puma 560 | SymPy LagrangesMethod | simplified | > 300 s | > 30 |  |" in page
    slower = derive.Report(
        derive.setting("a machine", ["sympy"]), 300.0, [], [*stages[:2], runs.Stage("lagrange", "puma560", "raw", 4.0)]
    )
    assert not all(derive.bars(slower).values())


def test_tables_go_to_their_place_on_a_page(bench, tmp_path):
    derive, page = bench("derive"), tmp_path / "page.md"
    assert derive.on_page("tables\n", page) == "tables\n"
    page.write_text(f"before\n{derive.BEGIN}old\n{derive.END}after\n")
    assert derive.on_page("tables\n", page) == f"before\n{derive.BEGIN}\ntables\n\n{derive.END}after\n"
    docs = (BENCH.parent / "docs" / "benchmarks.md").read_text()
    assert docs.count(derive.BEGIN) == docs.count(derive.END) == 1


RIVALS = {
    "pinocchio_calls": "pinocchio",
    "heyoka_cfunc": "heyoka",
    "casadi_function": "casadi",
    "mujoco_calls": "mujoco",
    "robotics_toolbox": "roboticstoolbox",
    "jax_program": "jax",
}


@pytest.mark.parametrize("rival", RIVALS)
@pytest.mark.parametrize("name", ["elbow", "tree30"])
def test_every_way_of_a_rival_computes_the_same(bench, rival, name):
    """A rival of the comparison by every way it is timed, on one thread and on two."""
    pytest.importorskip(RIVALS[rival])
    if name == "tree30" and rival not in ("pinocchio_calls", "mujoco_calls"):
        pytest.skip("takes a while to compile, or takes no tree")
    problem = bench("compile_rivals.problem").Problem(name)
    contenders = bench(f"compile_rivals.{rival}").contenders
    found = []
    for task in _tasks(bench):
        for contender in contenders(problem, task):
            reference = problem.reference(task)
            assert np.abs(contender.check() - reference).max() < 1e-12 * np.abs(reference).max(), contender.title
            found.append(contender.title)
    assert len(found) > 6


def test_compiled_functions_do_every_task(bench):
    problem = bench("compile_rivals.problem").Problem("elbow")
    for task in _tasks(bench):
        for layout in ("rows", "columns"):
            found, reference = bench("compile_own").contender(problem, task, layout).check(), problem.reference(task)
            assert np.abs(found - reference).max() < 1e-13 * np.abs(reference).max()


def _tasks(bench):
    problem = bench("compile_rivals.problem")
    sizes = ((1, 1), (16, 1), (16, 2))
    return [problem.Task(quantity, *size) for quantity in problem.ARGUMENTS for size in sizes]


def test_a_run_of_the_compiled_functions(bench):
    run, timing = bench("compile"), bench("compile_rivals.timing")
    pace = timing.Pace(repeats=2, sample=1e-5, most=1.0)
    plan = run.Plan(("elbow",), ("inverse_dynamics",), (1, 16), pace, ("pinocchio_calls", "no_such_rival"), (), 0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(run.RIVALS, "no_such_rival", ("Nobody", "nobody"))
        report = run.measure(plan)
    assert {f.states for f in report.figures} == {1, 16}
    assert all(f.seconds > 0 and f.repeats == 2 for f in report.figures)
    assert all(f.ratio == 1 for f in report.figures if not f.is_rival)
    page = run.markdown(report)
    assert "| planar 2R | states | threads | inverse dynamics |" in page
    assert "Nobody: not installed" in page
    assert "| everyone computes the same, relative |" in page


def test_what_a_new_process_takes(bench):
    cold, cached = bench("compile_own").first_result("elbow", repeats=1)
    assert 0 < cached.first < 60 and 0 < cold.first < 60 and cold.peak > 10


def test_promises_of_compiled_functions(bench):
    tables, fresh = bench("compile_tables"), bench("compile_own").Fresh

    def figure(title, quantity, states, threads, ratio):
        return tables.Figure("panda", quantity, states, threads, title, "", True, ratio * 1e-7, 1e-6, 9, ratio, 1e-15)

    report = tables.Report({"machine": "a machine", "numpy": "2"})
    report.figures = [
        figure("Pinocchio rnea", "inverse_dynamics", 1, 1, 6.2),
        figure("Pinocchio rnea in a Python loop", "inverse_dynamics", 16384, 1, 49),
        figure("Pinocchio rneaInParallel", "inverse_dynamics", 16384, 1, 40),
        figure("Pinocchio rneaInParallel", "inverse_dynamics", 16384, 2, 31),
        figure("heyoka cfunc on leverarm's program", "forward_dynamics", 16384, 1, 1.1),
        figure("heyoka cfunc on its lagrangian", "forward_dynamics", 16384, 1, 3),
    ]
    report.flops = {"panda": dict.fromkeys(tables.QUANTITIES, 700)}
    report.cold, report.cached = fresh(0.2, 0.01, 0.4, 90), fresh(0.2, 0.01, 0.04, 80)
    report.tree = fresh(0.2, 0.01, 50, 1999)
    bars = tables.bars(report)
    assert [b.title for b in bars if not b.is_met] == [
        "16384 states, inverse dynamics, against a loop over Pinocchio",
        "operations, Panda, inverse dynamics",
    ]
    assert len(bars) == 12
    page = tables.markdown(report)
    assert "| one call, inverse dynamics, against Pinocchio | 6.2 times faster | at least 6 | ok |" in page
    assert "| Pinocchio in a Python loop | 16,384 | 1 | 4.9 us (49x) |" in page


def test_chart_of_a_run(bench, tmp_path):
    tables, chart = bench("compile_tables"), bench("compile_chart")
    figures = [
        tables.Figure("panda", "mass_matrix", states, 1, title, "", True, 1e-6, 1e-6, 9, 8.0, 0.0)
        for states, title in ((1, "Pinocchio crba"), (16384, "Pinocchio crba in a Python loop"))
    ]
    chart.save_chart(tables.Report({}, figures), tmp_path / "chart.png")
    assert (tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG")


def test_tables_of_compiled_functions_have_a_place_on_the_page(bench):
    run = bench("compile")
    docs = (BENCH.parent / "docs" / "benchmarks.md").read_text()
    assert docs.count(run.BEGIN) == docs.count(run.END) == 1
    assert (
        bench("derive").BEGIN
        not in run.on_page("tables\n", BENCH.parent / "docs" / "benchmarks.md").split(run.BEGIN)[1]
    )
