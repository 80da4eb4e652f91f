"""What was compiled and how: operations per pass, instructions, spills, times, and which path a call takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING

from leverarm.compiler.llvm import assembly
from leverarm.compiler.llvm.listing import count_instructions
from leverarm.runtime.building import Builder, Record
from leverarm.runtime.calls.object_headers import obstacle

if TYPE_CHECKING:
    from leverarm.runtime.compiled import CompiledArm

WIDTH = 80
"""Columns of a narrow terminal."""


@dataclass(frozen=True, slots=True)
class CodeReport:
    """One code of one function."""

    quantity: str
    record: Record
    instructions: int
    spills: int
    reloads: int


@dataclass(frozen=True, slots=True)
class Explanation:
    """Everything `explain` tells; print it to read it."""

    about: str
    single_call: str
    codes: tuple[CodeReport, ...]

    def __str__(self) -> str:
        lines = [self.about, f"a call with one state: {self.single_call}"]
        for code in self.codes:
            lines += ["", *_code_lines(code)]
        return "\n".join(part for line in lines for part in _wrapped(line))


def explanation(compiled: CompiledArm, quantity: str | None, builders: Sequence[Builder]) -> Explanation:
    """The codes that these builders have made, of one quantity or of all; each is written as assembly and counted."""
    chosen = [b for b in builders if quantity in (None, b.request.quantity)]
    codes = tuple(_report(builder, record) for builder in chosen for record in builder.records.values())
    hindrance = obstacle()
    single = "native code checks the arrays and runs" if hindrance is None else f"through Python, because {hindrance}"
    machine = compiled.machine
    about = (
        f"{compiled.arm.name} in {compiled.dtype.name} for {machine.name} ({machine.cpu}), "
        f"{machine.lanes(builders[0].real) if builders else '-'} states side by side in a batch"
    )
    return Explanation(about, single, codes)


def _report(builder: Builder, record: Record) -> CodeReport:
    counted = count_instructions(assembly(builder.ir(record.code), builder.machine))
    return CodeReport(builder.request.quantity, record, *counted)


def _wrapped(line: str) -> list[str]:
    """A line as lines that a terminal shows whole, indented as it is and more."""
    indent = " " * (len(line) - len(line.lstrip()))
    return wrap(line, WIDTH, drop_whitespace=True, subsequent_indent=indent + "  ") if len(line) > WIDTH else [line]


def _code_lines(code: CodeReport) -> list[str]:
    record = code.record
    origin = "from the cache" if record.from_cache else "compiled"
    lines = [f"{code.quantity}, {record.code}: {origin}, {record.object_bytes:,} bytes"]
    lines.append(f"  {'pass':<22}{'flops':>8}{'values':>8}{'ms':>9}")
    lines += [f"  {s.name:<22}{s.flops:>8,}{s.values:>8,}{s.seconds * 1e3:>9.1f}" for s in record.stages]
    lines.append(
        f"  {record.functions} sines, cosines and the like; {code.instructions:,} instructions, "
        f"{code.spills:,} spills, {code.reloads:,} reloads"
    )
    lines.append("  " + ", ".join(f"{phase} {seconds * 1e3:.1f} ms" for phase, seconds in record.seconds.items()))
    return lines
