"""Writes LLVM IR: each operation on scalars or vectors is one line, each value a name."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from itertools import count

from leverarm.compiler.llvm.machine import REALS, Machine
from leverarm.compiler.lowering import nearest_float


def _written(instruction: str) -> Callable[..., str]:
    """A method that writes an instruction on its arguments {1}, {2}, ...; {0} is the assembler."""

    def write(self: IrAssembler, *args: str) -> str:
        return self.define(instruction.format(self, *args))

    return write


class IrAssembler:
    """An assembler of `compiler/elementary.py` whose values are LLVM's: numbers of `lanes` lanes (1: scalars).

    Lines go to `lines`; names are unique among the assemblers that share `names`.
    """

    def __init__(
        self, real: str, lanes: int, machine: Machine, lines: list[str], names: Iterator[int] | None = None
    ) -> None:
        self.real = real
        self.lanes = lanes
        self.machine = machine
        self.lines = lines
        self.names = count() if names is None else names
        self.type = _vector(real, lanes)
        self.integer = _vector(f"i{REALS[real]}", lanes)
        self.condition = _vector("i1", lanes)
        self._suffix = f"v{lanes}f{REALS[real]}" if lanes > 1 else f"f{REALS[real]}"

    @property
    def wide(self) -> IrAssembler:
        return self if self.real == "double" else self.alike("double", self.lanes)

    def alike(self, real: str, lanes: int) -> IrAssembler:
        """An assembler for other values that writes to the same function."""
        return IrAssembler(real, lanes, self.machine, self.lines, self.names)

    def define(self, operation: str) -> str:
        """A new value."""
        name = f"%v{next(self.names)}"
        self.lines.append(f"  {name} = {operation}")
        return name

    def perform(self, operation: str) -> None:
        """An instruction without a result."""
        self.lines.append(f"  {operation}")

    def label(self, name: str) -> None:
        """Begins a basic block."""
        self.lines.append(f"{name}:")

    def go_on(self, name: str) -> None:
        """Ends the basic block and begins the next one, to which it leads."""
        self.perform(f"br label %{name}")
        self.label(name)

    def branch(self, condition: str, yes: str, no: str) -> None:
        """Ends the basic block, and leads to one of two others."""
        self.perform(f"br i1 {condition}, label %{yes}, label %{no}")

    def enter_loop(self, label: str, counter: str, before: str, end: str | None = None) -> None:
        """Leads on to a loop, as `begin_loop`."""
        self.perform(f"br label %{label}")
        self.begin_loop(label, counter, before, end)

    def begin_loop(self, label: str, counter: str, before: str, end: str | None = None) -> None:
        """Begins a loop that counts from zero, entered from the block `before`; its last block is `end`."""
        self.label(label)
        self.perform(f"{counter} = phi i64 [ 0, %{before} ], [ {counter}.next, %{end or label} ]")

    def end_loop(self, label: str, counter: str, end: str | int, after: str, step: int = 1) -> None:
        """Counts on, and goes back while the counter is below the end; then begins the block `after`."""
        self.perform(f"{counter}.next = add i64 {counter}, {step}")
        self.branch(self.define(f"icmp ult i64 {counter}.next, {end}"), label, after)
        self.label(after)

    def constant(self, value: float) -> str:
        return self._splat(self.real, _hexadecimal(value, self.real))

    def pattern(self, value: int) -> str:
        return self._splat(f"i{REALS[self.real]}", str(value))

    def _splat(self, scalar: str, text: str) -> str:
        return text if self.lanes == 1 else f"splat ({scalar} {text})"

    add = _written("fadd {0.type} {1}, {2}")
    sub = _written("fsub {0.type} {1}, {2}")
    mul = _written("fmul {0.type} {1}, {2}")
    div = _written("fdiv {0.type} {1}, {2}")
    negated = _written("fneg {0.type} {1}")
    is_greater = _written("fcmp ogt {0.type} {1}, {2}")
    select = _written("select {0.condition} {1}, {0.type} {2}, {0.type} {3}")
    widen = _written("fpext {0.type} {1} to {0.wide.type}")
    narrow = _written("fptrunc {0.wide.type} {1} to {0.type}")
    to_bits = _written("bitcast {0.type} {1} to {0.integer}")
    from_bits = _written("bitcast {0.integer} {1} to {0.type}")
    bits_add = _written("add {0.integer} {1}, {2}")
    bits_and = _written("and {0.integer} {1}, {2}")
    bits_xor = _written("xor {0.integer} {1}, {2}")

    def fma(self, a: str, b: str, c: str) -> str:
        return self.intrinsic("fma", a, b, c) if self.machine.has_fma else self.add(self.mul(a, b), c)

    def fms(self, a: str, b: str, c: str) -> str:
        return self.intrinsic("fma", a, b, self.negated(c)) if self.machine.has_fma else self.sub(self.mul(a, b), c)

    def fnma(self, a: str, b: str, c: str) -> str:
        return self.intrinsic("fma", self.negated(a), b, c) if self.machine.has_fma else self.sub(c, self.mul(a, b))

    def magnitude(self, a: str) -> str:
        return self.intrinsic("fabs", a)

    def with_sign(self, a: str, b: str) -> str:
        return self.intrinsic("copysign", a, b)

    def intrinsic(self, name: str, *args: str) -> str:
        listed = ", ".join(f"{self.type} {a}" for a in args)
        return self.define(f"call {self.type} @llvm.{name}.{self._suffix}({listed})")

    def bits_shift(self, a: str, places: int) -> str:
        return self.define(f"shl {self.integer} {a}, {self.pattern(places)}")

    def is_nonzero(self, bits: str) -> str:
        return self.define(f"icmp ne {self.integer} {bits}, {self.pattern(0)}")

    def is_any(self, condition: str) -> str:
        """Whether a condition holds in any lane, as one bit."""
        if self.lanes == 1:
            return condition
        mask = self.define(f"bitcast {self.condition} {condition} to i{self.lanes}")
        return self.define(f"icmp ne i{self.lanes} {mask}, 0")

    def load(self, pointer: str, entry: int, align: int) -> str:
        """The entry of an array of [entry][lane]."""
        return self.define(f"load {self.type}, ptr {self.place(pointer, entry)}, align {align}")

    def store(self, value: str, pointer: str, entry: int, align: int) -> None:
        self.perform(f"store {self.type} {value}, ptr {self.place(pointer, entry)}, align {align}")

    def place(self, pointer: str, entry: int) -> str:
        """The address of an entry of an array of [entry][lane]."""
        return pointer if entry == 0 else self.define(f"getelementptr inbounds {self.type}, ptr {pointer}, i64 {entry}")

    def packed(self, scalars: Sequence[str]) -> str:
        """Scalars as the lanes of a vector, unused lanes zero."""
        vector = "zeroinitializer"
        for lane, scalar in enumerate(scalars):
            vector = self.define(f"insertelement {self.type} {vector}, {self.real} {scalar}, i64 {lane}")
        return vector

    def lane(self, vector: str, lane: int) -> str:
        return self.define(f"extractelement {self.type} {vector}, i64 {lane}")


def _vector(scalar: str, lanes: int) -> str:
    return scalar if lanes == 1 else f"<{lanes} x {scalar}>"


def _hexadecimal(value: float, real: str) -> str:
    """A constant as LLVM writes it exactly: the bits of a double, rounded to a float first where that is its type."""
    if real == "float":
        value = nearest_float(value)
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"
