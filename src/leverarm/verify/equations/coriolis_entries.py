"""Entries of C written one by one: those of a whole row are judged together, since only C qd is given by physics."""

from __future__ import annotations

import re

from leverarm.reading.tree import Applied, Name, Node, Statement
from leverarm.scalars import Scalar
from leverarm.verify.equations.case import Case
from leverarm.verify.equations.evaluation import value_of
from leverarm.verify.equations.factorisations import factorisation, row_fits
from leverarm.verify.equations.scope import Scope
from leverarm.verify.equations.values import Table, equal
from leverarm.verify.equations.verdict import WrittenError

ENTRY = re.compile(r"([1-9])([1-9])")
Place = tuple[int, int]


def by_rows(case: Case) -> str | None:
    """The words that follow "equal" for an entry of C whose row, as the document has it, gives C qd = c."""
    place = _of_coriolis_matrix(case)
    if place is None:
        return None
    eq, i = case.scope.equations, place[0] - 1
    entries = _entries(case.scope, _letter(case.statement))
    n = range(len(eq.exact.qd))
    if any((i + 1, k + 1) not in entries for k in n) or not row_fits([entries[i + 1, k + 1] for k in n], i, eq):
        return None
    if all((a + 1, b + 1) in entries for a in n for b in n):
        words = factorisation([[entries[a + 1, b + 1] for b in n] for a in n], eq)
        if words is not None:
            return f"as {words}"
    return f"as an entry of another factorisation: row {i + 1} of C times qd is c_{i + 1}"


def note_on(case: Case) -> str:
    """What to say of an entry of C that stands without the rest of its row; nothing of other equations."""
    place = _of_coriolis_matrix(case)
    if place is None:
        return ""
    return (
        "It was compared with the Christoffel matrix, for which Mdot - 2 C is skew-symmetric. Another factorisation "
        f"may have this entry: give all of row {place[0]}, and C qd = c decides."
    )


def _of_coriolis_matrix(case: Case) -> Place | None:
    """The row and column of the entry of C that an equation is about."""
    place, eq = _place(case.statement), case.scope.equations
    if place is None or max(place) > len(eq.exact.qd) or "Coriolis" not in case.about:
        return None
    return place if equal(case.wanted, eq.C.values[place[0] - 1][place[1] - 1]) else None


def _entries(scope: Scope, letter: str) -> dict[Place, Scalar]:
    """The entries of C that the document writes by this letter."""
    found: dict[Place, Scalar] = {}
    for statement in scope.statements:
        place = _place(statement)
        if place is None or _letter(statement) != letter or len(statement.sides) < 2:
            continue
        try:
            value = value_of(statement.sides[1], scope)
        except WrittenError:
            continue
        if not isinstance(value, Table):
            found[place] = value
    return found


def _place(statement: Statement) -> Place | None:
    match = ENTRY.fullmatch(name.lower) if (name := _name(statement.sides[0])) else None
    return (int(match[1]), int(match[2])) if match else None


def _letter(statement: Statement) -> str:
    name = _name(statement.sides[0])
    return name.letter if name else ""


def _name(node: Node) -> Name | None:
    if isinstance(node, Applied):
        node = node.head
    return node if isinstance(node, Name) else None
