"""From a request to machine code in memory: from the cache, or traced, lowered, emitted and assembled.

The two modules of LLVM IR that a program becomes: its kernel with the native call around it.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from threading import Lock
from time import perf_counter
from typing import Any

import numpy as np

from leverarm._version import __version__
from leverarm.compiler import Array, Lowered, Program, Stage
from leverarm.compiler.llvm import Loaded, Machine, assemble, load
from leverarm.compiler.llvm.batch import batch_ir
from leverarm.compiler.llvm.kernel import kernel_ir, module_ir
from leverarm.errors import SingularError
from leverarm.model import Arm
from leverarm.runtime.cache import About, Cache
from leverarm.runtime.calls.kernel import DTYPE, Kernel, batch_function, single_function
from leverarm.runtime.calls.python_batch import python_batch_ir
from leverarm.runtime.calls.python_call import python_call_ir
from leverarm.runtime.tracing import Request, results_of, traced


def one_state_ir(program: Program, real: str, machine: Machine) -> str:
    """`@kernel` for one state, and `@python_call`."""
    kernel = kernel_ir(program, "kernel", 1, real, machine)
    return module_ir(kernel, python_call_ir(program.inputs, program.outputs, real, "kernel"))


def many_states_ir(program: Program, real: str, machine: Machine) -> str:
    """`@kernel` for as many states as a vector holds, `@batch` and `@python_batch`."""
    lanes = machine.lanes(real)
    kernel = kernel_ir(program, "kernel", lanes, real, machine)
    loop = batch_ir(program, "batch", "kernel", lanes, real, machine)
    return module_ir(kernel, loop, python_batch_ir(program.inputs, program.outputs, real, "batch"))


ONE, MANY = "one state", "many states"
"""The two codes of a function: for a call with one state, and for batches."""

_AT_ONCE = 3
"""Requests that are made at once: two threads are busy, in Python and in LLVM, and one waits for either."""


@dataclass(slots=True)
class Record:
    """How one code came about: the passes' stages, seconds of each phase, whether it came from the cache."""

    code: str
    machine: str
    lanes: int
    stages: tuple[Stage, ...]
    functions: int
    """Sines, cosines, signs and hyperbolic tangents."""
    object_bytes: int = 0
    from_cache: bool = False
    seconds: dict[str, float] = field(default_factory=dict)


class Builder:
    """Makes the codes of one request for one machine and type of numbers, each once."""

    def __init__(
        self,
        request: Request,
        real: str,
        machine: Machine,
        store: Callable[[], Cache],
        lowered: Lowered | None = None,
    ) -> None:
        self.request = request
        self.real = real
        self.machine = machine
        self.records: dict[str, Record] = {}
        self.after_loading: dict[str, Callable[[Loaded], None]] = {}
        self._store = store
        self._lock = Lock()
        self._made: dict[str, tuple[Record, bytes]] = {}
        self._loaded: dict[str, Loaded] = {}
        self._lowered = lowered
        self._seconds: dict[str, float] = {}

    @property
    def inputs(self) -> tuple[Array, ...]:
        return self.request.arguments

    @property
    def outputs(self) -> tuple[Array, ...]:
        return results_of(self.request)

    def make(self) -> None:
        """Has both codes made, so that they need only be loaded. Different requests may do it at the same time."""
        for code in (ONE, MANY):
            self.made(code)

    def made(self, code: str) -> tuple[Record, bytes]:
        """The object code, from the cache or new."""
        with self._lock:
            if code not in self._made:
                self._made[code] = self._found_or_new(code)
            return self._made[code]

    def loaded(self, code: str) -> Loaded:
        """The code in memory."""
        if code not in self._loaded:
            record, machine_code = self.made(code)
            began = perf_counter()
            loaded = load(machine_code, self.machine)
            record.seconds["load"] = perf_counter() - began
            self.records[code] = record
            self._loaded.setdefault(code, loaded)  # of two threads, the first
            if code in self.after_loading:
                self.after_loading[code](self._loaded[code])
        return self._loaded[code]

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

    def ir(self, code: str) -> str:
        """The LLVM IR of a code."""

        emit = one_state_ir if code == ONE else many_states_ir
        return emit(self.lowered().program, self.real, self.machine)

    def kernel(self) -> Kernel:
        """The function as the general call sees it; its code for batches is made when it is first needed."""
        single = single_function(self.loaded(ONE), "kernel", len(self.inputs) + len(self.outputs))
        made: list[Callable[[int, int, int], None]] = []

        def batch() -> Callable[[int, int, int], None]:
            if not made:
                made.append(batch_function(self.loaded(MANY), "batch"))
            return made[0]

        name, lanes = self.request.quantity, self.machine.lanes(self.real)
        return Kernel(name, self.inputs, self.outputs, self.real, lanes, single, batch)

    def _found_or_new(self, code: str) -> tuple[Record, bytes]:
        self._seconds = {}
        store, parts = self._store(), self._parts(code)
        with self._timed("cache"):
            kept = store.load_code(parts, _record)
        record, machine_code = kept or self._new(code)
        if kept is None:
            store.store_code(parts, asdict(record), machine_code, self._about(code))
        record.from_cache, record.seconds = kept is not None, dict(self._seconds)
        return record, machine_code

    def _new(self, code: str) -> tuple[Record, bytes]:
        lowered = self.lowered()
        with self._timed("emit"):
            ir = self.ir(code)
        with self._timed("assemble"):
            machine_code = assemble(ir, self.machine)
        lanes = 1 if code == ONE else self.machine.lanes(self.real)
        functions = sum(n for op, n in lowered.program.counts.items() if op.arity == 1 and op.name != "NEG")
        record = Record(code, self.machine.name, lanes, lowered.stages, functions, len(machine_code))
        return record, machine_code

    def _about(self, code: str) -> About:
        what = f"{self.request.quantity}, {code}"
        return About(self.request.arm.name, what, DTYPE[self.real].name, self.machine.name)

    def _parts(self, code: str) -> dict[str, str]:
        """Everything that the machine code depends on."""
        request = self.request
        function = repr((request.quantity, request.choices, request.extras, request.parameters))
        return code_parts(request.arm, function, code, self.real, self.machine)

    @contextmanager
    def _timed(self, phase: str) -> Iterator[None]:
        began = perf_counter()
        yield
        self._seconds[phase] = perf_counter() - began


def code_parts(arm: Arm, function: str, code: str, real: str, machine: Machine) -> dict[str, str]:
    """Everything that the machine code of a function of an arm depends on."""
    return {
        "arm": sha256(repr(arm).encode()).hexdigest(),
        "function": function,
        "code": code,
        "real": real,
        "machine": f"{machine.triple} {machine.cpu} {machine.features}",
        "leverarm": f"{__version__} {_sources()}",
        "llvmlite": llvm_version(),
        "python": f"{sys.implementation.cache_tag} {np.__version__}",
    }


def make_all(builders: Sequence[Builder]) -> dict[str, SingularError]:
    """Makes the codes of several requests, those with the largest results first; tells which quantities do not exist.

    While LLVM, which lets one thread in at a time, assembles one of them, another is traced and lowered.
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
    """Tracing and lowering make many objects and few cycles: looking for those takes a quarter of the time."""
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
    """Which sources made the code: a checkout that is edited keeps its version number."""
    rooms = ("compiler", "control", "mechanics", "model", "quantities", "runtime", "scalars", "simulation", "spatial")
    stamps = [stamp for room in rooms for stamp in _stamps(Path(__file__).parents[1] / room)]
    return sha256("\n".join(sorted(stamps)).encode()).hexdigest()


def _stamps(folder: str | Path) -> Iterator[str]:
    """The size and time of every source below a folder."""
    if not Path(folder).is_dir():
        return
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                yield from _stamps(entry.path)
            elif entry.name.endswith(".py"):
                seen = entry.stat()
                yield f"{entry.path} {seen.st_size} {seen.st_mtime_ns}"


def _record(fields: dict[str, Any]) -> Record:
    stages = tuple(Stage(**stage) for stage in fields.pop("stages"))
    return Record(**fields, stages=stages)
