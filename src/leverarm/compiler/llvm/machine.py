"""Target processors: the host, what it can run and its vector width; and instruction counts of generated assembly."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from leverarm.errors import InputError, unknown_name

REALS = {"double": 64, "float": 32}
"""The two floating-point types and their size [bits]."""


@dataclass(frozen=True, slots=True)
class Machine:
    """A processor as LLVM names it (triple, cpu, features), and what the emitter needs to know of it."""

    name: str
    triple: str
    cpu: str
    features: str
    vector_bits: int
    has_fma: bool

    def lanes(self, real: str) -> int:
        """Numbers of this type per vector."""
        return self.vector_bits // REALS[real]


@dataclass(frozen=True, slots=True)
class _Kind:
    """A family of processors with the same vector width."""

    arch: str
    cpu: str
    needs: tuple[str, ...]
    vector_bits: int
    has_fma: bool


_AVX2 = ("avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")
_AVX512 = (*_AVX2, "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl")
_KINDS = {
    "avx512": _Kind("x86_64", "x86-64-v4", _AVX512, 512, has_fma=True),
    "avx2": _Kind("x86_64", "x86-64-v3", _AVX2, 256, has_fma=True),
    "sse2": _Kind("x86_64", "x86-64", ("sse2",), 128, has_fma=False),
    "neon": _Kind("aarch64", "generic", ("neon",), 128, has_fma=True),
}
"""Widest first: the host is the first family that it can run."""

_SAME_ARCH = {"arm64": "aarch64", "amd64": "x86_64"}
_WITH_FMA = ("riscv64", "powerpc64", "powerpc64le", "s390x", "loongarch64")
_LINUX = "-unknown-linux-gnu"


@cache
def llvm() -> Any:
    """The llvmlite binding, initialised for this processor."""
    import llvmlite.binding as binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    return binding


@cache
def host_machine() -> Machine:
    """This computer's processor with all its features, widest vectors preferred."""
    binding = llvm()
    triple, cpu = binding.get_process_triple(), binding.get_host_cpu_name()
    features = binding.get_host_cpu_features()
    kind = next((name for name in _KINDS if _can_run(name)), None)
    if kind is None:
        return _other_machine(triple, cpu, features.flatten())
    # Some server processors are described as preferring half their width; whole vectors measured faster here.
    flags = features.flatten() + (",-prefer-256-bit" if kind == "avx512" else "")
    k = _KINDS[kind]
    return Machine(kind, triple, cpu, flags, k.vector_bits, k.has_fma)


def machine_named(name: str) -> Machine:
    """A processor by the name of its vectors ("avx512", "avx2", "sse2", "neon"), or "host".

    Code can be made for any of them; to run it, see `require_runnable`.
    """
    if name == "host":
        return host_machine()
    if not isinstance(name, str) or name not in _KINDS:
        raise InputError(unknown_name("machine", str(name), ["host", *_KINDS]))
    kind = _KINDS[name]
    triple = llvm().get_process_triple()
    if _arch(triple) != kind.arch:
        triple = kind.arch + _LINUX
    features = ",".join(f"+{feature}" for feature in kind.needs)
    return Machine(name, triple, kind.cpu, features, kind.vector_bits, kind.has_fma)


def machine_of(triple: str, cpu: str = "", features: str = "") -> Machine:
    """A processor by LLVM's names, for code that runs elsewhere: its vectors have 128 bits unless it is known."""
    enabled = {flag[1:] for flag in features.split(",") if flag.startswith("+")}
    for name, kind in _KINDS.items():
        if _arch(triple) == kind.arch and (kind.cpu == cpu or enabled.issuperset(kind.needs)):
            return Machine(name, triple, cpu or kind.cpu, features, kind.vector_bits, kind.has_fma)
    return _other_machine(triple, cpu, features)


def runnable_machines() -> list[str]:
    """The names of the machines that this computer can be, the widest first."""
    return [name for name in _KINDS if _can_run(name)]


def require_runnable(machine: Machine) -> None:
    """InputError if this computer could not run the machine's code."""
    if machine == host_machine() or _can_run(machine.name):
        return
    host, valid = host_machine(), ", ".join(runnable_machines()) or "host"
    raise InputError(
        f"code for the machine {machine.name!r} ({machine.triple}, {machine.cpu or 'generic'}) cannot run here: this "
        f"computer is {host.name!r} ({host.cpu}). It can run: {valid}. "
        "Choose one of those, or export the code."
    )


def _can_run(name: str) -> bool:
    if name not in _KINDS or _arch(llvm().get_process_triple()) != _KINDS[name].arch:
        return False
    features = llvm().get_host_cpu_features()
    return name in ("sse2", "neon") or all(features.get(feature, False) for feature in _KINDS[name].needs)


def _other_machine(triple: str, cpu: str, features: str) -> Machine:
    kind = {"x86_64": "sse2", "aarch64": "neon"}.get(_arch(triple), "")
    has_fma = kind == "neon" or _arch(triple) in _WITH_FMA
    return Machine(kind or _arch(triple), triple, cpu, features, 128, has_fma=has_fma)


def _arch(triple: str) -> str:
    first = triple.split("-", maxsplit=1)[0]
    return _SAME_ARCH.get(first, first)


_COMMENT = re.compile(r"\s(?:#|//|@)\s.*$")


def count_instructions(assembly: str) -> tuple[int, int, int]:
    """Counts instructions, register spills and reloads in LLVM's assembly text."""
    instructions = spills = reloads = 0
    for line in assembly.splitlines():
        if (
            not line.startswith("\t")
            or line.lstrip().startswith((".", "#", "//"))
            or not _COMMENT.sub("", line).strip()
        ):
            continue
        instructions += 1
        spills += line.endswith("Spill")
        reloads += line.endswith("Reload")
    return instructions, spills, reloads
