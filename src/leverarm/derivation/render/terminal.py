"""A derivation as terminal text: Unicode formulas, numbered steps, colours where there are any, never too wide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leverarm.derivation.document import Derivation, Level, Step, Table, at_level
from leverarm.derivation.render.text_equations import equation_lines
from leverarm.derivation.render.text_table import table_lines
from leverarm.derivation.render.wrapping import cells, wrapped, wrapped_text
from leverarm.errors import InputError
from leverarm.notation.vocabulary import Writing

if TYPE_CHECKING:
    from rich.text import Text

WIDTH = 80
LEAST_WIDTH = 24
TITLE, PART, STEP, NUMBER, RULE, PROVEN, CAPTION, HEAD, BODY = (
    "bold", "bold cyan", "bold", "dim", "dim", "green", "italic", "bold", "",
)  # fmt: skip
Line = tuple[tuple[str, str], ...]
"""Pieces of a line, each with its style."""
BLANK: Line = ()


def to_terminal(derivation: Derivation, level: Level = Level.FULL, width: int = WIDTH) -> Text:
    """The derivation as rich text in lines of at most `width` columns; `.plain` has no colours.

    Raises InputError where the width is no whole number from 24 on.
    """
    from rich.text import Text

    if not isinstance(width, int) or width < LEAST_WIDTH:
        raise InputError(f"width={width!r}; lines are a whole number of columns wide, {LEAST_WIDTH} at least.")
    text = Text(no_wrap=True, overflow="ignore")
    for line in _document(at_level(derivation, level), width):
        for piece, style in line:
            text.append(piece, style)
        text.append("\n")
    return text


def _document(derivation: Derivation, width: int) -> list[Line]:
    title = wrapped_text(derivation.title, width)
    lines = [_styled(line, TITLE) for line in title]
    lines += [_styled("═" * max(cells(line) for line in title), RULE), BLANK]
    lines += [_styled(line, BODY) for line in wrapped(derivation.summary, derivation.writing, width)]
    for p, part in enumerate(derivation.parts, 1):
        lines += [BLANK, BLANK, *_headed(f"{p}", part.title, PART, width)]
        lines.append(_styled("─" * min(width, cells(part.title) + cells(f"{p}") + 2), RULE))
        for s, step in enumerate(part.steps, 1):
            lines += [BLANK, *_headed(f"{p}.{s}", step.title, STEP, width)]
            lines += _step(step, derivation.writing, width)
    return lines


def _step(step: Step, writing: Writing, width: int) -> list[Line]:
    """Sentences under the title, formulas further in, a blank line around everything that is not a sentence."""
    inside = 5 if width >= 60 else 2
    further = inside + 3 if width >= 60 else inside
    lines = [_styled(line, BODY, inside) for line in wrapped(step.words, writing, width - inside) if line]
    lines += [_styled(line, BODY, further) for line in equation_lines(step.equations, writing, width - further)]
    for table in step.tables:
        lines += [BLANK, *_table(table, writing, width, (further, inside, 0))]
    if step.proven:
        first, *rest = wrapped(step.proven, writing, width - inside - 2)
        lines += [BLANK, _styled(f"✓ {first}", PROVEN, inside), *(_styled(line, PROVEN, inside + 2) for line in rest)]
    return lines


def _table(table: Table, writing: Writing, width: int, indents: tuple[int, ...]) -> list[Line]:
    indent, rows = table_lines(table, writing, width, indents)
    caption = wrapped_text(table.caption, width - indent) if table.caption else []
    styles = {"head": HEAD, "rule": RULE, "body": BODY}
    return [_styled(line, CAPTION, indent) for line in caption] + [_styled(line, styles[k], indent) for k, line in rows]


def _headed(number: str, title: str, style: str, width: int) -> list[Line]:
    """A title behind its number; its further lines start below the first."""
    start = f"{number}  ".ljust(5) if "." in number else f"{number}  "
    first, *rest = wrapped_text(title, width - len(start))
    return [((start, NUMBER), (first, style)), *(_styled(line, style, len(start)) for line in rest)]


def _styled(text: str, style: str, indent: int = 0) -> Line:
    return ((" " * indent, ""), (text, style)) if text else BLANK
