"""The table as one web page to hand out: MathML and style sheets inside, no script, nothing from the network.

Sentences of the table are plain text; words that belong to formulas, as in "c_1 (theta1): -m2 a1 s2 thetad2^2", are set
as mathematics.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import escape
from importlib import resources

from leverarm._version import __version__
from leverarm.documents.page import page_style
from leverarm.model import Arm
from leverarm.notation.latex_names import name_latex
from leverarm.notation.names import GREEK, dotted, split_name
from leverarm.verify.table.digits import nearest, range_texts, state_lines
from leverarm.verify.table.latex_mathml import latex_to_mathml
from leverarm.verify.table.property import ROBOT_EQUATION, How, Notes, Properties, Property, in_sections
from leverarm.verify.table.report_text import TITLE, distance, ending, heading, is_formula

_WORD = re.compile(r"(?<![\w.^])([A-Za-z]\w*)(?:\^(T|\d+))?(?!\w|\.\w)")
_INDEXED = re.compile(rf"({'|'.join(sorted(GREEK, key=len, reverse=True))}|[A-Za-z])(d{{0,2}})_?(\d+|[bdijkm])")
_MINUS = re.compile(r"(?<![^\s(|])-(?=\s|\d|$)")
LETTERS = {name: (name, 0) for name in ("M", "C", "c", "g", "F", "W", "S", "H", "K", "P", "q", "tau", "phi", "rho")}
LETTERS |= {"Mdot": ("M", 1), "qd": ("q", 1), "qdd": ("q", 2)}
"""Those of the equations of motion, each with its dots."""
ENGLISH = {"a", "I"}
"""Words that an arm's symbol may be called too."""


def set_maths(sentence: str, arm: Arm, plain: Callable[[str], str], maths: Callable[[str], str]) -> str:
    """The sentence with its words set by `plain`, and the LaTeX of its formulas' letters by `maths`."""
    pieces = _pieces(sentence, arm)
    return "".join(maths(text) if is_maths else plain(_MINUS.sub("−", text)) for is_maths, text in pieces)


def _pieces(sentence: str, arm: Arm) -> Iterator[tuple[bool, str]]:
    """The parts of the sentence, in order: (True, LaTeX) or (False, text)."""
    letters, at = _letters(arm), 0
    for match in _WORD.finditer(sentence):
        latex = _latex(match[1], letters)
        if latex is None:
            continue
        yield False, sentence[at : match.start()]
        yield True, f"{latex}^{{{match[2]}}}" if match[2] else latex
        at = match.end()
    yield False, sentence[at:]


def _letters(arm: Arm) -> dict[str, tuple[str, int]]:
    """What the names of the arm's coordinates, their speeds and its symbols stand for; whole words stay words."""
    own = [name for name in (*arm.coordinates, *arm.defaults) if not split_name(name).is_word]
    made = {dotted(name, dots): (name, dots) for name in own for dots in (2, 1, 0)}
    return {word: parts for word, parts in (LETTERS | made).items() if word not in ENGLISH}


def _latex(word: str, letters: dict[str, tuple[str, int]]) -> str | None:
    """The LaTeX of a word that is a letter of a formula; None of any other."""
    if word in letters:
        return name_latex(*letters[word])
    if found := _INDEXED.fullmatch(word):
        return name_latex(f"{found[1]}_{found[3]}", len(found[2]))
    return None


BADGES: dict[How, tuple[str, str]] = {
    "exact identity": ("exact", "a proof by exact algebra, for every state"),
    "certified enclosure": ("certified", "both sides are certain, rounding included; nothing is sampled"),
    "exact at random rational states": ("rational", "holds exactly at random rational states; not a proof for all"),
    "sampled estimate": ("sampled", "the extreme of samples: not a bound"),
    "declared": ("declared", "as declared in the arm's description or by the user"),
    "none": ("unknown", "no such number for this arm and this box, or not yet"),
}
BOX = "Bounds hold for every configuration with the joints in these ranges:"
SIDES = (
    "Sides are rounded outward. A proof may use the lower side of a least value and the upper side of a greatest one. "
    "A bar is filled up to the lower side and hatched from there to the upper one."
)
FEW_JOINTS = 3
WORD_JOINER = "\u2060"
SHORTEST = 0.01
"""Shorter times are not shown [s]."""
HEADS = ("property", "statement", "value", "how established", "attained at")


def to_html(properties: Properties) -> str:
    """The text of an .html file."""
    own = (resources.files("leverarm") / "verify" / "table" / "table.css").read_text(encoding="utf-8")
    style = f"{page_style()}\n{own}"
    title = escape(heading(properties))
    shared = "".join(f'<p class="note">{_words(line, properties)}</p>' for line in Notes.of(properties.rows).numbered())
    return "\n".join((
        "<!DOCTYPE html>", '<html lang="en">', "<head>", '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<meta name="generator" content="leverarm {escape(__version__)}">',
        f"<title>{title}</title>", f"<style>\n{style}</style>", "</head>", '<body class="properties">',
        '<div class="sheet">', *_header(properties), "<main>", _table(properties), shared, "</main>",
        f"<footer>{escape(ending(properties))} Made by leverarm {escape(__version__)}.</footer>",
        "</div>", "</body>", "</html>", "",
    ))  # fmt: skip


def _header(properties: Properties) -> list[str]:
    arm = properties.arm
    joints = f"{arm.dof} joint{'s' * (arm.dof != 1)}"
    named = f"{escape(arm.title)}, <code>{escape(arm.name)}</code>" if arm.title else f"<code>{escape(arm.name)}</code>"
    about = f'<p class="summary">{named}, {joints}</p>'
    equation = f'<div class="display" tabindex="0">{latex_to_mathml(ROBOT_EQUATION)}</div>'
    warning = '<p class="interrupted">Interrupted: this report is incomplete, but everything stated holds.</p>'
    swap = '<div class="switches"><label class="swap"><input type="checkbox" id="swap">light / dark</label></div>'
    parts = ["<header>", swap, f"<h1>{TITLE}</h1>", *([] if properties.finished else [warning]), about, equation]
    return [*parts, _box(properties), _legend(properties), "</header>"]


def _box(properties: Properties) -> str:
    box, arm = properties.box, properties.arm
    cells = []
    for k, name in enumerate(arm.coordinates):
        texts = ("no range", "") if name in box.missing else range_texts(arm, k, box.lower[k], box.upper[k])
        low_to_high, radians = (escape(text.replace("-", "−")) for text in texts)
        cells.append(f"<tr><td>{escape(name)}</td><td>{low_to_high}</td><td>{radians}</td></tr>")
    notes = "".join(f'<p class="note">{escape(note)}</p>' for note in box.notes)
    table = f'<table class="cells box"><tbody>{"".join(cells)}</tbody></table>'
    return f'<p>{BOX}</p><div class="table" tabindex="0">{table}</div>{notes}'


def _legend(properties: Properties) -> str:
    """What the badges on this page mean."""
    used = [how for how in BADGES if any(row.how == how for row in properties.rows)]
    items = "".join(f"<li>{_badge(how)} {escape(BADGES[how][1])}</li>" for how in used)
    is_enclosed = any(row.bound is not None and row.how == "certified enclosure" for row in properties.rows)
    return f'<ul class="legend">{items}</ul>' + (f'<p class="note">{SIDES}</p>' if is_enclosed else "")


def _table(properties: Properties) -> str:
    """One table: its head stands on every printed page, and its sections have a line of their own."""
    heads, notes = _heads(properties), Notes.of(properties.rows)
    columns = "".join(f'<col class="{name.split()[0]}">' for name in heads)
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    body = []
    for title, rows in in_sections(properties.rows):
        name = f'<th scope="rowgroup" colspan="{len(heads)}">{escape(title)}</th>'
        body.append(f'<tbody class="section"><tr>{name}</tr></tbody>')
        body += [_row(properties, row, notes) for row in rows]
    inside = "\n".join(body)
    return f'<table class="rows"><colgroup>{columns}</colgroup><thead><tr>{head}</tr></thead>\n{inside}\n</table>'


def _row(properties: Properties, row: Property, notes: Notes) -> str:
    """A line of the table, and what else is to be said below it; the two stay together on a printed page."""
    statement = latex_to_mathml(row.latex) if row.latex else escape(row.statement)
    value = latex_to_mathml(row.latex_value) if is_formula(row.latex_value) else _words(row.value, properties)
    title = f' title="{escape(row.statement)}"'
    witness = state_lines(properties.arm, row.witness) if row.witness else ()
    cells = [
        f'<th scope="row" id="{escape(row.key)}">{_words(row.name, properties)}</th>',
        f'<td class="statement"{title}><div class="wide">{statement}</div></td>',
        f'<td class="value"><div class="wide">{value}</div>{_bar(row)}</td>',
        f'<td class="how">{_badge(row.how)}{_spent(row, notes)}</td>',
    ]
    below = list(notes.own(row))
    if len(_heads(properties)) > len(cells):
        states = "".join(f"<div>{_words(line, properties)}</div>" for line in witness)
        cells.append(f'<td class="witness">{states}</td>')
    else:
        below += [f"{HEADS[-1].capitalize()} {', '.join(witness)}."] if witness else []
    detail = "".join(f"<p>{_words(line, properties)}</p>" for line in below)
    below_it = f'<tr class="detail"><td colspan="{len(cells)}">{detail}</td></tr>' if detail else ""
    return f"<tbody><tr>{''.join(cells)}</tr>{below_it}</tbody>"


def _words(sentence: str, properties: Properties) -> str:
    return set_maths(sentence, properties.arm, _beside_maths, latex_to_mathml)


def _beside_maths(text: str) -> str:
    """Words; a comma at their beginning stays in the line of the formula before it."""
    return (WORD_JOINER if text[:1] in tuple(",.;:)") else "") + escape(text)


def _heads(properties: Properties) -> tuple[str, ...]:
    """The columns. States of many joints are too long for one: they stand below the line that they belong to."""
    return HEADS if properties.arm.dof <= FEW_JOINTS else HEADS[:-1]


def _badge(how: How) -> str:
    kind, _ = BADGES[how]
    return f'<span class="badge {kind}">{"not known" if how == "none" else how}</span>'


def _spent(row: Property, notes: Notes) -> str:
    """The time it took, and the notes about it."""
    seconds = f"{nearest(row.seconds, 2)} s" if row.seconds >= SHORTEST else ""
    spent = ", ".join(part for part in (seconds, notes.numbers(row)) if part)
    return f'<span class="spent">{spent}</span>' if spent else ""


def _bar(row: Property) -> str:
    """How near the sides are: filled up to the lower one, hatched from there to the upper one."""
    if row.bound is None or row.how != "certified enclosure":
        return ""
    gap = min(max(row.bound.gap, 0.0), 1.0)
    filled = f'<span style="width: {100 * (1 - gap):.2f}%"></span>'
    return f'<div class="gap"><span class="bar" aria-hidden="true">{filled}</span> {distance(row.bound)}</div>'
