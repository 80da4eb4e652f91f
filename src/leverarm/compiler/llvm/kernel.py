"""The LLVM emitter: a program as a straight-line function, on scalars or on vectors with one state per lane.

Angles too large for the fast sine and cosine are rare; they go to the C library, one by one, in a cold function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from leverarm.compiler.elementary import FAR, sign, sincos, tanh
from leverarm.compiler.llvm.assembler import IrAssembler
from leverarm.compiler.llvm.machine import REALS, Machine
from leverarm.compiler.llvm.pieces import Angles, Piece, pieces_of
from leverarm.compiler.program import Array, Program
from leverarm.scalars.operations import Op


def far_angles_ir(name: str, real: str, machine: Machine) -> str:
    """`void name(ptr angles, ptr sines, ptr cosines, i64 count)`: replaces entries whose angle lies beyond `FAR`."""
    lines: list[str] = []
    asm = IrAssembler(real, 1, machine, lines)
    wide = asm.wide
    angle = asm.define(f"load {real}, ptr {_entry(asm, '%angles')}")
    x = angle if wide is asm else asm.widen(angle)
    is_far = wide.is_greater(wide.magnitude(x), wide.constant(FAR))
    asm.branch(is_far, "far", "done")
    asm.label("far")
    for function, pointer in (("sin", "%sines"), ("cos", "%cosines")):
        value = asm.define(f"call double @{function}(double {x})")
        asm.perform(f"store {real} {value if wide is asm else asm.narrow(value)}, ptr {_entry(asm, pointer)}")
    body = "\n".join(lines)
    return f"""
declare double @sin(double)
declare double @cos(double)
define internal void {name}(ptr %angles, ptr %sines, ptr %cosines, i64 %count) cold noinline nounwind {{
entry:
  br label %next
next:
  %k = phi i64 [ 0, %entry ], [ %after, %done ]
{body}
  br label %done
done:
  %after = add i64 %k, 1
  %is_more = icmp ult i64 %after, %count
  br i1 %is_more, label %next, label %end
end:
  ret void
}}
"""


def _entry(asm: IrAssembler, pointer: str) -> str:
    return asm.define(f"getelementptr {asm.real}, ptr {pointer}, i64 %k")


def kernel_ir(program: Program, name: str, lanes: int, real: str, machine: Machine) -> str:
    """The function `void @name(ptr in0, ptr in1, ..., ptr out0, ...)`, one pointer per argument and per result.

    Each points to [entry][lane] of `real` ("double" or "float"), aligned to the size of all lanes. The results must not
    overlap the arguments.
    """
    pieces, places = pieces_of(program)
    ends = _ends(program)
    arrays = [f"ptr %in{k}" for k in range(len(program.inputs))]
    arrays += [f"ptr %out{k}" for k in range(len(program.outputs))]
    if len(pieces) == 1:
        return module_ir(_Function(program, ends, pieces[0], name, lanes, real, machine).text("define", arrays))
    passed = [*arrays, "ptr %memory"]
    parts = [
        _Function(program, ends, piece, f"{name}.{k}", lanes, real, machine).text("define internal", passed)
        for k, piece in enumerate(pieces)
    ]
    kind = IrAssembler(real, lanes, machine, []).type
    whole = [
        f"define void @{name}({', '.join(arrays)}) nounwind {{",
        f"  %memory = alloca [{places} x {kind}], align {lanes * REALS[real] // 8}",
        *[f"  call void @{name}.{k}({', '.join(passed)})" for k in range(len(pieces))],
        "  ret void",
        "}",
        "",
    ]
    return module_ir(*parts, *whole)


def module_ir(*parts: str) -> str:
    """Several functions as the text of one module: what is declared by several of them is declared once."""
    lines = "\n".join(parts).split("\n")
    declared = dict.fromkeys(line for line in lines if line.startswith("declare "))
    return "\n".join([*declared, *(line for line in lines if not line.startswith("declare "))])


class _Ends(NamedTuple):
    """Where a program's inputs come from and its outputs go, as pointers and entries, and the entries of each value."""

    inputs: list[tuple[str, int]]
    outputs: list[tuple[str, int]]
    stores: dict[int, list[int]]


def _ends(program: Program) -> _Ends:
    stores: dict[int, list[int]] = {}
    for entry, k in enumerate(program.results):
        if program.code[k].op is not Op.CONST:
            stores.setdefault(k, []).append(entry)
    return _Ends(list(_places("%in", program.inputs)), list(_places("%out", program.outputs)), stores)


class _Function:
    """Writes a function; `values` maps each instruction of the program to its IR name."""

    def __init__(
        self, program: Program, ends: _Ends, piece: Piece, name: str, lanes: int, real: str, machine: Machine
    ) -> None:
        self.program = program
        self.piece = piece
        self.name = name
        self.lines: list[str] = []
        self.beside: list[str] = []
        self.block = "entry"
        self.asm = IrAssembler(real, lanes, machine, self.lines)
        self.align = lanes * REALS[real] // 8
        self.values: dict[int, str] = {}
        self.inputs, self.outputs, self.stores = ends

    def text(self, define: str, pointers: Sequence[str]) -> str:
        """The whole function; pieces of a program have the memory that they share as their last pointer."""
        self.write()
        parameters = ", ".join(p.replace("ptr", "ptr noalias", 1) for p in pointers)
        head = f"{define} void @{self.name}({parameters}) nounwind {{"
        return "\n".join([head, "entry:", *self.lines, "  ret void", "}", *self.beside, ""])

    def write(self) -> None:
        for step in self.piece.steps:
            if isinstance(step, Angles):
                self.compute_sincos(step.users)
            else:
                self.keep(step, self.computed(step))
        if self.piece.is_last:
            self.store_constants()

    def computed(self, k: int) -> str:
        op, args, value = self.program.code[k]
        if op is Op.INPUT:
            pointer, entry = self.inputs[int(value)]
            return self.asm.load(pointer, entry, self.align)
        if op is Op.CONST:
            return self.asm.constant(value)
        if op is Op.MUL and (twice := self.doubled(*args)) is not None:
            return self.asm.add(twice, twice)  # same result, on less busy execution units than the multipliers
        return _EMITTERS[op](self.asm, *(self.value(a) for a in args))

    def doubled(self, a: int, b: int) -> str | None:
        """The name of what a product doubles; None where neither factor is the number two."""
        for factor, other in ((a, b), (b, a)):
            if self.program.code[factor] == (Op.CONST, (), 2.0):
                return self.value(other)
        return None

    def value(self, k: int) -> str:
        """The name of a value; one of an earlier piece is read from memory, an argument or a constant made again."""
        if k not in self.values:
            place = self.piece.taken.get(k)
            self.values[k] = self.computed(k) if place is None else self.asm.load("%memory", place, self.align)
        return self.values[k]

    def keep(self, k: int, name: str) -> None:
        """Remembers a value, and stores it if it is a result: the sooner, the fewer registers are taken."""
        self.values[k] = name
        for entry in self.stores.get(k, ()):
            self.asm.store(name, *self.outputs[entry], self.align)
        if k in self.piece.left:
            self.asm.store(name, "%memory", self.piece.left[k], self.align)

    def store_constants(self) -> None:
        """Results that do not depend on the state: of a large matrix they may be most, so long runs are loops."""
        code, results = self.program.code, self.program.results
        entries = [entry for entry, k in enumerate(results) if code[k].op is Op.CONST]
        for entry, length in _runs(entries, lambda e: (results[e], self.outputs[e][0])):
            value, (pointer, first) = self.asm.constant(code[results[entry]].value), self.outputs[entry]
            if length < _SHORTEST_LOOP:
                for k in range(length):
                    self.asm.store(value, pointer, first + k, self.align)
            else:
                self.store_in_loop(value, self.asm.place(pointer, first), length)

    def store_in_loop(self, value: str, pointer: str, length: int) -> None:
        asm = self.asm
        label = f"fill{next(asm.names)}"
        asm.enter_loop(label, f"%{label}.k", self.block)
        place = asm.define(f"getelementptr inbounds {asm.type}, ptr {pointer}, i64 %{label}.k")
        asm.perform(f"store {asm.type} {value}, ptr {place}, align {self.align}")
        self.block = f"{label}.after"
        asm.end_loop(label, f"%{label}.k", length, self.block)

    def compute_sincos(self, angles: dict[int, list[int]]) -> None:
        """Sine and cosine of several angles (value -> the instructions that ask for them), side by side.

        A single state's angles share vectors. Angles beyond `FAR` are rare: one test finds them, and a function out of
        the way does them.
        """
        numbers = [self.value(angle) for angle in angles]
        enough = 1 << (len(numbers) - 1).bit_length()  # the smallest power of two that is not less
        width = min(self.asm.machine.lanes(self.asm.real), enough) if self.asm.lanes == 1 else 1
        vector = self.asm.alike(self.asm.real, width) if width > 1 else self.asm
        if width > 1:
            numbers = [vector.packed(numbers[k : k + width]) for k in range(0, len(numbers), width)]
        pairs = [sincos(vector, x) for x in numbers]
        sines, cosines = self.with_far_angles(vector, numbers, [s for s, _ in pairs], [c for _, c in pairs])
        for position, users in enumerate(angles.values()):
            for k in users:
                whole = (sines if self.program.code[k].op is Op.SIN else cosines)[position // width]
                self.keep(k, vector.lane(whole, position % width) if width > 1 else whole)

    def with_far_angles(
        self, asm: IrAssembler, x: Sequence[str], sines: Sequence[str], cosines: Sequence[str]
    ) -> tuple[list[str], list[str]]:
        """The sines and cosines, corrected where an angle lies beyond `FAR`."""
        limit = asm.constant(FAR)
        largest = limit
        for angle in x:
            size = asm.magnitude(angle)
            largest = asm.select(asm.is_greater(size, largest), size, largest)
        is_any_far = asm.is_any(asm.is_greater(largest, limit))
        mark = len(self.beside)
        before, far, near = self.block, f"far{mark}", f"near{mark}"
        asm.perform(f"br i1 {is_any_far}, label %{far}, label %{near}, {_RARELY}")
        asm.label(far)
        kept = [f"%{far}.{what}" for what in ("angles", "sines", "cosines")]
        size_of_number = REALS[asm.real] // 8
        for pointer, vectors in zip(kept, (x, sines, cosines), strict=True):
            self.lines.insert(0, f"  {pointer} = alloca [{len(x)} x {asm.type}], align {size_of_number}")
            for k, vector in enumerate(vectors):
                asm.store(vector, pointer, k, size_of_number)
        function = f"@{self.name}.{far}"
        asm.perform(f"call void {function}({', '.join(f'ptr {p}' for p in kept)}, i64 {len(x) * asm.lanes})")
        corrected = [[asm.load(p, k, size_of_number) for k in range(len(x))] for p in kept[1:]]
        asm.go_on(near)
        self.block = near
        self.beside.append(far_angles_ir(function, asm.real, asm.machine))

        def merged(old: Sequence[str], new: Sequence[str]) -> list[str]:
            pairs = zip(old, new, strict=True)
            return [asm.define(f"phi {asm.type} [ {a}, %{before} ], [ {b}, %{far} ]") for a, b in pairs]

        return merged(sines, corrected[0]), merged(cosines, corrected[1])


_SHORTEST_LOOP = 8
_RARELY = '!prof !{!"branch_weights", i32 1, i32 100000}'

_EMITTERS: dict[Op, Callable[..., str]] = {
    Op.NEG: IrAssembler.negated,
    Op.ADD: IrAssembler.add,
    Op.SUB: IrAssembler.sub,
    Op.MUL: IrAssembler.mul,
    Op.DIV: IrAssembler.div,
    Op.SIGN: sign,
    Op.TANH: tanh,
    Op.FMA: IrAssembler.fma,
    Op.FMS: IrAssembler.fms,
    Op.FNMA: IrAssembler.fnma,
}


def _runs(entries: Sequence[int], key: Callable[[int], object]) -> Iterator[tuple[int, int]]:
    """First entry and length of each run of consecutive entries with the same key."""
    first = 0
    for k in range(1, len(entries) + 1):
        is_over = k == len(entries) or entries[k] != entries[k - 1] + 1 or key(entries[k]) != key(entries[first])
        if is_over:
            yield entries[first], k - first
            first = k


def _places(prefix: str, arrays: tuple[Array, ...]) -> Iterator[tuple[str, int]]:
    """Pointer and entry for each position of the flattened arrays."""
    for k, array in enumerate(arrays):
        for entry in range(array.size):
            yield f"{prefix}{k}", entry
