"""Gather and scatter between a user's strided arrays and the kernel's scratch memory of [block][entry][lane].

Two functions serve every array of a program. If states are contiguous they move vectors; if entries are, they move rows
and transpose them in registers; otherwise they move numbers one by one. They touch no byte outside the given states.

A transposed tile has `lanes` rows (states) of `width` numbers (entries). Numbers are first permuted within each 128
bits, which every processor does quickly, then blocks of 128 bits between vectors.
"""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.compiler.llvm.assembler import IrAssembler
from leverarm.compiler.llvm.machine import REALS, Machine


def block_of(real: str) -> int:
    """How many numbers 128 bits hold: the least width of a tile."""
    return 128 // REALS[real]


def columns_of(asm: IrAssembler, rows: Sequence[str], width: int) -> list[str]:
    """`width` vectors of all lanes from the rows, which are vectors of `width` numbers."""
    block = block_of(asm.real)
    vectors = [_joined(asm, [rows[k] for k in chosen], width) for chosen in _rows_in_vectors(asm, width)]
    for span in _doublings(1, block):
        vectors = _exchanged(asm, vectors, span, *_interleaving(asm.lanes, span))
    for span in _doublings(block, width):
        vectors = _exchanged(asm, vectors, span, *_alternating(asm.lanes, block))
    return vectors


def rows_of(asm: IrAssembler, columns: Sequence[str], width: int) -> list[str]:
    """The way back: `lanes` vectors of `width` numbers."""
    if width == asm.lanes:
        return columns_of(asm, columns, width)
    block = block_of(asm.real)
    vectors = list(columns)
    for span in reversed(list(_doublings(block, width))):
        vectors = _exchanged(asm, vectors, span, *_zipping(asm.lanes, block))
    for span in _doublings(1, block):
        vectors = _exchanged(asm, vectors, span, *_interleaving(asm.lanes, span))
    rows = [""] * asm.lanes
    for vector, chosen in zip(vectors, _rows_in_vectors(asm, width), strict=True):
        for piece, k in enumerate(chosen):
            rows[k] = shuffled(asm.type, vector, vector, range(piece * width, (piece + 1) * width), asm)
    return rows


def _rows_in_vectors(asm: IrAssembler, width: int) -> list[list[int]]:
    """Which rows lie one after the other in each of the `width` vectors, so that the exchanges end in order."""
    block, pieces = block_of(asm.real), asm.lanes // width
    return [
        [(group * pieces + piece) * block + row for piece in range(pieces)]
        for group in range(width // block)
        for row in range(block)
    ]


def _exchanged(asm: IrAssembler, vectors: list[str], span: int, low: list[int], high: list[int]) -> list[str]:
    """Vectors k and k + span replaced by two choices from the lanes of both."""
    result = list(vectors)
    for k in range(len(vectors)):
        if k // span % 2 == 0:
            a, b = vectors[k], vectors[k + span]
            result[k], result[k + span] = (shuffled(asm.type, a, b, chosen, asm) for chosen in (low, high))
    return result


def _interleaving(lanes: int, span: int) -> tuple[list[int], list[int]]:
    """Of each 2 * span lanes, the first halves of both vectors, and the second halves."""
    low, high = [], []
    for first in range(0, lanes, 2 * span):
        low += [*range(first, first + span), *range(lanes + first, lanes + first + span)]
        high += [*range(first + span, first + 2 * span), *range(lanes + first + span, lanes + first + 2 * span)]
    return low, high


def _alternating(lanes: int, block: int) -> tuple[list[int], list[int]]:
    """The even blocks of both vectors, and the odd ones."""
    even = [lane for lane in range(2 * lanes) if lane // block % 2 == 0]
    odd = [lane for lane in range(2 * lanes) if lane // block % 2 == 1]
    return even, odd


def _zipping(lanes: int, block: int) -> tuple[list[int], list[int]]:
    """The inverse: blocks of both vectors in turn, from their first halves and from their second halves."""
    halves = range(0, lanes // 2, block), range(lanes // 2, lanes, block)
    low, high = ([lane for k in half for at in (k, lanes + k) for lane in range(at, at + block)] for half in halves)
    return low, high


def _joined(asm: IrAssembler, pieces: list[str], width: int) -> str:
    while len(pieces) > 1:
        piece = asm.alike(asm.real, width).type
        pairs = zip(pieces[::2], pieces[1::2], strict=True)
        pieces = [shuffled(piece, a, b, range(2 * width), asm) for a, b in pairs]
        width *= 2
    return pieces[0]


def _doublings(first: int, end: int) -> Sequence[int]:
    spans = []
    while first < end:
        spans.append(first)
        first *= 2
    return spans


def shuffled(kind: str, a: str, b: str, lanes: Sequence[int], asm: IrAssembler) -> str:
    """A vector of the chosen lanes of two vectors of the type `kind`, counted through both."""
    chosen = ", ".join(f"i32 {lane}" for lane in lanes)
    return asm.define(f"shufflevector {kind} {a}, {kind} {b}, <{len(lanes)} x i32> <{chosen}>")


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
    asm.branch(is_any, "blocks", "singly")
    asm.label("blocks")
    has_vectors = asm.define(f"icmp eq i64 %state_stride, {size}")
    asm.branch(has_vectors, "vectors", "rows")
    _write_vectors(asm, name)
    asm.label("rows")
    has_rows = asm.define(f"icmp eq i64 %entry_stride, {size}")
    widths = [lanes >> k for k in range(lanes.bit_length()) if lanes >> k >= block_of(real)]
    asm.branch(has_rows, f"rows{lanes}", "singly")
    for width, narrower in zip(widths, [*(f"rows{w}" for w in widths[1:]), "singly"], strict=True):
        asm.label(f"rows{width}")
        fits = asm.define(f"icmp uge i64 %entries, {width}")
        asm.branch(fits, f"tiles{width}", narrower)
        _write_tiles(asm, name, width)
    moved = ["vectors.after", *(f"tiles{width}.after" for width in widths)]
    _write_single_numbers(asm, name, moved, ["entry", "rows", f"rows{widths[-1]}"])
    strides = "i64 %state_stride, i64 %entry_stride"
    head = f"define internal void @{name}(ptr %data, {strides}, i64 %entries, i64 %states, ptr %scratch) nounwind {{"
    return "\n".join([head, *asm.lines, "  ret void", "}", ""])


def _write_vectors(asm: IrAssembler, name: str) -> None:
    """States next to each other: an entry of all lanes is a vector, and an entry's blocks follow each other in memory.

    So memory is read and written in long runs, and entries whose distance makes them share places in the cache do not
    push each other out.
    """
    bytes_of_vector = asm.lanes * REALS[asm.real] // 8
    asm.begin_loop("vectors", "%entry.v", "blocks", "vectors.next")
    offset = asm.define("mul i64 %entry.v, %entry_stride")
    there = asm.define(f"getelementptr i8, ptr %data, i64 {offset}")
    here = asm.define(f"getelementptr {asm.type}, ptr %scratch, i64 %entry.v")
    asm.enter_loop("vectors.blocks", "%block.v", "vectors")
    step = asm.define(f"mul i64 %block.v, {bytes_of_vector}")
    step_here = asm.define("mul i64 %block.v, %block_bytes")
    there = asm.define(f"getelementptr i8, ptr {there}, i64 {step}")
    _move(asm, name, there, asm.define(f"getelementptr i8, ptr {here}, i64 {step_here}"))
    asm.end_loop("vectors.blocks", "%block.v", "%whole", "vectors.next")
    asm.end_loop("vectors", "%entry.v", "%entries", "vectors.after")
    asm.perform("br label %singly")


def _write_tiles(asm: IrAssembler, name: str, width: int) -> None:
    """Entries next to each other: `width` at a time, the last time as many, though some are moved twice."""
    label, block, counter = f"tiles{width}", f"%block{width}", f"%first{width}"
    piece = asm.alike(asm.real, width)
    align = asm.lanes * REALS[asm.real] // 8
    asm.begin_loop(label, block, f"rows{width}", f"{label}.next")
    state = asm.define(f"mul i64 {block}, {asm.lanes}")
    there = asm.define(f"mul i64 {state}, %state_stride")
    there = asm.define(f"getelementptr i8, ptr %data, i64 {there}")
    here = asm.define(f"mul i64 {block}, %block_bytes")
    here = asm.define(f"getelementptr i8, ptr %scratch, i64 {here}")
    last = asm.define(f"sub i64 %entries, {width}")
    asm.enter_loop(f"{label}.tile", counter, label)
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
    asm.end_loop(f"{label}.tile", counter, "%entries", f"{label}.next", width)
    asm.end_loop(label, block, "%whole", f"{label}.after")
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
    asm.branch(is_done, "end", "block.loop")
    asm.label("block.loop")
    asm.perform(f"%block = phi i64 [ {first}, %singly ], [ %block.next, %block.done ]")
    here = asm.define("mul i64 %block, %block_bytes")
    here = asm.define(f"getelementptr i8, ptr %scratch, i64 {here}")
    begin = asm.define(f"mul i64 %block, {asm.lanes}")
    left = asm.define(f"sub i64 %states, {begin}")
    valid = asm.define(f"call i64 @llvm.umin.i64(i64 {left}, i64 {asm.lanes})")
    asm.enter_loop("entry.loop", "%entry.s", "block.loop", "entry.done")
    offset = asm.define("mul i64 %entry.s, %entry_stride")
    there = asm.define(f"getelementptr i8, ptr %data, i64 {offset}")
    row = asm.define(f"getelementptr {asm.type}, ptr {here}, i64 %entry.s")
    asm.enter_loop("lane.loop", "%lane", "entry.loop")
    state = asm.define(f"add i64 {begin}, %lane")
    state = asm.define(f"call i64 @llvm.umin.i64(i64 {state}, i64 {last_state})")
    state_offset = asm.define(f"mul i64 {state}, %state_stride")
    place = asm.define(f"getelementptr i8, ptr {there}, i64 {state_offset}")
    _move(one, name, place, asm.define(f"getelementptr {asm.real}, ptr {row}, i64 %lane"))
    asm.end_loop("lane.loop", "%lane", asm.lanes if name == "gather" else valid, "entry.done")
    asm.end_loop("entry.loop", "%entry.s", "%entries", "block.done")
    asm.end_loop("block.loop", "%block", blocks, "end")


def _move(asm: IrAssembler, name: str, there: str, here: str) -> None:
    """One value between a user's array (there), of any alignment, and the scratch memory (here)."""
    align = asm.lanes * REALS[asm.real] // 8
    if name == "gather":
        value = asm.define(f"load {asm.type}, ptr {there}, align 1")
        asm.perform(f"store {asm.type} {value}, ptr {here}, align {align}")
    else:
        value = asm.define(f"load {asm.type}, ptr {here}, align {align}")
        asm.perform(f"store {asm.type} {value}, ptr {there}, align 1")
