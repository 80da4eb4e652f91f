"""The benchmarks run, and what they compare is the same."""

from __future__ import annotations

import importlib
import math

import numpy as np
import pytest

from tests.support.paths import BENCH


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


@pytest.mark.slow
def test_generated_code_gives_the_same_forces(bench):
    arm = bench("derive_rivals.arms").arm_named("puma560-published")
    chain, state = bench("derive_rivals.chain").chain_of(arm), bench("derive_rivals.answer").random_state(arm)
    answer = next(bench("derive_rivals.newton_euler_code").newton_euler_code(chain))
    assert answer.deviation(state) < 1e-12
    assert 500 < bench("derive_own").program_size(arm) < answer.operations()


@pytest.mark.slow
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


def test_a_slow_rival_is_cut_off(bench, monkeypatch, tmp_path):
    """One that says that it is ready, and then nothing for ever."""
    runs, rival = bench("derive_rivals.runs"), tmp_path / "rival"
    rival.write_text("#!/bin/sh\necho '{}'\nexec tail -f /dev/null\n")
    rival.chmod(0o755)
    monkeypatch.setattr(runs.sys, "executable", str(rival))
    monkeypatch.setattr(runs, "PATIENCE", 3600.0)
    (stage,) = runs.run_rival("lagrange", "planar3r", cut_off=0.01)
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


@pytest.mark.slow
@pytest.mark.parametrize("rival", RIVALS)
@pytest.mark.parametrize("name", ["elbow", pytest.param("tree30", marks=pytest.mark.thorough)])
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_what_a_new_process_takes(bench):
    cold, cached = bench("compile_own").first_result("elbow", repeats=1)
    assert cached.first > 0 and cold.first > 0 and cold.peak > 10


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


@pytest.fixture
def swing(bench):
    """The planar 2R of the simulations."""
    return bench("simulate_rivals.problem").Problem("elbow")


def _march_tasks(bench):
    problem = bench("simulate_rivals.problem")
    return [problem.Task(law, *size) for law in (problem.FREE, problem.HELD) for size in ((1, 1), (9, 1), (9, 2))]


@pytest.mark.slow
def test_everyone_moves_the_arm_to_the_same_place(bench, swing):
    """Every way that is timed, free and under control: RK4 with the same steps, to what rounding makes of 1000 of them."""
    pytest.importorskip("mujoco")
    own, rival = bench("simulate_own"), bench("simulate_rivals.mujoco_steps")
    found = []
    for task in _march_tasks(bench):
        reference = swing.reference(task)
        assert np.abs(reference - swing.starts(9)[: len(reference)]).max() > 0.01
        for contender in (*own.contenders(swing, task, 20), *rival.contenders(swing, task, 20)):
            assert np.abs(contender.check() - reference).max() < 1e-11, contender.title
            assert contender.timer.timeit(1) > 0
            found.append(contender.title)
    assert len(found) == 2 * (2 + 2 + 2 * 2)


def test_the_control_holds_the_arm_and_is_not_the_free_swing(bench, swing):
    problem = bench("simulate_rivals.problem")
    free, held = (swing.reference(problem.Task(law, 1, 1))[0] for law in (problem.FREE, problem.HELD))
    half_way = problem.SPREAD / 2
    assert np.abs(held - swing.target).max() < half_way < np.abs(free - swing.target).max()


def test_accurate_ends_are_near_the_truth(bench, swing):
    """The adaptive method and heyoka within 1e4 of their tolerances, RK4 at 0.1 ms nearer than at 1 ms."""
    pytest.importorskip("heyoka")
    right, left_out = bench("simulate_own").truth(swing, 1.0), {}
    solvers = [
        *bench("simulate_own").solvers(swing, 1.0, left_out),
        *bench("simulate_rivals.heyoka_taylor").solvers(swing, 1.0),
    ]
    errors = {s.contender.title: np.abs(s.contender.check() - right).max() for s in solvers}
    # Four orders in theory; at 1e-13 rounding ends it.
    assert errors["leverarm RK4, 0.1 ms"] < max(1e-3 * errors["leverarm RK4, 1 ms"], 1e-13) < 1e-8
    for title, error in errors.items():
        for words, tolerance in (("tol 1e-15", 1e-15), ("tol 1e-10", 1e-10), ("rtol 1e-10", 1e-10)):
            assert words not in title or error < 1e4 * tolerance, title
    assert all(s.steps() is None or s.steps() > 5 for s in solvers)
    assert len(errors) + len(left_out) == 9


@pytest.mark.slow
def test_a_run_of_the_simulations(bench, monkeypatch):
    run, pace = bench("simulate"), bench("compile_rivals.timing").Pace(repeats=2, sample=1e-5, most=1.0)
    monkeypatch.setattr(run, "METHODS", {"rk4": "RK4", "no-such-method": "nobody's"})
    monkeypatch.setattr(run, "ALL_THREADS", 1)
    plan = run.Plan(pace, 50, 9, 10, 5, 0.0, 0.5, 200, arm="elbow", rivals=("mujoco_steps", "no_such_rival"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(run.RIVALS, "no_such_rival", ("Nobody", "nobody"))
        report = run.measure(plan)
    assert {(m.law, m.environments) for m in report.marches} == {
        (law, k) for law in ("free", "PD + gravity") for k in (1, 9)
    }
    assert all(m.seconds > 0 and m.repeats == 2 and m.deviation < 1e-11 for m in report.marches)
    assert all(m.is_rival == m.title.startswith("MuJoCo") for m in report.marches)
    assert (report.drifts[0].title, report.drifts[0].exploded) == ("RK4", None)
    assert 0 < report.drifts[0].worst < 1e-6
    assert report.stream.rows == 201 and report.stream.size > 1000
    page = run.markdown(report)
    assert "| leverarm rollout | 9 | 1 |" in page
    assert "Nobody: not installed" in page
    assert "nobody's: there is no method named 'no-such-method'" in page


def test_a_line_through_an_error_is_found_in_noise(bench):
    energy = bench("simulate_energy")
    t, noise = np.linspace(0, 100, 10_001), np.random.default_rng(0).normal(size=10_001)
    slope, error = energy._line(t, 1e-9 * noise + 3e-11 * t)
    # White noise of 10 001 points over 100 s: sigma sqrt(12 / N) / T.
    assert error == pytest.approx(1e-9 * np.sqrt(12 / 10_001) / 100, rel=0.3)
    assert abs(slope - 3e-11) < 4 * error
    assert abs(energy._line(t, 1e-9 * noise)[0]) < 4 * error


def test_promises_of_simulations(bench):
    tables, energy = bench("simulate_tables"), bench("simulate_energy")

    def march(title, law, environments, seconds, deviation=1e-14):
        is_rival = title.startswith("MuJoCo")
        return tables.March(law, environments, 1, title, is_rival, seconds, seconds, 9, seconds / 8e-7, deviation)

    def drift(worst, trend, exploded=None):
        return energy.Drift("implicit midpoint", 3.0, worst, trend, 1e-9, exploded, (0.0,), (worst,))

    report = tables.Report({"machine": "a machine", "numpy": "2"}, falling=100.0)
    report.marches = [
        march("leverarm simulate", "free", 1, 8e-7),
        march("MuJoCo mj_step with nstep", "free", 1, 10e-6),
        march("MuJoCo rollout", "free", 1, 9.5e-6),
        march("leverarm simulate", "PD + gravity", 1, 11e-7),
        march("leverarm rollout", "free", 4096, 1.5e-7),
        march("leverarm rollout", "PD + gravity", 4096, 2.3e-7),
    ]
    report.drifts = [drift(9e-7, 3e-9)]
    bars = tables.bars(report)
    assert [b.title for b in bars if not b.is_met] == [
        "one environment, against MuJoCo's RK4 loop in C",  # its faster way counts
        "4096 environments, steps in a second lost to PD + gravity",
    ]
    assert [b.found for b in bars[:3]] == ["11.9 times faster", "63.3 times faster", "5.33 times faster"]
    assert [b.found for b in bars[3:5]] == ["27 %", "35 %"]
    assert len(bars) == 8
    assert "| MuJoCo rollout | 1 | 1 | 9.5 us (12x) |" in tables.markdown(report)
    for bad in (drift(2e-6, 0.0), drift(9e-7, 5e-9), drift(9e-7, 0.0, exploded=3.0)):
        assert not all(b.is_met for b in tables.bars(tables.Report({}, falling=100.0, drifts=[bad])))
    apart = tables.Report({}, [march("leverarm simulate", "free", 1, 8e-7, deviation=2e-6)])
    assert not all(b.is_met for b in tables.bars(apart))


def test_charts_of_simulations(bench, tmp_path):
    tables, chart, energy = bench("simulate_tables"), bench("simulate_chart"), bench("simulate_energy")
    marches = [
        tables.March(law, k, 1, title, "MuJoCo" in title, 1e-6, 1e-6, 9, 1.0, 0.0)
        for law in ("free", "PD + gravity")
        for k, title in ((1, "leverarm simulate"), (1, "MuJoCo rollout"), (4096, "leverarm rollout"))
    ]
    drifts = [energy.Drift("RK4", 1.0, 1e-5, 1e-6, 1e-7, at, (0.0, 1.0), (0.0, 1e-5)) for at in (None, 1.0)]
    report = tables.Report({}, marches, falling=2.0, drifts=drifts)
    chart.save_chart(report, tmp_path / "chart.png")
    chart.save_drift(report, tmp_path / "drift.png")
    assert all((tmp_path / f"{name}.png").read_bytes().startswith(b"\x89PNG") for name in ("chart", "drift"))


def test_tables_of_simulations_have_a_place_on_the_page(bench):
    run, page = bench("simulate"), BENCH.parent / "docs" / "benchmarks.md"
    docs = page.read_text()
    assert docs.count(run.BEGIN) == docs.count(run.END) == 1
    new = run.on_page("tables\n", page)
    assert bench("compile").BEGIN not in new.split(run.BEGIN)[1]
    assert new.split(run.BEGIN)[0] == docs.split(run.BEGIN)[0]


@pytest.mark.slow
def test_a_run_of_the_bounds(bench):
    """The elbow away from singular poses: its inertia is extreme where it is stretched most."""
    run = bench("properties")
    task = run.Task("elbow", math.inf, run.promises(0.05, 0.05), {"theta2": (0.5, 1.5)}, boxes=1000)
    report = run.measure((task,), processes=1)
    found = {f.quantity: f for f in report.figures}
    assert list(found) == ["mu1", "mu2", "norm_lower", "g_b", "v_b"]
    least, greatest = np.linalg.eigvalsh(run.la.mass_matrix(run.la.load("elbow"), [0.0, 0.5]))
    for key, true in (("mu1", least), ("mu2", greatest)):
        assert found[key].lower <= true * (1 + 1e-14) and found[key].upper >= true * (1 - 1e-14)
        assert found[key].reached is not None
    assert len(run.bars(report)) == 4 and all(bar.is_met for bar in run.bars(report))
    assert found["norm_lower"].reached is None
    assert all(0 < f.boxes <= 1000 for f in found.values())
    assert "| elbow, g_b: gap |" in run.markdown(report)


def test_promises_of_bounds(bench):
    run = bench("properties")
    near = run.Figure("panda", "mu2", 9.25, 10.0, 0.10, 3.0, 2_600, 0.6)
    far = run.Figure("panda", "v_b", 5.0, 10.0, 0.40, None, 80_000, 60.0)
    none = run.Figure("panda", "lambda2", 5.0, float("inf"), None, None, 100, 1.0)
    report = run.Report({"machine": "a machine"}, [near, far, none], {"panda": 120.0})
    assert [(bar.title, bar.is_met) for bar in run.bars(report)] == [
        ("panda, mu2: gap", True), ("panda, v_b: gap", False),
    ]  # fmt: skip
    page = run.markdown(report)
    assert "| panda | mu2 | 9.25 to 10.00 | 7.5 % | 3 s | 2,600 | 600 ms |" in page
    assert "| panda, v_b: gap | 50 % | below 40 % | MISSED |" in page
    assert "| panda | lambda2 | from 5 | no enclosure |  | 100 | 1 s |" in page


def test_tables_of_bounds_have_a_place_on_the_page(bench):
    run, page = bench("properties"), BENCH.parent / "docs" / "benchmarks.md"
    docs = page.read_text()
    assert docs.count(run.BEGIN) == docs.count(run.END) == 1
    new = run.on_page("tables\n", page)
    assert new.split(run.BEGIN)[0] == docs.split(run.BEGIN)[0] and bench("simulate").BEGIN in new.split(run.BEGIN)[0]


def test_what_files_take(bench, tmp_path):
    files = bench("files")
    for title, work, bound in files.tasks(tmp_path, size=0.05):
        assert title and files.seconds(work, runs=1) > 0 and bound > 0
    rings = 20
    body = files.fine_mesh(tmp_path / "torus.stl", rings)()
    assert body.m == pytest.approx(4 * np.pi**2, rel=0.1)  # 2 pi^2 R r^2 with radii 2 and 1


@pytest.mark.slow
def test_own_solvers_next_to_libraries(bench, monkeypatch):
    pytest.importorskip("clarabel")
    if not hasattr(pytest.importorskip("scipy.integrate"), "cubature"):
        pytest.skip("SciPy before 1.15 has no cubature")
    run = bench("solvers")
    monkeypatch.setattr(run, "DENSITIES", {"polynomial": run.DENSITIES["polynomial"]})
    report = run.measure(list(run.parts(None, ("elbow",), 1).values()))
    own = {row.problem: row for row in report.rows if row.by == "own"}
    assert len({row.problem for row in report.rows}) == len(own) < len(report.rows)
    assert not any(row.failures for row in own.values())
    assert own["chi-squared"].error < 1e-14 and own["mixture of slopes"].error < 1e-9
    assert "| chi-squared | own | 78 | 0 |" in run.markdown(report)
