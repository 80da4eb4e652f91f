"""What the quantity on the left of an equation is worth by another definition of it.

The level of zero potential energy, the sign of a torque, what the vector of velocity torques includes, the rows of a
Jacobian, another factorisation C, joint torques beside absolute angles. C qd = c has many solutions: entries of C are
judged by whole rows, and a matrix by whether passivity can use it. What concerns angles, gravity or masses is another
description of the arm, in `alternatives.py`. A regressor is checked as W phi = tau.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from leverarm import mechanics as me
from leverarm.closed_form import Equations
from leverarm.mechanics import ROWS
from leverarm.mechanics.matrices import dot
from leverarm.model import Arm
from leverarm.notation.reading import Statement
from leverarm.notation.tree import Name, Product
from leverarm.scalars import EXACT, Scalar, Turn
from leverarm.scalars.exact import is_exactly_zero, quotient, substitute
from leverarm.verify.equations.algebra import (
    Value,
    added,
    column,
    entries,
    equal,
    every,
    inverted,
    is_number,
    is_polynomial,
    is_table,
    is_zero,
    mapped,
    multiplied,
    negated,
    rows_of,
    shape_of,
    spelled,
    table,
    transposed,
)
from leverarm.verify.equations.alternatives import Alternative, values_of, weights
from leverarm.verify.equations.arm_names import name_of
from leverarm.verify.equations.arm_values import ArmValues
from leverarm.verify.equations.dimensions import ACCELERATION, LENGTH, MASS, dimension_of, units_of
from leverarm.verify.equations.document import PARAMETERS, REGRESSORS, defined_name, is_definition
from leverarm.verify.equations.evaluation import value_of
from leverarm.verify.equations.force_quantities import BIAS, CORIOLIS, CORIOLIS_MATRIX
from leverarm.verify.equations.indices import depth_of, letters_of
from leverarm.verify.equations.near_equalities import coefficients, in_free_motion, to_written_digits
from leverarm.verify.equations.readings import Case, Read, subject_of
from leverarm.verify.equations.scope import Scope
from leverarm.verify.equations.verdict import WrittenError


@dataclass(frozen=True, slots=True)
class Meant:
    """What a quantity is worth by another definition, and the words that its convention is said with.

    `described` is another description of the arm that goes with it.
    """

    value: Value
    words: Mapping[str, str] = field(default_factory=dict)
    described: Alternative | None = None


def at_own_numbers(case: Case) -> Iterator[Meant]:
    """The quantity with the arm's default numbers, where the line has numbers for all of its symbols, or for g alone.

    A value of 1 that is written nowhere is none: the factor may as well have been forgotten.
    """
    symbols, defaults = case.scope.arm.defaults, case.scope.equations.notation.defaults
    written = letters_of(case.value)
    missing = [name for name in symbols if name in letters_of(case.wanted) - written]
    if not missing or any(name not in case.scope.values.exact.ring.index for name in missing):
        return
    if written & {*symbols} and not {*missing} <= weights(case.scope.arm):
        return
    there, forgotten = (
        mapped(case.wanted, partial(substitute, values={name: EXACT.lift(number) for name, number in numbers.items()}))
        for numbers in ({name: defaults[name] for name in missing}, dict.fromkeys(missing, 1))
    )
    if not equal(there, forgotten) or any((coefficients(x) or {}).get(()) for x in entries(case.value)):
        yield Meant(there, {"numbers": ", ".join(f"{name} = {defaults[name]:g}" for name in missing)})


def rounded(case: Case) -> Iterator[Meant]:
    """The quantity with its numbers to the digits that are written."""
    if (words := to_written_digits(case)) is not None:
        yield Meant(case.value, {"off": words})


def freely_moving(case: Case) -> Iterator[Meant]:
    """The quantity for an arm that moves by itself."""
    if (words := in_free_motion(case.statement, case.scope, (case.wanted, case.value))) is not None:
        yield Meant(case.value, {"free": words})


def from_other_level(case: Case) -> Iterator[Meant]:
    """An energy from another level of height."""
    if is_table(case.value) or is_table(case.wanted):
        return
    eq, off = case.scope.equations, case.value - case.wanted
    if (words := other_level(eq, case.wanted, case.value)) is not None:
        yield Meant(case.value, {"level": words})
    elif LEFT_OUT.search(case.scope.text) and not depth_of(off, eq.exact.coordinates) and _is_energy(case):
        yield Meant(case.value, {"level": f"up to the constant {eq.formula(off).text()}, as the text says"})


LEFT_OUT = re.compile(
    r"(?i)\bconstants?\b[^.;:]{0,60}\b(?:left out|omitted|dropped|neglected|suppressed|ignored|discarded)\b"
    r"|\b(?:left out|omit\w*|drop\w*|neglect\w*|suppress\w*|ignor\w*|up to)\b[^.;:=]{0,30}\bconstants?\b"
    r"|\b(?:reference|level|height|zero|datum)s?\b[^.;:]{0,30}\bchosen\b[^.;:]{0,20}\b(?:such|so) that\b"
)
"""Words of a text that leave constants of an energy out, or set its level so that there is none."""


def _is_energy(case: Case) -> bool:
    """Whether an equation is about an energy of the arm that changes."""
    eq = case.scope.equations
    energies = (eq.P.value, eq.L.value, eq.H.value, *eq.link_potential_energies.values)
    return bool(case.wanted in energies and depth_of(case.value, eq.exact.coordinates))


def other_level(eq: Equations, wanted: Value, value: Value) -> str | None:
    """The words for energies that differ by a constant: heights are measured from another level.

    The constant is one height for all masses of the energy. A text that has none, or whose energy is zero where the arm
    hangs or lies straight, measures each link from a level of its own.
    """
    if is_table(wanted) or is_table(value):
        return None
    difference, coordinates = value - wanted, eq.exact.coordinates
    if depth_of(difference, coordinates) or not depth_of(value, coordinates):
        return None
    parts = eq.link_potential_energies.values
    masses = [link.inertia.m for link in eq.exact.mechanism.links]
    if wanted in (eq.P.value, eq.L.value, eq.H.value):
        totals = [masses, [m for m, part in zip(masses, parts, strict=False) if not is_zero(part)]]
    elif wanted in parts:
        totals = [[m] for m, part in zip(masses, parts, strict=False) if part == wanted]
    else:
        return None
    constant = f"up to the constant {eq.formula(difference).text()}: potential energy is zero at"
    weighed = [total for each in totals if not is_exactly_zero(total := sum(each))]
    if any(_is_height(quotient(difference, total), eq.arm) for total in weighed):
        return f"{constant} another height"
    return f"{constant} different heights for different links" if _has_own_levels(value, eq) else None


def _is_height(ratio: Scalar, arm: Arm) -> bool:
    """Whether energy per mass is g times a height that no mass is in."""
    units = units_of(arm)
    is_light = all(units.letters.get(letter) != MASS for letter in letters_of(ratio))
    return is_light and dimension_of(ratio, units) == (units.numbers and ACCELERATION * LENGTH)


def _has_own_levels(value: Value, eq: Equations) -> bool:
    """Whether an energy has no constant term, or is zero with the first or all angles at some right angle."""
    names, angles = eq.exact.coordinates, [name for chain in eq.notation.vocabulary.chains for name, _ in chain]
    still = substitute(value, {f"{name}.d": 0 for name in names})
    moving = {letter for name in names for letter in (name, f"cos({name})", f"sin({name})")}
    if all(any(letter in moving for letter, _ in term) for term in coefficients(still) or {(): 0.0}):
        return True
    home = {name: Turn(1, 0) if name in angles else 0 for name in names}
    turns = (Turn(1, 0), Turn(0, 1), Turn(-1, 0), Turn(0, -1))
    rests = (home | dict.fromkeys(turned, turn) for turned in (angles[:1], angles) for turn in turns)
    return any(is_zero(substitute(still, rest)) for rest in rests)


def is_torque(case: Case) -> bool:
    """Whether an equation is about a generalised force, or all of them."""
    eq = case.scope.equations
    forces = [part for tau in (eq.tau, eq.euler_lagrange) for part in _parts(column(tau.values))]
    return not is_zero(case.wanted) and any(equal(case.wanted, part) for part in forces)


def _parts(vector: Value) -> list[Value]:
    """A vector and each of its entries."""
    return [vector, *entries(vector)]


def is_turned(case: Case) -> bool:
    """Whether all of an equation has the other sign."""
    return not is_zero(case.wanted) and equal(case.value, negated(case.wanted))


def reaction(case: Case) -> Iterator[Meant]:
    """The torque of the arm on its drive."""
    if is_torque(case):
        yield Meant(negated(case.wanted))


def is_about_speeds(case: Case) -> bool:
    """Whether an equation is about what can be the vector of Coriolis and centrifugal torques: c, V, N, h, C qd."""
    names = every(Name, case.statement.sides[subject_of(case.statement)])
    kinds = {case.scope.meaning(name).kind for name in names if case.scope.meanings(name)}
    return bool(kinds & {CORIOLIS, CORIOLIS_MATRIX, BIAS})


def with_more_terms(case: Case) -> Iterator[Meant]:
    """What some call V, N or h: Coriolis and centripetal forces together with gravity or friction; or without."""
    eq = case.scope.equations
    c, g, F = (column(forces.values) for forces in (eq.c, eq.g, eq.friction))
    for words, more in (("gravity", g), ("friction", F), ("gravity and friction", added(g, F))):
        pairs = [] if is_zero(more) else zip(_parts(c), _parts(added(c, more)), strict=True)
        for part, whole in pairs:
            if not equal(part, whole) and equal(case.wanted, part):
                yield Meant(whole, {"terms": f"the vector of Coriolis and centrifugal torques includes {words}"})
            if not equal(part, whole) and equal(case.wanted, whole):
                yield Meant(part, {"terms": f"this vector does not include {words}"})


def other_jacobians(case: Case) -> Iterator[Meant]:
    """Every Jacobian of the arm, where an equation is about one: other rows, another order, another point."""
    eq = case.scope.equations
    if any(equal(case.wanted, J) for _, J in _jacobians(eq)):
        yield from (Meant(J, {"rows": words}) for words, J in _jacobians(eq))


def is_jacobian(case: Case) -> bool:
    """Whether both sides have the shape of a Jacobian."""
    return is_table(case.wanted) and shape_of(case.value)[1] == case.scope.values.n


def _jacobians(eq: Equations) -> Iterator[tuple[str, Value]]:
    """Every Jacobian of the arm that a page may print, with the words for it; that of the tool comes first."""
    points = {f"of frame {name}": eq.jacobian(name).values for name in (eq.arm.tool, *eq.arm.frames[1:])}
    values = ArmValues(eq)
    points |= {
        f"of the centre of mass of {link.name}": values.jacobian("com", i)
        for i, link in enumerate(eq.exact.mechanism.links)
        if values.centre(i) is not None
    }
    for point, J in points.items():
        angular, linear = J[:3], J[3:]
        moving, turning = ([row for row in rows if not all(map(is_exactly_zero, row))] for rows in (linear, angular))
        yield f"the Jacobian {point}, angular rows first", table(J)
        yield f"the Jacobian {point} with its linear rows first", table([*linear, *angular])
        yield f"the linear rows of the Jacobian {point}", table(linear)
        yield f"the angular rows of the Jacobian {point}", table(angular)
        orders = (("linear ", moving), ("angular ", turning), ("", moving + turning), ("", turning + moving))
        yield from ((f"the nonzero {words}rows of the Jacobian {point}", table(rows)) for words, rows in orders if rows)
        for rows in (moving[::-1], [linear[0], linear[2]], [linear[2], linear[0]]):
            if rows:
                names = ", ".join(ROWS[3 + next(k for k in range(3) if linear[k] is row)] for row in rows)
                yield f"the rows {names} of the Jacobian {point}", table(rows)


def torques_of_joints(case: Case, absolute: Sequence[Alternative]) -> Iterator[Meant]:
    """Torques in the joints, where the angles are absolute: tau = A^-T tau', as the powers qd . tau are the same."""
    values = case.scope.values
    if any(body.joint.coupling is not None for body in values.eq.arm.bodies):
        return
    ours = column(values.eq.tau.values)
    places = [k for k, part in enumerate(_parts(ours)) if equal(case.wanted, part)]
    for alternative in absolute if places else ():
        if (others := values_of(alternative, values.eq.arm)) is not None:
            bodies = others.eq.arm.bodies
            joints = {body.joint.name: dict(body.joint.coupling or ((body.joint.name, 1),)) for body in bodies}
            names = values.exact.coordinates
            A = table([[joints[name].get(other, 0) for other in names] for name in names])
            tau = multiplied(inverted(transposed(A)), column(others.eq.tau.values))
            yield Meant(_parts(tau)[places[0]], {"angles": alternative.words}, alternative)


def regressor_product(statement: Statement, scope: Scope) -> Read | None:
    """tau = W phi, where a line defines the regressor W and another its parameters phi; None for other lines."""
    name = defined_name(statement)
    if name is None or name.letter not in (*REGRESSORS, "phi", "varphi") or not is_definition(statement, scope):
        return None
    if name.letter in REGRESSORS and ENTRY.fullmatch(name.lower):
        return regressor_entry(statement, name, scope)
    try:
        W = value_of(statement.sides[1], scope)
        rows, columns = shape_of(W)
        words = [word for word in scope.definitions if word in PARAMETERS and word != spelled(name)]
        for formula in (scope.definitions[word] for word in words):
            phi = value_of(formula, scope)
            if rows == scope.values.n and is_table(W) and shape_of(phi) == (columns, 1) != (1, 1):
                whole = Product((statement.sides[1], formula), span=statement.sides[1].span)
                stated = Statement((Name("tau", span=name.span), whole), span=statement.span)
                return Read(stated, scope, (column(scope.equations.tau.values), multiplied(W, phi)))
    except WrittenError:
        pass
    return None


def regressor_entry(statement: Statement, name: Name, scope: Scope) -> Read | None:
    """An entry of a regressor, where the text gives its row and the parameters; None where another entry is wrong.

    The entry is wrong where the row times the parameters misses the torque by a multiple of the entry's parameter.
    """
    try:
        W = rows_of(value_of(scope.definitions[name.letter], scope))
        i, j = (int(digit) - 1 for digit in name.lower)
        alone = [f"{letter}1" for letter in PARAMETERS if letter not in scope.definitions]
        for word in (word for word in scope.definitions if word in (*PARAMETERS, *alone)):
            phi = [*entries(value_of(scope.definitions[word], scope))]
            if len(W) == scope.values.n and len(phi) == len(W[i]):
                off = dot(W[i], phi) - scope.equations.tau.values[i]
                missed = [quotient(off, x) for x in phi]
                own = [k for k, x in enumerate(missed) if is_polynomial(x) or is_number(x)]
                if is_exactly_zero(off) or not own or j in own:
                    wanted = W[i][j] - missed[j]
                    return Read(statement, scope, (wanted, W[i][j]))
    except (KeyError, WrittenError):
        pass
    return None


Rows = Sequence[Sequence[Scalar]]
KNOWN = {
    "upper": "every product of two speeds is written into the column of the later one",
    "lagrange": "the terms are left as they fall out of the Euler-Lagrange equation",
}


def is_coriolis_matrix(case: Case) -> bool:
    """Whether an equation is about the matrix C."""
    return equal(case.wanted, table(case.scope.equations.C.values)) and is_table(case.value)


def factorised(case: Case) -> Iterator[Meant]:
    """A matrix with C qd = c that is not the Christoffel one."""
    if (words := factorisation(rows_of(case.value), case.scope.equations)) is not None:
        yield Meant(case.value, {"factorisation": words})


def factorisation(C: Rows, eq: Equations) -> str | None:
    """What to say of a matrix with C qd = c that is not the Christoffel one; None where C qd is not c.

    C qd = c is decided exactly, and so is whether Mdot - 2 C is skew-symmetric.
    """
    n = len(eq.exact.qd)
    if len(C) != n or any(len(row) != n for row in C) or not all(row_fits(row, i, eq) for i, row in enumerate(C)):
        return None
    known = next((words for name, words in KNOWN.items() if equal(table(C), _factorised(name, eq))), None)
    which = f"another factorisation{f' ({known})' if known else ''}: C qd is the same,"
    if is_skew(C, eq):
        return (
            f"{which} and Mdot - 2 C is skew-symmetric too, so it serves passivity-based control as well as the "
            "Christoffel matrix does"
        )
    return f"{which} but Mdot - 2 C is not skew-symmetric, so it is not suitable for passivity-based control"


def _factorised(name: str, eq: Equations) -> Value:
    return table(me.FACTORISATIONS[name](eq.exact.mechanism, eq.exact.q, eq.exact.qd))


def row_fits(row: Sequence[Scalar], i: int, eq: Equations) -> bool:
    """Whether row i of a matrix C times qd is c_i, exactly."""
    return bool(dot(row, eq.exact.qd) == eq.c.values[i])


def is_skew(C: Rows, eq: Equations) -> bool:
    """Whether Mdot - 2 C is skew-symmetric, exactly."""
    pairs = zip(eq.M_dot.values, C, strict=True)
    S = [[rate - 2 * x for rate, x in zip(rates, row, strict=True)] for rates, row in pairs]
    n = range(len(S))
    return all(is_exactly_zero(S[i][j] + S[j][i]) for i in n for j in n[i:])


ENTRY = re.compile(r"([1-9])([1-9])")
Place = tuple[int, int]


def by_rows(case: Case) -> Iterator[Meant]:
    """An entry of C whose row, as the document has it, gives C qd = c."""
    place = coriolis_entry(case)
    if place is None:
        return
    eq, i = case.scope.equations, place[0]
    known = _entries(case)
    n = range(1, len(eq.exact.qd) + 1)
    if all((i, k) in known for k in n) and row_fits([known[i, k] for k in n], i - 1, eq):
        is_whole = all((a, b) in known for a in n for b in n)
        words = factorisation([[known[a, b] for b in n] for a in n], eq) if is_whole else None
        by_row = f"an entry of another factorisation: row {i} of C times qd is c_{i}"
        yield Meant(case.value, {"factorisation": words or by_row})


def coriolis_entry(case: Case) -> Place | None:
    """The row and column, counted from 1, of the entry of C that an equation is about."""
    (_, place), eq = _place(case.statement), case.scope.equations
    if place is None or max(place) > len(eq.exact.qd) or "Coriolis" not in case.about:
        return None
    return place if equal(case.wanted, eq.C.values[place[0] - 1][place[1] - 1]) else None


def _entries(case: Case) -> dict[Place, Scalar]:
    """The entries of C that the document writes by the letter of this equation."""
    letter, found = _place(case.statement)[0], {}
    for statement in case.scope.statements:
        other, place = _place(statement)
        if place is not None and other == letter and len(statement.sides) > 1:
            try:
                value = value_of(statement.sides[1], case.scope)
            except WrittenError:
                continue
            if not is_table(value):
                found[place] = value
    return found


def _place(statement: Statement) -> tuple[str, Place | None]:
    """The letter and the two indices of the left side."""
    if (name := name_of(statement.sides[0])) is None:
        return "", None
    match = ENTRY.fullmatch(name.lower)
    return name.letter, (int(match[1]), int(match[2])) if match else None
