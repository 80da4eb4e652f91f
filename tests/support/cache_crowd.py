"""Processes that use one cache at once, of which some are killed; run as a script, the process that forks them.

It prints how each process ended. What a process finds wrong it prints as an error, and ends with 1.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import signal
import sys
import traceback
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path

from leverarm.runtime.cache import About, Cache
from tests.support.killed_writers import MOMENTS, die_while_storing

ABOUT = About("elbow", "gravity", "float64", "any")
KEYS, ACTIONS, SURVIVORS, KILLED = 20, 200, 4, 2


def payload(k: int) -> bytes:
    return random.Random(k).randbytes(20_000 + 1000 * k)


def work(folder: Path, seed: int, actions: Iterable[int]) -> None:
    """Stores, loads, clears, trims and lists at random; what is loaded must be what was stored."""
    luck, payloads = random.Random(seed), [payload(k) for k in range(KEYS)]
    for _ in actions:
        k, action = luck.randrange(KEYS), luck.random()
        cache = Cache(folder, luck.choice((10**5, 10**6, 10**9)))
        if action < 0.45:
            cache.store({"k": str(k)}, payloads[k], ABOUT)
        elif action < 0.9:
            found = cache.load({"k": str(k)})
            assert found is None or found == payloads[k]
        elif action < 0.94:
            cache.clear()
        elif action < 0.97:
            cache.trim()
        else:
            assert all(not entry.trouble for entry in cache.entries())


def forked(task: Callable[[], None], closed: Iterable[int]) -> int:
    """A process with a task and without some descriptors of this one."""
    process = os.fork()
    if process:
        return process
    status = 1
    try:
        warnings.simplefilter("error")
        for descriptor in closed:
            os.close(descriptor)
        task()
        status = 0
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(status)


def ended(process: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def crowd(folder: Path) -> dict[str, int]:
    """Some processes die while they store their tenth file, some are killed wherever they are after some actions; the
    others go on after that. How each ended."""
    (begin, begun), (go_on, gone_on), (said, say) = os.pipe(), os.pipe(), os.pipe()

    def survive(seed: int) -> None:
        os.read(begin, 1)
        work(folder, seed, range(ACTIONS))
        os.read(go_on, 1)
        work(folder, seed + 100, range(ACTIONS))

    def die(seed: int, moment: str) -> None:
        die_while_storing(moment, 10)
        os.read(begin, 1)
        work(folder, seed, range(ACTIONS))

    def be_killed(seed: int) -> None:
        os.read(begin, 1)
        work(folder, seed, range(30))
        os.write(say, b"x")
        work(folder, seed + 100, itertools.count())

    ends = (begun, gone_on)
    survivors = {f"survivor {k}": forked(lambda k=k: survive(k), (*ends, say)) for k in range(SURVIVORS)}
    dying = {m: forked(lambda k=k, m=m: die(10 + k, m), (*ends, say)) for k, m in enumerate(MOMENTS)}
    killed = {f"killed {k}": forked(lambda k=k: be_killed(20 + k), ends) for k in range(KILLED)}
    os.close(say)
    os.close(begun)
    for _ in killed:
        os.read(said, 1)
    for process in killed.values():
        os.kill(process, signal.SIGKILL)
    found = {name: ended(process) for name, process in (killed | dying).items()}
    os.close(gone_on)
    return found | {name: ended(process) for name, process in survivors.items()}


if __name__ == "__main__":
    print(json.dumps(crowd(Path(sys.argv[1]))))
