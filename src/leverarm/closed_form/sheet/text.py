"""A sheet as lines of ASCII, M12 = M21 = m2 a2 (a2 + a1 c2); or as LaTeX, one align* per quantity (needs amsmath)."""

from __future__ import annotations

from collections.abc import Sequence

from leverarm._version import __version__
from leverarm.closed_form.exact_equations import Equations
from leverarm.closed_form.sheet.entries import Entry, Item, grouped
from leverarm.notation.latex import to_latex
from leverarm.notation.latex_lines import lines_together, width_in_ems
from leverarm.notation.names import dotted
from leverarm.notation.tree import Equation, Matrix
from leverarm.notation.vocabulary import Writing

MOST_ZEROS = 12
"""More entries that are zero are not named one by one."""


def to_text_sheet(eq: Equations, items: Sequence[Item], longest: int | None = None) -> str:
    """One line per entry; equal entries share a line.

    Entries of more than `longest` terms, where it is given, are counted instead.
    """
    blocks = [[f"# {line}" for line in heading(eq)]]
    blocks += [[f"# {found.title}", *_lines(found, longest)] for found in items]
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def heading(eq: Equations) -> list[str]:
    """What every sheet begins with: the arm, its coordinates, the version. Lines that can stand in comments."""
    arm, printed = eq.arm, eq.notation.vocabulary.printed
    q, qd = ([dotted(printed[name], dots) for name in arm.coordinates] for dots in (0, 1))
    own = "" if all(name == printed[name] for name in arm.coordinates) else f" (joints {', '.join(arm.coordinates)})"
    title = f"{arm.name}: {arm.title}" if arm.title else arm.name
    coordinates = f"q = ({', '.join(q)}), qd = ({', '.join(qd)}){own}"
    lines = [title, "M(q) qdd + c(q, qd) + F(qd) + g(q) = tau", coordinates, f"leverarm {__version__}"]
    return [" ".join(line.split()) for line in lines]


def _lines(found: Item, longest: int | None) -> list[str]:
    if found.names:  # each by its own name, zero or not
        return [f"{entry.label} = {entry.formula.text()}" for entry in found.entries]
    groups, zeros = grouped(found.entries)
    lines = [f"{_names(group)} = {_right_side(group[0], longest)}" for group in groups]
    if len(zeros) > MOST_ZEROS:
        lines.append(f"# the other {len(zeros)} entries are zero")
    elif zeros:
        lines.append(f"{_names(zeros)} = 0")
    return lines


def _names(group: Sequence[Entry]) -> str:
    return " = ".join(entry.label for entry in group)


def _right_side(entry: Entry, longest: int | None) -> str:
    terms = entry.formula.terms
    return entry.formula.text() if longest is None or terms <= longest else f"... {terms:,} terms"


TEXT_WIDTH = 33.5
"""Of a plain article at 10 pt [em]."""
LARGEST = 10
"""Rows or columns of a matrix that is written as one: amsmath's own limit, and a page's."""

LONGEST = 20
"""Lines of a display that stays on one page."""


def to_latex_sheet(eq: Equations, items: Sequence[Item]) -> str:
    """Lines that are broken to fit a plain article; matrices as such where they fit, else entry by entry."""
    writing = eq.notation.writing
    blocks = ["\n".join(f"% {line}" for line in (*heading(eq), r"Needs \usepackage{amsmath}."))]
    for found in items:
        matrix = _matrix_equation(found, writing)
        equations = [matrix] if matrix else _entry_equations(found)
        lines = [line for lines in lines_together(equations, TEXT_WIDTH, writing) for line in lines]
        lines += [] if matrix else _zeros(found, writing)
        body = " \\\\\n".join(lines)
        display = f"\\begin{{align*}}\n{body}\n\\end{{align*}}"
        if len(lines) > LONGEST:
            display = f"\\begingroup\\allowdisplaybreaks\n{display}\n\\endgroup"
        blocks.append(f"% {found.title}\n{display}")
    return "\n\n".join(blocks) + "\n"


def _matrix_equation(found: Item, writing: Writing) -> Equation | None:
    """M = [...] where that fits a page."""
    if not 1 <= len(found.shape) <= 2 or max(found.shape) > LARGEST:
        return None
    columns = found.shape[1] if len(found.shape) == 2 else 1
    trees = [entry.formula.tree for entry in found.entries]
    rows = tuple(tuple(trees[k : k + columns]) for k in range(0, len(trees), columns))
    equation = Equation((found.head, Matrix(rows)))
    return equation if width_in_ems(to_latex(equation, writing)) <= TEXT_WIDTH else None


def _entry_equations(found: Item) -> list[Equation]:
    """M_12 = M_21 = ...: one equation for entries that are the same, none for those that are zero."""
    groups, _ = grouped(found.entries)
    return [Equation((Equation(tuple(entry.symbol for entry in group)), group[0].formula.tree)) for group in groups]


def _zeros(found: Item, writing: Writing) -> list[str]:
    """What is left out entry by entry."""
    if not any(entry.formula.is_zero for entry in found.entries):
        return []
    if not found.shape:
        return [f"{to_latex(found.entries[0].symbol, writing)} &= 0"]
    name = f"{to_latex(found.head, writing)}_{{{'ijk'[: len(found.shape)]}}}"
    if all(entry.formula.is_zero for entry in found.entries):
        return [f"{name} &= 0"]
    return [f"{name} &= 0 \\quad \\text{{otherwise}}"]
