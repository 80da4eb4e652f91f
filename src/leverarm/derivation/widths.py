"""How wide a printed matrix is, and what is shown on lines of its own because of it."""

from __future__ import annotations

from leverarm.derivation.document import Level, Shown
from leverarm.derivation.setting import Setting, equation
from leverarm.notation.text import to_text
from leverarm.notation.tree import Matrix, Node

LINE = 80
"""A matrix wider than this, in characters of plain text, does not share its line."""


def width(setting: Setting, matrix: Matrix) -> int:
    """The characters of the widest entries, column by column."""
    writing = setting.eq.notation.writing
    columns = zip(*matrix.rows, strict=True)
    return sum(max(len(to_text(entry, writing)) for entry in column) + 2 for column in columns)


def defined(setting: Setting, name: Node, definition: Node, value: Matrix, level: Level = Level.FULL) -> list[Shown]:
    """name = definition = value; as two equations where the value is wide, since it may be written by its entries."""
    if width(setting, value) <= LINE:
        return [Shown(equation(name, definition, value), level)]
    return [Shown(equation(name, definition), level), Shown(equation(name, value), level)]
