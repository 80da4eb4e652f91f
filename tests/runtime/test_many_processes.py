"""Many processes compile the same arm at once on an empty cache, and some are killed: the others never notice.

All have compiled their first function before one of them stores it, so all store it at once; from then on each takes
what it finds. The processes are forked from one that has imported everything and started nothing of LLVM; run as a
script, this file is that process.
"""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import time
import traceback
import warnings
from pathlib import Path

import numpy as np
import pytest

import leverarm as la
from leverarm.runtime.cache import Cache, disk_cache
from tests.support.killed_writers import MOMENTS, die, die_while_storing
from tests.support.paths import ROOT

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")

LIVES, COMPILED, ANYWHERE = "lives", "compiled", "anywhere"
"""What becomes of a process: nothing; it ends before it stores what it compiled; it is killed wherever it is. Or it
ends at one of the moments of a store."""
HALF_DONE = MOMENTS[:3]
"""Those that leave a file behind."""


def states(arm):
    """One state, and more than fill a vector."""
    luck = np.random.default_rng(1)
    return [luck.uniform(-1, 1, (3, arm.dof)), luck.uniform(-1, 1, (3, 19, arm.dof))]


def answers(name):
    """Torques and masses from compiled code."""
    arm = la.load(name)
    fast = la.compile(arm)
    found = []
    for q, qd, qdd in states(arm):
        found += [fast.inverse_dynamics(q, qd, qdd), fast.mass_matrix(q)]
    return found


# the process that forks the others -----------------------------------------------------------------------------------


class Together:
    """Processes that wait for each other."""

    def __init__(self, number):
        self.number = number
        self.arrived, self.arrive = os.pipe()
        self.gate, self.opened = os.pipe()

    def wait(self):
        """In a process: says that it is there, and waits for the others."""
        os.write(self.arrive, b"x")
        os.read(self.gate, 1)

    def open(self):
        """In the process that forked them: waits for all, and lets them go on."""
        for _ in range(self.number):
            os.read(self.arrived, 1)
        os.close(self.opened)


def child(name, fate, together, place):
    """Leaves its answer at `place`; one that is to be killed waits there for its end."""
    status = 1
    write = disk_cache.write_and_move

    def first_store(content, path):
        disk_cache.write_and_move = write
        together.wait()
        if fate == COMPILED:
            die()
        if fate in MOMENTS:
            die_while_storing(fate)
        write(content, path)

    try:
        warnings.simplefilter("error")
        os.close(together.opened)
        disk_cache.write_and_move, disk_cache.ABANDONED = first_store, math.inf
        text = "".join(np.ascontiguousarray(found).tobytes().hex() for found in answers(name))
        part = place.with_suffix(".part")
        part.write_text(text)
        part.rename(place)
        while fate == ANYWHERE:
            signal.pause()
        status = 0
    except BaseException:
        place.with_suffix(".problem").write_text(traceback.format_exc())
        os.write(together.arrive, b"x")  # nobody waits for it
    finally:
        os._exit(status)


def late(name, place):
    """A process that finds everything in the cache."""
    from leverarm.runtime import building

    building.assemble = None
    child(name, LIVES, Together(0), place)


def forked(task, *given):
    process = os.fork()
    if process == 0:
        task(*given)
    return process


def ended(process):
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def fork_many(name, fates, folder):
    """How each of the processes ended, and one that came after them."""
    import llvmlite.binding  # noqa: F401

    import leverarm.runtime.compiled  # noqa: F401
    from leverarm.runtime import building

    building._sources()  # part of every key: the same for all, even if somebody edits a source meanwhile
    together = Together(len(fates))
    places = [folder / f"{k}.answer" for k in range(len(fates))]
    started = zip(fates, places, strict=True)
    processes = [forked(child, name, fate, together, place) for fate, place in started]
    together.open()
    while not any(folder.glob("*.answer")) and not any(folder.glob("*.problem")):
        time.sleep(0.005)
    for fate, process in zip(fates, processes, strict=True):
        if fate == ANYWHERE:
            os.kill(process, signal.SIGKILL)
    ends = [ended(process) for process in processes]
    return [*ends, ended(forked(late, name, folder / "late.answer"))]


# the tests -----------------------------------------------------------------------------------------------------------


def run_many(name, fates, folder):
    command = [sys.executable, "-m", "tests.runtime.test_many_processes", name, json.dumps(fates), str(folder)]
    settings = {"PYTHONPATH": str(ROOT / "src"), "LEVERARM_CACHE": str(folder / "cache"), "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, env=os.environ | settings, cwd=ROOT, capture_output=True, text=True, timeout=3600)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "fates"),
    [("elbow", [COMPILED, *MOMENTS, ANYWHERE, *[LIVES] * 6]), ("panda", [MOMENTS[1], *[LIVES] * 2])],
    ids=["elbow", "panda"],
)
def test_processes_compile_the_same_arm_at_once_and_some_are_killed(name, fates, tmp_path):
    ends = run_many(name, fates, tmp_path)
    problems = [path.read_text() for path in tmp_path.glob("*.problem")]
    assert problems == []
    assert ends == [*(0 if fate == LIVES else -signal.SIGKILL for fate in fates), 0]

    answered = {path.stem: path.read_text() for path in tmp_path.glob("*.answer")}
    unsure = {str(k) for k, fate in enumerate(fates) if fate == ANYWHERE}
    assert answered.keys() - unsure == {"late", *(str(k) for k, fate in enumerate(fates) if fate == LIVES)}
    (text,) = set(answered.values())
    found = np.frombuffer(bytes.fromhex(text))
    arm = la.load(name)
    wanted = []
    for q, qd, qdd in states(arm):
        flat = [x.reshape(-1, arm.dof) for x in (q, qd, qdd)]
        wanted += [la.inverse_dynamics(arm, *state) for state in zip(*flat, strict=True)]
        wanted += [la.mass_matrix(arm, state) for state in flat[0]]
    np.testing.assert_allclose(
        found, np.concatenate([x.ravel() for x in wanted]), rtol=0, atol=1e-12 * abs(found).max()
    )

    intact(tmp_path / "cache", sum(fate in HALF_DONE for fate in fates))


def intact(folder, half_done):
    """Every file loads, each function is there once, and nothing of the killed processes stays for long."""
    cache = Cache(folder, 10**9)
    entries = cache.entries()
    assert [entry.trouble for entry in entries] == [""] * len(entries)
    quantities = ("inverse_dynamics", "mass_matrix")
    assert {entry.about.quantity for entry in entries} == {
        f"{q}, {code}" for q in quantities for code in ("one state", "many states")
    }
    assert len(entries) == 4  # for one state and for many
    left = [path for path in folder.iterdir() if path.suffix == ".tmp"]
    assert len(left) >= half_done
    for path in left:
        os.utime(path, (0, 0))
    cache.trim()
    assert sorted(path.suffix for path in folder.iterdir()) == [".compiled"] * 4


if __name__ == "__main__":
    print(json.dumps(fork_many(sys.argv[1], json.loads(sys.argv[2]), Path(sys.argv[3]))))
