"""Compiles IR to object code, which can be cached in a file, and loads object code into this process.

LLVM maps each section of an object separately, and sections must not be more than 2 GB apart. In a process with large
arrays they can be: a small section goes into a gap high above the arrays, a larger one below them. Linux allocates from
the top down, so the gaps above a large one are filled while loading.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from leverarm.compiler.llvm.machine import Machine, llvm, require_runnable

ROOM = 64 << 20
"""Upper bound on the size of a loaded object [bytes]."""

NEAR = 1 << 30
"""Sections at most this far apart [bytes] can reach each other."""

PAGE = 4096
_NO_ACCESS, _PRIVATE_ANONYMOUS_UNRESERVED = 0, 0x4022
_FAILED = ctypes.c_void_p(-1).value
_MOST_GAPS = 20_000


@contextmanager
def near_memory() -> Iterator[None]:
    """While active, mappings of this thread lie close together, up to `ROOM` bytes."""
    fillings: list[tuple[int, int]] = []
    room = _taken(ROOM)
    if room:
        fillings = _filled_above(room)
        _give_back(room, ROOM)
    try:
        yield
    finally:
        for place, size in fillings:
            _give_back(place, size)


def _filled_above(room: int) -> list[tuple[int, int]]:
    """Fills the gaps above a place if the highest is too far from it."""
    highest = _taken(PAGE)
    if not highest:
        return []
    if highest < room + NEAR:
        _give_back(highest, PAGE)
        return []
    fillings = [(highest, PAGE)]
    for pages in (4096, 512, 64, 8, 1):
        while len(fillings) < _MOST_GAPS and (place := _taken(pages * PAGE)):
            if place < room:
                _give_back(place, pages * PAGE)
                break
            fillings.append((place, pages * PAGE))
    return fillings


def _taken(size: int) -> int:
    """Where memory that nobody uses was mapped; 0 where it could not be, or where there is no need to."""
    library = _library()
    if library is None:
        return 0
    place = library.mmap(None, size, _NO_ACCESS, _PRIVATE_ANONYMOUS_UNRESERVED, -1, 0)
    return 0 if place in (None, _FAILED) else int(place)


def _give_back(place: int, size: int) -> None:
    _library().munmap(place, size)


@cache
def _library() -> Any:
    """The C library on Linux; None elsewhere."""
    if sys.platform != "linux":
        return None
    library = ctypes.CDLL(None)
    library.mmap.restype = ctypes.c_void_p
    library.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    library.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    return library


def assemble(ir: str, machine: Machine) -> bytes:
    """The relocatable object file of a module."""
    code: bytes = _target(machine).emit_object(_parsed(ir, machine))
    return code


def assembly(ir: str, machine: Machine) -> str:
    """The same code as text."""
    target = _target(machine)
    # With comments, which mark spills and reloads.
    target.set_asm_verbosity(True)
    text: str = target.emit_assembly(_parsed(ir, machine))
    return text


class Loaded:
    """Code loaded into this process; its addresses are valid as long as this object lives."""

    __slots__ = ("_engine",)

    def __init__(self, engine: Any) -> None:
        self._engine = engine

    def address(self, name: str) -> int:
        """Address of the function or global variable of this name."""
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
    """Registers the C library's functions with the linker, which does not find them on every system."""
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
