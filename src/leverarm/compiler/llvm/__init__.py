"""Programs as machine code through LLVM: for a single state, and for many with a state per vector lane."""

from leverarm.compiler.llvm.batch import batch_ir
from leverarm.compiler.llvm.kernel import kernel_ir, module_ir
from leverarm.compiler.llvm.listing import count_instructions
from leverarm.compiler.llvm.machine import (
    Machine,
    host_machine,
    machine_named,
    machine_of,
    require_runnable,
    runnable_machines,
)
from leverarm.compiler.llvm.object_code import Loaded, assemble, assembly, load

__all__ = [
    "Loaded",
    "Machine",
    "assemble",
    "assembly",
    "batch_ir",
    "count_instructions",
    "host_machine",
    "kernel_ir",
    "load",
    "machine_named",
    "machine_of",
    "module_ir",
    "require_runnable",
    "runnable_machines",
]
