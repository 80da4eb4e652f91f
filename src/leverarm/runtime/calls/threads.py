"""Runs a batch in ranges, serially or on several threads. Results do not depend on the number of threads."""

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

FIRST = 512  # states run first, to measure the time per state
WORTH = 100e-6  # [s] minimum work per extra thread: waking it costs up to half of that
PIECE = 10e-3  # [s] longest range, so that Ctrl-C is handled soon
LEAST = 40e-6  # [s] shortest range: starting one costs that if two threads contend for the GIL

_chosen: int | None = None


def set_threads(number: int | None) -> None:
    """Sets the number of threads for large batches; None: `LEVERARM_THREADS`, or the cores of this process."""
    global _chosen
    _chosen = None if number is None else checked_threads(number, "set_threads")


def thread_count() -> int:
    """The number of threads that a large batch may use."""
    if _chosen is not None:
        return _chosen
    given = os.environ.get("LEVERARM_THREADS", "")
    return checked_threads(given, "LEVERARM_THREADS") if given else _cores()


def checked_threads(given: Any, what: str) -> int:
    """A user's number of threads, checked."""
    try:
        number = int(given)
        if number < 1 or (not isinstance(given, str) and number != given):
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        raise InputError(
            f"{what}: {given!r} threads; give an integer of at least 1 (this process may use {_cores()} cores)."
        ) from None
    return number


class Pace:
    """A kernel's time per state, as last measured on a calling thread [s]; None before its first long batch."""

    __slots__ = ("seconds",)

    def __init__(self) -> None:
        self.seconds: float | None = None


def over_states(
    run: Callable[[int, int], None], states: int, lanes: int, threads: int | None = None, pace: Pace | None = None
) -> None:
    """Calls `run(begin, end)` for ranges that cover 0..states-1; all but the last are multiples of `lanes` long.

    Threads are used if the kernel's time per state makes it worthwhile; an unknown kernel is timed first. An
    exception, such as Ctrl-C, stops the work between two ranges and leaves no thread working on the arrays.
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
    """Long ranges first, shorter ones towards the end, so that all threads finish at about the same time."""
    longest, shortest = (max(1, int(seconds / per_state) // lanes) * lanes for seconds in (PIECE, LEAST))
    while begin < end:
        share = max(shortest, (end - begin) // (threads * lanes) * lanes) if threads > 1 else longest
        last = min(end, begin + min(share, longest))
        yield begin, last
        begin = last


def _work(run: Callable[[int, int], None], ranges: deque[tuple[int, int]]) -> float:
    """Runs ranges until none is left; returns the time per state [s], 0 if there was none."""
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
    """The same with this many helper threads, or fewer if no more are available."""
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
    """Work queue of ranges: the next free thread takes the next one."""

    def __init__(self, run: Callable[[int, int], None], ranges: deque[tuple[int, int]]) -> None:
        self.run, self.ranges = run, ranges
        self.helpers = 0
        self.changed = threading.Condition()
        self.failures: list[BaseException] = []

    def help(self) -> None:
        """Runs on a pool thread, possibly after the work is done and the caller has returned."""
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
        """Waits for the running ranges, ignoring signals meanwhile; ranges not yet started are dropped."""
        while True:
            try:
                self.ranges.clear()
                soon = perf_counter() + 2 * LEAST
                while self.helpers and perf_counter() < soon:
                    sleep(0)  # only releases the GIL: being woken takes longer than most threads still need
                with self.changed:
                    self.changed.wait_for(lambda: self.helpers == 0)
                return
            except BaseException as problem:
                self.failures.append(problem)


class _Pool:
    """A pool of daemon threads. They do not keep Python from exiting: the caller waits for its work."""

    def __init__(self) -> None:
        self.work: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self.threads = 0
        self.lock = threading.Lock()

    def grow(self, number: int) -> None:
        """Grows the pool to this many threads; RuntimeError if the system allows no more."""
        with self.lock:
            while self.threads < number:
                threading.Thread(target=self.serve, name=f"leverarm_{self.threads}", daemon=True).start()
                self.threads += 1

    def serve(self) -> None:
        while True:
            self.work.get()()


_pool = _Pool()


def _begin(work: Callable[[], None], number: int) -> None:
    """Starts the work on this many threads; fewer if the system has none left or Python is shutting down."""
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
