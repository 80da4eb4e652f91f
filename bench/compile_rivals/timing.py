"""Interleaved timing: every contender of a task runs once, then every one again, so that all see the same machine."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from compile_rivals.problem import Contender

SETTLE = 0.003
"""Seconds between contenders: thread pools of the one before stop spinning."""
LEAST_REPEATS = 3


@dataclass(frozen=True, slots=True)
class Pace:
    """How much is measured: samples of a contender, seconds of a sample, seconds after which a slow one has few."""

    repeats: int
    sample: float
    most: float


FULL = Pace(repeats=9, sample=0.01, most=8.0)
QUICK = Pace(repeats=7, sample=0.002, most=1.0)


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds per state: the least and the median of the samples."""

    least: float
    median: float
    repeats: int


def interleaved(contenders: Sequence[Contender], pace: Pace) -> list[Timing]:
    """A timing for each contender."""
    numbers = [_calls_per_sample(c, pace.sample) for c in contenders]
    samples: list[list[float]] = [[] for _ in contenders]
    spent = [0.0] * len(contenders)
    for _ in range(pace.repeats):
        for k, contender in enumerate(contenders):
            if spent[k] > pace.most and len(samples[k]) >= LEAST_REPEATS:
                continue
            time.sleep(SETTLE)
            taken = contender.timer.timeit(numbers[k])
            spent[k] += taken
            samples[k].append(taken / numbers[k] / contender.states)
    return [Timing(min(s), statistics.median(s), len(s)) for s in samples]


def _calls_per_sample(contender: Contender, least: float) -> int:
    number, taken = 1, contender.timer.timeit(1)
    while taken < least / 2:
        number = max(2 * number, int(number * least / max(taken, 1e-9) / 2))
        taken = contender.timer.timeit(number)
    return max(1, round(number * least / taken)) if taken < least else number


@contextmanager
def one_core(threads: int) -> Iterator[None]:
    """Keeps every thread of this process on one core while a task on one thread is timed, where the system can.

    Not every rival can be told how many threads to use.
    """
    if threads > 1 or not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    _pin({max(before)})
    try:
        yield
    finally:
        _pin(before)


def _pin(cores: set[int]) -> None:
    for task in Path("/proc/self/task").iterdir():
        with suppress(ProcessLookupError):
            os.sched_setaffinity(int(task.name), cores)
