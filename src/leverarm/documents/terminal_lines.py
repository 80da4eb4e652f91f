"""Sentences and formulas as lines of a terminal, none wider than asked for.

Widths are counted in terminal cells, since a combining dot takes none. Short equations stand close together, matrices
side by side.
"""

from __future__ import annotations

from functools import reduce

from leverarm.documents.arrangement import Inline, arranged, rows_that_fit
from leverarm.documents.document import Cell, Mark, Shown
from leverarm.notation.tree import Node
from leverarm.notation.unicode import to_unicode, to_unicode_line
from leverarm.notation.vocabulary import Writing

UNBROKEN = 10_000
"""A width at which no formula is broken."""
ATTEMPTS = 3
"""How often a formula that came out too wide is drawn again, narrower."""
TIE = "\N{NO-BREAK SPACE}"


def cells(text: str) -> int:
    """The width of a text in terminal cells."""
    from rich.cells import cell_len

    return cell_len(text)


def wrapped(words: Cell, writing: Writing, width: int) -> list[str]:
    """The sentence in lines no wider than `width`, broken between words and inside formulas only if necessary."""
    return wrapped_text(inline(writing, width)(words), width)


def formula_lines(node: Node, writing: Writing, width: int) -> list[str]:
    """The formula in lines no wider than `width`: drawn where that fits, else on one line, wrapped."""
    room = width
    for _ in range(ATTEMPTS):
        drawn = to_unicode(node, writing, room)
        if (excess := widest(drawn) - width) <= 0:
            return drawn
        room -= excess
    return wrapped_text(to_unicode_line(node, writing), width)


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
    """The width of the widest line."""
    return max((cells(line) for line in lines), default=0)


def inline(writing: Writing, width: int) -> Inline:
    return Inline(
        lambda text: " ".join(text.split("\n")),
        lambda node: _in_sentence(node, writing, width),
        badge,
        lambda figure: figure.text,
    )


def badge(mark: Mark) -> str:
    """A mark as text, its words held together."""
    return f"[{mark.word}]".replace(" ", TIE)


def _in_sentence(node: Node, writing: Writing, width: int) -> str:
    text = to_unicode_line(node, writing)
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


GAP = 4
"""Columns between matrices that stand side by side."""

Lines = list[str]


def equation_lines(equations: tuple[Shown, ...], writing: Writing, width: int) -> list[str]:
    """The lines of all equations, with a blank one first and between those that are not one line each."""
    lines: list[str] = []
    before = 0
    for group in arranged(equations):
        blocks = [formula_lines(shown.equation, writing, width) for shown in group.equations]
        for block in _filled(blocks, width) if group.is_tall else blocks:
            is_close = before == 1 and len(block) == 1
            lines += block if is_close else ["", *block]
            before = len(block)
    return lines


def _filled(blocks: list[Lines], width: int) -> list[Lines]:
    """The blocks side by side, as far as they fit."""
    counts = rows_that_fit([widest(block) for block in blocks], GAP, width)
    waiting = iter(blocks)
    return [reduce(_beside, [next(waiting) for _ in range(count)]) for count in counts]


def _beside(left: Lines, right: Lines) -> Lines:
    """Two blocks side by side, the shorter one centred on the taller."""
    height, column = max(len(left), len(right)), widest(left) + GAP
    pairs = zip(centred(left, height), centred(right, height), strict=True)
    return [(a + " " * (column - cells(a)) + b).rstrip() for a, b in pairs]


def centred(block: Lines, height: int) -> Lines:
    above = (height - len(block)) // 2
    return [""] * above + block + [""] * (height - len(block) - above)
