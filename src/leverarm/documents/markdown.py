"""A document as Markdown with formulas between dollars, as GitHub and Jupyter show it."""

from __future__ import annotations

import re
from collections.abc import Callable

from leverarm.documents import document as doc
from leverarm.documents.arrangement import TICKS, Inline, with_code
from leverarm.documents.displays import Display, displays
from leverarm.notation.latex import to_latex
from leverarm.notation.vocabulary import Writing

WIDTH = 44.0
"""The width of a displayed formula [em] that a notebook shows without scrolling."""

_ENTITY = re.compile(r"&(?=#?\w+;)")
_SPECIAL = re.compile(r"([\\`*_\[\]$|#~])")


def to_markdown(document: doc.Document, level: doc.Level = doc.Level.FULL) -> str:
    """The document as a Markdown file."""
    shown = doc.at_level(document, level)
    blocks = heading_blocks(shown)
    for depth, number, section in doc.numbered(shown):
        blocks.append(section_heading(depth, number, section.title))
        blocks += [written for block in section.blocks for written in markdown_blocks(block, shown.writing)]
    return "\n\n".join(blocks) + "\n"


def heading_blocks(document: doc.Document) -> list[str]:
    """The title and the summary."""
    summary = [written for block in document.summary for written in markdown_blocks(block, document.writing)]
    return [f"# {escaped(document.title)}", *summary]


def section_heading(depth: int, number: str, title: str) -> str:
    """## 1. Kinematics, ### 1.1 Velocities."""
    shown = [number + "." * (depth == 1)] if number else []
    return " ".join(("#" * (depth + 1), *shown, escaped(title)))


def markdown_blocks(block: doc.Block, writing: Writing) -> list[str]:
    """The paragraphs of a block; code has none."""
    words = _inline(writing)
    match block:
        case doc.Paragraph(said):
            return [words(said)] if said else []
        case doc.Equations(shown):
            return [_display(display) for display in displays(shown, writing, WIDTH)]
        case doc.Table():
            caption = [f"*{escaped(block.caption)}*"] if block.caption else []
            return [*caption, _table(block, words)]
        case doc.Facts(facts):
            return ["\n".join(_fact(name, words(value), remark) for name, value, remark in facts)]
        case doc.Items(items):
            return ["\n".join(f"- {words(item)}" for item in items)]
        case doc.Verdict(said, tone):
            return [f"{TICKS[tone]} **{words(said)}**"]
        case doc.Figure():
            return [words(block)] if block.text or block.caption else []
        case doc.Code():
            return []


def _fact(name: str, value: str, remark: str) -> str:
    return f"- {escaped(name)}: **{value}**" + (f" ({escaped(remark)})" if remark else "")


def _display(display: Display) -> str:
    if display.plain:
        return f"$$\n{display.plain}\n$$"
    return "\n".join(("$$", r"\begin{aligned}", display.aligned, r"\end{aligned}", "$$"))


def _inline(writing: Writing) -> Inline:
    """Words with formulas between dollars."""
    return Inline(
        escaped,
        lambda node: f"${to_latex(node, writing)}$",
        lambda mark: f"*{escaped(mark.word)}*",
        lambda figure: escaped(figure.text or figure.caption),
    )


def escaped(text: str) -> str:
    """Text with Markdown's special characters escaped; code between backticks stays."""
    return with_code(
        text.replace("\n", " "), lambda words: _SPECIAL.sub(r"\\\1", _entities(words)), lambda code: f"`{code}`"
    )


def _entities(text: str) -> str:
    """Tags and entities as text; quotes and a lone & need no escape."""
    return _ENTITY.sub("&amp;", text).replace("<", "&lt;").replace(">", "&gt;")


def _table(table: doc.Table, words: Callable[[doc.Cell], str]) -> str:
    rules = [" ---: |" if k in table.numeric else " --- |" for k in range(table.width)]
    rows = [_row(table.head or ("",) * table.width, words), "|" + "".join(rules)]
    below: list[str] = []
    subject = ""
    for row in table.rows:
        if isinstance(row, doc.Paragraph):
            below.append(f"- {subject}: {words(row.words)}")
            continue
        heading = table.heading(row)
        line = tuple(map(words, row)) if heading is None else (f"**{words(heading)}**",)
        rows.append(_cells((*line, *("",) * (table.width - len(line)))))
        subject = line[0]
    return "\n".join((*rows, "", *below) if below else rows)


def _row(row: tuple[doc.Cell, ...], words: Callable[[doc.Cell], str]) -> str:
    return _cells(tuple(map(words, row)))


def _cells(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(map(_without_bars, cells)) + " |"


def _without_bars(cell: str) -> str:
    r"""Bars escaped: even in a formula they would end the cell; \| is a double one."""
    return re.sub(r"(?<!\\)\|", r"\\vert ", cell)
