"""A picture in the terminal: lines as braille dots, joints and names as characters."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

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
