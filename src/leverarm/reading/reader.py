"""A whole text: its equations, in their order, with those that could not be read and why."""

from __future__ import annotations

from leverarm.reading.documents import Piece, pieces
from leverarm.reading.lexer import tokens_of
from leverarm.reading.limits import MAX_CHARACTERS, MAX_PIECES, MAX_TOKENS
from leverarm.reading.mappings import mappings
from leverarm.reading.refusal import Refusal
from leverarm.reading.repairs import is_damaged
from leverarm.reading.rows import equations, states_something
from leverarm.reading.statements import statement
from leverarm.reading.tree import Mapping, Statement, Unreadable

Found = Statement | Unreadable | Mapping


def read(text: str) -> tuple[Statement | Unreadable | Mapping, ...]:
    """The equations, expressions and mappings that a text states, in its order, and what could not be read.

    Never raises: what is not understood is an `Unreadable`, with the place and a sentence. Linear in the text's length.
    """
    if len(text) > MAX_CHARACTERS:
        why = f"a text of {len(text)} characters is too long; at most {MAX_CHARACTERS} are read. Give it in parts."
        return (Unreadable((0, len(text)), MAX_CHARACTERS, why),)
    damaged = is_damaged(text)
    found: list[Found] = []
    signs = 0
    for count, piece in enumerate(pieces(text)):
        if count == MAX_PIECES or signs > 2 * MAX_TOKENS:
            why = f"more than {MAX_PIECES} pieces of mathematics or {2 * MAX_TOKENS} signs; give the text in parts"
            found.append(Unreadable((piece.start, len(text)), piece.start, why))
            break
        if piece.kind == "map":
            found.extend(mappings(text, piece.start, piece.end))
        else:
            signs += _read_piece(text, piece, damaged, found)
    return tuple(found)


def _read_piece(text: str, piece: Piece, damaged: bool, found: list[Found]) -> int:
    """The signs that were read."""
    try:
        tokens = tokens_of(text, piece.start, piece.end, piece.script, damaged)
    except Refusal as refusal:
        found.append(Unreadable((piece.start, piece.end), refusal.at, refusal.why))
        return MAX_TOKENS
    if piece.kind != "display" and not states_something(tokens):
        return len(tokens)
    for equation in equations(tokens, piece.script, damaged):
        before = found[-1] if found and isinstance(found[-1], Statement) and equation[0].kind == "=" else None
        adjoining = before is not None and not text[before.span[1] : equation[0].start].strip(" \t\n$.,;&\\[]")
        result = statement(equation, piece.script, before if adjoining else None)
        if adjoining and isinstance(result, Statement):
            found.pop()
        found.append(result)
    return len(tokens)
