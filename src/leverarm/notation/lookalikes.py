"""Different names that a reader cannot tell apart: a1 and a_1, x and _x, c_2 and the short cosine of theta2."""

from __future__ import annotations

from collections.abc import Iterable

from leverarm.notation.latex_names import name_latex
from leverarm.notation.letters import short_angles
from leverarm.notation.names import split_name
from leverarm.notation.text import to_text
from leverarm.notation.tree import Trig
from leverarm.notation.vocabulary import Writing


def typeset_alike(names: Iterable[str], writing: Writing = Writing()) -> list[tuple[str, ...]]:
    """Groups of names that are typeset the same, each in the order given; a name like no other is in none.

    Where the writing has short angles, a name that looks like one of them stands with it: ("c_2", "cos(theta2)").
    """
    groups: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        groups.setdefault(name_latex(name), []).append(name)
    for group in groups.values():
        group += _short_cosine(group[0], writing)
    return [tuple(group) for group in groups.values() if len(group) > 1]


def _short_cosine(name: str, writing: Writing) -> list[str]:
    """What the name looks like, written out; nothing where it looks like no cosine or sine."""
    parts = split_name(name)
    angles = short_angles(parts.stem + parts.index, writing)
    if angles is None:
        return []
    trig = Trig("cos" if parts.stem == "c" else "sin", tuple((angle, 1) for angle in angles))
    return [to_text(trig, Writing("expanded"))]
