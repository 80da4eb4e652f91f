"""Ranges of a batch run one after the other or on several threads. The results do not depend on it."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from queue import SimpleQueue
from time import perf_counter, sleep
from typing import Any

from leverarm.errors import InputError

FIRST = 512  # states run before anything is known about how long one takes
WORTH = 100e-6  # s of work that a thread more must have to do: waking it costs up to half of that
PIECE = 10e-3  # s: the longest a piece should take, so that Ctrl-C is answered soon
LEAST = 40e-6  # s: the shortest a piece should take: beginning one costs that if two threads want Python's lock

_chosen: int | None = None


def set_threads(number: int | None) -> None:
    """How many threads a large batch may use from now on; None: `LEVERARM_THREADS`, or the cores of this process."""
    global _chosen
    _chosen = None if number is None else checked_threads(number, "set_threads")


def thread_count() -> int:
    """How many threads a large batch may use."""
    if _chosen is not None:
        return _chosen
    given = os.environ.get("LEVERARM_THREADS", "")
    return checked_threads(given, "LEVERARM_THREADS") if given else _cores()


def checked_threads(given: Any, what: str) -> int:
    """A number of threads as given by a user."""
    try:
        number = int(given)
        if number < 1 or (not isinstance(given, str) and number != given):
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        raise InputError(
            f"{what}: {given!r} threads; give a whole number from 1 on (this process may use {_cores()} cores)."
        ) from None
    return number


class Pace:
    """How long a kernel takes for one state, as last seen on a calling thread [s]; None before its first long batch."""

    __slots__ = ("seconds",)

    def __init__(self) -> None:
        self.seconds: float | None = None


def over_states(
    run: Callable[[int, int], None], states: int, lanes: int, threads: int | None = None, pace: Pace | None = None
) -> None:
    """Calls `run(begin, end)` for ranges that make up 0..states-1, each a multiple of `lanes` long (but the last).

    They go to threads where the kernel's pace says that it is worth it; a kernel without one is timed first. An
    exception, such as Ctrl-C, stops the work between two ranges and leaves no thread at work on the arrays.
    """
    begin, pace = 0, pace or Pace()
    if pace.seconds is None:
        begin = min(FIRST, states)
        pace.seconds = _work(run, deque([(0, begin)]))
    useful = int((states - begin) * pace.seconds / WORTH)
    number = 1 if useful <= 1 else min(useful, thread_count() if threads is None else threads)
    ranges = deque(_ranges(begin, states, lanes, number, pace.seconds))
    pace.seconds = (_work(run, ranges) if number == 1 else _share(run, ranges, number - 1)) or pace.seconds


def _ranges(begin: int, end: int, lanes: int, threads: int, per_state: float) -> Iterator[tuple[int, int]]:
    """Long pieces first, shorter ones towards the end, so that all threads finish at about the same time."""
    longest, shortest = (max(1, int(seconds / per_state) // lanes) * lanes for seconds in (PIECE, LEAST))
    while begin < end:
        share = max(shortest, (end - begin) // (threads * lanes) * lanes) if threads > 1 else longest
        last = min(end, begin + min(share, longest))
        yield begin, last
        begin = last


def _work(run: Callable[[int, int], None], ranges: deque[tuple[int, int]]) -> float:
    """Runs ranges until none is left; the time that a state took [s], 0 if none was left to begin with."""
    states, began = 0, perf_counter()
    while True:
        try:
            begin, end = ranges.popleft()
        except IndexError:
            break
        run(begin, end)
        states += end - begin
    return max((perf_counter() - began) / states, 1e-10) if states else 0.0


def _share(run: Callable[[int, int], None], ranges: deque[tuple[int, int]], helpers: int) -> float:
    """The same with the help of so many threads, or of fewer where there are no more to be had."""
    shared = _Shared(run, ranges)
    try:
        _begin(shared.help, helpers)
        per_state = _work(run, ranges)
    finally:
        shared.finish()
    if shared.failures:
        raise shared.failures[0]
    return per_state


class _Shared:
    """Ranges of states, each taken by whichever thread comes first."""

    def __init__(self, run: Callable[[int, int], None], ranges: deque[tuple[int, int]]) -> None:
        self.run, self.ranges = run, ranges
        self.helpers = 0
        self.changed = threading.Condition()
        self.failures: list[BaseException] = []

    def help(self) -> None:
        """Runs on a thread of the pool, which may get to it when all is done and its caller is gone."""
        with self.changed:
            if not self.ranges:
                return
            self.helpers += 1
        try:
            _work(self.run, self.ranges)
        except BaseException as problem:
            self.failures.append(problem)
            self.ranges.clear()
        finally:
            with self.changed:
                self.helpers -= 1
                self.changed.notify_all()

    def finish(self) -> None:
        """Waits for the ranges that are under way, whatever signals arrive meanwhile; those not begun are left."""
        while True:
            try:
                self.ranges.clear()
                soon = perf_counter() + 2 * LEAST
                while self.helpers and perf_counter() < soon:
                    sleep(0)  # lets go of Python's lock only: being woken takes longer than most threads still need
                with self.changed:
                    self.changed.wait_for(lambda: self.helpers == 0)
                return
            except BaseException as problem:
                self.failures.append(problem)


class _Pool:
    """Threads that wait for work. They do not keep Python from ending: whoever gives them work waits for it."""

    def __init__(self) -> None:
        self.work: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self.threads = 0
        self.lock = threading.Lock()

    def grow(self, number: int) -> None:
        """Starts threads until there are so many; RuntimeError where the system lets it have no more."""
        with self.lock:
            while self.threads < number:
                threading.Thread(target=self.serve, name=f"leverarm_{self.threads}", daemon=True).start()
                self.threads += 1

    def serve(self) -> None:
        while True:
            self.work.get()()


_pool = _Pool()


def _begin(work: Callable[[], None], number: int) -> None:
    """Begins the work on so many threads; on fewer where the system has none left or Python is shutting down."""
    pool = _pool
    if pool.threads < number:
        with suppress(RuntimeError):
            pool.grow(number)
    for _ in range(min(number, pool.threads)):
        pool.work.put(work)


def _forget_pool() -> None:
    """In a forked child: its parent's threads do not exist there, and one of them may have held the lock."""
    global _pool
    _pool = _Pool()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_pool)


def _cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
