"""Writes what every loop over steps does with its state: the programs it calls on it, jumps, and records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from leverarm.compiler.llvm.lane_writer import LaneWriter
from leverarm.compiler.llvm.machine import Machine
from leverarm.compiler.llvm.march_layout import Layout


class MarchWriter(LaneWriter):
    """A loop while it is written, with its state at `%state`: x, v, the sums and the marks.

    `jumped` are the numbers of entries that the program for jumps gives; none where there is no such program.
    """

    def __init__(self, layout: Layout, jumped: tuple[int, ...], lanes: int, real: str, machine: Machine) -> None:
        super().__init__(lanes, real, machine)
        self.layout, self.jumped = layout, jumped
        at = layout.places
        self.x, self.v, self.sums = (self.asm.place("%state", at[part].start) for part in ("x", "v", "sums"))
        self.marks = [self.asm.place("%state", at[mark.name].start) for mark in layout.marks]

    @property
    def shown(self) -> list[str]:
        """Where the rates leave what is only shown."""
        return [f"%shown{k}" for k in range(len(self.layout.shown))]

    def memory_for_rates(self) -> Mapping[str, int]:
        """What a call of the rates or of the jump needs besides accelerations and powers."""
        memory = {"%time": 1, "%guard": 1}
        memory |= {name: array.size for name, array in zip(self.shown, self.layout.shown, strict=True)}
        return memory | {f"%jumped{k}": size for k, size in enumerate(self.jumped)}

    def read_feeds(self, k: str) -> list[str]:
        """Where the numbers of every feed for step k lie."""
        return [self.feed(f, array.size, k) for f, array in enumerate(self.layout.feeds)]

    def store_time(self, t: str) -> None:
        """A time as the programs take it, in every lane."""
        self.asm.store(self.everywhere(t), "%time", 0, self.align)

    def call(self, function: str, x: str, v: str, feeds: Sequence[str], *others: str) -> None:
        """Calls a program at the time that is stored, with the marks as they are."""
        pointers = ["%time", x, v, *self.marks, *feeds, *others]
        self.asm.perform(f"call void @{function}({', '.join(f'ptr {p}' for p in pointers)})")

    def call_jump(self, feeds: Sequence[str], acceleration: str) -> None:
        """The jump from the state and its rates; x, v and the marks become what it gives, the sums grow by it."""
        results = [f"%jumped{k}" for k in range(len(self.jumped))]
        self.call("jump", self.x, self.v, feeds, acceleration, *self.shown, *results)
        self.copy(results[0], self.x, self.layout.coordinates)
        self.copy(results[1], self.v, self.layout.coordinates)
        for entry in range(self.layout.sums):
            added = self.asm.load(results[2], entry, self.align)
            total = self.asm.add(self.asm.load(self.sums, entry, self.align), added)
            self.asm.store(total, self.sums, entry, self.align)
        for result, mark, place in zip(results[3:], self.layout.marks, self.marks, strict=True):
            self.copy(result, place, mark.size)

    def append_record(self, acceleration: str) -> None:
        """The state, its acceleration and what is shown, at `%record`; `%record.after` is behind it."""
        parts = [("%state", self.layout.state), (acceleration, self.layout.coordinates)]
        parts += [(name, array.size) for name, array in zip(self.shown, self.layout.shown, strict=True)]
        self.write("%record", parts)
        self.asm.perform(f"%record.after = getelementptr i8, ptr %record, i64 {self.layout.record * self.align}")
