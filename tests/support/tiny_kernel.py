"""A small program for tests of calls, compiled once for each type: two coordinates, one number, three results."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from leverarm.compiler.llvm.batch import batch_ir
from leverarm.compiler.llvm.kernel import kernel_ir, module_ir
from leverarm.compiler.llvm.machine import host_machine
from leverarm.compiler.llvm.object_code import assemble, load
from leverarm.compiler.program import Array, Program, program_of
from leverarm.runtime.calls.arguments import in_order
from leverarm.runtime.calls.kernel import Kernel, batch_function, single_function
from leverarm.runtime.calls.python_batch import python_batch_ir
from leverarm.runtime.calls.python_call import python_call_ir
from leverarm.runtime.calls.python_function import add_batch_call, python_callable
from leverarm.runtime.calls.views import evaluate, long_batch
from leverarm.scalars import Tape

MOST = 300
LABELS = ("shoulder", "elbow")


@dataclass
class Tiny:
    """A compiled program: its kernel, the general call, the native function, and the calls that reached the former."""

    kernel: Kernel
    general: Any
    native: Any
    calls: list[Any]
    loaded: Any


def traced(outputs: tuple[str, ...] = ("tau", "M", "E")) -> Program:
    tape = Tape()
    q, qd = ([tape.input(f"{name}{k}") for k in range(2)] for name in ("q", "qd"))
    dt = tape.input("dt")
    tau = [q[0] * qd[1] + dt, q[1] - 3 * qd[0]]
    matrix = [q[0] * dt, q[0] * q[1], qd[0] * qd[1] + q[1], qd[1]]
    entries = {"tau": tau, "M": matrix, "E": [qd[0] * qd[0] + qd[1] * qd[1] + q[0] * dt]}
    arrays = {"tau": Array("tau", (2,)), "M": Array("M", (2, 2)), "E": Array("E", ())}
    inputs = [Array("q", (2,), "position", LABELS), Array("qd", (2,), "velocity", LABELS), Array("dt", (), "step")]
    return program_of("tiny", inputs, [arrays[o] for o in outputs], [x for o in outputs for x in entries[o]])


@cache
def tiny(real: str = "double", outputs: tuple[str, ...] = ("tau", "M", "E")) -> Tiny:
    return fresh(real, outputs)


def fresh(real: str = "double", outputs: tuple[str, ...] = ("tau", "M", "E")) -> Tiny:
    program, machine = traced(outputs), host_machine()
    lanes = machine.lanes(real)
    signature = (program.inputs, program.outputs, real)
    one = module_ir(kernel_ir(program, "one", 1, real, machine), python_call_ir(*signature, "one"))
    many = module_ir(
        kernel_ir(program, "several", lanes, real, machine),
        batch_ir(program, "batch", "several", lanes, real, machine),
        python_batch_ir(*signature, "batch"),
    )
    single, batch = (load(assemble(ir, machine), machine) for ir in (one, many))
    run = batch_function(batch, "batch")
    arrays = len(program.inputs) + len(program.outputs)
    kernel = Kernel(
        program.name, program.inputs, program.outputs, real, lanes, single_function(single, "one", arrays), lambda: run
    )

    def general(*given: Any, out: Any = None, threads: Any = None, **named: Any) -> Any:
        return evaluate(kernel, in_order(kernel, given, named), out, threads)

    calls: list[Any] = []

    def fallback(*given: Any, **named: Any) -> Any:
        calls.append((given, named))
        return general(*given, **named)

    native = python_callable(None, single, program.name, "A small program.", fallback, program.inputs, real)
    add_batch_call(native, batch, real, MOST, long_batch(kernel))
    return Tiny(kernel, general, native, calls, single)


def one_by_one(kernel: Kernel, *arguments: Any) -> list[Any]:
    """What NumPy broadcasting should give: the kernel of one state run on each state by itself."""
    arrays = [np.asarray(x).astype(kernel.dtype) for x in arguments]
    cores = [len(spec.shape) for spec in kernel.inputs]
    leading = np.broadcast_shapes(*(x.shape[: x.ndim - core] for x, core in zip(arrays, cores, strict=True)))
    full = [np.broadcast_to(x, leading + spec.shape) for x, spec in zip(arrays, kernel.inputs, strict=True)]
    results = [np.empty(leading + spec.shape, kernel.dtype) for spec in kernel.outputs]
    for index in np.ndindex(*leading):
        states = [np.array(x[index], order="C") for x in full]
        places = [np.empty(spec.shape, kernel.dtype) for spec in kernel.outputs]
        kernel.single(*(x.ctypes.data for x in (*states, *places)))
        for result, place in zip(results, places, strict=True):
            result[index] = place
    return results
