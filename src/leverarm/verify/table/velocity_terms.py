"""Which products of speeds occur in V: centripetal ones, of a speed with itself, and Coriolis ones, of two speeds."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from leverarm import mechanics as me
from leverarm.closed_form import Formula
from leverarm.notation.names import dotted
from leverarm.scalars.exact import is_exactly_zero
from leverarm.verify.table.exact_states import ExactStates
from leverarm.verify.table.property import Property, worded

SHORT, LINE = 8, 160
"""Terms of a term of V that is printed, and characters of those of one kind in one force; else their products only."""
LISTED = 12
"""Products named one by one, or those that do not occur; of more than that only their number is told."""

Kind = Literal["Coriolis", "centripetal"]
KINDS: tuple[Kind, ...] = ("Coriolis", "centripetal")


@dataclass(frozen=True, slots=True)
class VelocityTerm:
    """The part of the force along one coordinate in qd_first qd_second; indices from 0, first <= second."""

    coordinate: int
    first: int
    second: int
    formula: Formula | None
    """Gamma_ijj qd_j^2, or 2 Gamma_ijk qd_j qd_k; None without a closed form."""

    @property
    def kind(self) -> Kind:
        return "centripetal" if self.first == self.second else "Coriolis"


def velocity_terms(states: ExactStates) -> tuple[VelocityTerm, ...]:
    """The terms that are not zero, row by row: known exactly in letters; at random states, those seen at the first."""
    return tuple(_terms(states)) if states.states else ()


def _terms(states: ExactStates) -> Iterator[VelocityTerm]:
    state = states.states[0]
    gamma = states.christoffel or me.christoffel(state.mechanism, state.q)
    n = range(len(state.q))
    for i in n:
        for j in n:
            for k in n[j:]:
                if is_exactly_zero(gamma[i][j][k]):
                    continue
                term = (1 if j == k else 2) * gamma[i][j][k] * state.qd[j] * state.qd[k]
                yield VelocityTerm(i, j, k, states.equations.formula(term) if states.equations else None)


def velocity_terms_property(states: ExactStates) -> Property:
    """The line that tells Coriolis from centripetal terms, with closed forms where they are short."""
    begun = time.perf_counter()
    value, detail = "not shown", [states.note]
    if states.states:
        terms, n = velocity_terms(states), len(states.states[0].q)
        possible = {"Coriolis": n * n * (n - 1) // 2, "centripetal": n * n}
        value = ", ".join(f"{sum(term.kind == kind for term in terms)} of {possible[kind]} {kind}" for kind in KINDS)
        detail = [*_lines(states, terms), states.note]
    return worded(
        "velocity_terms",
        "Coriolis and centripetal terms",
        "V_i is a sum of centripetal terms in qd_j^2 and Coriolis terms in qd_j qd_k.",
        r"V_i = \sum_j \Gamma_{ijj} \dot{q}_j^2 + \sum_{j < k} 2 \Gamma_{ijk} \dot{q}_j \dot{q}_k",
        states.how,
        value,
        tuple(detail),
        time.perf_counter() - begun,
    )


def _lines(states: ExactStates, terms: tuple[VelocityTerm, ...]) -> Iterator[str]:
    """A sentence for the force along each coordinate."""
    eq, names = states.equations, states.states[0].mechanism.coordinates
    printed = [eq.notation.vocabulary.printed[name] for name in names] if eq else list(names)
    for i, name in enumerate(printed):
        parts = []
        for kind in KINDS:
            mine = [term for term in terms if term.coordinate == i and term.kind == kind]
            parts.append(f"{kind} {_listed(mine, kind, printed)}" if mine else f"no {kind} term")
        yield f"V_{i + 1} ({name}): {'; '.join(parts)}."


def _listed(terms: list[VelocityTerm], kind: Kind, printed: list[str]) -> str:
    """The terms in closed form if all of them are short, else their products of speeds, or how many there are."""
    if all(term.formula is not None and term.formula.terms <= SHORT for term in terms):
        written = ", ".join(term.formula.text() for term in terms if term.formula is not None)
        if len(written) <= LINE:
            return written
    occurring = {(term.first, term.second) for term in terms}
    n = range(len(printed))
    every = [(j, k) for j in n for k in n[j:] if (j == k) == (kind == "centripetal")]
    absent = [pair for pair in every if pair not in occurring]
    if not absent:
        return f"in all {len(every)} products"
    if len(absent) < len(occurring) and len(absent) <= LISTED:
        return f"in all products but {_products(absent, printed)}"
    if len(occurring) <= LISTED:
        return f"in {_products(sorted(occurring), printed)}"
    return f"in {len(occurring)} of {len(every)} products"


def _products(pairs: list[tuple[int, int]], printed: list[str]) -> str:
    speeds = [dotted(name, 1) for name in printed]
    return ", ".join(f"{speeds[j]}^2" if j == k else f"{speeds[j]} {speeds[k]}" for j, k in pairs)
