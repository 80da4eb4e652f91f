"""A document as one web page: MathML and a style sheet inside, no scripts, nothing loaded from the network."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from html import escape
from itertools import chain, count, groupby

from leverarm.documents import document as doc
from leverarm.documents.arrangement import TICKS, Group, Inline, arranged, rows_that_fit, with_code
from leverarm.documents.page import page, page_style
from leverarm.notation.latex import to_latex
from leverarm.notation.latex_lines import width_in_ems
from leverarm.notation.mathml import to_mathml
from leverarm.notation.text import to_text
from leverarm.notation.tree import Node
from leverarm.notation.vocabulary import Writing

WIDTH = 39.0
"""The width of a displayed formula [em]: the column of the page, less the indent."""
CELL_WIDTH = 26.0
"""The width of a formula in a table beyond which it is broken over lines [em]."""
GAP = 2.5
"""Between equations that stand beside each other [em]."""
LONG = 32
"""A formula in a sentence with more characters than this may be wider than a phone, and gets a scroll bar."""
NAMES = {level: name for name, level in doc.LEVELS.items()}
LABELS = {doc.Level.BRIEF: "brief", doc.Level.FULL: "full", doc.Level.EVERY_LINE: "every line"}
SWITCHES = ("swap", "python")


def to_html(document: doc.Document, level: doc.Level = doc.Level.FULL) -> str:
    """The text of an .html file that opens at this level; readers can switch to the others.

    The style sheet numbers the sections, so that no level has gaps in its numbers.
    """
    anchors = _anchors(document)
    inline = _inline(document.writing)
    waiting = iter(anchors)
    body = "\n".join((
        '<div class="sheet">', "<header>", f"<h1>{escape(document.title)}</h1>",
        *_blocks(document.summary, inline, document.writing), _switches(document, level),
        *([_code(doc.Code(document.code))] if document.code else []), "</header>",
        *_contents(document, anchors), "<main>",
        *(_section(section, 2, waiting, inline, document.writing) for section in document.sections),
        "</main>", "</div>",
    ))  # fmt: skip
    return page(document.title, page_style(), body, document.layout)


def _section(section: doc.Section, depth: int, anchors: Iterator[str], inline: Inline, writing: Writing) -> str:
    anchor = next(anchors)
    tag = f"h{min(depth, 6)}"
    here = f'<a class="here" href="#{anchor}" aria-label="link to this heading">#</a>'
    lines = [
        f'<section class="{NAMES[section.lowest]}" id="{anchor}">',
        f"<{tag}>{inline(section.title)}{here}</{tag}>",
        *_blocks(section.blocks, inline, writing),
        *(_section(within, depth + 1, anchors, inline, writing) for within in section.sections),
        "</section>",
    ]
    return "\n".join(lines)


def _blocks(blocks: tuple[doc.Block, ...], inline: Inline, writing: Writing) -> list[str]:
    """Blocks below each other; figures that follow each other stand side by side."""
    shown: list[str] = []
    for is_figure, run in groupby(blocks, lambda block: isinstance(block, doc.Figure)):
        pieces = [_block(block, inline, writing) for block in run]
        shown += ['<div class="figures">', *pieces, "</div>"] if is_figure else pieces
    return [piece for piece in shown if piece]


def _block(block: doc.Block, inline: Inline, writing: Writing) -> str:
    match block:
        case doc.Paragraph(words, kind):
            start = '<p class="aside">' if kind == "aside" else "<p>"
            return f"{start}{inline(words)}</p>" if words else ""
        case doc.Equations(shown):
            return "\n".join(row for group in arranged(shown) for row in _rows(group, writing))
        case doc.Table():
            return _table(block, writing)
        case doc.Facts(facts):
            return f'<dl class="facts">{"".join(_fact(*fact, inline) for fact in facts)}</dl>'
        case doc.Items(items):
            return "\n".join(('<ul class="items">', *(_item(words, inline) for words in items), "</ul>"))
        case doc.Verdict(words, tone):
            return f'<p class="verdict {tone}">{TICKS[tone]} {inline(words)}</p>'
        case doc.Code():
            return _code(block)
        case doc.Figure(svg, caption):
            below = f"<figcaption>{inline(caption)}</figcaption>" if caption else ""
            return f"<figure>{svg}{below}</figure>"


def _code(code: doc.Code) -> str:
    return f'<pre class="python"><code>{escape(code.text)}</code></pre>'


def _fact(name: str, value: doc.Cell, remark: str, inline: Inline) -> str:
    more = f"<small>{inline(remark)}</small>" if remark else ""
    return f"<div><dt>{inline(name)}{more}</dt><dd>{inline(value)}</dd></div>"


def _item(words: doc.Words, inline: Inline) -> str:
    first = words[0] if words else ""
    tone = first.tone if isinstance(first, doc.Mark) else "plain"
    return f'<li class="{tone}">{inline(words)}</li>'


def _rows(group: Group, writing: Writing) -> list[str]:
    """Boxes of equations; tall ones in rows that fit the page and wrap on narrower ones."""
    if not group.is_tall:
        return [_box("equations", group.equations, writing)]
    widths = [width_in_ems(to_latex(shown.equation, writing)) for shown in group.equations]
    waiting = iter(group.equations)
    rows = [tuple(next(waiting) for _ in range(count)) for count in rows_that_fit(widths, GAP, WIDTH)]
    return [_box("equations tall", row, writing) for row in rows]


def _box(kind: str, equations: tuple[doc.Shown, ...], writing: Writing) -> str:
    lowest = NAMES[min(shown.level for shown in equations)]
    boxes = "\n".join(_display(shown, writing) for shown in equations)
    return f'<div class="{kind} {lowest}">\n{boxes}\n</div>'


def _display(shown: doc.Shown, writing: Writing) -> str:
    maths = to_mathml(shown.equation, writing, display="block", width=WIDTH)
    # A box that scrolls must be reachable without a mouse.
    return f'<div class="display {NAMES[shown.level]}" tabindex="0">{maths}</div>'


def _inline(writing: Writing) -> Inline:
    return Inline(_text, lambda node: _formula(node, writing), _mark, lambda figure: figure.svg)


def _text(text: str) -> str:
    return with_code(text, escape, lambda code: f"<code>{escape(code)}</code>")


def _formula(node: Node, writing: Writing) -> str:
    maths = to_mathml(node, writing, display="inline")
    is_long = len(to_text(node, writing)) > LONG
    return f'<span class="long" tabindex="0">{maths}</span>' if is_long else maths


def _mark(mark: doc.Mark) -> str:
    hint = f' title="{escape(mark.hint)}"' if mark.hint else ""
    return f'<span class="mark {mark.tone}"{hint}>{escape(mark.word)}</span>'


def _table(table: doc.Table, writing: Writing) -> str:
    """A table in a box that scrolls; one with several columns of words stacks its cells on a phone."""
    inline = Inline(_text, lambda node: _in_cell(node, writing), _mark, lambda figure: figure.svg)
    is_stacked = table.width - len(table.numeric) >= 3 and table.width >= 4
    caption = f"<caption>{inline(table.caption)}</caption>" if table.caption else ""
    head = "".join(_cell("th scope=col", k, cell, table, inline) for k, cell in enumerate(table.head))
    heads = [re.sub(r"<[^>]*>", "", inline(cell)) for cell in table.head] if is_stacked else []
    rows = [_row(row, heads, table, inline) for row in table.rows]
    lines = [caption, f"<thead><tr>{head}</tr></thead>" if head else "", "<tbody>", *rows, "</tbody>"]
    kind = "cells stacked" if is_stacked else "cells"
    kind += " alike" if table.shares else ""
    lines.insert(0, "".join(f'<col style="width: {share}%">' for share in table.shares))
    inside = "\n".join(line for line in lines if line)
    return f'<div class="table" tabindex="0"><table class="{kind}">{inside}</table></div>'


def _row(row: doc.Row, heads: list[str], table: doc.Table, inline: Inline) -> str:
    if isinstance(row, doc.Paragraph):
        return f'<tr class="below"><td colspan="{table.width}">{inline(row.words)}</td></tr>'
    if (heading := table.heading(row)) is not None:
        return f'<tr class="group"><th scope="rowgroup" colspan="{table.width}">{inline(heading)}</th></tr>'
    tags = [f'td data-head="{head}"' for head in heads] or ["td"] * len(row)
    cells = (_cell(tag, k, cell, table, inline) for k, (tag, cell) in enumerate(zip(tags, row, strict=True)))
    return f"<tr>{''.join(cells)}</tr>"


def _cell(tag: str, k: int, cell: doc.Cell, table: doc.Table, inline: Inline) -> str:
    number = ' class="number"' if k in table.numeric else ""
    return f"<{tag}{number}>{inline(cell)}</{tag[:2]}>"


def _in_cell(node: Node, writing: Writing) -> str:
    if width_in_ems(to_latex(node, writing)) <= CELL_WIDTH:
        return to_mathml(node, writing, display="inline")
    return f'<span class="long" tabindex="0">{to_mathml(node, writing, display="block", width=CELL_WIDTH)}</span>'


def _contents(document: doc.Document, anchors: list[str]) -> list[str]:
    if len(anchors) < 3:
        return []
    waiting = iter(anchors)
    return [f'<nav aria-label="Contents">{_list(document.sections, waiting)}</nav>']


def _list(sections: tuple[doc.Section, ...], anchors: Iterator[str]) -> str:
    items = []
    for section in sections:
        link = f'<a href="#{next(anchors)}">{_text(section.title)}</a>'
        within = _list(section.sections, anchors) if section.sections else ""
        items.append(f'<li class="{NAMES[section.lowest]}">{link}{within}</li>')
    return "<ol>\n" + "\n".join(items) + "\n</ol>"


def _switches(document: doc.Document, level: doc.Level) -> str:
    """Radio buttons and check boxes that the style sheet reads, without a script."""
    switches = []
    if _levels(document) != {doc.Level.BRIEF}:
        choices = "".join(
            f'<label><input type="radio" name="level" id="{NAMES[each]}"{" checked" if each is level else ""}>'
            f"{LABELS[each]}</label>"
            for each in doc.Level
        )
        switches.append(f"<fieldset><legend>Show</legend>{choices}</fieldset>")
    if document.code or any(isinstance(block, doc.Code) for section in document for block in section.blocks):
        switches.append('<label><input type="checkbox" id="python">Python</label>')
    switches.append('<label class="swap"><input type="checkbox" id="swap">light / dark</label>')
    return f'<div class="switches">{"".join(switches)}</div>'


def _levels(document: doc.Document) -> set[doc.Level]:
    """The levels at which anything first appears."""
    equations = (block for section in document for block in section.blocks if isinstance(block, doc.Equations))
    return {section.level for section in document} | {shown.level for each in equations for shown in each.shown}


def _anchors(document: doc.Document) -> list[str]:
    """An anchor for each section, in the order of the page, made from its title."""
    taken = {*NAMES.values(), *SWITCHES}
    return [_anchor(section.title, taken) for section in document]


def _anchor(title: str, taken: set[str]) -> str:
    """An anchor made from a title, numbered where it is taken already."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    name = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60] or "section"
    anchor = next(each for each in chain((name,), (f"{name}-{k}" for k in count(2))) if each not in taken)
    taken.add(anchor)
    return anchor


def in_notebook(document: doc.Document) -> str:
    """The page in a frame of its own, so that its style sheet does not change the notebook around it."""
    return f'<iframe srcdoc="{escape(to_html(document))}" style="border: 0; width: 100%; height: 42rem"></iframe>'
