"""The two modules of LLVM IR that a program becomes: its kernel with the native call around it."""

from __future__ import annotations

from leverarm.compiler import Program
from leverarm.compiler.llvm import Machine
from leverarm.compiler.llvm.batch import batch_ir
from leverarm.compiler.llvm.kernel import kernel_ir, module_ir
from leverarm.runtime.calls.python_batch import python_batch_ir
from leverarm.runtime.calls.python_call import python_call_ir


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
