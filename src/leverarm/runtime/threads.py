"""Ranges of a batch run one after the other or on several threads. The results do not depend on it."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from time import perf_counter
from typing import TYPE_CHECKING, Any

from leverarm.errors import InputError

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

FIRST = 512  # states run before anything is known about how long one takes
WORTH = 100e-6  # s of work that a thread more must have to do: starting it costs up to half of that
PIECE = 20e-3  # s: the longest a piece should take, so that Ctrl-C is answered soon
SHARES = 4  # pieces per thread, so that a thread that is held up does not hold up all

_chosen: int | None = None
_pool: ThreadPoolExecutor | None = None
_pool_size = 0
_lock = threading.Lock()


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


def over_states(run: Callable[[int, int], None], states: int, lanes: int, threads: int | None = None) -> None:
    """Calls `run(begin, end)` for ranges that make up 0..states-1, each a multiple of `lanes` long (but the last).

    The first range is timed; what is left goes to threads if that is worth it. An exception, such as Ctrl-C, stops it
    between two ranges and leaves no thread at work on the arrays.
    """
    if states <= FIRST:
        run(0, states)
        return
    started = perf_counter()
    run(0, FIRST)
    per_state = max((perf_counter() - started) / FIRST, 1e-10)
    left = states - FIRST
    most = thread_count() if threads is None else checked_threads(threads, "threads")
    number = max(1, min(most, int(left * per_state / WORTH)))
    longest = min(PIECE / per_state, left / (SHARES * number) if number > 1 else left)
    piece = max(1, int(longest) // lanes) * lanes
    pieces = _Pieces(run, FIRST, states, piece)
    try:
        _begin(pieces.help, number - 1)
        pieces.work()
    finally:
        pieces.finish()
    if pieces.failures:
        raise pieces.failures[0]


class _Pieces:
    """Ranges of states, each taken by whichever thread comes first."""

    def __init__(self, run: Callable[[int, int], None], begin: int, end: int, piece: int) -> None:
        self.run, self.piece, self.end = run, piece, end
        self.starts = deque(range(begin, end, piece))
        self.helpers = 0
        self.changed = threading.Condition()
        self.failures: list[BaseException] = []

    def work(self) -> None:
        """Runs pieces until none is left."""
        while True:
            try:
                begin = self.starts.popleft()
            except IndexError:
                return
            self.run(begin, min(begin + self.piece, self.end))

    def help(self) -> None:
        """The same on a thread of the pool, which may get to it when all is done and its caller is gone."""
        with self.changed:
            if not self.starts:
                return
            self.helpers += 1
        try:
            self.work()
        except BaseException as problem:
            self.failures.append(problem)
            self.starts.clear()
        finally:
            with self.changed:
                self.helpers -= 1
                self.changed.notify_all()

    def finish(self) -> None:
        """Waits for the pieces that are under way; those not begun are left."""
        self.starts.clear()
        with self.changed:
            self.changed.wait_for(lambda: self.helpers == 0)


def _begin(work: Callable[[], None], number: int) -> None:
    """Begins the work on so many more threads; on fewer where the system has none left or Python is shutting down."""
    with suppress(RuntimeError):
        for _ in range(number):
            _pool_of(number).submit(work)


def _pool_of(number: int) -> ThreadPoolExecutor:
    from concurrent.futures import ThreadPoolExecutor

    global _pool, _pool_size
    with _lock:
        if _pool is None or _pool_size < number:
            _pool, _pool_size = ThreadPoolExecutor(number, thread_name_prefix="leverarm"), number
        return _pool


def _forget_pool() -> None:
    """In a forked child: its parent's threads do not exist there, and the lock may have been held by one of them."""
    global _pool, _lock
    _pool, _lock = None, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_pool)


def _cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
