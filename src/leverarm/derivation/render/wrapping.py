"""Sentences with formulas in them, in lines of a terminal: counted in cells, as a combining dot takes none."""

from __future__ import annotations

from leverarm.derivation.document import Words
from leverarm.notation.text import to_text
from leverarm.notation.tree import Node
from leverarm.notation.unicode import to_unicode
from leverarm.notation.vocabulary import Writing

UNBROKEN = 10_000
"""A width at which a formula is never broken for want of room."""
ATTEMPTS = 3
"""How often a formula is drawn narrower because it came out too wide."""
TIE = "\N{NO-BREAK SPACE}"


def cells(text: str) -> int:
    """How many columns of a terminal the text takes."""
    from rich.cells import cell_len

    return cell_len(text)


def wrapped(words: Words, writing: Writing, width: int) -> list[str]:
    """The sentence in lines no wider than `width`, broken between words and inside a formula only if it must be."""
    return wrapped_text("".join(_inline(word, writing, width) for word in words), width)


def formula_lines(node: Node, writing: Writing, width: int) -> list[str]:
    """The formula in lines no wider than `width`: drawn where that fits, else on one line, wrapped."""
    room = width
    for _ in range(ATTEMPTS):
        drawn = to_unicode(node, writing, room)
        if (excess := widest(drawn) - width) <= 0:
            return drawn
        room -= excess
    return wrapped_text(to_text(node, writing), width)


def wrapped_text(text: str, width: int) -> list[str]:
    """Lines no wider than `width`; no-break spaces hold words together and become spaces."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if cells(longer) <= width:
            line = longer
            continue
        if line:
            lines.append(line)
        *full, line = _cut(word, width)
        lines += full
    return [line.replace(TIE, " ").rstrip() for line in (*lines, line)]


def widest(lines: list[str]) -> int:
    """The columns that the lines take together."""
    return max((cells(line) for line in lines), default=0)


def _inline(word: str | Node, writing: Writing, width: int) -> str:
    if isinstance(word, str):
        return " ".join(word.split("\n"))
    drawn = to_unicode(word, writing, UNBROKEN)
    text = drawn[0] if len(drawn) == 1 else to_text(word, writing)
    return text.replace(" ", TIE) if cells(text) <= width else text


def _cut(word: str, width: int) -> list[str]:
    """A word in pieces that fit: first at its no-break spaces, then anywhere."""
    if cells(word) <= width:
        return [word]
    if TIE in word.strip(TIE):
        return wrapped_text(word.replace(TIE, " "), width)
    pieces, piece = [], ""
    for letter in word:
        if piece and cells(piece + letter) > width:
            pieces.append(piece)
            piece = ""
        piece += letter
    return [*pieces, piece]
