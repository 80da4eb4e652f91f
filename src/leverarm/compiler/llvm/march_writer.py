"""IR common to all time-stepping loops: lanes and memory, feeds, calls of the programs, resets and records."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from leverarm.compiler.llvm.assembler import IrAssembler
from leverarm.compiler.llvm.machine import REALS, Machine
from leverarm.compiler.llvm.march_layout import MOST_JUMPS, Layout


class LaneWriter:
    """Writes a function on arrays of [entry][lane]."""

    def __init__(self, lanes: int, real: str, machine: Machine) -> None:
        self.lines: list[str] = []
        self.asm = IrAssembler(real, lanes, machine, self.lines)
        self.align = lanes * REALS[real] // 8

    def reserve(self, memory: Mapping[str, int]) -> None:
        """Memory of the function: so many entries for each name."""
        for name, size in memory.items():
            self.asm.perform(f"{name} = alloca {self.asm.type}, i64 {max(size, 1)}, align {self.align}")

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
        """Copies entry by entry, so that both arrays can stay in registers."""
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
        """The sum by pairwise addition: the shortest dependency chain."""
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

    @property
    def shown_parts(self) -> list[tuple[str, int]]:
        """Each of them with its size."""
        return [(name, array.size) for name, array in zip(self.shown, self.layout.shown, strict=True)]

    @property
    def mark_parts(self) -> list[tuple[str, int]]:
        """Where the marks are, with their sizes."""
        return [(place, mark.size) for place, mark in zip(self.marks, self.layout.marks, strict=True)]

    @property
    def guards(self) -> list[str]:
        """Where the rates leave the guard, if there is one."""
        return ["%guard"] if self.layout.has_guard else []

    def memory_for_rates(self) -> Mapping[str, int]:
        """What a call of the rates or of the jump needs besides accelerations and powers."""
        memory = {"%time": 1, "%guard": 1, **dict(self.shown_parts)}
        return memory | {f"%jumped{k}": size for k, size in enumerate(self.jumped)}

    def open_feeds(self) -> None:
        """Reads where the data of each feed is, and which of its rows holds at which step; and the callback."""
        count = len(self.layout.feeds)
        for f in range(count):
            for field, (kind, what) in enumerate((("ptr", "data"), ("ptr", "rows"), ("i64", "step"))):
                place = self.asm.define(f"getelementptr {{ ptr, ptr, i64 }}, ptr %feeds, i64 {f}, i32 {field}")
                self.asm.perform(f"%{what}{f} = load {kind}, ptr {place}")
        if self.layout.callback is not None:
            place = self.asm.define(f"getelementptr {{ ptr, ptr, i64 }}, ptr %feeds, i64 {count}, i32 0")
            self.asm.perform(f"%callback = load ptr, ptr {place}")

    def read_feeds(self, k: str) -> list[str]:
        """Where the numbers of every feed for step k lie."""
        return [self.feed(f, array.size, k) for f, array in enumerate(self.layout.feeds)]

    def first_feeds(self) -> list[str]:
        """The same where only the first row of each is used."""
        self.asm.perform("%k = add i64 0, 0")
        return self.read_feeds("%k")

    def store_time(self, t: str) -> None:
        """A time as the programs take it, in every lane."""
        self.asm.store(self.everywhere(t), "%time", 0, self.align)

    def call(self, function: str, x: str, v: str, feeds: Sequence[str], *others: str) -> None:
        """Calls a program at the time that is stored, with the marks as they are; first the callback, if forces count.

        The callback, `void (double t, ptr x, ptr v, ptr feed)`, is for one environment.
        """
        if self.layout.callback is not None and function in ("rates", "flow"):
            t, feed = self.asm.load("%time", 0, self.align), feeds[self.layout.callback]
            self.asm.perform(f"call void %callback({self.asm.type} {t}, ptr {x}, ptr {v}, ptr {feed})")
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
        for result, (place, size) in zip(results[3:], self.mark_parts, strict=True):
            self.copy(result, place, size)

    def jump_where_due(
        self, before: str, feeds: Sequence[str], acceleration: str, after: Callable[[str], None]
    ) -> None:
        """While the guard of any lane is negative: the jump, and what follows it, given the lanes where it was due.

        The loop is entered from the block `before` and ends in the block `quiet`.
        """
        asm = self.asm
        asm.go_on("looking")
        asm.perform(f"%sweep = phi i64 [ 0, %{before} ], [ %sweep.next, %jumping ]")
        is_due = asm.is_greater(asm.constant(0.0), asm.load("%guard", 0, self.align))
        is_allowed = asm.define(f"icmp ult i64 %sweep, {MOST_JUMPS}")
        asm.branch(asm.define(f"and i1 {asm.is_any(is_due)}, {is_allowed}"), "jumping", "quiet")
        asm.label("jumping")
        self.call_jump(feeds, acceleration)
        after(is_due)
        asm.perform("%sweep.next = add i64 %sweep, 1")
        asm.perform("br label %looking")
        asm.label("quiet")

    def time_of_step(self, word: str, k: str) -> str:
        """The time at which step k begins, its values named by a word."""
        self.asm.perform(f"%{word}number = add i64 %first, {k}")
        self.asm.perform(f"%{word}number.real = sitofp i64 %{word}number to double")
        self.asm.perform(f"%{word}gone = fmul double %{word}number.real, %h")
        self.asm.perform(f"%{word}t = fadd double %t0, %{word}gone")
        return f"%{word}t"

    def record_where_due(self, number: str, acceleration: str, prepare: Callable[[], None] | None = None) -> None:
        """Appends a record where the step's number calls for it, after `prepare`; `%record.next` is behind it."""
        asm, before = self.asm, "%quiet" if self.jumped else "%step"
        asm.perform(f"%over = urem i64 {number}, %every")
        asm.perform("%is_due = icmp eq i64 %over, 0")
        asm.branch("%is_due", "due", "recorded")
        asm.label("due")
        if prepare is not None:
            prepare()
        asm.go_on("recording")
        self.append_record(acceleration)
        asm.go_on("recorded")
        asm.perform(f"%record.next = phi ptr [ %record, {before} ], [ %record.after, %recording ]")

    def append_record(self, acceleration: str) -> None:
        """The state, its acceleration and what is shown, at `%record`; `%record.after` is behind it."""
        parts = [("%state", self.layout.state), (acceleration, self.layout.coordinates)]
        self.write("%record", [*parts, *self.shown_parts])
        self.asm.perform(f"%record.after = getelementptr i8, ptr %record, i64 {self.layout.record * self.align}")
