"""A derivation as a LaTeX document: article and amsmath, nothing else to install, no line wider than the page."""

from __future__ import annotations

from leverarm.derivation.document import Derivation, Level, Step, Words, at_level
from leverarm.derivation.render.latex_display import Block, displays
from leverarm.derivation.render.latex_size import size_that_fits
from leverarm.derivation.render.latex_table import table_blocks
from leverarm.derivation.render.latex_text import latex_text
from leverarm.notation.latex import to_latex
from leverarm.notation.vocabulary import Writing

WIDTH = 39.0
"""Room for a formula [em]: the text is 160 mm wide, 41.5 em of 11 pt, less the indent of formulas."""
ROOM = 40.0
"""How wide a formula may be before it is set in smaller letters [em]; broken lines may be a little over WIDTH."""

PREAMBLE = r"""\documentclass[11pt,a4paper]{article}
\usepackage[fleqn]{amsmath}
\usepackage[a4paper,margin=25mm]{geometry}
\allowdisplaybreaks[1]
\setcounter{MaxMatrixCols}{30}
\setlength{\mathindent}{2em}
\setlength{\parindent}{0pt}
\setlength{\parskip}{0.4\baselineskip plus 2pt}
\setlength{\emergencystretch}{3em}
\raggedbottom"""

START = r"""\begin{document}
\setlength{\abovedisplayskip}{7pt plus 2pt minus 2pt}
\setlength{\belowdisplayskip}{7pt plus 2pt minus 2pt}"""


def to_latex_document(derivation: Derivation, level: Level = Level.FULL) -> str:
    """A complete .tex file; pdflatex sets it as it stands."""
    shown = at_level(derivation, level)
    title = rf"{{\LARGE\bfseries\raggedright {latex_text(shown.title)}\par}}"
    blocks = [PREAMBLE, START, title + "\n" + r"\bigskip", _sentence(shown.summary, shown.writing)]
    for part in shown.parts:
        blocks.append(rf"\section{{{latex_text(part.title)}}}")
        for step in part.steps:
            blocks += _step(step, shown.writing)
    return "\n\n".join(block for block in (*blocks, r"\end{document}") if block) + "\n"


def _step(step: Step, writing: Writing) -> list[str]:
    shown = (_display(block) for block in displays(step.equations, writing, WIDTH))
    paragraph = [_sentence(step.words, writing), *shown]
    blocks = [rf"\subsection{{{latex_text(step.title)}}}", "\n".join(piece for piece in paragraph if piece)]
    blocks += [block for table in step.tables for block in table_blocks(table, writing)]
    if step.proven:
        blocks.append(rf"\textbf{{Proven.}} {_sentence(step.proven, writing)}")
    return blocks


def _display(block: Block) -> str:
    display = "\n".join((r"\begin{align*}", block.aligned, r"\end{align*}"))
    size = size_that_fits(block.width, ROOM)
    return f"{{{size}\n{display}}}" if size else display


def _sentence(words: Words, writing: Writing) -> str:
    return "".join(latex_text(word) if isinstance(word, str) else f"${to_latex(word, writing)}$" for word in words)
