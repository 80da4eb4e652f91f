"""Writes functions over many lanes: memory, feeds, and numbers in every lane or only in some."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from leverarm.compiler.llvm.assembler import IrAssembler
from leverarm.compiler.llvm.machine import REALS, Machine


class LaneWriter:
    """A function while it is written, on arrays of [entry][lane]."""

    def __init__(self, lanes: int, real: str, machine: Machine) -> None:
        self.lines: list[str] = []
        self.asm = IrAssembler(real, lanes, machine, self.lines)
        self.align = lanes * REALS[real] // 8

    def reserve(self, memory: Mapping[str, int]) -> None:
        """Memory of the function: so many entries for each name."""
        for name, size in memory.items():
            self.asm.perform(f"{name} = alloca {self.asm.type}, i64 {max(size, 1)}, align {self.align}")

    def open_feeds(self, count: int) -> None:
        """Reads where the data of each feed is, and which of its rows holds at which step."""
        for f in range(count):
            for field, (kind, what) in enumerate((("ptr", "data"), ("ptr", "rows"), ("i64", "step"))):
                place = self.asm.define(f"getelementptr {{ ptr, ptr, i64 }}, ptr %feeds, i64 {f}, i32 {field}")
                self.asm.perform(f"%{what}{f} = load {kind}, ptr {place}")

    def feed(self, f: int, size: int, k: str) -> str:
        """Where the numbers of a feed for step k lie, `size` of them."""
        place = self.asm.define(f"mul i64 {k}, %step{f}")
        place = self.asm.define(f"getelementptr i64, ptr %rows{f}, i64 {place}")
        row = self.asm.define(f"load i64, ptr {place}")
        place = self.asm.define(f"mul i64 {row}, {size * self.align}")
        return self.asm.define(f"getelementptr i8, ptr %data{f}, i64 {place}")

    def store_where(self, condition: str, value: str, pointer: str, entry: int) -> None:
        """Stores a value in the lanes where the condition holds."""
        asm = self.asm
        asm.store(asm.select(condition, value, asm.load(pointer, entry, self.align)), pointer, entry, self.align)

    def copy(self, source: str, target: str, entries: int) -> None:
        """Entry by entry: both arrays stay in registers where they can."""
        for entry in range(entries):
            self.asm.store(self.asm.load(source, entry, self.align), target, entry, self.align)

    def write(self, target: str, parts: Sequence[tuple[str, int]]) -> None:
        """Arrays, each of so many entries, one after the other into memory that may be far."""
        place, size = 0, self.align
        for source, entries in parts:
            if entries:
                there = self.asm.define(f"getelementptr i8, ptr {target}, i64 {place * size}")
                self.asm.perform(
                    f"call void @llvm.memcpy.p0.p0.i64(ptr align {size} {there}, ptr align {size} {source}, "
                    f"i64 {entries * size}, i1 false)"
                )
            place += entries

    def total(self, terms: Sequence[str]) -> str:
        """The sum, pair by pair: the shortest way for the machine."""
        terms = list(terms) or [self.asm.constant(0.0)]
        while len(terms) > 1:
            pairs = [self.asm.add(a, b) for a, b in zip(terms[::2], terms[1::2], strict=False)]
            terms = pairs + terms[len(terms) - len(terms) % 2 :]
        return terms[0]

    def times(self, length: str, number: float) -> str:
        """A scalar double times a number."""
        constant = self.asm.alike("double", 1).constant(number)
        return self.asm.define(f"fmul double {length}, {constant}")

    def everywhere(self, number: str) -> str:
        """A double in every lane."""
        asm = self.asm
        if asm.real != "double":
            number = asm.define(f"fptrunc double {number} to {asm.real}")
        if asm.lanes == 1:
            return number
        first = asm.define(f"insertelement {asm.type} poison, {asm.real} {number}, i64 0")
        mask = f"<{asm.lanes} x i32> zeroinitializer"
        return asm.define(f"shufflevector {asm.type} {first}, {asm.type} poison, {mask}")

    def all_lanes(self) -> str:
        """The condition that holds in every lane."""
        return "true" if self.asm.lanes == 1 else "splat (i1 true)"
