"""A document as a LaTeX file: article and amsmath, nothing else to install, no line wider than the page.

Equations stand below each other, aligned at =, or side by side. Tables wrap their columns and go on over pages.
What cannot be made narrower is set in smaller letters, as a last resort.
"""

from __future__ import annotations

from collections.abc import Callable

from leverarm.documents import document as doc
from leverarm.documents.arrangement import (
    Inline,
    can_wrap,
    column_cells,
    with_code,
)
from leverarm.documents.displays import TALL, Display, displays
from leverarm.notation.latex import to_latex
from leverarm.notation.latex_lines import width_in_ems
from leverarm.notation.latex_names import latex_words
from leverarm.notation.line_breaking import narrowed
from leverarm.notation.tree import Node
from leverarm.notation.vocabulary import Writing

SIZES = {"": 1.0, r"\small": 0.913, r"\footnotesize": 0.83, r"\scriptsize": 0.74}
"""LaTeX sizes, relative to the em of an 11 pt document (article's size11.clo)."""


def size_that_fits(width: float, room: float) -> str:
    """The largest size at which `width` [em at normal size] fits the room; the smallest if none does."""
    return next((size for size, scale in SIZES.items() if width * scale <= room), list(SIZES)[-1])


def latex_text(text: str) -> str:
    """Text outside mathematics; code between backticks in typewriter type."""
    return with_code(text, latex_words, lambda code: rf"\texttt{{{latex_words(code)}}}")


TABLE_ROOM = 38.5
"""Width for all columns [em]: the page less the indent, and a margin since widths are estimated."""
GAP = 1.1
"""Between columns: twice tabcolsep [em]."""
BOLD = 1.16
"""How much wider bold type is."""
LEAST_FORMULA = 9.0
"""The least width of a formula that can be broken [em]."""
BELOW_WIDTH = 36.0
"""Width of what is said below a row [em]."""
ROWS = 32
"""Rows of a table on one page."""

Widths = list[float | None]
"""The width of each wrapped column [em]; None for a column as wide as its cells."""


def table_blocks(table: doc.Table, writing: Writing) -> list[str]:
    """The table in pieces that fit a page each."""
    size, widths = _layout(table, writing)
    flush = ["r" if k in table.numeric else "l" for k in range(table.width)]
    start = rf"{{{size}\leftskip=2em\interlinepenalty=10000\noindent\ignorespaces"
    caption = [rf"\textit{{{latex_text(table.caption)}}}\\*[4pt]"] if table.caption else []
    columns = "".join(
        side if width is None else rf"p{{{width:.1f}em}}" for side, width in zip(flush, widths, strict=True)
    )
    head = [rf"\begin{{tabular}}{{@{{}}{columns}@{{}}}}"]
    if table.head:
        bold = " & ".join(map(_wrapping, [rf"\textbf{{{_cell(cell, writing)}}}" for cell in table.head], widths))
        head.append(rf"{bold} \\ \hline\noalign{{\vskip 3pt}}")
    blocks = []
    for k in range(0, max(len(table.rows), 1), ROWS):
        rows = [_row(row, widths, table, writing) for row in table.rows[k : k + ROWS]]
        lines = (start, *([] if k else caption), *head, *rows, r"\end{tabular}", r"\par}")
        blocks.append("\n".join(lines))
    return blocks


def _layout(table: doc.Table, writing: Writing) -> tuple[str, Widths]:
    """The type size, and the widths of wrapped columns."""
    columns = column_cells(table)
    natural = [_widest(cells, _natural, writing) for cells in columns]
    least = [min(_widest(cells, _least, writing), full) for cells, full in zip(columns, natural, strict=True)]
    gaps = GAP * (len(columns) - 1)
    size = size_that_fits(sum(least) + gaps, TABLE_ROOM)
    widths = narrowed(natural, least, TABLE_ROOM / SIZES[size] - gaps) or least
    return size, [None if width >= full else width for width, full in zip(widths, natural, strict=True)]


def _widest(cells: list[doc.Cell], measure: Callable[[doc.Cell, Writing], float], writing: Writing) -> float:
    head, *rest = (measure(cell, writing) for cell in cells)
    return max(BOLD * head, *rest, 0.0)


def _natural(cell: doc.Cell, writing: Writing) -> float:
    return sum(_piece_width(piece, writing) for piece in (cell if isinstance(cell, tuple) else (cell,)))


def _piece_width(piece: doc.Cell, writing: Writing) -> float:
    if isinstance(piece, Node):
        return width_in_ems(to_latex(piece, writing))
    return _text_width(_plain(piece))


def _least(cell: doc.Cell, writing: Writing) -> float:
    if isinstance(cell, tuple):
        return max((_least(piece, writing) for piece in cell), default=0.0)
    if isinstance(cell, Node):
        return LEAST_FORMULA if can_wrap(cell) else _natural(cell, writing)
    return max(map(_text_width, _plain(cell).replace("_", "_ ").split()), default=0.0)


def _text_width(text: str) -> float:
    """Estimated, in Computer Modern Roman [em]."""
    return sum(0.74 if c.isupper() else 0.5 if c.isalnum() else 0.36 for c in text)


def _row(row: doc.Row, widths: Widths, table: doc.Table, writing: Writing) -> str:
    if isinstance(row, doc.Paragraph):
        across = rf"\multicolumn{{{table.width}}}{{@{{\quad}}p{{{BELOW_WIDTH}em}}@{{}}}}"
        return rf"{across}{{\footnotesize\raggedright {_cell(row.words, writing)}}} \\"
    if (heading := table.heading(row)) is not None:
        inside = rf"\multicolumn{{{table.width}}}{{@{{}}l@{{}}}}{{\textbf{{{_cell(heading, writing)}}}}}"
        return rf"\noalign{{\vskip 6pt}}{inside} \\*[2pt]"
    text = " & ".join(map(_wrapping, [_cell(cell, writing) for cell in row], widths))
    return text + (r" \\ \noalign{\vskip 4pt}" if TALL in text else r" \\")


def _wrapping(text: str, width: float | None) -> str:
    return text if width is None else rf"\raggedright\let\\\tabularnewline {text}"


def _cell(cell: doc.Cell, writing: Writing) -> str:
    """Names wrap at their underscores."""
    return _inline(writing, lambda text: latex_text(text).replace(r"\_", r"\_\allowbreak "))(cell)


def _inline(writing: Writing, text: Callable[[str], str] = latex_text) -> Inline:
    return Inline(
        text,
        lambda node: f"${to_latex(node, writing)}$",
        lambda mark: rf"\textit{{{text(mark.word)}}}",
        lambda figure: text(figure.text),
    )


_plain = Inline(str, lambda node: "", lambda mark: mark.word, lambda figure: figure.text)
"""The words alone."""


WIDTH = 39.0
"""Width for a formula [em]: the text is 160 mm wide, 41.5 em of 11 pt, less the indent of formulas."""
ROOM = 40.0
"""Formulas wider than this are set in smaller type [em]; broken lines may be slightly over WIDTH."""

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


def to_latex_document(document: doc.Document, level: doc.Level = doc.Level.FULL) -> str:
    """A complete .tex file, ready for pdflatex."""
    shown = doc.at_level(document, level)
    title = rf"{{\LARGE\bfseries\raggedright {latex_text(shown.title)}\par}}"
    blocks = [PREAMBLE, START, title + "\n" + r"\bigskip", *_blocks(shown.summary, shown.writing)]
    for depth, number, section in doc.numbered(shown):
        star = "" if number else "*"
        blocks.append(rf"\{SECTIONS[min(depth, len(SECTIONS)) - 1]}{star}{{{latex_text(section.title)}}}")
        blocks += _blocks(section.blocks, shown.writing)
    return "\n\n".join(block for block in (*blocks, r"\end{document}") if block) + "\n"


SECTIONS = ("section", "subsection", "subsubsection", "paragraph")
SIGNS: dict[doc.Tone, str] = {"good": r"$\surd$", "fair": "?", "bad": r"$\times$", "plain": r"$\cdot$"}


def _blocks(blocks: tuple[doc.Block, ...], writing: Writing) -> list[str]:
    """The blocks, displays in the paragraph that they belong to."""
    shown: list[str] = []
    for block in blocks:
        written = _block(block, writing)
        if shown and isinstance(block, doc.Equations):
            shown[-1] = "\n".join((shown[-1], *written))
        else:
            shown += written
    return shown


def _block(block: doc.Block, writing: Writing) -> list[str]:
    inline = _inline(writing)
    match block:
        case doc.Paragraph(words, kind):
            return [rf"{{\small {inline(words)}\par}}" if kind == "aside" else inline(words)]
        case doc.Equations(shown):
            return ["\n".join(_display(display) for display in displays(shown, writing, WIDTH))]
        case doc.Table():
            return table_blocks(block, writing)
        case doc.Facts(facts):
            return table_blocks(doc.Table((), facts), writing)
        case doc.Items(items):
            return ["\n".join((r"\begin{itemize}", *(rf"\item {inline(item)}" for item in items), r"\end{itemize}"))]
        case doc.Verdict(words, tone):
            return [rf"\textbf{{{SIGNS[tone]}}} {inline(words)}"]
        case doc.Figure(_, caption, text):
            return [latex_text(text or caption)]
        case doc.Code():
            return []


def _display(block: Display) -> str:
    display = "\n".join((r"\begin{align*}", block.aligned, r"\end{align*}"))
    size = size_that_fits(block.width, ROOM)
    return f"{{{size}\n{display}}}" if size else display
