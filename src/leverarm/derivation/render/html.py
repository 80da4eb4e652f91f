"""A derivation as one web page: MathML and a style sheet inside, no scripts, nothing loaded from the network."""

from __future__ import annotations

import re
import unicodedata
from html import escape
from itertools import chain, count

from leverarm._version import __version__
from leverarm.derivation.document import LEVELS, Derivation, Level, Part, Shown, Step, Table, Words
from leverarm.derivation.render.arrangement import Group, arranged, rows_that_fit, with_code
from leverarm.notation.latex import to_latex
from leverarm.notation.latex_lines import width_in_ems
from leverarm.notation.mathml import to_mathml
from leverarm.notation.page_style import page_style
from leverarm.notation.text import to_text
from leverarm.notation.tree import Node
from leverarm.notation.vocabulary import Writing

WIDTH = 39.0
"""The width of a displayed formula [em]: the column of the page, less the indent."""
GAP = 2.5
"""Between equations that stand beside each other [em]."""
LONG = 32
"""A formula in a sentence with more characters than this may be wider than a phone, and gets a scroll bar."""
NAMES = {level: name for name, level in LEVELS.items()}
LABELS = {Level.BRIEF: "brief", Level.FULL: "full", Level.EVERY_LINE: "every line"}


def to_html(derivation: Derivation, level: Level = Level.FULL) -> str:
    """The text of an .html file that opens at this level; readers can switch to the others.

    The style sheet numbers the steps, so that no level has gaps in its numbers.
    """
    anchors = _anchors(derivation)
    parts = [_part(part, names, derivation.writing) for part, names in zip(derivation.parts, anchors, strict=True)]
    title = escape(derivation.title)
    return "\n".join((
        "<!DOCTYPE html>", '<html lang="en">', "<head>", '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<meta name="generator" content="leverarm {escape(__version__)}">',
        f"<title>{title}</title>", f"<style>\n{page_style()}</style>", "</head>", "<body>", '<div class="sheet">',
        "<header>", f"<h1>{title}</h1>",
        f'<p class="summary">{_sentence(derivation.summary, derivation.writing)}</p>', _switches(level), "</header>",
        _contents(derivation, anchors), "<main>", *parts, "</main>", "</div>", "</body>", "</html>", "",
    ))  # fmt: skip


def _part(part: Part, anchors: list[str], writing: Writing) -> str:
    own, *others = anchors
    steps = "\n".join(_step(step, anchor, writing) for step, anchor in zip(part.steps, others, strict=True))
    heading = _heading("h2", part.title, own)
    return f'<section class="part {_lowest(part)}" id="{own}">\n{heading}\n{steps}\n</section>'


def _lowest(part: Part) -> str:
    """The level at which the part appears: that of its first visible step."""
    return NAMES[min((step.level for step in part.steps), default=Level.BRIEF)]


def _step(step: Step, anchor: str, writing: Writing) -> str:
    pieces = [_heading("h3", step.title, anchor)]
    if step.words:
        pieces.append(f"<p>{_sentence(step.words, writing)}</p>")
    pieces += [row for group in arranged(step.equations) for row in _rows(group, writing)]
    pieces += [_table(table, writing) for table in step.tables]
    if step.proven:
        pieces.append(f'<p class="proven">✓ {_sentence(step.proven, writing)}</p>')
    if step.code:
        pieces.append(f"<details><summary>Python</summary><pre><code>{escape(step.code)}</code></pre></details>")
    inside = "\n".join(pieces)
    return f'<section class="step {NAMES[step.level]}" id="{anchor}">\n{inside}\n</section>'


def _rows(group: Group, writing: Writing) -> list[str]:
    """Boxes of equations; tall ones in rows that fit the page and wrap on narrower ones."""
    if not group.is_tall:
        return [_box("equations", group.equations, writing)]
    widths = [width_in_ems(to_latex(shown.equation, writing)) for shown in group.equations]
    waiting = iter(group.equations)
    rows = [tuple(next(waiting) for _ in range(count)) for count in rows_that_fit(widths, GAP, WIDTH)]
    return [_box("equations tall", row, writing) for row in rows]


def _box(kind: str, equations: tuple[Shown, ...], writing: Writing) -> str:
    lowest = NAMES[min(shown.level for shown in equations)]
    boxes = "\n".join(_display(shown, writing) for shown in equations)
    return f'<div class="{kind} {lowest}">\n{boxes}\n</div>'


def _display(shown: Shown, writing: Writing) -> str:
    maths = to_mathml(shown.equation, writing, display="block", width=WIDTH)
    # A box that scrolls must be reachable without a mouse.
    return f'<div class="display {NAMES[shown.level]}" tabindex="0">{maths}</div>'


def _heading(tag: str, title: str, anchor: str) -> str:
    return f'<{tag}>{escape(title)}<a class="here" href="#{anchor}" aria-label="link to this heading">#</a></{tag}>'


def _sentence(words: Words, writing: Writing) -> str:
    return "".join(_text(word) if isinstance(word, str) else _inline(word, writing) for word in words)


def _text(text: str) -> str:
    return with_code(text, escape, lambda code: f"<code>{escape(code)}</code>")


def _inline(node: Node, writing: Writing) -> str:
    maths = to_mathml(node, writing, display="inline")
    is_long = len(to_text(node, writing)) > LONG
    return f'<span class="long" tabindex="0">{maths}</span>' if is_long else maths


def _table(table: Table, writing: Writing) -> str:
    caption = f"<caption>{escape(table.caption)}</caption>" if table.caption else ""
    head = "".join(f'<th scope="col">{_sentence((cell,), writing)}</th>' for cell in table.head)
    rows = "\n".join(
        "<tr>" + "".join(f"<td>{_sentence((cell,), writing)}</td>" for cell in row) + "</tr>" for row in table.rows
    )
    inside = f"{caption}<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>"
    return f'<div class="table" tabindex="0"><table class="cells">{inside}</table></div>'


def _contents(derivation: Derivation, anchors: list[list[str]]) -> str:
    items = []
    for part, (own, *others) in zip(derivation.parts, anchors, strict=True):
        steps = "".join(
            f'<li class="{NAMES[step.level]}"><a href="#{anchor}">{escape(step.title)}</a></li>'
            for step, anchor in zip(part.steps, others, strict=True)
        )
        items.append(f'<li class="{_lowest(part)}"><a href="#{own}">{escape(part.title)}</a><ol>{steps}</ol></li>')
    return '<nav aria-label="Contents"><ol>\n' + "\n".join(items) + "\n</ol></nav>"


def _switches(level: Level) -> str:
    """Radio buttons and a check box that the style sheet reads, without a script."""
    choices = "".join(
        f'<label><input type="radio" name="level" id="{NAMES[each]}"{" checked" if each is level else ""}>'
        f"{LABELS[each]}</label>"
        for each in Level
    )
    swap = '<label class="swap"><input type="checkbox" id="swap">light / dark</label>'
    return f'<div class="switches"><fieldset><legend>Show</legend>{choices}</fieldset>{swap}</div>'


def _anchors(derivation: Derivation) -> list[list[str]]:
    """The anchors of each part and its steps, made from their titles."""
    taken = {*NAMES.values(), "swap"}
    titles = [[part.title, *(step.title for step in part.steps)] for part in derivation.parts]
    return [[_anchor(title, taken) for title in group] for group in titles]


def _anchor(title: str, taken: set[str]) -> str:
    """An anchor made from a title, numbered where it is taken already."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    name = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60] or "step"
    anchor = next(each for each in chain((name,), (f"{name}-{k}" for k in count(2))) if each not in taken)
    taken.add(anchor)
    return anchor
