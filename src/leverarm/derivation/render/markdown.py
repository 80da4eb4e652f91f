"""A derivation as Markdown with formulas between dollars, as GitHub and Jupyter show it."""

from __future__ import annotations

import re

from leverarm.derivation.document import Derivation, Level, Step, Table, Words, at_level
from leverarm.derivation.render.arrangement import with_code
from leverarm.derivation.render.latex import Block, displays
from leverarm.notation.latex import to_latex
from leverarm.notation.tree import Node
from leverarm.notation.vocabulary import Writing

WIDTH = 44.0
"""The width of a displayed formula [em] that a notebook shows without scrolling."""

_ENTITY = re.compile(r"&(?=#?\w+;)")
_SPECIAL = re.compile(r"([\\`*_\[\]$|#~])")


def to_markdown(derivation: Derivation, level: Level = Level.FULL) -> str:
    """The derivation as a Markdown file."""
    shown = at_level(derivation, level)
    blocks = heading_blocks(shown)
    for p, part in enumerate(shown.parts, 1):
        blocks.append(f"## {p}. {escaped(part.title)}")
        for s, step in enumerate(part.steps, 1):
            blocks += step_blocks(f"{p}.{s}", step, shown.writing)
    return "\n\n".join(blocks) + "\n"


def heading_blocks(derivation: Derivation) -> list[str]:
    """The title and the summary."""
    summary = sentence(derivation.summary, derivation.writing)
    return [f"# {escaped(derivation.title)}", *([summary] if summary else [])]


def step_blocks(number: str, step: Step, writing: Writing) -> list[str]:
    """The paragraphs of a step."""
    words = sentence(step.words, writing)
    blocks = [f"### {number} {escaped(step.title)}", *([words] if words else [])]
    blocks += [_display(block) for block in displays(step.equations, writing, WIDTH)]
    for table in step.tables:
        blocks += [f"*{escaped(table.caption)}*"] if table.caption else []
        blocks.append(_table(table, writing))
    if step.proven:
        blocks.append(f"✓ **{sentence(step.proven, writing)}**")
    return blocks


def _display(block: Block) -> str:
    if block.plain:
        return f"$$\n{block.plain}\n$$"
    return "\n".join(("$$", r"\begin{aligned}", block.aligned, r"\end{aligned}", "$$"))


def sentence(words: Words, writing: Writing) -> str:
    """Words with formulas between dollars."""
    return "".join(escaped(word) if isinstance(word, str) else f"${to_latex(word, writing)}$" for word in words)


def escaped(text: str) -> str:
    """Text with Markdown's special characters escaped; code between backticks stays."""
    return with_code(
        text.replace("\n", " "), lambda words: _SPECIAL.sub(r"\\\1", _entities(words)), lambda code: f"`{code}`"
    )


def _entities(text: str) -> str:
    """Tags and entities as text; quotes and a lone & need no escape."""
    return _ENTITY.sub("&amp;", text).replace("<", "&lt;").replace(">", "&gt;")


def _table(table: Table, writing: Writing) -> str:
    rows = [_row(table.head, writing), "|" + " --- |" * len(table.head)]
    return "\n".join((*rows, *(_row(row, writing) for row in table.rows)))


def _row(row: tuple[str | Node, ...], writing: Writing) -> str:
    cells = (sentence((cell,), writing) for cell in row)
    return "| " + " | ".join(_without_bars(cell) for cell in cells) + " |"


def _without_bars(cell: str) -> str:
    """Bars escaped: even in a formula they would end the cell."""
    return re.sub(r"(?<!\\)\|", r"\\vert ", cell)
