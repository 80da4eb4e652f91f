"""Drawings and charts in a terminal: lines as braille dots, joints and names as characters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from leverarm.arrays import Array
from leverarm.pictures.panels import Axis, axis_over
from leverarm.pictures.shapes import Disc, Group, Page, Path, Picture, Point, Role, Shape, TextLine

if TYPE_CHECKING:
    from rich.text import Text

DOTS_ACROSS, DOTS_DOWN = 2, 4
BITS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bit of each dot of a braille character, by row and column."""

STYLES = {
    Role.GROUND: "bright_black",
    Role.LEVER: "bright_black",
    Role.LINK: "bright_blue",
    Role.ROD: "white",
    Role.JOINT: "bold yellow",
    Role.MASS: "magenta",
    Role.AXIS_X: "red",
    Role.AXIS_Y: "green",
    Role.AXIS_Z: "bright_cyan",
    Role.GRAVITY: "bright_black",
    Role.LABEL: "bold",
}
"""The roles that are drawn, with their styles, in the order in which a cell's colour is decided: later ones win."""
THICK = (Role.LINK,)

CHART_ROWS = 12
WIDEST, NARROWEST = 80, 32
"""Columns of the whole chart."""
LOOKS = 8
"""Looks at a curve per column of dots, so that fast swings fill the column they happen in."""
NAMED_AT, NEXT = (0.16, 0.58), 0.14
"""Where along the time the first curve is interrupted by its letter, and how much later the next ones are."""

Cell = tuple[int, int]
"""Row and column of a character."""


@dataclass(slots=True)
class _Canvas:
    columns: int
    rows: int
    dots: dict[tuple[int, int], int] = field(default_factory=dict)
    roles: dict[tuple[int, int], Role] = field(default_factory=dict)
    letters: dict[tuple[int, int], tuple[str, Role]] = field(default_factory=dict)

    def dot(self, x: float, y: float, role: Role) -> None:
        column, row = int(x) // DOTS_ACROSS, int(y) // DOTS_DOWN
        if not (x >= 0 and y >= 0 and column < self.columns and row < self.rows):
            return
        cell = (row, column)
        order = list(STYLES)
        if cell not in self.roles or order.index(role) >= order.index(self.roles[cell]):
            self.roles[cell] = role
        self.dots[cell] = self.dots.get(cell, 0) | BITS[int(y) % DOTS_DOWN][int(x) % DOTS_ACROSS]

    def line(self, a: Point, b: Point, role: Role) -> None:
        steps = max(1, math.ceil(2 * math.dist(a, b)))
        for k in range(steps + 1):
            self.dot(a[0] + (b[0] - a[0]) * k / steps, a[1] + (b[1] - a[1]) * k / steps, role)

    def write(self, at: Point, text: str, role: Role) -> None:
        row = int(at[1]) // DOTS_DOWN
        start = round(at[0] / DOTS_ACROSS - len(text) / 2)
        start = max(0, min(start, self.columns - len(text)))
        for i, letter in enumerate(text):
            is_free = role is not Role.MASS or (row, start + i) not in self.letters  # joints matter more
            if 0 <= row < self.rows and start + i < self.columns and is_free:
                self.letters[row, start + i] = (letter, role)


def page_for(columns: int) -> Page:
    """A page of this many characters across."""
    columns = max(columns, 24)
    rows = max(12, min(30, round(columns * 0.3)))
    return Page(
        width=columns * DOTS_ACROSS, least_height=10 * DOTS_DOWN, greatest_height=rows * DOTS_DOWN,
        margin=DOTS_DOWN, side_margin=min(14, columns // 6) * DOTS_ACROSS,
        letter_width=DOTS_ACROSS, letter_height=DOTS_DOWN,
    )  # fmt: skip


def to_text(picture: Picture) -> Text:
    """The picture as rich text, one line per row of characters; `.plain` has no colours."""
    from rich.text import Text

    canvas = _Canvas(round(picture.width / DOTS_ACROSS), math.ceil(picture.height / DOTS_DOWN))
    for shape in picture.shapes:
        _draw(shape, canvas)
    lines = [_row(canvas, row) for row in range(canvas.rows)]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    text = Text(no_wrap=True)
    for pieces in lines:
        for letter, style in pieces:
            text.append(letter, style)
        text.append("\n")
    return text


def _draw(shape: Shape, canvas: _Canvas) -> None:
    if shape.role not in STYLES:
        return
    match shape:
        case Path(points=(tip, *barbs)) if shape.fill and shape.role is not Role.GROUND:
            middle = tuple(sum(part) / len(barbs) for part in zip(*barbs, strict=True))
            canvas.line((middle[0], middle[1]), tip, shape.role)  # an arrowhead is smaller than a character
        case Path():
            shifts = ((0, 0), (1, 0), (0, 1)) if shape.role in THICK else ((0, 0),)
            for a, b in pairwise(shape.points):
                for dx, dy in shifts:
                    canvas.line((a[0] + dx, a[1] + dy), (b[0] + dx, b[1] + dy), shape.role)
        case Disc():
            canvas.dot(*shape.centre, shape.role)
        case TextLine():
            canvas.write(shape.at, shape.text, shape.role)
        case Group():
            canvas.write(shape.at, shape.symbol, shape.role)


def _row(canvas: _Canvas, row: int) -> list[tuple[str, str]]:
    """The characters of a row with their styles, without the blanks at its end."""
    cells = []
    for column in range(canvas.columns):
        cell = (row, column)
        if cell in canvas.letters:
            letter, role = canvas.letters[cell]
            cells.append((letter, STYLES[role]))
        elif cell in canvas.dots:
            cells.append((chr(0x2800 + canvas.dots[cell]), STYLES[canvas.roles[cell]]))
        else:
            cells.append((" ", ""))
    while cells and cells[-1][0] == " ":
        cells.pop()
    return cells


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
    labels = {_chart_row(tick, y): f"{tick:.10g}" for tick in y.ticks}
    margin = max(map(len, labels.values())) + 1
    width = max(min(columns, WIDEST), NARROWEST) - margin - 4
    cells, ends = _curves(lines, t, width, y), _ends(lines, y)
    text = Text(no_wrap=True).append(title, "bold")
    for line in lines:
        text.append(f"   {line.letter}", f"bold {line.style}").append(f" {line.meaning}")
    text.append("\n")
    for row in range(CHART_ROWS):
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


def _chart_row(value: float, y: Axis) -> int:
    """The row of characters in which a value lies, the highest first."""
    return min(CHART_ROWS - 1, max(0, round((1 - float(y.share(value))) * (CHART_ROWS * DOTS_DOWN - 1)) // DOTS_DOWN))


def _curves(lines: Sequence[Line], t: Array, width: int, y: Axis) -> dict[Cell, tuple[str, str]]:
    """The characters that are not blank, each with its style; where curves meet, the first one gives the colour."""
    dots: dict[Cell, int] = {}
    styles: dict[Cell, str] = {}
    letters: dict[Cell, tuple[str, str]] = {}
    across = width * DOTS_ACROSS
    times = np.linspace(t[0], t[-1], across * LOOKS + 1)
    for i, line in enumerate(lines):
        down = ((1 - y.share(np.interp(times, t, line.values))) * (CHART_ROWS * DOTS_DOWN - 1)).round().astype(int)
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
        row = _chart_row(float(line.values[-1]), y)
        placed[min((k for k in range(CHART_ROWS) if k not in placed), key=lambda k: abs(k - row))] = line
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
