"""Linearity in the parameters: what phi holds, the shape of W, and the fewest combinations that matter."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from leverarm import mechanics as me
from leverarm.closed_form import BaseParameter, Equations
from leverarm.closed_form.base_parameters import BaseParameters, base_parameters
from leverarm.errors import LeverarmError
from leverarm.mechanics.regressor import KINDS, kinds_of
from leverarm.model import Mechanism, bind
from leverarm.scalars import RATIONAL, Scalar
from leverarm.verify.table.exact_states import ExactStates, random_motion, rational_mechanism
from leverarm.verify.table.identities import LINEAR, property_of
from leverarm.verify.table.property import Property, worded

PRIME = 2**61 - 1
"""The rank of W is found modulo this prime: never above the true one, and below it only by rare chance."""
STATES = 4
"""How many states are added at a time."""
LONG, LEFT_OUT = 60, "..."
"""Characters of a coefficient beyond which it is left out, and what stands for it."""


def linearity_property(states: ExactStates) -> Property:
    """The line of W phi = tau, with the parameters that phi lists and the shape of W."""
    found = property_of(LINEAR, states)
    if not states.states:
        return found
    mechanism = bind(states.arm, RATIONAL)
    phi = [entry.name for entry in me.parameters(mechanism)]
    shape = f"W is {mechanism.dof} x {len(phi)}."
    return replace(found, detail=(shape, *_parameters(mechanism), *found.detail))


def _parameters(mechanism: Mechanism) -> Iterator[str]:
    """What phi lists, a sentence for each kind of parameter."""
    for kind in kinds_of(mechanism):
        names = [entry.name for entry in KINDS[kind].parameters(mechanism)]
        if kind == "inertial":
            links = ", ".join(link.name for link in mechanism.links)
            yield f"{len(names)} inertial: m, hx, hy, hz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz of each of {links}."
        else:
            yield f"{len(names)} {kind}: {', '.join(names)}."


def base_parameters_property(states: ExactStates) -> Property:
    """The line of the base parameters: their number, and the parameters that go into each."""
    begun = time.perf_counter()
    value, how = "not shown", states.how
    detail: tuple[str, ...]
    grouped = _in_letters(states)
    if grouped is not None:
        value, detail = grouped
    elif (mechanism := rational_mechanism(states.arm)).coordinates != states.arm.coordinates:
        how = "none"
        detail = ("joints that turn by a fraction of a coordinate have no exact positions to find the rank of W at.",)
    else:
        how = "exact at random rational states"
        value = f"{_rank(mechanism)} of {len(me.parameters(mechanism))}"
        detail = ("the rank of W at random rational states, modulo a prime; the grouping needs the closed forms.",)
    return worded(
        "base_parameters",
        "Base parameters",
        "The fewest combinations of the parameters that the forces depend on: W phi = W_b phi_b.",
        r"W \varphi = W_b \varphi_b, \quad \dim \varphi_b = \operatorname{rank} W",
        how,
        value,
        detail,
        time.perf_counter() - begun,
    )


def _in_letters(states: ExactStates) -> tuple[str, tuple[str, ...]] | None:
    """Their number and grouping, proven; None where the arm has no closed forms or none that are polynomials."""
    eq = states.equations
    if eq is None:
        return None
    try:
        base = base_parameters(eq.exact, kinds_of(eq.exact.mechanism))
    except LeverarmError:
        return None
    total = len(eq.parameters)
    detail = [f"{_grouping(eq, entry)}." for entry in base.entries if len(entry.regrouping) > 1]
    alone = [entry.name for entry in base.entries if len(entry.regrouping) == 1]
    if alone:
        detail.append(f"as they are: {', '.join(alone)}.")
    if base.unidentifiable:
        detail.append(f"without any effect: {', '.join(base.unidentifiable)}.")
    return f"{len(base)} of {total}", (*detail, *_special(states, base))


def _special(states: ExactStates, base: BaseParameters) -> tuple[str, ...]:
    """Over unknown symbols independence is meant for all but special values of them."""
    held = any(len(entry.regrouping) > 1 for entry in base.entries) or base.unidentifiable
    return ("for all but special values of the symbols.",) if states.arm.symbols and held else ()


def _grouping(eq: Equations, entry: BaseParameter) -> str:
    """The sum of parameters with their coefficients: the first, with coefficient 1, gives it its name."""
    text = ""
    for coefficient, name in entry.regrouping:
        written = _coefficient(eq, coefficient)
        is_sum = " + " in written or " - " in written or written == LEFT_OUT
        if written == "1":
            text += f" + {name}"
        elif written == "-1":
            text += f" - {name}"
        elif written.startswith("-") and not is_sum:
            text += f" - {written[1:]} {name}"
        else:
            text += f" + ({written}) {name}" if is_sum else f" + {written} {name}"
    return text.removeprefix(" + ")


def _coefficient(eq: Equations, coefficient: Scalar) -> str:
    try:
        written = eq.formula(coefficient).text()
    except LeverarmError:  # quotients of constant angles have no printed form that reads back
        return LEFT_OUT
    return written if len(written) <= LONG else LEFT_OUT


def _rank(mechanism: Mechanism) -> int:
    """The rank of W at ever more random states, until more of them add nothing."""
    import flint

    rng, entries = random.Random(2), []
    columns, best = len(me.parameters(mechanism)), -1
    while True:
        for _ in range(STATES):
            W = me.regressor(mechanism, *random_motion(mechanism, rng))
            entries += [_modulo_prime(x) for row in W for x in row]
        rank = int(flint.nmod_mat(len(entries) // columns, columns, entries, PRIME).rank())
        if rank in (best, columns):
            return rank
        best = rank


def _modulo_prime(x: Scalar) -> int:
    number = Fraction(x)
    return number.numerator * pow(number.denominator, -1, PRIME) % PRIME
