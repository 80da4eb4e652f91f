"""The table as a LaTeX document: article, amsmath, booktabs and longtable; pdflatex sets it as it stands."""

from __future__ import annotations

from leverarm._version import __version__
from leverarm.notation.latex_words import latex_words
from leverarm.verify.table.property import Properties, Property
from leverarm.verify.table.report_text import ending, heading, is_formula, meta
from leverarm.verify.table.sections import ROBOT_EQUATION, Notes, in_sections
from leverarm.verify.table.sentence_maths import set_maths
from leverarm.verify.table.witness_text import range_texts, state_lines

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
    blocks += [rf"\[{ROBOT_EQUATION}\]", _box(properties), _table(properties)]
    blocks += [rf"{{\small {_words(line, properties)}\par}}" for line in Notes.of(properties.rows).told()]
    blocks.append(rf"{{\small {latex_words(ending(properties))} Made by leverarm {latex_words(__version__)}.\par}}")
    return "\n\n".join((*blocks, r"\end{document}")) + "\n"


def _box(properties: Properties) -> str:
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
            lines += _row(properties, row, notes)
    return "\n".join((*lines, r"\end{longtable}"))


def _row(properties: Properties, row: Property, notes: Notes) -> list[str]:
    statement = f"${row.latex}$" if row.latex else latex_words(row.statement)
    value = f"${row.latex_value}$" if is_formula(row.latex_value) else _words(row.value, properties)
    lines = [rf"{_words(row.name, properties)} & {statement} & {value} & {latex_words(meta(row, notes))} \\"]
    witness = ("Attained at " + ", ".join(state_lines(properties.arm, row.witness)) + ".",) if row.witness else ()
    below = rf"\multicolumn{{4}}{{@{{}}p{{{WIDTH}}}@{{}}}}{{\footnotesize\raggedright "
    lines += [rf"{below}{_words(line, properties)}}} \\" for line in (*notes.own(row), *witness)]
    return [*lines, r"\addlinespace"]


def _words(sentence: str, properties: Properties) -> str:
    return set_maths(sentence, properties.arm, latex_words, "${}$".format)
