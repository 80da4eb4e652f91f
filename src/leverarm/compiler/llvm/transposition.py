"""Rows of numbers to columns and back, inside vector registers.

A tile has `lanes` rows (states) of `width` numbers (entries). Numbers change places inside each 128 bits first, which
every processor does quickly, then blocks of 128 bits between vectors.
"""

from __future__ import annotations

from collections.abc import Sequence

from leverarm.compiler.llvm.assembler import IrAssembler
from leverarm.compiler.llvm.machine import REALS


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
