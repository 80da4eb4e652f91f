"""Between a user's arrays, of any strides, and the kernel's scratch memory of [block][entry][lane].

Two functions serve every array of a program. Where states lie next to each other they move vectors; where entries do,
they move rows through registers and transpose them there; otherwise they move numbers one by one. They touch no byte
outside the states that they are given.
"""

from __future__ import annotations

from leverarm.compiler.llvm.assembler import IrAssembler
from leverarm.compiler.llvm.machine import REALS, Machine
from leverarm.compiler.llvm.transposition import block_of, columns_of, rows_of


def gather_ir(real: str, lanes: int, machine: Machine) -> str:
    """`void @gather(ptr data, i64 state_stride, i64 entry_stride, i64 entries, i64 states, ptr scratch)`.

    Fills scratch[block][entry][lane] from the states at `data` (strides in bytes), at least one of at least one entry;
    the lanes that are left in the last block repeat the last state.
    """
    return _transfer_ir("gather", real, lanes, machine)


def scatter_ir(real: str, lanes: int, machine: Machine) -> str:
    """`void @scatter(...)` with the same arguments, the way back: writes the states and nothing else."""
    return _transfer_ir("scatter", real, lanes, machine)


def _transfer_ir(name: str, real: str, lanes: int, machine: Machine) -> str:
    asm = IrAssembler(real, lanes, machine, [])
    size = REALS[real] // 8
    asm.label("entry")
    asm.perform(f"%whole = udiv i64 %states, {lanes}")
    asm.perform(f"%block_bytes = mul i64 %entries, {lanes * size}")
    is_any = asm.define("icmp ne i64 %whole, 0")
    asm.perform(f"br i1 {is_any}, label %blocks, label %singly")
    asm.label("blocks")
    has_vectors = asm.define(f"icmp eq i64 %state_stride, {size}")
    asm.perform(f"br i1 {has_vectors}, label %vectors, label %rows")
    _write_vectors(asm, name)
    asm.label("rows")
    has_rows = asm.define(f"icmp eq i64 %entry_stride, {size}")
    widths = [lanes >> k for k in range(lanes.bit_length()) if lanes >> k >= block_of(real)]
    asm.perform(f"br i1 {has_rows}, label %rows{lanes}, label %singly")
    for width, narrower in zip(widths, [*(f"rows{w}" for w in widths[1:]), "singly"], strict=True):
        asm.label(f"rows{width}")
        fits = asm.define(f"icmp uge i64 %entries, {width}")
        asm.perform(f"br i1 {fits}, label %tiles{width}, label %{narrower}")
        _write_tiles(asm, name, width)
    moved = ["vectors.after", *(f"tiles{width}.after" for width in widths)]
    _write_single_numbers(asm, name, moved, ["entry", "rows", f"rows{widths[-1]}"])
    strides = "i64 %state_stride, i64 %entry_stride"
    head = f"define internal void @{name}(ptr %data, {strides}, i64 %entries, i64 %states, ptr %scratch) nounwind {{"
    return "\n".join([head, *asm.lines, "end:", "  ret void", "}", ""])


def _write_vectors(asm: IrAssembler, name: str) -> None:
    """States next to each other: an entry of all lanes is a vector, and an entry's blocks follow each other in memory.

    So memory is read and written in long runs, and entries whose distance makes them share places in the cache do not
    push each other out.
    """
    bytes_of_vector = asm.lanes * REALS[asm.real] // 8
    _begin(asm, "vectors", "%entry.v", "blocks", "vectors.next")
    offset = asm.define("mul i64 %entry.v, %entry_stride")
    there = asm.define(f"getelementptr i8, ptr %data, i64 {offset}")
    here = asm.define(f"getelementptr {asm.type}, ptr %scratch, i64 %entry.v")
    asm.perform("br label %vectors.blocks")
    _begin(asm, "vectors.blocks", "%block.v", "vectors")
    step = asm.define(f"mul i64 %block.v, {bytes_of_vector}")
    step_here = asm.define("mul i64 %block.v, %block_bytes")
    _move(
        asm,
        name,
        asm.define(f"getelementptr i8, ptr {there}, i64 {step}"),
        asm.define(f"getelementptr i8, ptr {here}, i64 {step_here}"),
    )
    _next(asm, "%block.v", 1, "%whole", "vectors.blocks", "vectors.next")
    asm.label("vectors.next")
    _next(asm, "%entry.v", 1, "%entries", "vectors", "vectors.after")
    asm.label("vectors.after")
    asm.perform("br label %singly")


def _write_tiles(asm: IrAssembler, name: str, width: int) -> None:
    """Entries next to each other: `width` at a time, the last time as many, though some are moved twice."""
    label, block, counter = f"tiles{width}", f"%block{width}", f"%first{width}"
    piece = asm.alike(asm.real, width)
    align = asm.lanes * REALS[asm.real] // 8
    _begin(asm, label, block, f"rows{width}", f"{label}.next")
    state = asm.define(f"mul i64 {block}, {asm.lanes}")
    there = asm.define(f"mul i64 {state}, %state_stride")
    there = asm.define(f"getelementptr i8, ptr %data, i64 {there}")
    here = asm.define(f"mul i64 {block}, %block_bytes")
    here = asm.define(f"getelementptr i8, ptr %scratch, i64 {here}")
    last = asm.define(f"sub i64 %entries, {width}")
    asm.perform(f"br label %{label}.tile")
    _begin(asm, f"{label}.tile", counter, label)
    first = asm.define(f"call i64 @llvm.umin.i64(i64 {counter}, i64 {last})")
    rows = [asm.define(f"getelementptr {asm.real}, ptr {there}, i64 {first}")]
    for _ in range(1, asm.lanes):
        rows.append(asm.define(f"getelementptr i8, ptr {rows[-1]}, i64 %state_stride"))
    column = asm.define(f"getelementptr {asm.type}, ptr {here}, i64 {first}")
    if name == "gather":
        values = [asm.define(f"load {piece.type}, ptr {place}, align 1") for place in rows]
        for k, value in enumerate(columns_of(asm, values, width)):
            asm.store(value, column, k, align)
    else:
        values = [asm.load(column, k, align) for k in range(width)]
        for place, value in zip(rows, rows_of(asm, values, width), strict=True):
            asm.perform(f"store {piece.type} {value}, ptr {place}, align 1")
    _next(asm, counter, width, "%entries", f"{label}.tile", f"{label}.next")
    asm.label(f"{label}.next")
    _next(asm, block, 1, "%whole", label, f"{label}.after")
    asm.label(f"{label}.after")
    asm.perform("br label %singly")


def _write_single_numbers(asm: IrAssembler, name: str, moved: list[str], untouched: list[str]) -> None:
    """Any strides: all states, or those of a last block that is not full where whole blocks have been moved."""
    one = asm.alike(asm.real, 1)
    asm.label("singly")
    begins = [f"[ %whole, %{label} ]" for label in moved] + [f"[ 0, %{label} ]" for label in untouched]
    first = asm.define(f"phi i64 {', '.join(begins)}")
    filled = asm.define(f"add i64 %states, {asm.lanes - 1}")
    blocks = asm.define(f"udiv i64 {filled}, {asm.lanes}")
    last_state = asm.define("sub i64 %states, 1")
    is_done = asm.define(f"icmp eq i64 {first}, {blocks}")
    asm.perform(f"br i1 {is_done}, label %end, label %block.loop")
    asm.label("block.loop")
    asm.perform(f"%block = phi i64 [ {first}, %singly ], [ %block.next, %block.done ]")
    here = asm.define("mul i64 %block, %block_bytes")
    here = asm.define(f"getelementptr i8, ptr %scratch, i64 {here}")
    begin = asm.define(f"mul i64 %block, {asm.lanes}")
    left = asm.define(f"sub i64 %states, {begin}")
    valid = asm.define(f"call i64 @llvm.umin.i64(i64 {left}, i64 {asm.lanes})")
    asm.perform("br label %entry.loop")
    _begin(asm, "entry.loop", "%entry.s", "block.loop", "entry.done")
    offset = asm.define("mul i64 %entry.s, %entry_stride")
    there = asm.define(f"getelementptr i8, ptr %data, i64 {offset}")
    row = asm.define(f"getelementptr {asm.type}, ptr {here}, i64 %entry.s")
    asm.perform("br label %lane.loop")
    _begin(asm, "lane.loop", "%lane", "entry.loop")
    state = asm.define(f"add i64 {begin}, %lane")
    state = asm.define(f"call i64 @llvm.umin.i64(i64 {state}, i64 {last_state})")
    state_offset = asm.define(f"mul i64 {state}, %state_stride")
    place = asm.define(f"getelementptr i8, ptr {there}, i64 {state_offset}")
    _move(one, name, place, asm.define(f"getelementptr {asm.real}, ptr {row}, i64 %lane"))
    _next(asm, "%lane", 1, str(asm.lanes) if name == "gather" else valid, "lane.loop", "entry.done")
    asm.label("entry.done")
    _next(asm, "%entry.s", 1, "%entries", "entry.loop", "block.done")
    asm.label("block.done")
    _next(asm, "%block", 1, blocks, "block.loop", "end")


def _move(asm: IrAssembler, name: str, there: str, here: str) -> None:
    """One value between a user's array (there), of any alignment, and the scratch memory (here)."""
    align = asm.lanes * REALS[asm.real] // 8
    if name == "gather":
        value = asm.define(f"load {asm.type}, ptr {there}, align 1")
        asm.perform(f"store {asm.type} {value}, ptr {here}, align {align}")
    else:
        value = asm.define(f"load {asm.type}, ptr {here}, align {align}")
        asm.perform(f"store {asm.type} {value}, ptr {there}, align 1")


def _begin(asm: IrAssembler, label: str, counter: str, before: str, end: str | None = None) -> None:
    """A loop that counts from zero, entered from `before`; its last block is `end`."""
    asm.label(label)
    asm.perform(f"{counter} = phi i64 [ 0, %{before} ], [ {counter}.next, %{end or label} ]")


def _next(asm: IrAssembler, counter: str, step: int, end: str, again: str, after: str) -> None:
    """Counts on, and goes back while the counter is below the end."""
    asm.perform(f"{counter}.next = add i64 {counter}, {step}")
    is_more = asm.define(f"icmp ult i64 {counter}.next, {end}")
    asm.perform(f"br i1 {is_more}, label %{again}, label %{after}")
