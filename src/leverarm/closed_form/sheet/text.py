"""A sheet as lines of ASCII: M12 = M21 = m2 a2 (a2 + a1 c2)."""

from __future__ import annotations

from collections.abc import Sequence

from leverarm._version import __version__
from leverarm.closed_form.exact_equations import Equations
from leverarm.closed_form.sheet.entries import Entry, Item, grouped
from leverarm.notation.names import dotted

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
