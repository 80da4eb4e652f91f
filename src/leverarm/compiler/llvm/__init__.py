"""Machine code through LLVM, for a single state and for batches with one state per vector lane.

The emitters, `kernel.py` and `batch.py`, are imported only to compile, not to run cached code.
"""

from leverarm.compiler.llvm.machine import (
    Machine,
    host_machine,
    machine_named,
    machine_of,
    require_runnable,
    runnable_machines,
)
from leverarm.compiler.llvm.object_code import Loaded, assemble, assembly, load
