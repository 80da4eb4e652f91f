"""Writing the table to a file, in the form that the file's ending names; Markdown and LaTeX are made here.

The LaTeX document needs amsmath, booktabs and longtable; pdflatex typesets it as it stands.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from leverarm._version import __version__
from leverarm.atomic_write import atomic_write
from leverarm.errors import FormatError
from leverarm.notation.latex_names import latex_words
from leverarm.verify.table.digits import range_texts, state_lines
from leverarm.verify.table.property import ROBOT_EQUATION, Notes, Properties, Property, in_sections
from leverarm.verify.table.report_html import set_maths, to_html
from leverarm.verify.table.report_text import ending, heading, is_formula, meta, to_text
from leverarm.verify.table.resuming import boxes_file, fingerprint, packed, to_json


def to_markdown(properties: Properties) -> str:
    """The text of an .md file."""
    lines = [f"# {_escaped(heading(properties))}", "", f"$${ROBOT_EQUATION}$$", "", *_box(properties)]
    notes = Notes.of(properties.rows)
    for title, rows in in_sections(properties.rows):
        lines += ["", f"## {title}", "", "| property | statement | value | how | witness |", "|---|---|---|---|---|"]
        lines += [_row(properties, row, notes) for row in rows]
        remarks = [
            f"- {_words(row.name, properties)}: {_words(line, properties)}" for row in rows for line in notes.own(row)
        ]
        lines += ["", *remarks] if remarks else []
    lines += [line for sentence in notes.numbered() for line in ("", _words(sentence, properties))]
    lines += ["", f"{_escaped(ending(properties))} Made by leverarm {__version__}."]
    return "\n".join(lines) + "\n"


def _box(properties: Properties) -> list[str]:
    lines = ["| joint | range | |", "|---|---|---|"]
    for k, name in enumerate(properties.arm.coordinates):
        low, high = properties.box.lower[k], properties.box.upper[k]
        parts = ("none", "") if name in properties.box.missing else range_texts(properties.arm, k, low, high)
        lines.append(f"| {_escaped(name)} | {' | '.join(parts)} |")
    return [*lines, *(line for note in properties.box.notes for line in ("", _escaped(note)))]


def _row(properties: Properties, row: Property, notes: Notes) -> str:
    statement = f"${_in_cell(row.latex)}$" if row.latex else _escaped(row.statement)
    value = f"${_in_cell(row.latex_value)}$" if is_formula(row.latex_value) else _words(row.value, properties)
    witness = "<br>".join(state_lines(properties.arm, row.witness)) if row.witness else ""
    name, at = _words(row.name, properties), _words(witness, properties)
    return f"| {name} | {statement} | {value} | {meta(row, notes)} | {at} |"


def _words(sentence: str, properties: Properties) -> str:
    return set_maths(sentence, properties.arm, _escaped, "${}$".format)


def _in_cell(latex: str) -> str:
    r"""A bar would end the cell: \| is \Vert, | is \vert."""
    return latex.replace(r"\|", r"\Vert ").replace("|", r"\vert ").replace("\n", " ")


def _escaped(text: str) -> str:
    """Characters that mean something in Markdown, or in a table of it, as they are."""
    for character in "\\`*_|$":
        text = text.replace(character, "\\" + character)
    return text.replace("\n", " ")


PREAMBLE = r"""\documentclass[10pt,a4paper]{article}
\usepackage{amsmath}
\usepackage{array,booktabs,longtable}
\usepackage[a4paper,margin=20mm]{geometry}
\setlength{\parindent}{0pt}
\setlength{\emergencystretch}{3em}
\setlength{\LTleft}{0pt}
\newcolumntype{L}[1]{>{\raggedright\arraybackslash}p{#1}}
\begin{document}"""
COLUMNS = r"@{}L{0.17\linewidth}L{0.27\linewidth}L{0.33\linewidth}L{0.15\linewidth}@{}"
WIDTH = r"0.98\linewidth"


def to_tex(properties: Properties) -> str:
    """The text of a .tex file."""
    blocks = [PREAMBLE, rf"{{\Large\bfseries\raggedright {latex_words(heading(properties))}\par}}"]
    blocks += [rf"\[{ROBOT_EQUATION}\]", _tex_box(properties), _table(properties)]
    blocks += [rf"{{\small {_tex_words(line, properties)}\par}}" for line in Notes.of(properties.rows).numbered()]
    blocks.append(rf"{{\small {latex_words(ending(properties))} Made by leverarm {latex_words(__version__)}.\par}}")
    return "\n\n".join((*blocks, r"\end{document}")) + "\n"


def _tex_box(properties: Properties) -> str:
    lines = [r"\begin{tabular}{@{}lll@{}}", r"\toprule", r"joint & range & \\", r"\midrule"]
    for k, name in enumerate(properties.arm.coordinates):
        low, high = properties.box.lower[k], properties.box.upper[k]
        parts = ("none", "") if name in properties.box.missing else range_texts(properties.arm, k, low, high)
        lines.append(rf"{latex_words(name)} & {latex_words(parts[0])} & {latex_words(parts[1])} \\")
    notes = [rf"\par\smallskip{{\small {latex_words(note)}\par}}" for note in properties.box.notes]
    return "\n".join((*lines, r"\bottomrule", r"\end{tabular}", *notes))


def _table(properties: Properties) -> str:
    head = r"property & statement & value & established \\"
    lines = [rf"\begin{{longtable}}{{{COLUMNS}}}", r"\toprule", head, r"\midrule\endhead", r"\bottomrule\endfoot"]
    notes = Notes.of(properties.rows)
    for k, (title, rows) in enumerate(in_sections(properties.rows)):
        space = r"\addlinespace[8pt]" if k else ""
        lines.append(rf"{space}\multicolumn{{4}}{{@{{}}l}}{{\bfseries {latex_words(title)}}} \\*[2pt]")
        for row in rows:
            lines += _tex_row(properties, row, notes)
    return "\n".join((*lines, r"\end{longtable}"))


def _tex_row(properties: Properties, row: Property, notes: Notes) -> list[str]:
    statement = f"${row.latex}$" if row.latex else latex_words(row.statement)
    value = f"${row.latex_value}$" if is_formula(row.latex_value) else _tex_words(row.value, properties)
    lines = [rf"{_tex_words(row.name, properties)} & {statement} & {value} & {latex_words(meta(row, notes))} \\"]
    witness = ("Attained at " + ", ".join(state_lines(properties.arm, row.witness)) + ".",) if row.witness else ()
    below = rf"\multicolumn{{4}}{{@{{}}p{{{WIDTH}}}@{{}}}}{{\footnotesize\raggedright "
    lines += [rf"{below}{_tex_words(line, properties)}}} \\" for line in (*notes.own(row), *witness)]
    return [*lines, r"\addlinespace"]


def _tex_words(sentence: str, properties: Properties) -> str:
    return set_maths(sentence, properties.arm, latex_words, "${}$".format)


RENDERERS: dict[str, Callable[[Properties], str]] = {
    ".html": to_html,
    ".md": to_markdown,
    ".json": to_json,
    ".tex": to_tex,
    ".txt": to_text,
}
"""By the ending of a file's name."""


def save_properties(properties: Properties, path: str | os.PathLike[str]) -> None:
    """Writes the table as .html, .md, .json, .tex or .txt; an existing file is replaced whole or not at all.

    Beside a .json file the boxes that are left go into an .npz file, for `resume`.
    """
    if not isinstance(path, str | os.PathLike) or str(path).endswith("/"):
        raise FormatError(
            f"{path!r} is not the name of a file. Give one with an ending. Valid: {', '.join(RENDERERS)}."
        )
    given = os.fspath(path)
    renderer = RENDERERS.get(Path(given).suffix.lower())
    if renderer is None:
        raise FormatError(f"the ending of {Path(given).name!r} names no report. Valid: {', '.join(RENDERERS)}.")
    if renderer is to_json and properties.left:
        boxes = packed(properties.left)
        atomic_write(boxes, boxes_file(given))
        atomic_write(to_json(properties, fingerprint(boxes)), given)
    else:
        atomic_write(renderer(properties), given)
