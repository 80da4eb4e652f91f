"""From a request to machine code in memory: loaded from the user's cache, or compiled through LLVM and stored there.

`Builder` is the common path of all modules. `FunctionBuilder` makes the two modules of a compiled function, one for a
single state and one for batches; `simulation/compiled_system.py` makes the loops over time steps.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from threading import Lock
from time import perf_counter
from typing import Any, Protocol

import numpy as np

from leverarm._version import __version__
from leverarm.compiler import Array, Lowered, Stage
from leverarm.compiler.llvm import Loaded, Machine, assemble, load
from leverarm.compiler.llvm.batch import batch_ir
from leverarm.compiler.llvm.kernel import kernel_ir, module_ir
from leverarm.errors import SingularError
from leverarm.runtime.cache import About, Cache, user_cache
from leverarm.runtime.calls.kernel import DTYPE, Kernel, batch_function, single_function
from leverarm.runtime.calls.python_batch import python_batch_ir
from leverarm.runtime.calls.python_call import python_call_ir
from leverarm.runtime.requests import Request, results_of, traced

ONE, MANY = "one state", "many states"
"""The two modules of a function: for a call with one state, and for batches."""

_AT_ONCE = 3
"""Requests built concurrently: one thread in Python, one in LLVM, one waiting for either."""


@dataclass(frozen=True, slots=True)
class Module:
    """Machine code, the notes stored with it, and the build time of each phase [s]."""

    notes: dict[str, Any]
    code: bytes
    from_cache: bool
    seconds: dict[str, float]


class Subject(Protocol):
    """What machine code computes: an arm, or whatever else has a name, and a `repr` that tells it from others."""

    @property
    def name(self) -> str: ...


class Builder(ABC):
    """Builds modules of machine code for one arm, processor and precision, each once, through the cache.

    Arm, `function` and module name together identify what the machine code computes.
    """

    def __init__(
        self, arm: Subject, function: str, real: str, machine: Machine, store: Callable[[], Cache] = user_cache
    ) -> None:
        self.arm, self.function, self.real, self.machine = arm, function, real, machine
        self.after_loading: dict[str, Callable[[Loaded], None]] = {}
        self._store = store
        self._lock = Lock()
        self._made: dict[str, Module] = {}
        self._loaded: dict[str, Loaded] = {}
        self._seconds: dict[str, float] = {}

    @abstractmethod
    def title(self, module: str) -> str:
        """The name of a module in cache listings."""

    @abstractmethod
    def notes(self, module: str) -> dict[str, Any]:
        """The notes stored with the machine code of a module."""

    @abstractmethod
    def checked(self, notes: dict[str, Any]) -> dict[str, Any]:
        """Parses stored notes. Raises KeyError, TypeError or the like if they are malformed."""

    @abstractmethod
    def ir(self, module: str) -> str:
        """The LLVM IR of a module."""

    def made(self, module: str) -> Module:
        """The machine code, cached or newly compiled. Builders may run concurrently."""
        with self._lock:
            if module in self._made:
                return self._made[module]
            self._seconds = {}
            store, key = self._store(), self._key(module)
            with self._timed("cache"):
                kept = store.load_code(key, self.checked)
            if kept is None:
                notes = json.loads(json.dumps(self.notes(module)))  # as they are read back
                with self._timed("emit"):
                    ir = self.ir(module)
                with self._timed("assemble"):
                    code = assemble(ir, self.machine)
                about = About(self.arm.name, self.title(module), DTYPE[self.real].name, self.machine.name)
                store.store_code(key, notes, code, about)
                self._made[module] = Module(notes, code, False, dict(self._seconds))
            else:
                self._made[module] = Module(*kept, True, dict(self._seconds))
            return self._made[module]

    def loaded(self, module: str) -> Loaded:
        """The machine code, loaded into memory."""
        if module not in self._loaded:
            made = self.made(module)
            began = perf_counter()
            loaded = load(made.code, self.machine)
            made.seconds["load"] = perf_counter() - began
            self._loaded.setdefault(module, loaded)  # if two threads race, the first one wins
            if module in self.after_loading:
                self.after_loading[module](self._loaded[module])
        return self._loaded[module]

    def _key(self, module: str) -> dict[str, str]:
        """Everything the machine code depends on: the cache key."""
        return {
            "arm": sha256(repr(self.arm).encode()).hexdigest(),
            "function": self.function,
            "code": module,
            "real": self.real,
            "machine": f"{self.machine.triple} {self.machine.cpu} {self.machine.features}",
            "leverarm": f"{__version__} {_sources()}",
            "llvmlite": llvm_version(),
            "python": f"{sys.implementation.cache_tag} {np.__version__}",
        }

    @contextmanager
    def _timed(self, phase: str) -> Iterator[None]:
        began = perf_counter()
        yield
        self._seconds[phase] = perf_counter() - began


@dataclass(slots=True)
class Record:
    """Build record of one module: compiler passes, time of each phase [s], whether it came from the cache."""

    code: str
    object_bytes: int
    from_cache: bool
    seconds: dict[str, float]
    lanes: int
    stages: tuple[Stage, ...]
    functions: int
    """Sines, cosines, signs and hyperbolic tangents."""


class FunctionBuilder(Builder):
    """Builds the two modules of a requested function."""

    def __init__(
        self,
        request: Request,
        real: str,
        machine: Machine,
        store: Callable[[], Cache] = user_cache,
        lowered: Lowered | None = None,
    ) -> None:
        function = repr((request.quantity, request.choices, request.extras, request.parameters))
        super().__init__(request.arm, function, real, machine, store)
        self.request = request
        self.inputs = request.arguments
        self._lowered = lowered

    @property
    def outputs(self) -> tuple[Array, ...]:
        return results_of(self.request)

    @property
    def records(self) -> dict[str, Record]:
        """Build records of the loaded modules."""
        found = {}
        for module in self._loaded:
            made = self._made[module]
            notes = {**made.notes, "stages": _stages(made.notes)}
            found[module] = Record(module, len(made.code), made.from_cache, made.seconds, **notes)
        return found

    def make(self) -> None:
        """Builds both modules ahead of time, so that they only need loading."""
        for module in (ONE, MANY):
            self.made(module)

    def title(self, module: str) -> str:
        return f"{self.request.quantity}, {module}"

    def notes(self, module: str) -> dict[str, Any]:
        lowered = self.lowered()
        functions = sum(n for op, n in lowered.program.counts.items() if op.arity == 1 and op.name != "NEG")
        lanes = 1 if module == ONE else self.machine.lanes(self.real)
        return {"lanes": lanes, "stages": [asdict(stage) for stage in lowered.stages], "functions": functions}

    def checked(self, notes: dict[str, Any]) -> dict[str, Any]:
        _stages(notes)
        return {name: notes[name] for name in ("lanes", "stages", "functions")}

    def lowered(self) -> Lowered:
        """The program after all passes."""
        if self._lowered is None:
            from leverarm.compiler.lowering import lower  # loaded only where something is compiled

            with collector_paused():
                with self._timed("trace"):
                    program = traced(self.request)
                with self._timed("passes"):
                    self._lowered = lower(program)
        return self._lowered

    def ir(self, module: str) -> str:
        """The kernel and its native call wrapper; for batches, also the loop over states."""
        program, real, machine = self.lowered().program, self.real, self.machine
        if module == ONE:
            kernel = kernel_ir(program, "kernel", 1, real, machine)
            return module_ir(kernel, python_call_ir(program.inputs, program.outputs, real, "kernel"))
        lanes = machine.lanes(real)
        kernel = kernel_ir(program, "kernel", lanes, real, machine)
        loop = batch_ir(program, "batch", "kernel", lanes, real, machine)
        return module_ir(kernel, loop, python_batch_ir(program.inputs, program.outputs, real, "batch"))

    def kernel(self) -> Kernel:
        """The function as a `Kernel`; its batch module is built on first use."""
        single = single_function(self.loaded(ONE), "kernel", len(self.inputs) + len(self.outputs))
        made: list[Callable[[int, int, int], None]] = []

        def batch() -> Callable[[int, int, int], None]:
            if not made:
                made.append(batch_function(self.loaded(MANY), "batch"))
            return made[0]

        name, lanes = self.request.quantity, self.machine.lanes(self.real)
        return Kernel(name, self.inputs, self.outputs, self.real, lanes, single, batch)


def _stages(notes: dict[str, Any]) -> tuple[Stage, ...]:
    return tuple(Stage(**stage) for stage in notes["stages"])


def make_all(builders: Sequence[FunctionBuilder]) -> dict[str, SingularError]:
    """Builds several requests, largest results first; returns the quantities that the arm does not have.

    LLVM runs one thread at a time; meanwhile another request is traced and lowered.
    """
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(_AT_ONCE, "leverarm-warm")
    by_size = sorted(builders, key=lambda builder: -sum(array.size for array in builder.outputs))
    lacking = {}
    try:
        for builder, made in [(builder, pool.submit(builder.make)) for builder in by_size]:
            try:
                made.result()
            except SingularError as problem:
                lacking[builder.request.quantity] = problem
    finally:
        pool.shutdown(cancel_futures=True)
    return lacking


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pauses garbage collection, a quarter of the time of tracing, which makes many objects but few cycles."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def llvm_version() -> str:
    import llvmlite

    return str(llvmlite.__version__)


@cache
def _sources() -> str:
    """Fingerprint of the sources: an edited checkout keeps its version number."""
    rooms = ("compiler", "control", "mechanics", "model", "quantities", "runtime", "scalars", "simulation", "spatial")
    stamps = [stamp for room in rooms for stamp in _stamps(Path(__file__).parents[1] / room)]
    return sha256("\n".join(sorted(stamps)).encode()).hexdigest()


def _stamps(folder: str | Path) -> Iterator[str]:
    """Size and modification time of every source file below a folder."""
    if not Path(folder).is_dir():
        return
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                yield from _stamps(entry.path)
            elif entry.name.endswith(".py"):
                seen = entry.stat()
                yield f"{entry.path} {seen.st_size} {seen.st_mtime_ns}"
