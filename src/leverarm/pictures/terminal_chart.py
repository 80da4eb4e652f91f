"""Curves over time in a terminal: braille dots with a letter on each curve, so that colours are not needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from leverarm.arrays import Array
from leverarm.pictures.panels import Axis, axis_over
from leverarm.pictures.terminal import BITS, DOTS_ACROSS, DOTS_DOWN

if TYPE_CHECKING:
    from rich.text import Text

ROWS = 12
WIDEST, NARROWEST = 80, 32
"""Columns of the whole chart."""
LOOKS = 8
"""Looks at a curve per column of dots, so that fast swings fill the column they happen in."""
NAMED_AT, NEXT = (0.16, 0.58), 0.14
"""Where along the time the first curve is interrupted by its letter, and how much later the next ones are."""

Cell = tuple[int, int]
"""Row and column of a character."""


class Line(NamedTuple):
    """A curve: its letter, what that means, its colour, and every how many columns of dots it has one."""

    letter: str
    meaning: str
    values: Array
    style: str
    every: int = 1


def chart(title: str, t: Array, lines: Sequence[Line], columns: int) -> Text:
    """Curves over time [s], one line of text per row, no wider than the columns."""
    from rich.text import Text

    y = _axis_of(lines)
    labels = {_row(tick, y): f"{tick:.10g}" for tick in y.ticks}
    margin = max(map(len, labels.values())) + 1
    width = max(min(columns, WIDEST), NARROWEST) - margin - 4
    cells, ends = _drawn(lines, t, width, y), _ends(lines, y)
    text = Text(no_wrap=True).append(title, "bold")
    for line in lines:
        text.append(f"   {line.letter}", f"bold {line.style}").append(f" {line.meaning}")
    text.append("\n")
    for row in range(ROWS):
        text.append(labels.get(row, "").rjust(margin - 1))
        text.append(" ┤" if row in labels else " │", "bright_black")
        for column in range(width):
            text.append(*cells.get((row, column), (" ", "")))
        if row in ends:
            text.append(f" {ends[row].letter}", f"bold {ends[row].style}")
        text.append("\n")
    return text.append(_time_axis(float(t[0]), float(t[-1]), margin, width))


def _axis_of(lines: Sequence[Line]) -> Axis:
    """From the least to the greatest value; something around them where they are the same."""
    low = min(float(line.values.min()) for line in lines)
    high = max(float(line.values.max()) for line in lines)
    around = max(abs(low), abs(high))
    if high - low <= 1e-9 * around or high == low:
        low, high = low - (around or 1.0), high + (around or 1.0)
    return axis_over(low, high, most=4)


def _row(value: float, y: Axis) -> int:
    """The row of characters in which a value lies, the highest first."""
    return min(ROWS - 1, max(0, round((1 - float(y.share(value))) * (ROWS * DOTS_DOWN - 1)) // DOTS_DOWN))


def _drawn(lines: Sequence[Line], t: Array, width: int, y: Axis) -> dict[Cell, tuple[str, str]]:
    """The characters that are not blank, each with its style; where curves meet, the first one gives the colour."""
    dots: dict[Cell, int] = {}
    styles: dict[Cell, str] = {}
    letters: dict[Cell, tuple[str, str]] = {}
    across = width * DOTS_ACROSS
    times = np.linspace(t[0], t[-1], across * LOOKS + 1)
    for i, line in enumerate(lines):
        down = ((1 - y.share(np.interp(times, t, line.values))) * (ROWS * DOTS_DOWN - 1)).round().astype(int)
        for x in range(0, across, line.every):
            part = down[x * LOOKS : (x + 1) * LOOKS + 1]
            for level in range(int(part.min()), int(part.max()) + 1):
                cell = level // DOTS_DOWN, x // DOTS_ACROSS
                dots[cell] = dots.get(cell, 0) | BITS[level % DOTS_DOWN][x % DOTS_ACROSS]
                styles.setdefault(cell, line.style)
        for place in NAMED_AT:
            x = int((place + NEXT * i) * across)
            letters[int(down[x * LOOKS]) // DOTS_DOWN, x // DOTS_ACROSS] = (line.letter, f"bold {line.style}")
    return {cell: (chr(0x2800 + bits), styles[cell]) for cell, bits in dots.items()} | letters


def _ends(lines: Sequence[Line], y: Axis) -> dict[int, Line]:
    """The rows in which curves are named at their ends, each in a row of its own as near as can be."""
    placed: dict[int, Line] = {}
    for line in lines:
        row = _row(float(line.values[-1]), y)
        placed[min((k for k in range(ROWS) if k not in placed), key=lambda k: abs(k - row))] = line
    return placed


def _time_axis(begin: float, end: float, margin: int, width: int) -> Text:
    """The axis below, with times under their places."""
    from rich.text import Text

    axis = axis_over(begin, end, most=6)
    marks = {round(float(axis.share(t)) * (width - 1)): f"{t:.10g}" for t in axis.ticks}
    words = [" "] * (width + 3)
    free = 0
    for place, label in marks.items():
        at = max(0, min(place - len(label) // 2, width - len(label)))
        if at >= free:
            words[at : at + len(label)] = label
            free = at + len(label) + 1
    line = "".join("┬" if k in marks else "─" for k in range(width))
    text = Text(" " * margin + "└" + line + "\n", style="bright_black", no_wrap=True)
    return text.append(" " * (margin + 1) + f"{''.join(words[:width]).rstrip()} s", "default")
