"""The tests can fail: each of these hand-made mistakes is noticed."""

from __future__ import annotations

import os

import pytest

from tests.mutants.mutants import MUTANTS
from tests.mutants.warm_process import WarmProcess

NOTICED_IN: dict[str, list[str]] = {}
"""The tests that notice mistakes, each once, by the folder they stand in."""
for tests in sorted({mutant.tests for mutant in MUTANTS}):
    NOTICED_IN.setdefault(tests.rpartition("/test_")[0], []).append(tests)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="mistakes are made in forks; this system has none"),
]


@pytest.fixture(scope="session")
def warm_process():
    process = WarmProcess()
    yield process
    process.close()


def test_each_mistake_can_be_made():
    counts = {m: m.path.read_text().count(m.there) for m in MUTANTS}
    assert {m: count for m, count in counts.items() if count != 1} == {}
    assert len({(m.file, m.there, m.slip) for m in MUTANTS}) == len(MUTANTS)


@pytest.mark.parametrize("room", NOTICED_IN)
def test_without_a_mistake_the_same_tests_pass(room, warm_process, tmp_path):
    done = warm_process.run(NOTICED_IN[room], tmp_path)
    assert done.code == 0, done.output


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda m: f"{m.file}: {m.slip or 'nothing'}")
def test_a_mistake_is_noticed(mutant, warm_process, tmp_path):
    done = warm_process.run([mutant.tests], tmp_path, mutant)
    assert done.code == 1, f"exit code {done.code} of pytest; 1 is a failed test\n{done.output}"
