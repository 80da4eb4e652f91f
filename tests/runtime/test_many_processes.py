"""Many processes compile the same arm at once on an empty cache, and some are killed: the others never notice.

The processes are forked from one that has imported everything and started nothing of LLVM; run as a script, this file
is that process.
"""

from __future__ import annotations

import json
import os
import random
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
from leverarm.runtime.cache import Cache
from tests.support.paths import ROOT

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")


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


def child(name, gate, place, waits):
    """Begins when the gate is closed, leaves its answer at `place`; a victim waits there for its end."""
    status = 1
    try:
        warnings.simplefilter("error")
        os.read(gate, 1)
        text = "".join(np.ascontiguousarray(found).tobytes().hex() for found in answers(name))
        part = place.with_suffix(".part")
        part.write_text(text)
        part.rename(place)
        while waits:
            signal.pause()
        status = 0
    except BaseException:
        place.with_suffix(".problem").write_text(traceback.format_exc())
    finally:
        os._exit(status)


def forked(name, gate, place, waits=False):
    process = os.fork()
    if process == 0:
        os.close(gate[1])
        child(name, gate[0], place, waits)
    return process


def ended(process):
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def seconds_of_one(name, folder):
    """How long one process takes alone, on a cache of its own."""
    own = os.environ["LEVERARM_CACHE"]
    os.environ["LEVERARM_CACHE"] = str(folder / "alone")
    gate = os.pipe()
    began = time.monotonic()
    process = forked(name, gate, folder / "alone.answer")
    os.environ["LEVERARM_CACHE"] = own
    os.close(gate[1])
    assert ended(process) == 0
    return time.monotonic() - began


def fork_many(name, number, kills, folder):
    """Starts the processes at once, kills some at moments spread over the time they all take; how each ended."""
    import llvmlite.binding  # noqa: F401

    import leverarm.runtime.compiled  # noqa: F401

    luck = random.Random(5)
    expected = seconds_of_one(name, folder) * number / (os.cpu_count() or 1)
    victims = luck.sample(range(number), kills)
    places = [folder / f"{k}.answer" for k in range(number)]
    gate = os.pipe()
    processes = [forked(name, gate, place, k in victims) for k, place in enumerate(places)]
    os.close(gate[1])
    began, alive = time.monotonic(), set(range(number))
    moments = sorted(luck.uniform(0, expected) for _ in victims)
    for k, moment in zip(victims, moments, strict=True):
        while time.monotonic() < began + moment and not all(places[j].exists() for j in alive):
            time.sleep(0.005)
        os.kill(processes[k], signal.SIGKILL)
        alive.remove(k)
    return [ended(process) for process in processes]


# the tests -----------------------------------------------------------------------------------------------------------


def run_many(name, number, kills, folder):
    command = [sys.executable, "-m", "tests.runtime.test_many_processes", name, str(number), str(kills), str(folder)]
    settings = {"PYTHONPATH": str(ROOT / "src"), "LEVERARM_CACHE": str(folder / "cache"), "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, env=os.environ | settings, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(("name", "number", "kills"), [("elbow", 64, 20), ("panda", 4, 1)])
def test_processes_compile_the_same_arm_at_once_and_some_are_killed(name, number, kills, tmp_path):
    ends = run_many(name, number, kills, tmp_path)
    problems = [path.read_text() for path in tmp_path.glob("*.problem")]
    assert problems == []
    assert sorted(ends) == [-signal.SIGKILL] * kills + [0] * (number - kills)

    texts = [path.read_text() for path in tmp_path.glob("*.answer")]
    assert len(texts) >= number - kills + 1 and len(set(texts)) == 1  # those that live, and the one that went ahead
    assert kills == 1 or len(texts) < number + 1  # not all of the others had done their work when they were killed
    found = np.frombuffer(bytes.fromhex(texts[0]))
    arm = la.load(name)
    wanted = []
    for q, qd, qdd in states(arm):
        flat = [x.reshape(-1, arm.dof) for x in (q, qd, qdd)]
        wanted += [la.inverse_dynamics(arm, *state) for state in zip(*flat, strict=True)]
        wanted += [la.mass_matrix(arm, state) for state in flat[0]]
    np.testing.assert_allclose(
        found, np.concatenate([x.ravel() for x in wanted]), rtol=0, atol=1e-12 * abs(found).max()
    )

    intact(tmp_path / "cache")


def intact(folder):
    """Every file loads, each function is there once, and nothing of the killed processes stays for long."""
    cache = Cache(folder, 10**9)
    entries = cache.entries()
    assert [entry.trouble for entry in entries] == [""] * len(entries)
    quantities = ("inverse_dynamics", "mass_matrix")
    assert {entry.about.quantity for entry in entries} == {
        f"{q}, {code}" for q in quantities for code in ("one state", "many states")
    }
    assert len(entries) == 4  # for one state and for many
    for path in folder.iterdir():
        if path.suffix == ".tmp":
            os.utime(path, (0, 0))
    cache.trim()
    assert sorted(path.suffix for path in folder.iterdir()) == [".compiled"] * 4


if __name__ == "__main__":
    given, number, kills, folder = sys.argv[1:]
    print(json.dumps(fork_many(given, int(number), int(kills), Path(folder))))
