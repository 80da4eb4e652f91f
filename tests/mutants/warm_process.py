"""A process that has imported everything but leverarm, and runs tests in forks of itself, each with one mistake.

A fork needs no start of an interpreter and no import of NumPy, SymPy and pytest. The mistake is made in memory, when
the module is imported: no copy of the source is written. Requests and answers are lines of JSON.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

from tests.mutants.mutants import Mutant
from tests.support.paths import ROOT, TESTS

NEVER_IMPORTED, NEVER_RAN = 99, 98
"""What a fork ends with when its tests did not import the module with the mistake, and when pytest itself failed."""
LIMIT = 1800.0
"""Seconds after which a fork hangs: some hundred times what it takes."""
SETTINGS = {"LEVERARM_TESTS": "mutant", "OPENBLAS_NUM_THREADS": "1"}
WARM = (
    "numpy", "sympy", "flint", "llvmlite.binding", "click.testing", "rich.console", "matplotlib.figure",
    "scipy.optimize", "hypothesis.extra.numpy", "hypothesis.internal.conjecture.engine", "pytest",
)  # fmt: skip
QUIET = ["-x", "-q", "--no-header", "-p", "no:cacheprovider", "-p", "no:xdist"]


class Outcome(NamedTuple):
    """How a fork ended: the exit code of pytest, None when the limit was reached, and what it printed."""

    code: int | None
    output: str


class WarmProcess:
    """The other end: asks for runs and waits for their outcome."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__],
            cwd=ROOT,
            env={key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")} | SETTINGS,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, tests: Sequence[str], folder: Path, mutant: Mutant | None = None, limit: float = LIMIT) -> Outcome:
        """Runs tests in a fork, with a mistake or without; what they write goes to the folder."""
        request = {"tests": list(tests), "folder": str(folder), "mutant": mutant, "limit": limit}
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        return Outcome(**json.loads(self._process.stdout.readline()))

    def close(self) -> None:
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


class _WithSlip(SourceFileLoader):
    """Loads a module as it would be with the mistake in it."""

    def __init__(self, mutant: Mutant) -> None:
        super().__init__(mutant.module, str(mutant.path))
        self.source = Path(self.path).read_text().replace(mutant.there, mutant.slip)
        self.is_loaded = False

    def get_code(self, fullname: str) -> CodeType:
        self.is_loaded = True
        return self.source_to_code(self.source.encode(), self.path)


class _Finder:
    def __init__(self, loader: _WithSlip) -> None:
        self.loader = loader

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name != self.loader.name:
            return None
        spec = PathFinder.find_spec(name, path)
        spec.loader = self.loader
        return spec

    def pytest_configure(self, config: Any) -> None:
        """pytest has put its own finder, which rewrites assertions in tests/support, before this one."""
        sys.meta_path.insert(0, self)


def _run_tests(tests: Sequence[str], folder: str, mutant: Mutant | None) -> int:
    """In the fork: what is printed and all temporary files go to the folder."""
    import pytest

    with (Path(folder) / "output").open("wb") as output:
        for stream in (1, 2):
            os.dup2(output.fileno(), stream)
    os.environ["TMPDIR"] = tempfile.tempdir = folder
    assert not any(name.partition(".")[0] == "leverarm" for name in sys.modules)
    loader = _WithSlip(mutant) if mutant else None
    finders = [_Finder(loader)] if loader else []
    sys.meta_path[:0] = finders
    shown = "--tb=no" if mutant else "--tb=short"
    code = pytest.main([*QUIET, shown, *(str(TESTS / name) for name in tests)], plugins=finders)
    return NEVER_IMPORTED if loader and not loader.is_loaded else int(code)


def _answer(tests: Sequence[str], folder: str, mutant: list[str] | None, limit: float) -> dict[str, Any]:
    began = time.monotonic()
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        code = NEVER_RAN
        with contextlib.suppress(BaseException):
            code = _run_tests(tests, folder, Mutant(*mutant) if mutant else None)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)  # nothing is tidied up: temporary files are in the folder
    code = None
    while code is None and time.monotonic() < began + limit:
        ended, status = os.waitpid(child, os.WNOHANG)
        code = os.waitstatus_to_exitcode(status) if ended else time.sleep(0.01)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    if code is None:
        os.waitpid(child, 0)
    output = (Path(folder) / "output").read_text(errors="replace")
    return {"code": code, "output": output}


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in WARM:
        importlib.import_module(name)
    gc.freeze()  # what forks share is not looked through again in each of them
    for line in iter(sys.stdin.readline, ""):
        print(json.dumps(_answer(**json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
