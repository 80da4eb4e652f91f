"""Entries of C written one by one: those of a whole row are judged together, since only C qd is given by physics.

Regressors: a matrix W and parameters phi that a text defines, checked as W phi = tau.

C qd = c has many solutions: whether a matrix is one of them, and whether it is one that passivity needs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from leverarm import mechanics as me
from leverarm.closed_form import Equations
from leverarm.mechanics.matrices import dot
from leverarm.notation.reading.as_written import Applied, Name, Node, Statement
from leverarm.scalars import Scalar
from leverarm.scalars.exact import is_exactly_zero
from leverarm.verify.equations.case import Case
from leverarm.verify.equations.definitions import PARAMETERS, defined_name, is_definition
from leverarm.verify.equations.evaluation import value_of
from leverarm.verify.equations.scope import Scope
from leverarm.verify.equations.values import Table, Value, column, equal, multiplied, spelled
from leverarm.verify.equations.verdict import WrittenError

MATRICES = ("W", "Y", "Phi", "phi", "varphi")


def regressor_product(statement: Statement, scope: Scope) -> tuple[Value, Value] | None:
    """W phi and tau, where a line defines a regressor and another its parameters; None for other lines."""
    name = defined_name(statement)
    if name is None or name.letter not in MATRICES or not is_definition(statement, scope):
        return None
    try:
        W = value_of(statement.sides[1], scope)
        if not isinstance(W, Table) or W.shape[0] != scope.values.n or W.shape[1] == 1:
            return None
        for phi in _parameters(scope, spelled(name)):
            if isinstance(phi, Table) and phi.shape == (W.shape[1], 1):
                return multiplied(W, phi), column(scope.equations.tau.values)
    except WrittenError:
        return None
    return None


def _parameters(scope: Scope, besides: str) -> Iterator[Value]:
    for word, formula in scope.definitions.items():
        if word in PARAMETERS and word != besides:
            yield value_of(formula, scope)


Rows = Sequence[Sequence[Scalar]]

KNOWN = {
    "upper": "every product of two speeds is written into the column of the later one",
    "lagrange": "the terms are left as they fall out of the Euler-Lagrange equation",
}


def factorisation(C: Rows, eq: Equations) -> str | None:
    """What to say of a matrix with C qd = c that is not the Christoffel one; None where C qd is not c.

    C qd = c is decided exactly, and so is whether Mdot - 2 C is skew-symmetric.
    """
    n = len(eq.exact.qd)
    if len(C) != n or any(len(row) != n for row in C):
        return None
    if not all(row_fits(row, i, eq) for i, row in enumerate(C)):
        return None
    known = _known(C, eq)
    which = f" ({KNOWN[known]})" if known else ""
    if is_skew(C, eq):
        return (
            f"another factorisation{which}: C qd is the same, and Mdot - 2 C is skew-symmetric too, so it serves "
            "passivity-based control as well as the Christoffel one"
        )
    return (
        f"another factorisation{which}: C qd is the same, but Mdot - 2 C is not skew-symmetric, so it does not serve "
        "passivity-based control"
    )


def row_fits(row: Sequence[Scalar], i: int, eq: Equations) -> bool:
    """Whether row i of a matrix C times qd is c_i, exactly."""
    return bool(dot(row, eq.exact.qd) == eq.c.values[i])


def is_skew(C: Rows, eq: Equations) -> bool:
    """Whether Mdot - 2 C is skew-symmetric, exactly."""
    S = [
        [rate - 2 * x for rate, x in zip(rates, row, strict=True)]
        for rates, row in zip(eq.M_dot.values, C, strict=True)
    ]
    n = range(len(S))
    return all(is_exactly_zero(S[i][j] + S[j][i]) for i in n for j in n[i:])


def _known(C: Rows, eq: Equations) -> str | None:
    mechanism, q, qd = eq.exact.mechanism, eq.exact.q, eq.exact.qd
    for name in KNOWN:
        A = me.FACTORISATIONS[name](mechanism, q, qd)
        if all(x == y for row, other in zip(C, A, strict=True) for x, y in zip(row, other, strict=True)):
            return name
    return None


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
