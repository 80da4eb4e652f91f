"""Blocks of characters with a baseline, side by side and stacked: the layout of formulas in a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from leverarm.notation.unicode_names import display_width

FENCES = {"(": "⎛⎜⎝", ")": "⎞⎟⎠", "[": "⎡⎢⎣", "]": "⎤⎥⎦"}
"""The top, middle and bottom of brackets taller than a line."""


@dataclass(frozen=True, slots=True)
class Box:
    """Rows of equal display width; `baseline` is the row that stands on the line of text."""

    rows: tuple[str, ...]
    baseline: int = 0

    @property
    def width(self) -> int:
        """Columns."""
        return display_width(self.rows[0])

    @property
    def height(self) -> int:
        """Rows."""
        return len(self.rows)


EMPTY = Box(("",))


def word(text: str) -> Box:
    """One line."""
    return Box((text,))


def blank(width: int) -> Box:
    """One line of spaces."""
    return Box((" " * width,))


def beside(*boxes: Box) -> Box:
    """Boxes left to right, on one baseline."""
    if not boxes:
        return EMPTY
    baseline = max(box.baseline for box in boxes)
    height = baseline + max(box.height - box.baseline for box in boxes)
    columns = [_grown(box, baseline - box.baseline, height) for box in boxes]
    return Box(tuple("".join(parts) for parts in zip(*columns, strict=True)), baseline)


def stacked(boxes: Sequence[Box], baseline: int, align: str = "center") -> Box:
    """Boxes from top to bottom; `baseline` is a row of the whole; align is left, center or right."""
    width = max(box.width for box in boxes)
    return Box(tuple(row for box in boxes for row in aligned(box, width, align).rows), baseline)


def aligned(box: Box, width: int, align: str) -> Box:
    """The box widened with spaces."""
    missing = max(0, width - box.width)
    left = {"left": 0, "center": missing // 2, "right": missing}[align]
    return Box(tuple(" " * left + row + " " * (missing - left) for row in box.rows), box.baseline)


def fenced(box: Box, opening: str, closing: str) -> Box:
    """The box in brackets as tall as it is."""
    return beside(_fence(opening, box), box, _fence(closing, box))


def fraction(above: Box, below: Box) -> Box:
    """One box over another with a bar on the baseline."""
    width = max(above.width, below.width)
    return stacked((above, word("─" * width), below), above.height)


def raised(base: Box, script: Box) -> Box:
    """The base with a script at its upper right: on its top row where the base is tall, else above it."""
    if base.height > 1 and script.height == 1:
        return Box(beside(Box(base.rows, 0), Box(script.rows, 0)).rows, base.baseline)
    above = tuple(" " * base.width + row for row in script.rows)
    return Box(above + tuple(row + " " * script.width for row in base.rows), script.height + base.baseline)


def grid(rows: Sequence[Sequence[Box]], gap: int, align: str = "center") -> Box:
    """Boxes in rows and columns; rows with a tall box are set apart by a blank line. The baseline is in the middle.

    Without any box it is a space.
    """
    if not any(rows):
        return blank(1)
    widths = [max(box.width for box in column) for column in zip(*rows, strict=True)]
    spaced = any(box.height > 1 for row in rows for box in row)
    lines: list[Box] = []
    for k, row in enumerate(rows):
        if k and spaced:
            lines.append(EMPTY)
        cells = [aligned(box, width, align) for box, width in zip(row, widths, strict=True)]
        lines.append(reduce(lambda left, right: beside(left, blank(gap), right), cells))
    height = sum(line.height for line in lines)
    middle = lines[0].baseline if len(lines) == 1 else (height - 1) // 2
    return stacked(lines, middle, "left")


def braced(box: Box, label: str) -> Box:
    """The box over a brace with a word beneath."""
    width = max(box.width, 3)
    half = (width - 3) // 2
    brace = word("╰" + "─" * half + "┬" + "─" * (width - 3 - half) + "╯")
    return stacked((box, brace, word(label)), box.baseline)


def _grown(box: Box, above: int, height: int) -> tuple[str, ...]:
    if box.height == height:
        return box.rows
    empty = " " * box.width
    return (empty,) * above + box.rows + (empty,) * (height - above - box.height)


def _fence(character: str, box: Box) -> Box:
    if box.height == 1:
        return word(character)
    top, middle, bottom = tuple(FENCES[character])
    return Box((top, *(middle,) * (box.height - 2), bottom), box.baseline)
