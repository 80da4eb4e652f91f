"""The benchmark of the derivation runs, and what it compares is the same."""

from __future__ import annotations

import importlib
from pathlib import Path

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
    report = derive.Report(derive.setting(), 300.0, [timing], stages)
    assert all(derive.bars(report).values())
    page = derive.markdown(report)
    assert "| planar 2R | 1 ms | 5 ms | met |" in page
    assert "| Puma 560 | SymPy LagrangesMethod | raw | 40 s | 2,000 | 150,000 |" in page
    assert "| Puma 560 | SymPy LagrangesMethod | simplified | > 300 s | > 30 |  |" in page
    slower = derive.Report(derive.setting(), 300.0, [], [*stages[:2], runs.Stage("lagrange", "puma560", "raw", 4.0)])
    assert not all(derive.bars(slower).values())


def test_tables_go_to_their_place_on_a_page(bench, tmp_path):
    derive, page = bench("derive"), tmp_path / "page.md"
    assert derive.on_page("tables\n", page) == "tables\n"
    page.write_text(f"before\n{derive.BEGIN}old\n{derive.END}after\n")
    assert derive.on_page("tables\n", page) == f"before\n{derive.BEGIN}\ntables\n\n{derive.END}after\n"
    docs = (BENCH.parent / "docs" / "benchmarks.md").read_text()
    assert docs.count(derive.BEGIN) == docs.count(derive.END) == 1
