"""Whether an equation that does not hold as it stands holds by another convention, and which one.

C qd = c has many solutions: entries of C are judged by whole rows, and a matrix by whether passivity can use it. A
regressor is checked as W phi = tau. Some texts use absolute angles as coordinates and keep the torques in the joints.
Others replace symbols by the arm's own values, 9.81 for g.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from leverarm import mechanics as me
from leverarm.closed_form import Equations
from leverarm.mechanics.matrices import dot
from leverarm.model import Arm, to_float
from leverarm.notation.reading import Statement
from leverarm.notation.tree import Name, Node, Product
from leverarm.scalars import EXACT, Scalar
from leverarm.scalars.exact import is_exactly_zero, substitute
from leverarm.scalars.turn import Turn
from leverarm.verify.equations.algebra import Table, column, entries, equal, mapped, multiplied, spelled, table
from leverarm.verify.equations.arm_names import angle, name_of
from leverarm.verify.equations.arm_values import ArmValues
from leverarm.verify.equations.claims import defined_otherwise, jacobian_otherwise
from leverarm.verify.equations.descriptions import (
    could_be_a_slip,
    described_otherwise,
    document_of,
    single_alternatives,
)
from leverarm.verify.equations.document import PARAMETERS, defined_name, is_definition
from leverarm.verify.equations.evaluation import value_of
from leverarm.verify.equations.indices import letters_of
from leverarm.verify.equations.readings import Case, Read
from leverarm.verify.equations.scope import Scope
from leverarm.verify.equations.verdict import WrittenError

MATRICES = ("W", "Y", "Phi", "phi", "varphi")


def regressor_product(statement: Statement, scope: Scope) -> Read | None:
    """tau = W phi, where a line defines the regressor W and another its parameters phi; None for other lines."""
    name = defined_name(statement)
    if name is None or name.letter not in MATRICES or not is_definition(statement, scope):
        return None
    try:
        W = value_of(statement.sides[1], scope)
        if not isinstance(W, Table) or W.shape[0] != scope.values.n or W.shape[1] == 1:
            return None
        for formula in _parameters(scope, spelled(name)):
            phi = value_of(formula, scope)
            if isinstance(phi, Table) and phi.shape == (W.shape[1], 1):
                whole = Product((statement.sides[1], formula), span=statement.sides[1].span)
                stated = Statement((Name("tau", span=name.span), whole), span=statement.span)
                return Read(stated, scope, (column(scope.equations.tau.values), multiplied(W, phi)))
    except WrittenError:
        return None
    return None


def _parameters(scope: Scope, besides: str) -> Iterator[Node]:
    for word, formula in scope.definitions.items():
        if word in PARAMETERS and word != besides:
            yield formula


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
            "passivity-based control as well as the Christoffel matrix does"
        )
    return (
        f"another factorisation{which}: C qd is the same, but Mdot - 2 C is not skew-symmetric, so it is not "
        "suitable for passivity-based control"
    )


def row_fits(row: Sequence[Scalar], i: int, eq: Equations) -> bool:
    """Whether row i of a matrix C times qd is c_i, exactly."""
    return bool(dot(row, eq.exact.qd) == eq.c.values[i])


def is_skew(C: Rows, eq: Equations) -> bool:
    """Whether Mdot - 2 C is skew-symmetric, exactly."""
    pairs = zip(eq.M_dot.values, C, strict=True)
    S = [[rate - 2 * x for rate, x in zip(rates, row, strict=True)] for rates, row in pairs]
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
        "Compared with the Christoffel matrix, for which Mdot - 2 C is skew-symmetric. Another factorisation "
        f"may have this entry: give all of row {place[0]}, and C qd = c is checked instead."
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
    match = ENTRY.fullmatch(name.lower) if (name := name_of(statement.sides[0])) else None
    return (int(match[1]), int(match[2])) if match else None


def _letter(statement: Statement) -> str:
    name = name_of(statement.sides[0])
    return name.letter if name else ""


def with_motor_torques(case: Case) -> str | None:
    """The words that follow "equal if", where tau is that of the joints in terms of absolute angles."""
    values = case.scope.values
    tau = values.eq.tau.values
    is_tau = any(equal(case.wanted, part) for part in (column(tau), *tau))
    if not is_tau or any(body.joint.coupling is not None for body in values.eq.arm.bodies):
        return None
    for alternative in single_alternatives(values.eq.arm):
        if alternative.about == "absolute angles":
            put = _put(alternative.change(values.eq.arm), values)
            is_no_slip = _is_same(case, put) and not could_be_a_slip(case, alternative)
            if is_no_slip and document_of(case.scope).admits(alternative, case):
                return f"{alternative.words}, while tau_i is still the torque in joint i"
    return None


def _is_same(case: Case, put: dict[str, Scalar]) -> bool:
    if sum(1 for _ in entries(case.value)) != sum(1 for _ in entries(case.wanted)):
        return False
    return equal(case.value, mapped(case.wanted, lambda x: substitute(x, put)))


def _put(other: Arm, values: ArmValues) -> dict[str, Scalar]:
    """Our coordinates, speeds and accelerations in terms of those of another description."""
    index = {name: i for i, name in enumerate(values.exact.coordinates)}
    put: dict[str, Scalar] = {}
    for joint in (body.joint for body in other.bodies):
        if joint.coupling is None:
            continue
        total = Turn(*EXACT.turn(to_float(joint.offset, {})))
        speed: Scalar = 0
        acceleration: Scalar = 0
        for name, ratio in joint.coupling:
            i = index[name]
            total = total + angle(values, i) * ratio
            speed = speed + values.exact.qd[i] * ratio
            acceleration = acceleration + values.exact.qdd[i] * ratio
        put |= {joint.name: total, f"{joint.name}.d": speed, f"{joint.name}.dd": acceleration}
    return put


def convention(case: Case) -> str | None:
    """A sentence that says by which convention the equation holds; None where it is wrong by all that are known.

    A convention is proven exactly, like an equation that is equal. It must hold for the whole equation, must not break
    another equation of the document, and must not be mistaken for a slip: where one slip of the pen explains the
    equation as well, another equation of the document has to agree.
    """
    eq = case.scope.equations
    n = len(eq.exact.qd)
    if isinstance(case.value, Table) and case.value.shape == (n, n) and equal(case.wanted, table(eq.C.values)):
        return _sentence(factorisation(case.value.rows, eq), "equal as ")
    words = by_rows(case) or defined_otherwise(eq, case.wanted, case.value)
    words = words or jacobian_otherwise(eq, case.wanted, case.value)
    described = None if words else described_otherwise(case) or with_motor_torques(case)
    return _sentence(words, "equal ") or _sentence(described, "equal if ")


def _sentence(words: str | None, start: str) -> str | None:
    return None if words is None else f"{start}{words}"


def with_own_numbers(case: Case) -> str | None:
    """The words "equal with g = 9.81, ...", where what is written lacks symbols and holds at their default numbers."""
    missing = [name for name in case.scope.arm.defaults if name in letters_of(case.wanted) - letters_of(case.value)]
    defaults = case.scope.equations.notation.defaults
    if not missing or any(name not in case.scope.values.exact.ring.index for name in missing):
        return None
    numbers = {name: EXACT.lift(defaults[name]) for name in missing}
    if not equal(case.value, mapped(case.wanted, lambda x: substitute(x, numbers))):
        return None
    return f"equal with {', '.join(f'{name} = {defaults[name]:g}' for name in missing)}, the arm's own values"
