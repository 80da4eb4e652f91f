"""From IR text to object code, which may be kept in a file, and from object code to addresses in this process."""

from __future__ import annotations

import ctypes
import os
from functools import cache
from typing import Any

from leverarm.compiler.llvm.machine import Machine, llvm, require_runnable
from leverarm.compiler.llvm.near_memory import near_memory


def assemble(ir: str, machine: Machine) -> bytes:
    """The relocatable object file of a module."""
    code: bytes = _target(machine).emit_object(_parsed(ir, machine))
    return code


def assembly(ir: str, machine: Machine) -> str:
    """The same code as text."""
    target = _target(machine)
    # With comments, which say what is spilled and reloaded.
    target.set_asm_verbosity(True)
    text: str = target.emit_assembly(_parsed(ir, machine))
    return text


class Loaded:
    """Code in this process's memory; its addresses are good as long as this object lives."""

    __slots__ = ("_engine",)

    def __init__(self, engine: Any) -> None:
        self._engine = engine

    def address(self, name: str) -> int:
        """Where the function or the global variable of this name begins."""
        address: int = self._engine.get_function_address(name) or self._engine.get_global_value_address(name)
        if not address:
            raise LookupError(f"the loaded code has no function or variable named {name!r}")
        return address


def load(code: bytes, machine: Machine) -> Loaded:
    """The object code in memory, linked to the C library; InputError if this computer could not run it."""
    require_runnable(machine)
    _name_c_functions()
    binding = llvm()
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), _target(machine))
    with near_memory():
        engine.add_object_file(binding.ObjectFileRef.from_data(code))
        engine.finalize_object()
    return Loaded(engine)


@cache
def _name_c_functions() -> None:
    """Tells the linker where the C library's functions are: it does not find them by itself on every system."""
    library = ctypes.cdll.msvcrt if os.name == "nt" else ctypes.CDLL(None)
    for name in ("sin", "cos"):
        llvm().add_symbol(name, ctypes.cast(getattr(library, name), ctypes.c_void_p).value)


def _parsed(ir: str, machine: Machine) -> Any:
    module = llvm().parse_assembly(ir)
    module.triple = machine.triple
    return module


def _target(machine: Machine) -> Any:
    binding = llvm()
    try:
        target = binding.Target.from_triple(machine.triple)
    except RuntimeError:
        binding.initialize_all_targets()
        binding.initialize_all_asmprinters()
        target = binding.Target.from_triple(machine.triple)
    # Code generation only: LLVM's passes on IR, and higher levels, found nothing to gain in optimised straight lines.
    return target.create_target_machine(
        cpu=machine.cpu, features=machine.features, opt=2, reloc="pic", codemodel="small"
    )
