"""The table in Markdown, with formulas between dollar signs."""

from __future__ import annotations

from leverarm._version import __version__
from leverarm.verify.table.property import Properties, Property
from leverarm.verify.table.report_text import ending, heading, is_formula, meta
from leverarm.verify.table.sections import ROBOT_EQUATION, Notes, in_sections
from leverarm.verify.table.sentence_maths import set_maths
from leverarm.verify.table.witness_text import range_texts, state_lines


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
    lines += [line for sentence in notes.told() for line in ("", _words(sentence, properties))]
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
