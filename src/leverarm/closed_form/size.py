"""How large the closed forms of an arm would be: an estimate before the work, and a refusal that says what to do."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

from leverarm.errors import ArmError, InputError
from leverarm.model import Arm, Body, Expression, Quantity, quantities, symbols_of, to_float
from leverarm.scalars import quarter_turn

TURNING, SLIDING = 2.8, 1.5
"""By how much a joint multiplies the terms of what it carries: measured on arms with ten symbols for each link."""

ODD, FIFTEENS = 2.6, 1.3
"""The same for a constant or symbolic angle that is no multiple of 90 degrees, and for one that is one of 15."""

PER_LINK = 10

MAX_TERMS = 100_000
"""The closed forms of an arm are refused when its mass matrix would have more terms than this, unless more is allowed.

The Christoffel symbols and the forces have six to ten times as many.
"""

MAX_NUMBER = 1_000
"""The most terms that one number of an arm may have when it is multiplied out."""


def estimated_terms(arm: Arm) -> int:
    """Roughly how many terms the mass matrix of an arm has when it is multiplied out.

    A link adds ten terms; each joint that carries it, beyond the first, multiplies them, and so does each angle of a
    placement that is no multiple of 90 degrees, and each number that is itself a sum.
    """
    terms = {arm.base: 0.0}
    total = 0.0
    for body in arm.bodies:
        size = terms[body.parent] * _angle_growth(body)
        if not body.joint.is_fixed:
            size = size * (TURNING if body.joint.kind.turns else SLIDING) or PER_LINK
            total += size * _own_growth(body)
        terms[body.name] = size
    return round(total)


def _angle_growth(body: Body) -> float:
    joint = body.joint
    turned = [*joint.placement.rpy, *([joint.offset, joint.locked or 0] if joint.kind.turns else [])]
    return math.prod(_growth(angle) for angle in turned)


def _own_growth(body: Body) -> float:
    """Of the body's own numbers: turned axes of its inertia, masses and centres that are sums. 0 without mass."""
    mp, t = body.mass_properties, body.mass_properties.inertia
    if all(not isinstance(x, Expression) and x == 0 for x in (mp.mass, t.xx, t.xy, t.yy, t.xz, t.yz, t.zz)):
        return 0.0
    centre = max(map(expanded_terms, mp.com))
    return math.prod(_growth(angle) for angle in mp.rpy) * expanded_terms(mp.mass) * centre * (centre + 1) / 2


def _growth(angle: Quantity) -> float:
    if any(symbols_of(angle)):
        return ODD
    value = to_float(angle, {})
    if quarter_turn(value) is not None:
        return 1.0
    return FIFTEENS if quarter_turn(6 * value) is not None else ODD


def expanded_terms(quantity: Quantity) -> int:
    """At most how many terms a number of the arm has when it is multiplied out."""
    if not isinstance(quantity, Expression) or quantity.head not in ("+", "-", "*", "/", "^", "neg"):
        return 1
    first = expanded_terms(quantity.args[0])
    if quantity.head == "neg":
        return first
    if quantity.head == "^":
        return math.comb(first + abs(quantity.args[1]) - 1, abs(quantity.args[1]))
    second = expanded_terms(quantity.args[1])
    return first + second if quantity.head in "+-" else first * second


def check_size(arm: Arm, max_terms: int = MAX_TERMS) -> None:
    """Refuse an arm whose closed forms would be too large to compute, let alone to read."""
    if isinstance(max_terms, bool) or not isinstance(max_terms, int) or max_terms < 1:
        raise InputError(f"max_terms={max_terms!r}; it must be a whole number of terms, at least 1.")
    for place, quantity in quantities(arm):
        if expanded_terms(quantity) > MAX_NUMBER:
            raise ArmError(
                f"arm {arm.name!r}, {place}: this number has up to {expanded_terms(quantity):,} terms when it is "
                f"multiplied out; at most {MAX_NUMBER:,} are taken. Give it, or parts of it, a name as a symbol.",
                part=place.part,
            )
    terms = estimated_terms(arm)
    if terms > max_terms:
        raise InputError(
            f"arm {arm.name!r}: its mass matrix would have about {terms:,} terms in closed form; the limit is "
            f"{max_terms:,}. Lock some joints (`la.lock`), evaluate it in numbers (`la.mass_matrix`, `leverarm eval`), "
            f"or allow more with `la.equations(arm, max_terms=...)`.{_hint(arm)}"
        )


MAX_PRODUCTS = 10_000_000
"""The inverse of a mass matrix is refused when its determinant would take more products of terms than this."""


def check_inverse(arm: Arm, terms: Sequence[Sequence[int]]) -> None:
    """Refuse the inverse of a mass matrix whose determinant would be too large; `terms` are those of its entries."""
    if (products := _permanent(terms)) > MAX_PRODUCTS:
        raise InputError(
            f"arm {arm.name!r}: the determinant of its mass matrix would have up to {products:.1e} terms in closed "
            f"form; the limit is {MAX_PRODUCTS:.0e}. Lock some joints (`la.lock`), or evaluate it in numbers "
            "(`leverarm eval ... M_inverse` or `qdd`, `la.forward_dynamics`)."
        )


def _permanent(A: Sequence[Sequence[int]]) -> int:
    """The sum of the products of one entry in each row and column: how many terms a determinant multiplies out."""
    sums: dict[tuple[int, ...], int] = {(): 1}
    for size, row in enumerate(A, start=1):
        smaller, sums = sums, {}
        for columns in combinations(range(len(A)), size):
            sums[columns] = sum(row[j] * smaller[columns[:k] + columns[k + 1 :]] for k, j in enumerate(columns))
    return sums[tuple(range(len(A)))]


def _hint(arm: Arm) -> str:
    """Where an angle is nearly, but not quite, a multiple of 90 degrees."""
    for place, quantity in quantities(arm):
        if "rpy" in place.number and not any(symbols_of(quantity)):
            value = to_float(quantity, {})
            if quarter_turn(value) is None and abs(math.remainder(value, math.pi / 2)) < 1e-3:
                return f" {place} is {value:.10g}, nearly a multiple of pi/2: written as that, it costs nothing."
    return ""
