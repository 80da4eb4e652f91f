"""Settings of all tests: the same examples everywhere, no clock, no user's cache; levels, order and the last lines."""

from __future__ import annotations

import gc
import os
import random
import tempfile
from collections import Counter
from itertools import groupby

import hypothesis.internal.conjecture.providers as hypothesis_providers
import pytest
from hypothesis import HealthCheck, settings

pytest.register_assert_rewrite("tests.support", "tests.sources")

from tests.support.levels import LEVEL  # noqa: E402

settings.register_profile(
    "leverarm", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("leverarm")
if hasattr(hypothesis_providers, "_get_local_constants"):
    # else examples would depend on which modules other tests have imported
    hypothesis_providers._get_local_constants = hypothesis_providers.Constants

if "PYTEST_XDIST_WORKER" not in os.environ:  # workers share the cache of the process that started them
    _cache = tempfile.TemporaryDirectory(prefix="leverarm-tests-")
    os.environ["LEVERARM_CACHE"] = _cache.name
for _name in ("LEVERARM_CACHE_SIZE", "LEVERARM_CPU", "LEVERARM_THREADS"):
    os.environ.pop(_name, None)

FIRST = {"quick": 2}
"""Of each test so many cases, where not all."""
LEFT_OUT = {"quick": ("slow", "thorough"), "test": ("thorough",)}
SLOWEST = 10


@pytest.fixture
def without_clock(monkeypatch):
    """Nothing that ends by itself is ended by a limit in seconds, however slow the machine."""
    monkeypatch.setattr("leverarm.verify.table.gathering.SECONDS", float("inf"))
    monkeypatch.setattr("leverarm.verify.enclosures.enclosing.SEARCH", float("inf"))
    monkeypatch.setattr("leverarm.identification.excitation.designing.TIME_LIMIT", float("inf"))


# Which tests, in which order ------------------------------------------------------------------------------------------


def pytest_addoption(parser):
    parser.addoption("--shuffle", type=int, metavar="SEED", help="files, and tests within them, in a random order")


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: not run by `dev.py quick`")
    config.addinivalue_line("markers", "thorough: only run by `dev.py thorough`")


def pytest_collection_modifyitems(config, items):
    left_out, cases = [], Counter()
    for item in items:
        cases[item.path, item.originalname] += 1
        is_one_of_many = cases[item.path, item.originalname] > FIRST.get(LEVEL, len(items))
        if is_one_of_many or any(item.get_closest_marker(name) for name in LEFT_OUT.get(LEVEL, ())):
            left_out.append(item)
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        gone = set(left_out)
        items[:] = [item for item in items if item not in gone]
    seed = config.getoption("--shuffle")
    if seed is not None:
        luck = random.Random(seed)
        files = [list(group) for _, group in groupby(items, key=lambda item: item.path)]
        luck.shuffle(files)
        for tests in files:
            luck.shuffle(tests)
        items[:] = [item for tests in files for item in tests]


def pytest_collection_finish():
    gc.freeze()  # what is imported stays: no collection of garbage has to look through it


# The last lines -------------------------------------------------------------------------------------------------------


def pytest_unconfigure(config):
    """After everything that pytest says itself."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or hasattr(config, "workerinput") or config.option.collectonly:
        return
    count = {kind: len(reporter.stats.get(kind, [])) for kind in ("passed", "skipped", "failed", "error")}
    seconds = Counter()
    for reports in reporter.stats.values():
        for report in reports:
            seconds[getattr(report, "nodeid", "")] += getattr(report, "duration", 0.0)
    reasons = Counter(map(_reason, reporter.stats.get("skipped", [])))
    slowest = seconds.most_common(SLOWEST)
    print(f"\nThe {len(slowest)} slowest:" if slowest else "\nNo test was run.")
    for name, time in slowest:
        print(f"{time:6.1f} s  {name}")
    print("Why tests were skipped:" if reasons else "No test was skipped.")
    for reason, times in reasons.most_common():
        print(f"{times:6} x  {reason}")
    words = {"passed": "passed", "skipped": "skipped", "failed": "failed", "error": "errors"}
    shown = (f"{count[kind]:,} {word}" for kind, word in words.items() if count[kind] or kind in ("passed", "skipped"))
    print(f"{LEVEL}: {', '.join(shown)}")


def _reason(report) -> str:
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return reason.removeprefix("Skipped: ").splitlines()[0]
