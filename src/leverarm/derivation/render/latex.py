"""A derivation as a LaTeX document: article and amsmath, nothing else to install, no line wider than the page.

Equations stand below each other, aligned at =, or side by side. Tables wrap their columns and go on over pages.
What cannot be made narrower is set in smaller letters, as a last resort.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from leverarm.derivation.document import Derivation, Level, Shown, Step, Table, Words, at_level
from leverarm.derivation.render.arrangement import (
    Cell,
    arranged,
    can_wrap,
    column_cells,
    narrowed,
    rows_that_fit,
    with_code,
)
from leverarm.notation.latex import to_latex
from leverarm.notation.latex_lines import lines_together, width_in_ems
from leverarm.notation.latex_names import latex_words
from leverarm.notation.tree import Equation, Node
from leverarm.notation.vocabulary import Writing

SIMILAR = 2.0
"""Left-hand sides whose widths differ by less [em] are aligned at the equals sign; others would waste space."""
BESIDE = r" \qquad "
BESIDE_WIDTH = 2.0
TALL = r"\begin"
"""A matrix: taller than a line, and set apart from the next one."""
NEW_LINE, NEW_EQUATION = " \\\\\n", " \\\\[4pt]\n"


@dataclass(frozen=True, slots=True)
class Block:
    """One display: lines with one & each, for align* or aligned, and the width of the widest [em].

    `plain` is the display without &, where it is one line.
    """

    aligned: str
    width: float
    plain: str = ""


def displays(equations: tuple[Shown, ...], writing: Writing, width: float) -> list[Block]:
    """The equations of a step as displays no wider than `width` [em], as far as formulas can be broken."""
    blocks: list[Block] = []
    for group in arranged(equations):
        nodes = [shown.equation for shown in group.equations]
        blocks += _in_rows(nodes, writing, width) if group.is_tall else _in_stacks(nodes, writing, width)
    return blocks


def _in_rows(nodes: list[Node], writing: Writing, width: float) -> list[Block]:
    counts = rows_that_fit([_width(node, writing) for node in nodes], BESIDE_WIDTH, width)
    waiting = iter(nodes)
    rows = [[next(waiting) for _ in range(count)] for count in counts]
    return [_beside(row, writing) if len(row) > 1 else _below(row, writing, width) for row in rows]


def _beside(nodes: list[Node], writing: Writing) -> Block:
    plain = BESIDE.join(to_latex(node, writing) for node in nodes)
    return Block(f"& {plain}", width_in_ems(plain), plain)


def _in_stacks(nodes: list[Node], writing: Writing, width: float) -> list[Block]:
    stacks: list[list[Node]] = []
    for node in nodes:
        if stacks and _is_alignable([*stacks[-1], node], writing):
            stacks[-1].append(node)
        else:
            stacks.append([node])
    return [_below(stack, writing, width) for stack in stacks]


def _is_alignable(nodes: list[Node], writing: Writing) -> bool:
    lefts = [_left_width(node, writing) for node in nodes]
    return min(lefts) > 0 and max(lefts) - min(lefts) < SIMILAR


def _below(nodes: list[Node], writing: Writing, width: float) -> Block:
    pieces = lines_together(nodes, width, writing)
    is_tight = all(len(lines) == 1 and TALL not in lines[0] for lines in pieces)
    aligned = (NEW_LINE if is_tight else NEW_EQUATION).join(NEW_LINE.join(lines) for lines in pieces)
    plain = to_latex(nodes[0], writing) if len(pieces) == len(pieces[0]) == 1 else ""
    return Block(aligned, width_in_ems(rf"\begin{{aligned}} {aligned} \end{{aligned}}"), plain)


def _left_width(node: Node, writing: Writing) -> float:
    """The width of the left-hand side; 0 where there is no equals sign."""
    return _width(node.sides[0], writing) if isinstance(node, Equation) and len(node.sides) > 1 else 0.0


def _width(node: Node, writing: Writing) -> float:
    return width_in_ems(to_latex(node, writing))


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
ROWS = 32
"""Rows of a table on one page."""

Widths = list[float | None]
"""The width of each wrapped column [em]; None for a column as wide as its cells."""


def table_blocks(table: Table, writing: Writing) -> list[str]:
    """The table in pieces that fit a page each."""
    size, widths = _layout(table, writing)
    start = rf"{{{size}\leftskip=2em\interlinepenalty=10000\noindent\ignorespaces"
    caption = [rf"\textit{{{latex_text(table.caption)}}}\\*[4pt]"] if table.caption else []
    columns = "".join("l" if width is None else rf"p{{{width:.1f}em}}" for width in widths)
    bold = " & ".join(map(_wrapping, [rf"\textbf{{{_cell(cell, writing)}}}" for cell in table.head], widths))
    head = (rf"\begin{{tabular}}{{@{{}}{columns}@{{}}}}", rf"{bold} \\ \hline\noalign{{\vskip 3pt}}")
    blocks = []
    for k in range(0, max(len(table.rows), 1), ROWS):
        rows = [_row(row, widths, writing) for row in table.rows[k : k + ROWS]]
        lines = (start, *([] if k else caption), *head, *rows, r"\end{tabular}", r"\par}")
        blocks.append("\n".join(lines))
    return blocks


def _layout(table: Table, writing: Writing) -> tuple[str, Widths]:
    """The type size, and the widths of wrapped columns."""
    columns = column_cells(table)
    natural = [_widest(cells, _natural, writing) for cells in columns]
    least = [min(_widest(cells, _least, writing), full) for cells, full in zip(columns, natural, strict=True)]
    gaps = GAP * (len(columns) - 1)
    size = size_that_fits(sum(least) + gaps, TABLE_ROOM)
    widths = narrowed(natural, least, TABLE_ROOM / SIZES[size] - gaps) or least
    return size, [None if width >= full else width for width, full in zip(widths, natural, strict=True)]


def _widest(cells: list[Cell], measure: Callable[[Cell, Writing], float], writing: Writing) -> float:
    head, *rest = (measure(cell, writing) for cell in cells)
    return max(BOLD * head, *rest, 0.0)


def _natural(cell: Cell, writing: Writing) -> float:
    return _text_width(cell) if isinstance(cell, str) else width_in_ems(to_latex(cell, writing))


def _least(cell: Cell, writing: Writing) -> float:
    if isinstance(cell, str):
        return max(map(_text_width, cell.replace("_", "_ ").split()), default=0.0)
    return LEAST_FORMULA if can_wrap(cell) else _natural(cell, writing)


def _text_width(text: str) -> float:
    """Estimated, in Computer Modern Roman [em]."""
    return sum(0.74 if c.isupper() else 0.5 if c.isalnum() else 0.36 for c in text)


def _row(row: tuple[Cell, ...], widths: Widths, writing: Writing) -> str:
    text = " & ".join(map(_wrapping, [_cell(cell, writing) for cell in row], widths))
    return text + (r" \\ \noalign{\vskip 4pt}" if TALL in text else r" \\")


def _wrapping(text: str, width: float | None) -> str:
    return text if width is None else rf"\raggedright\let\\\tabularnewline {text}"


def _cell(cell: Cell, writing: Writing) -> str:
    if isinstance(cell, str):
        return latex_text(cell).replace(r"\_", r"\_\allowbreak ")  # names wrap at their underscores
    return f"${to_latex(cell, writing)}$"


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


def to_latex_document(derivation: Derivation, level: Level = Level.FULL) -> str:
    """A complete .tex file, ready for pdflatex."""
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
