"""Which products of speeds occur in c: centripetal ones, of a speed with itself, and Coriolis ones, of two speeds.

Passivity: an arm never gives back more energy than was put into it and was stored at first.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from leverarm import mechanics as me
from leverarm.closed_form import Formula
from leverarm.documents.document import Piece, Words
from leverarm.mechanics import with_shafts_at_joints
from leverarm.model import Arm, FrictionTerm, bind, to_float
from leverarm.notation.tree import Indexed, Node, Symbol
from leverarm.notation.vocabulary import Writing
from leverarm.scalars import RATIONAL
from leverarm.scalars.exact import is_exactly_zero
from leverarm.verify.statements import c, said, squared, times
from leverarm.verify.table.box import Box, stretches
from leverarm.verify.table.exact_states import ExactStates
from leverarm.verify.table.property import How, Property, line, plain

SHORT, LINE = 8, 160
"""Terms of a term of c that is printed, and characters of those of one kind in one force; else their products only."""
LISTED = 12
"""Products named one by one, or those that do not occur; of more than that only the number is given."""

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
    value, writing = "not shown", Writing()
    remarks: list[Words] = [(states.note,)]
    if states.states:
        terms, n = velocity_terms(states), len(states.states[0].q)
        possible = {"Coriolis": n * n * (n - 1) // 2, "centripetal": n * n}
        value = ", ".join(f"{sum(term.kind == kind for term in terms)} of {possible[kind]} {kind}" for kind in KINDS)
        writing = states.equations.notation.writing if states.equations else writing
        remarks = [*_lines(states, terms, writing), (states.note,)]
    seconds = time.perf_counter() - begun
    return line("velocity_terms", states.how, (value,), tuple(remarks), seconds, writing=writing)


def _lines(states: ExactStates, terms: tuple[VelocityTerm, ...], writing: Writing) -> Iterator[Words]:
    """A sentence for the force along each coordinate."""
    eq, names = states.equations, states.states[0].mechanism.coordinates
    printed = [eq.notation.vocabulary.printed[name] for name in names] if eq else list(names)
    for i, name in enumerate(printed):
        pieces: list[Piece] = [Indexed(c, str(i + 1)), " (", Symbol(name), "): "]
        for kind in KINDS:
            mine = [term for term in terms if term.coordinate == i and term.kind == kind]
            pieces += (f"{kind} ", *_listed(mine, kind, printed, writing)) if mine else (f"no {kind} term",)
            pieces.append("; " if kind != KINDS[-1] else ".")
        yield tuple(pieces)


def _listed(terms: list[VelocityTerm], kind: Kind, printed: list[str], writing: Writing) -> Words:
    """The terms in closed form if all of them are short, else their products of speeds, or how many there are."""
    if all(term.formula is not None and term.formula.terms <= SHORT for term in terms):
        written = _separated(term.formula.tree for term in terms if term.formula is not None)
        if len(plain(written, writing)) <= LINE:
            return written
    occurring = {(term.first, term.second) for term in terms}
    n = range(len(printed))
    every = [(j, k) for j in n for k in n[j:] if (j == k) == (kind == "centripetal")]
    absent = [pair for pair in every if pair not in occurring]
    if not absent:
        return (f"in all {len(every)} products",)
    if len(absent) < len(occurring) and len(absent) <= LISTED:
        return ("in all products but ", *_products(absent, printed))
    if len(occurring) <= LISTED:
        return ("in ", *_products(sorted(occurring), printed))
    return (f"in {len(occurring)} of {len(every)} products",)


def _products(pairs: list[tuple[int, int]], printed: list[str]) -> Words:
    speeds = [Symbol(name, 1) for name in printed]
    return _separated(squared(speeds[j]) if j == k else times(speeds[j], speeds[k]) for j, k in pairs)


def _separated(formulas: Iterable[Node]) -> Words:
    return tuple(piece for formula in formulas for piece in (", ", formula))[1:]


@dataclass(frozen=True, slots=True)
class Dissipation:
    """What the coefficients say about qd^T F(qd), joint by joint."""

    is_declared: bool
    driving: tuple[str, ...]
    """The joints whose constant offset drives them at some speed: its power is negative and exceeds dry friction."""


def dissipation_of(arm: Arm) -> Dissipation:
    """Whether friction takes power at every speed, qd^T F >= 0, decided over the rationals.

    Viscous and Coulomb parts always take some, as their coefficients are not negative (a joint's description is
    refused otherwise). A constant offset o does not matter to sgn friction that outweighs it, -c+ <= o <= c-; tanh
    friction vanishes at zero speed, and there any offset is stronger.
    """
    mechanism = with_shafts_at_joints(bind(arm, RATIONAL))
    terms = [(link.joint, term) for link, term in zip(mechanism.links, mechanism.frictions, strict=True) if term]
    return Dissipation(mechanism.has_friction, tuple(joint for joint, term in terms if _drives(term)))


def _drives(term: FrictionTerm) -> bool:
    offset, coulomb = term["offset"].forward, term["coulomb"]
    if term.steepness is not None:
        return bool(offset != 0)
    return bool(offset < -coulomb.forward or offset > coulomb.backward)


def dissipation_property(arm: Arm) -> Property:
    """The line of qd^T F(qd) >= 0."""
    begun = time.perf_counter()
    found = dissipation_of(arm)
    how: How = "exact identity" if found.is_declared else "declared"
    value = "proven" if found.is_declared else "no friction declared"
    kinds = "viscous, Coulomb and load" if bind(arm).loaded_joints else "viscous and Coulomb"
    remark: Words = (f"{kinds} coefficients are not negative, and no offset outweighs them.",)
    if not found.is_declared:
        remark = said("{F} = 0: no energy is lost, d{H}/dt = {qd_T} {tau}.")
    if found.driving:
        value = "does not hold"
        remark = said(
            "the constant offset of {joints} drives the joint at low speed. A constant force has a potential, offset "
            "times position: counted in {H}, the rest of friction dissipates energy at every speed.",
            joints=", ".join(found.driving),
        )
    return line("dissipation", how, (value,), (remark,), time.perf_counter() - begun)


def passivity_property(states: ExactStates, balance: Property, box: Box) -> Property:
    """The line of the energy inequality, from that of the power balance and the dissipation."""
    begun = time.perf_counter()
    dissipation = dissipation_of(states.arm)
    storage = "{H} = {K} + {P}"
    remarks: list[Words] = [balance.remarks[0]]
    if dissipation.driving:
        storage += " + offset . {q}"
        remarks.append(
            said(
                "the constant offset of {joints} is stored energy here, as of a weight; against {K} + {P} alone the "
                "inequality fails.",
                joints=", ".join(dissipation.driving),
            )
        )
    elif dissipation.is_declared:
        remarks.append(("friction dissipates energy at every speed.",))
    else:
        remarks.append(("without friction the two sides are equal.",))
    remarks += [_lowest_energy(box), (states.note,)]
    is_shown = balance.value not in ("not shown", "does not hold")
    found = said("passive from {tau} to {qd} with " + storage) if is_shown else balance.found
    shown = line("passivity", states.how, found, tuple(remarks), time.perf_counter() - begun)
    return replace(shown, statement=shown.statement.format(storage=plain(said(storage))))


def _lowest_energy(box: Box) -> Words:
    """Whether the stored energy has a lowest value, without which the inequality bounds nothing."""
    falling = [name for name in (*box.missing, *box.winding) if not _is_held_up(box, name)]
    if not falling:
        return said("{P} is bounded below over the box, so the energy that can be extracted is bounded.")
    along = ", ".join(falling)
    return said("{P} is not bounded below along {along}: give a range for a bound of the energy.", along=along)


def _is_held_up(box: Box, name: str) -> bool:
    """Whether P does not fall without end along a coordinate without a range: its springs are stiffer than weights.

    A turn alone lowers a weight no further than it is high, so there it is enough that no spring pushes outwards.
    """
    values = box.arm.defaults
    springs = [
        (to_float(body.joint.spring.stiffness, values), body.joint.name == name)
        for body in box.arm.bodies
        if body.joint.spring is not None and stretches(body.joint, name)
    ]
    pull_back = all(stiffness >= 0 for stiffness, _ in springs)
    return pull_back and (name in box.winding or any(own and stiffness > 0 for stiffness, own in springs))
