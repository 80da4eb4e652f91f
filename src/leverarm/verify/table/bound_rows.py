"""Rows of the table that are bounds over the whole box: from an enclosure to the row that reports it.

Also the bound of the disturbance, which is as declared; constants that are exactly zero; and which coordinates need a
range at all: bounds of M, c and g need none for a joint on which they do not depend.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from numbers import Real

from leverarm import mechanics as me
from leverarm.documents.document import Words
from leverarm.errors import InputError
from leverarm.model import Arm, has_springs
from leverarm.model.units import Units
from leverarm.notation.tree import Decimal, Symbol
from leverarm.scalars import Scalar
from leverarm.scalars.exact import is_exactly_zero, partial
from leverarm.verify.enclosures.extremes import EXTREMES, NORM_OF_M
from leverarm.verify.statements import at_least, at_most, equal
from leverarm.verify.table.box import Box
from leverarm.verify.table.digits import outward, rounded_down, rounded_up
from leverarm.verify.table.exact_states import ExactStates
from leverarm.verify.table.property import Bound, Property, exchanged, line, plain

NORM_WORDS = {
    "2": "the 2-norm, the greatest eigenvalue",
    "1": "the 1-norm, the greatest column sum",
    "inf": "the infinity norm, the greatest row sum",
    "fro": "the Frobenius norm, the root of the sum of squares",
}


MIXED = "SI units"
MIXED_UNITS = "some joints turn and others slide, so units are mixed: the number is for radians and metres."


def statement_of(key: str, norm: str) -> Words:
    """The statement of a constant; the norm is that of norm_lower and norm_upper."""
    return exchanged(EXTREMES[key].statement, {NORM_OF_M: replace(NORM_OF_M, lower=norm)})


def torques_of_position(arm: Arm) -> str:
    """What g is made of."""
    return "torques of gravity and springs" if has_springs(arm) else "gravity torques"


def bound_row(key: str, bound: Bound, norm: str, detail: tuple[str, ...] = ()) -> Property:
    """The line of a constant that is enclosed."""
    norms = (f"The norm is {NORM_WORDS[norm]}.",) if key in ("norm_lower", "norm_upper") else ()
    mixed = (MIXED_UNITS,) if bound.unit == MIXED else ()
    notes = (*norms, *((bound.note,) if bound.note else ()), *mixed, *detail)
    missing = missing_row(key, norm, "", notes)
    return replace(
        missing, how=bound.how, bound=bound, found=enclosed(key, bound), witness=bound.witness, seconds=bound.seconds
    )


def missing_row(key: str, norm: str, why: str, detail: tuple[str, ...] = ()) -> Property:
    """The line of a constant that is not there: no number for this box, or not computed yet."""
    statement = statement_of(key, norm)
    remarks = tuple((sentence,) for sentence in detail)
    return Property(key, EXTREMES[key].title, plain(statement), statement, "none", (why,), remarks)


def unit_of(key: str, arm: Arm) -> str:
    """The unit of a constant. Entries of M have different ones where some joints turn and others slide."""
    angular, linear = EXTREMES[key].units
    turns = set(Units.of(arm).is_angle)
    return angular if angular == linear or turns == {True} else linear if turns == {False} else MIXED


def enclosed(key: str, bound: Bound) -> Words:
    """The enclosure, its sides rounded outward."""
    lower, upper, letter = bound.lower, bound.upper, Symbol(key)
    if lower is None and upper is None:
        return ("nothing is known yet",)
    if lower is None or upper is None:
        text, sign = (rounded_up(upper), at_most) if upper is not None else (rounded_down(lower or 0.0), at_least)
        return (sign(letter, Decimal(text, bound.unit)),)
    if lower == upper == 0:
        return (equal(letter, Decimal("0", bound.unit)),)
    low, high = outward(lower, upper)
    return (at_most(Decimal(low), letter, Decimal(high, bound.unit)),)


def is_amount(x: object) -> bool:
    """Whether something given is a finite number, zero or positive."""
    match x:
        case bool():
            return False
        case Real():
            return 0 <= float(x) < math.inf
    return False


def disturbance_property(d: float | None = None) -> Property:
    """||tau_d|| <= d as declared [N m or N, 2-norm]; InputError unless d is a finite number, zero or positive."""
    if d is not None and not is_amount(d):
        raise InputError(f"disturbance={d!r}; it is the greatest norm of tau_d, a finite number, zero or positive.")
    if d is None:
        remedy = "declare it with disturbance= or --disturbance: the greatest norm of the unknown torques."
        return line("d", "none", ("not declared",), ((remedy,),))
    found = equal(Symbol("d"), Decimal(repr(float(d)).removesuffix(".0")))
    bound = Bound(float(d), float(d), "declared", None, "SI units", 0.0, "as declared")
    return line("d", "declared", (found,), (("as declared.",),), bound=bound)


def zero_bounds(states: ExactStates) -> dict[str, Bound]:
    """v_b where every Christoffel symbol is zero, g_b where every force of gravity is; nothing without closed forms."""
    if states.equations is None or states.christoffel is None:
        return {}
    found = {}
    if all(is_exactly_zero(x) for plane in states.christoffel for row in plane for x in row):
        found["v_b"] = "c = 0: M is the same at every position."
    if all(is_exactly_zero(x) for x in states.equations.g.values):
        found["g_b"] = "g = 0: gravity moves no joint."
    return {
        key: Bound(0.0, 0.0, "exact identity", None, unit_of(key, states.arm), 0.0, note) for key, note in found.items()
    }


TRANSLATION = slice(3, 6)
"""The rows of a Jacobian that move a point; the others turn it."""


def ranges_needed(states: ExactStates, box: Box) -> tuple[str, ...]:
    """The coordinates without a range that M or g depends on: all of them where there is no closed form to tell.

    c is made of the slopes of M, so it depends on no other coordinate.
    """
    eq = states.equations
    if eq is None:
        return box.missing
    return _felt((*(x for row in states.states[0].M for x in row), *eq.g.values), box)


def ranges_needed_at_the_tool(states: ExactStates, box: Box) -> tuple[str, ...]:
    """The same of the effective mass, made of M and the Jacobian of the tool's point."""
    if states.equations is None:
        return box.missing
    state = states.states[0]
    J = me.jacobian(state.mechanism, state.q, box.arm.tool)[TRANSLATION]
    return tuple(dict.fromkeys((*ranges_needed(states, box), *_felt((x for row in J for x in row), box))))


def with_needless(box: Box, needed: tuple[str, ...]) -> Box:
    """The box with a note about the ranges that are missing, but not missed."""
    needless = [name for name in box.missing if name not in needed]
    note = f"{', '.join(needless)}: no range, and none is needed: M, c and g do not depend on it."
    return replace(box, notes=(*box.notes, note)) if needless else box


def _felt(entries: Iterable[Scalar], box: Box) -> tuple[str, ...]:
    """The coordinates without a range that one of the entries changes with."""
    every = list(entries)
    return tuple(name for name in box.missing if not all(is_exactly_zero(partial(x, name)) for x in every))
