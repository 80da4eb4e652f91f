"""Whether M is positive definite: for every position where the links themselves show it, over a box by its bound."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from leverarm import mechanics as me
from leverarm.documents.document import Words
from leverarm.mechanics.adjugate import determinant
from leverarm.mechanics.ldlt import factorise
from leverarm.mechanics.matrices import Matrix
from leverarm.model import Mechanism, bind
from leverarm.notation.tree import Symbol
from leverarm.notation.vocabulary import Writing
from leverarm.scalars import RATIONAL
from leverarm.scalars.exact import Polynomial
from leverarm.spatial import Inertia, Symmetric3, point_inertia
from leverarm.verify.statements import M, equal, said, times
from leverarm.verify.table.digits import rounded_down
from leverarm.verify.table.exact_states import ExactStates, random_position, rational_mechanism
from leverarm.verify.table.property import Bound, How, Property, line

MOST_JOINTS, MOST_TERMS = 4, 12
"""The determinant of M is printed for arms of so many joints, if it has so few terms."""
STATES = 3

Conclusion = tuple[How, str, tuple[Words, ...]]
"""How it is known, what the table says, and why."""


@dataclass(frozen=True, slots=True)
class Resistance:
    """What the links show about M at every position, symbols at their values.

    M = sum of J_i^T I_i J_i + rotors. If no I_i has a direction of negative energy, M has none. If besides every
    joint's own link resists that joint, S_i^T I_i S_i > 0, then M is definite: a motion without energy moves no link,
    so from the base outwards each joint, which has nothing moving before it, stands still.
    """

    impossible: tuple[str, ...]
    """The links whose inertia is not positive semidefinite."""
    yielding: tuple[str, ...]
    """The joints that neither their own link nor a rotor resists."""
    idle: bool
    """Whether some motion of the coordinates moves no joint."""

    @property
    def reasons(self) -> tuple[Words, ...]:
        """Why they do not show that M is definite, in sentences."""
        found = []
        if self.impossible:
            found.append(f"the inertia of {', '.join(self.impossible)} is not physically consistent.")
        if self.yielding:
            found.append(f"the link of {', '.join(self.yielding)} has no inertia against its own joint.")
        if self.idle:
            found.append("some motion of the coordinates moves no joint.")
        return tuple((reason,) for reason in found)


def positive_definite(states: ExactStates, mu1: Bound | None = None) -> Property:
    """The line of M > 0. What is proven is said: for every q, over the box, or only almost everywhere."""
    begun = time.perf_counter()
    how, found, remarks = _conclusion(states, mu1)
    if states.arm.symbols:
        remarks = (*remarks, ("the symbols have the arm's values.",))
    remarks = (*remarks, *_determinant(states))
    writing = states.equations.notation.writing if states.equations else Writing()
    return line("positive_definite", how, said(found), remarks, time.perf_counter() - begun, writing=writing)


def _conclusion(states: ExactStates, mu1: Bound | None) -> Conclusion:
    resistance = resistance_of(bind(states.arm, RATIONAL))
    if not resistance.reasons:
        why = said(
            "{M} = sum of {J_iT} {I_i} {J_i} + rotors, with no {I_i} of negative energy; each joint is resisted by its "
            "own link or rotor, so in a motion without energy the joints, from the base outwards, all stand still."
        )
        return "exact identity", "proven for every {q}", (why,)
    if mu1 is not None and mu1.lower is not None and mu1.lower > 0:
        bound = f"its least eigenvalue over the box is at least {rounded_down(mu1.lower)}."
        return "certified enclosure", "proven over the box", ((bound,), *resistance.reasons)
    return _at_random(states, resistance)


def resistance_of(mechanism: Mechanism) -> Resistance:
    """Decided over the rationals."""
    by_rotor = {
        rotor.gears[0][0]
        for rotor in mechanism.rotors
        if rotor.inertia > 0 and len(rotor.gears) == 1 and rotor.gears[0][1] != 0
    }
    yielding = []
    for link, row in zip(mechanism.links, mechanism.couplings, strict=True):
        has_rotor = len(row) == 1 and row[0][0] in by_rotor
        if not has_rotor and not link.S @ (link.inertia @ link.S) > 0:
            yielding.append(link.joint)
    impossible = (link.name for link in mechanism.links if not is_semidefinite(link.inertia))
    return Resistance(tuple(impossible), tuple(yielding), _some_motion_is_idle(mechanism))


def is_semidefinite(body: Inertia) -> bool:
    """Whether no motion of the body has negative energy: m >= 0, and the tensor about the centre of mass >= 0.

    For m > 0 the body's energy is m |v + w x c|^2 / 2 + w . I_c w / 2; a body without mass has only w . I w / 2.
    """
    if body.m < 0:
        return False
    if body.m == 0:
        return not any(body.h) and _is_semidefinite_tensor(body.I)
    com = body.h * (Fraction(1) / body.m)
    return _is_semidefinite_tensor(body.I - point_inertia(com) * body.m)


def _is_semidefinite_tensor(t: Symmetric3) -> bool:
    """No principal minor is negative: all of them, since the leading ones are not enough for semidefinite."""
    rows = [list(row) for row in t.full().rows()]
    kept = (chosen for size in (1, 2, 3) for chosen in combinations(range(3), size))
    return all(determinant([[rows[i][j] for j in chosen] for i in chosen]) >= 0 for chosen in kept)


def _some_motion_is_idle(mechanism: Mechanism) -> bool:
    """Whether the coupling's columns are dependent: then R^T R is singular."""
    n = mechanism.dof
    gram: Matrix = [[Fraction(0)] * n for _ in range(n)]
    for row in mechanism.couplings:
        for i, a in row:
            for j, b in row:
                gram[i][j] += Fraction(a) * Fraction(b)
    return not _is_definite(gram)


def _is_definite(A: Matrix) -> bool:
    """Whether a symmetric matrix of rationals is positive definite: all pivots are."""
    try:
        return all(pivot > 0 for pivot in factorise(A).D)
    except ZeroDivisionError:
        return False


def _at_random(states: ExactStates, resistance: Resistance) -> Conclusion:
    """By the pivots of M at random rational positions: where some are positive, det M is not zero everywhere."""
    how: How = "exact at random rational states"
    mechanism, rng = rational_mechanism(states.arm), random.Random(1)
    definite = [_is_definite(me.mass_matrix(mechanism, random_position(mechanism, rng))) for _ in range(STATES)]
    if not all(definite):
        if resistance.impossible:
            return how, "not positive definite", (*resistance.reasons, said("{M} is not, at a random position."))
        singular = said("some motion at a random position has no kinetic energy: {M} has no inverse there.")
        return how, "only semidefinite", (*resistance.reasons, singular)
    if resistance.impossible:
        return how, "positive definite at random positions", (*resistance.reasons, ("others are not covered.",))
    almost = said(
        "{M} is semidefinite for every {q} and definite at random ones, so wherever det {M} is not zero: at all but "
        "special positions. A bound {mu1} > 0 over a box proves it there."
    )
    return how, "semidefinite; definite almost everywhere", (*resistance.reasons, almost)


def _determinant(states: ExactStates) -> tuple[Words, ...]:
    """det M in closed form where it is short."""
    eq = states.equations
    if eq is None or states.arm.dof > MOST_JOINTS:
        return ()
    match det := determinant(states.states[0].M):
        case Polynomial() if len(det) > MOST_TERMS:
            return ()
    return ((equal(times(Symbol("det"), M), eq.formula(det).tree), "."),)
